"""What the server or its host says to everybody reaches people and programs alike."""

from __future__ import annotations

import json

import pytest

from tarneeb_client.conversation import Conversation
from tarneeb_client.presenters import JsonPresenter, PlainPresenter
from tarneeb_protocol import messages as m


class Silent:
    """A link on which nothing is asked."""

    def post(self, request: m.Request) -> int:
        raise AssertionError(request)

    def retry_now(self) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    ("reason", "text", "shown"),
    [
        ("host", "Tea is ready", "# The server says: Tea is ready"),
        ("drain", "It stops soon.", "# The server says: It stops soon."),
        ("a later word", "\x1b]0;x\x07\u202eY", "# The server says: ␛]0;x␇\ufffdY"),
    ],
)
@pytest.mark.proves("L-5", "M-5", "X-5")
def test_a_notice_of_the_server_is_shown_to_people_and_programs_whatever_its_reason(
    reason: str, text: str, shown: str
) -> None:
    notice = m.Notice(reason=reason, text=text, seconds=5)
    lines: list[str] = []
    Conversation(Silent(), PlainPresenter(lines.append)).received(notice)
    assert lines == [shown]
    lines.clear()
    Conversation(Silent(), JsonPresenter(lines.append)).received(notice)
    assert [json.loads(line) for line in lines] == [
        {"type": "notice", "reason": reason, "text": text, "seconds": 5}
    ]
    assert lines[0].isascii()
