"""The kit's own knowledge is that of the document and of the rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.document import PROTOCOL_DOCUMENT, tables
from support.playouts import playout
from support.self_play import rulesets
from tarneeb_client.conformance import rules as kit
from tarneeb_client.conformance import shapes
from tarneeb_client.conformance.client_kit import SCENARIOS
from tarneeb_client.conformance.server_kit import CHECKS
from tarneeb_client.conformance.wire import OutsideProfile, pack, unpack
from tarneeb_engine import events as happened
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase
from tarneeb_protocol.actions import to_wire

ROOT = Path(__file__).parents[2]
PROTOCOL = PROTOCOL_DOCUMENT.read_text(encoding="utf-8")
REQUIREMENTS = dict(re.findall(r"^- \[([A-Z]-\d+)\] (.+)$", PROTOCOL, re.MULTILINE))
EVERY: tuple[Any, ...] = (*CHECKS, *SCENARIOS)
KIT_TEXT = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- requirements


@pytest.mark.parametrize("check", EVERY, ids=lambda check: check.name)
def test_each_check_says_what_the_document_asks_and_names_requirements_that_exist(check: Any) -> None:
    assert check.says.endswith(".")
    assert check.proves
    assert [number for number in check.proves if number not in REQUIREMENTS] == []
    assert len(set(check.proves)) == len(check.proves)


@pytest.mark.parametrize("checks", [CHECKS, SCENARIOS], ids=["server", "client"])
def test_every_check_has_a_name_of_its_own(checks: tuple[Any, ...]) -> None:
    assert len({check.name for check in checks}) == len(checks)


@pytest.mark.parametrize(
    ("checks", "heading", "obliged"),
    [(CHECKS, "Requirements on a server", "server"), (SCENARIOS, "Requirements on a client", "client")],
    ids=["server", "client"],
)
def test_the_document_names_the_requirements_that_the_kit_does_not_test(
    checks: tuple[Any, ...], heading: str, obliged: str
) -> None:
    proved = {number for check in checks for number in check.proves}
    on_this_end = [number for number, text in REQUIREMENTS.items() if re.match(f"(An end|A {obliged}) ", text)]
    section = KIT_TEXT.partition(f"### {heading}")[2].partition("\n#")[0]
    named = re.findall(r"`([A-Z]-\d+)`", section)
    assert named == [number for number in on_this_end if number not in proved]


def test_the_reports_that_the_document_shows_are_of_checks_that_exist() -> None:
    shown = re.findall(r"^  (?:passed|FAILED|not tested) +(\S.*?)  ([A-Z]-\d.*)$", KIT_TEXT, re.MULTILINE)
    proves = {check.name: " ".join(check.proves) for check in EVERY}
    assert len(shown) == 8
    assert [(name, numbers) for name, numbers in shown if proves.get(name) != numbers] == []


def test_the_kit_takes_nothing_of_what_it_checks_but_the_making_harmless_of_text() -> None:
    folder = ROOT / "client" / "tarneeb_client" / "conformance"
    imported = {
        (module.name, name)
        for module in folder.rglob("*.py")
        for name in re.findall(
            r"(?:from|import) (tarneeb_(?!client)[\w.]+)", module.read_text(encoding="utf-8")
        )
    }
    assert imported == {("report.py", "tarneeb_protocol.text")}


# ---------------------------------------------------------------- shapes

SHAPED = {**shapes.RECORDS, **shapes.MESSAGES}
_KINDS = {"array of 2 ": "[2 {}]", "array of 4 ": "[4 {}]", "array of ": "[{}]"}


def kind_of(words: str) -> str:
    """The document's words for a type, as the kit writes it."""
    for beginning, form in _KINDS.items():
        if words.startswith(beginning):
            return form.format(kind_of(words.removeprefix(beginning)))
    return words.replace(" or nil", "|nil")


def test_the_kit_knows_every_message_of_a_server_as_the_document_has_it() -> None:
    seen = set()
    for table in tables(PROTOCOL):
        name = table.heading.removeprefix("Action ").strip("`")
        name = name if name in SHAPED else name.lower()
        if table.columns != ("field", "type", "needed", "meaning") or name not in SHAPED or name in seen:
            continue
        seen.add(name)
        documented = {}
        for field, words, needed, _ in table.rows:
            kind = kind_of(re.sub(r"^string .*|^integer .*", lambda found: found[0].split()[0], words))
            kind += "|nil" if needed == "yes, or nil" else ""
            documented[field.strip("`")] = (kind, needed.startswith("yes"))
        told = {field: shape for field, shape in SHAPED[name].items() if field in documented}
        assert told == documented, name
        beside = set(SHAPED[name]) - set(documented)
        assert beside <= {"id", "table", "seq"}, name
    without_own = {name for name, shape in SHAPED.items() if not set(shape) - {"id", "table", "seq"}}
    assert set(SHAPED) - seen <= without_own


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ({"type": "ping"}, None),
        ({"type": "a_later_message", "x": 1}, None),
        ({}, "a message without a `type` that is a string"),
        ({"type": "ping", "nonce": -1}, "ping.nonce is -1, which is no counter"),
        ({"type": "said", "table": 1, "seq": 2, "name": "N"}, "said.text is missing"),
        ({"type": "player_back", "table": 1, "seq": 2, "seat": 4}, "player_back.seat is 4, which is no seat"),
        (
            {"type": "player_back", "table": 1, "seq": 2, "seat": True},
            "player_back.seat is True, which is no seat",
        ),
        (
            {"type": "prompt", "table": 1, "seq": 2, "actions": [{"type": "play", "card": "AX"}]},
            "prompt.actions[0].card is 'AX', which is no card",
        ),
        (
            {"type": "set_won", "table": 1, "seq": 2, "team": 1, "scores": [1]},
            "set_won.scores has 1 items, not 2",
        ),
    ],
)
def test_a_message_of_another_shape_is_named(message: dict[str, Any], fault: str | None) -> None:
    assert shapes.fault_of(message) == fault


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x80\x80",
        pack([]),
        pack({"a": 1.5}),
        pack({"a": b""}),
        pack({1: 2}),
        b"\x82\xa1a\x01\xa1a\x01",
        b"\x81\xa1a\xd4\x01\x00",
        b"\x81\xa1a\xa1\xff",
        b"\x81\xa1a" + b"\x91" * 9 + b"\xc0",
        pack({"a": [0] * 65}),
    ],
    ids=bytes.hex,
)
def test_the_kit_reads_strictly(payload: bytes) -> None:
    with pytest.raises(OutsideProfile):
        unpack(payload, 64)


# ---------------------------------------------------------------- rules


def rules_as_fields(rules: Ruleset) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(rules)
    return kit.whole_rules(fields)


@given(rules=rulesets(), dealer=st.sampled_from(Seat), seed=st.integers(0, 2**32))
def test_the_kits_rules_and_the_engines_are_the_same(rules: Ruleset, dealer: Seat, seed: int) -> None:
    fields = rules_as_fields(rules)
    for step in playout(rules, dealer, seed, most_steps=140):
        deal = step.before.deal
        if step.seat is not None and deal is not None:
            legal = {
                kit.plain(msgspec.to_builtins(to_wire(each))) for each in step.before.legal_actions(step.seat)
            }
            assert legal == {kit.plain(each) for each in kit_legal(fields, step.before, step.seat)}
        for event in step.events:
            match event:
                case happened.HandsDealt(hands, _):
                    assert deal is not None
                    assert step.after.deal is not None
                    pack = [card.value for card in deal.pack]
                    at = step.after.deal.cut
                    assert at is not None
                    dealt = kit.dealt(pack, at, int(deal.dealer), fields["dealing"])
                    assert dealt == [[card.value for card in hand] for hand in hands]
                case happened.CardPlayed(_, _, winning, _):
                    assert deal is not None
                    assert deal.trick is not None
                    assert deal.contract is not None
                    assert deal.contract.trump is not None
                    played = next(e for e in step.events if isinstance(e, happened.CardPlayed))
                    cards = [card.value for card in (*deal.trick.cards, played.card)]
                    assert kit.winning(cards, int(deal.trick.leader), deal.contract.trump.value) == winning
                case happened.DealScored(score):
                    added = kit.points(
                        fields,
                        team=int(score.declarer) % 2,
                        call=score.call.value,
                        bid=score.bid,
                        taken=list(score.taken),
                        doubled=score.doubled,
                    )
                    assert added == list(score.points)


def kit_legal(rules: dict[str, Any], state: Any, seat: Seat) -> list[dict[str, Any]]:
    deal = state.deal
    match deal.phase:
        case Phase.CUT:
            return kit.legal_cuts()
        case Phase.AUCTION:
            calls = msgspec.to_builtins(deal.view().calls)
            return kit.legal_calls(rules, int(deal.dealer), calls, int(seat))
        case Phase.DECLARATION:
            return kit.legal_trumps()
    hand = [card.value for card in state.seat_view(seat).hand]
    trick = [card.value for card in deal.trick.cards]
    is_first = not deal.tricks and not trick
    return kit.legal_plays(rules, hand, trick, deal.contract.trump.value, is_first_lead=is_first)
