"""``tarneeb doctor``: what it finds, and what it advises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.player_process import Home
from support.real_terminal import real_terminal
from tarneeb_client.appearance import Surroundings, appearance
from tarneeb_client.doctor import Findings, advice, as_fields, lines
from tarneeb_client.preferences import Preferences


def findings(
    *,
    encoding: str = "utf-8",
    widths: dict[str, int] | None = None,
    trouble: str = "",
    size: tuple[int, int] = (80, 24),
    problems: list[str] | None = None,
) -> Findings:
    where = Surroundings(
        environment={"TERM": "xterm"}, reads_terminal=True, writes_terminal=True, encoding=encoding
    )
    return Findings(
        where=where,
        decided=appearance(Preferences(), where),
        size=size,
        preferences=Path("/nowhere/tarneeb.toml"),
        problems=problems or [],
        places={},
        versions={},
        trouble=trouble,
        widths=widths or {},
    )


def test_a_good_terminal_gets_no_advice() -> None:
    found = findings(widths={"♠": 1, "─": 1})
    assert advice(found) == []
    assert "Nothing is in the way of playing." in lines(found)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (findings(widths={"♠": 2, "─": 1}), "set signs to ascii"),
        (findings(size=(40, 10)), "60x18"),
        (findings(encoding="iso8859-1"), "UTF-8"),
        (findings(trouble="this machine is on no network"), "type their address"),
        (findings(problems=["theme: one of auto is accepted"]), "theme: one of auto"),
    ],
)
def test_each_trouble_has_its_advice_in_lines_and_in_json(found: Findings, said: str) -> None:
    assert len(advice(found)) == 1
    assert said in advice(found)[0]
    assert any(said in line for line in lines(found))
    assert json.loads(json.dumps(as_fields(found)))["advice"] == advice(found)


@pytest.mark.slow
def test_the_report_as_json_is_one_object_and_a_faulty_file_of_preferences_gives_status_1() -> None:
    home = Home()
    done = home.run("doctor", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["chosen"]["screen"] == "plain"
    assert report["widths"] == {}
    file = Path(report["preferences"])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("theme = 'pink'\n", encoding="utf-8")
    done = home.run("doctor", "--json")
    assert done.returncode == 1
    assert "pink" in json.loads(done.stdout)["problems"][0]


@pytest.mark.slow
def test_at_a_terminal_the_width_of_signs_is_measured_and_the_terminal_left_as_it_was() -> None:
    with real_terminal("doctor", rows=60) as terminal:
        assert terminal.end() == 0
        assert terminal.faults() == []
        assert "it draws all signs as wide as is usual" in terminal.text()
        assert "Colours:" in terminal.text()


@pytest.mark.slow
def test_a_terminal_that_does_not_answer_is_waited_for_once_and_no_longer() -> None:
    with real_terminal("doctor", rows=60) as terminal:
        terminal.is_mute = True
        assert terminal.end() == 0
        assert terminal.faults() == []
        assert "it does not say how wide it draws signs" in terminal.text()
