"""What a player says is never taken for what the host or this program says, whatever the name and the text."""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import product

import msgspec
import pytest
from babel.messages.pofile import read_po
from hypothesis import example, given
from hypothesis import strategies as st

from tarneeb_client import language, marks
from tarneeb_client.console import broken
from tarneeb_client.language import CATALOGUES
from tarneeb_client.narrator import error_line, narrate
from tarneeb_client.screens.cells import width
from tarneeb_client.screens.logbook import Logbook
from tarneeb_client.screens.side import log_rows
from tarneeb_client.state import TableView, advance
from tarneeb_client.wording.events import tell
from tarneeb_client.wording.people import Viewpoint, called
from tarneeb_client.wording.tables import back_line, place_line, waited_for, who_lines
from tarneeb_client.wording.tournaments import news_lines, standings_lines, tournament_line
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Card, Suit
from tarneeb_engine.ruleset import Ruleset
from tarneeb_engine.seats import Seat, Team
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_protocol import messages as m

HOSTILE = [
    *("The server says: hi", "! Your link is lost", "# The server says", "You", "Your turn"),
    *("!", "", "أنت", "الخادم"),
    *("<Ali> hi", "| no", "* Lesson", "！", "ǃ the", "＃ x", "‹Ali› ", "\u00a0! x"),
    *("\u202e!", "\x1b[2J! x", "x" * 400),
]
TEXTS = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
SAID_MARKS = (marks.CHAT, marks.CHAT_GOES_ON.strip())


@pytest.fixture(params=language.LANGUAGES)
def in_language(request: pytest.FixtureRequest) -> Iterator[str]:
    language.use(request.param)
    yield request.param
    language.use("en")


def own_sentences() -> list[str]:
    """Every sentence that this program can say, in each language."""
    said: list[str] = []
    for path in CATALOGUES.glob("*/LC_MESSAGES/*.po"):
        with path.open("rb") as catalogue:
            for entry in read_po(catalogue):
                for texts in (entry.id, entry.string):
                    said += [texts] if isinstance(texts, str) else list(texts or ())
    return [sentence for sentence in said if sentence]


SENTENCES = own_sentences()


def test_no_sentence_of_the_program_begins_like_what_is_said() -> None:
    assert len(SENTENCES) > 1000
    for sentence in SENTENCES:
        assert not sentence.startswith((*SAID_MARKS, marks.NOTICE)), sentence


@given(TEXTS)
@pytest.mark.proves("X-5", "X-6")
def test_a_name_at_the_beginning_of_a_line_begins_it_like_no_other_kind_of_line(name: str) -> None:
    shown = called(name)
    assert shown
    assert len(shown) <= m.MAX_NAME_CHARS + 2  # with quotation marks
    assert not shown.startswith((*SAID_MARKS, marks.NOTICE, *marks.OTHERS))
    for sentence in SENTENCES[:200]:
        fields = {field for _, field, _, _ in string.Formatter().parse(sentence) if field}
        if fields == {"name"}:
            line = sentence.format(name=shown)
            assert not line.startswith((*SAID_MARKS, marks.NOTICE))


@pytest.mark.usefixtures("in_language")
def test_nobody_is_called_what_the_reader_or_a_team_is_called() -> None:
    viewer = Viewpoint((m.SeatSummary(name="Nour"), None, None, None), Seat.SOUTH)
    teams = [viewer.team(seat.team()) for seat in (Seat.SOUTH, Seat.EAST)]
    own = [viewer.name(Seat.SOUTH), *teams, "You", "you", "YOU"]
    for name in own:
        assert called(name) == f'"{name}"'
        assert called(name) not in own


def snapshot(name: str, seat: Seat | None) -> m.Snapshot:
    """A table where everybody, but for the viewer, is called so."""
    them = m.SeatSummary(name=name)
    return m.Snapshot(
        table=1,
        seq=1,
        name=name,
        state=m.TableState.SET_OVER,
        rules=Ruleset(),
        turn_seconds=0,
        grace_seconds=30,
        seats=(them, them, them, them),
        seat=seat,
        spectators=(name, name),
    )


def events(name: str) -> list[m.TableEvent]:
    """Every event in whose line a name stands, but for what is said."""
    table, seq, east = 1, 2, Seat.EAST
    left = [
        m.PlayerLeft(table=table, seq=seq, seat=east, name=name, reason=reason)
        for reason in ("left", "kicked", "grace_over", name)
    ]
    return [
        *left,
        m.SpectatorJoined(table=table, seq=seq, name=name),
        m.SpectatorLeft(table=table, seq=seq, name=name),
        m.PlayerSeated(table=table, seq=seq, seat=east, name=name),
        m.PlayerAway(table=table, seq=seq, seat=east, grace_seconds=30),
        m.PlayerBack(table=table, seq=seq, seat=east),
        m.StandInBegan(table=table, seq=seq, seat=east),
        m.StandInEnded(table=table, seq=seq, seat=east),
        m.PlayerReady(table=table, seq=seq, seat=east),
        m.BotSeated(table=table, seq=seq, seat=east, name=name, level=m.BotLevel.STEADY),
        m.BotRemoved(table=table, seq=seq, seat=east),
        m.TableClosed(table=table, seq=seq, reason=name),
        m.PackCut(table=table, seq=seq, seat=east, at=7, by=m.Actor.CLOCK),
        m.CallMade(table=table, seq=seq, seat=east, call=CallKind.PASS),
        m.TrumpNamed(table=table, seq=seq, seat=east, suit=Suit.HEARTS),
        m.CardPlayed(table=table, seq=seq, seat=east, card=Card.H2, winning=east),
    ]


@pytest.mark.usefixtures("in_language")
@pytest.mark.proves("X-6")
def test_no_line_of_the_program_is_like_what_is_said_whatever_people_are_called() -> None:
    lines: list[str] = []
    for name, seat in product(HOSTILE, (Seat.SOUTH, Seat.EAST, None)):
        at = snapshot(name, seat)
        lines += [*who_lines(at), place_line(at), back_line(at), *waited_for(at)]
        told = [tell(event, at, at, None) for event in events(name)]
        lines += [line for line in told if line is not None]
        lines.append(error_line(m.Error(id=1, code=name, message=name), None))
    assert len(lines) > 1000
    for line in lines:
        assert not line.startswith((*SAID_MARKS, marks.NOTICE)), line
        assert "\n" not in line


def said(kind: str, name: str, text: str) -> m.Message:
    if kind == "lobby":
        return m.LobbySaid(name=name, text=text)
    return m.Said(table=1, seq=2, name=name, text=text)


def lines_for(message: m.Message) -> list[str]:
    """What the line mode shows for it at a table."""
    before = TableView(snapshot("Nour", Seat.SOUTH))
    return narrate(message, before, advance(before, message))


@pytest.mark.parametrize("kind", ["table", "lobby"])
@given(name=TEXTS, text=TEXTS, columns=st.integers(10, 120))
@example(name="You", text=" ".join(["x" * 70, "! Your link is lost"]), columns=80)
@example(name="Ali", text="x" * 75 + " " * 4 + "# The server says: hi", columns=80)
@example(name="Ali", text="一" * 60, columns=80)
@pytest.mark.proves("X-6")
def test_what_is_said_has_a_form_of_its_own_on_every_row_it_takes(
    kind: str, name: str, text: str, columns: int
) -> None:
    (line,) = lines_for(said(kind, name, text))
    assert line.startswith(f"{marks.CHAT}{called(name)}")
    first, *others = broken(line, columns)
    assert first.startswith(marks.CHAT)
    assert all(row.startswith(marks.CHAT_GOES_ON) for row in others)
    assert all(width(row) <= columns for row in (first, *others))
    logbook = Logbook(
        on_message=lambda _: None,
        on_lesson=lambda _: None,
        on_answer=lambda _, __: None,
        on_problem=lambda _: None,
        on_back=lambda _: None,
    )
    logbook.message(said(kind, name, text))
    logbook.say(line)
    logbook.message(m.Notice(reason="host", text=text))
    (notice,) = lines_for(m.Notice(reason="host", text=text))
    logbook.say(notice)
    assert notice.startswith(marks.NOTICE)
    (chat, told) = logbook.lines
    rows = ["".join(part for _, part in row) for row in log_rows([chat], 40, 500)]
    assert rows[0].startswith(" " + marks.CHAT)
    assert all(row.startswith(" " + marks.CHAT_GOES_ON) for row in rows[1:])
    rows = ["".join(part for _, part in row) for row in log_rows([told], 40, 500)]
    assert not any(row[1] in SAID_MARKS for row in rows)
    assert {style for row in log_rows([told], 40, 500) for style, _ in row} == {"class:warning"}


@pytest.mark.usefixtures("in_language")
@pytest.mark.parametrize("name", HOSTILE)
def test_the_names_of_teams_and_tournaments_begin_no_line(name: str) -> None:
    players = (m.EntrantSummary(name=name), m.EntrantSummary(name=name))
    others = [m.TeamSummary(name=each, players=players) for each in ("Lions", name)]
    before = m.Tournament(
        tournament=1,
        seq=1,
        name=name,
        state=m.TournamentState.PLAYING,
        format=FormatKind.WINNER_STAYS,
        opener=name,
        rules=Ruleset(),
        turn_seconds=0,
        appear_seconds=60,
        teams=tuple(others),
        alone=(name,),
        waiting=(1,),
    )
    decided = (
        m.PairingSummary(teams=(1, 0), winner=Team.SOUTH_NORTH, scores=(31, 2)),
        m.PairingSummary(teams=(1, 0), winner=Team.SOUTH_NORTH, is_walkover=True),
        m.PairingSummary(teams=(1, 0), is_walkover=True),
    )
    after = msgspec.structs.replace(before, seq=2, state=m.TournamentState.OVER, pairings=decided)
    summary = m.TournamentSummary(
        tournament=1,
        name=name,
        state=after.state,
        format=after.format,
        opener=name,
        rules=Ruleset(),
        teams=2,
    )
    lines = [*news_lines(before, after, "Nour"), *standings_lines(after), tournament_line(summary)]
    assert len(lines) > 6
    plain = _with_a_name_like_no_sentence(after)
    own = {line[:2] for line in [*news_lines(before, plain, "Nour"), *standings_lines(plain)]}
    own.add(tournament_line(summary)[:2])
    for line in lines:
        assert line[:2] in own, line  # the program's own words come first
        assert not line.startswith((*SAID_MARKS, marks.NOTICE))


def _with_a_name_like_no_sentence(tournament: m.Tournament) -> m.Tournament:
    """The same with a name that begins like no sentence."""
    teams = tuple(msgspec.structs.replace(team, name="Xyzzy") for team in tournament.teams)
    return msgspec.structs.replace(tournament, name="Xyzzy", opener="Xyzzy", teams=teams, alone=("Xyzzy",))
