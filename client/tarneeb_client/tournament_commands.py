"""The commands about tournaments, carried out in a conversation."""

from __future__ import annotations

from collections.abc import Callable

from tarneeb_client.conversation import Conversation
from tarneeb_client.language import _, listed
from tarneeb_client.link import NEW
from tarneeb_client.parse import Unreadable, echoed, parse_number
from tarneeb_client.table_options import TABLE_OPTIONS, read_open_table, split_options
from tarneeb_client.tournaments import is_invited, seat_to_take
from tarneeb_client.wording.tournaments import standings_lines, tournament_line
from tarneeb_engine.tournaments.formats import FormatKind
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

OPTIONS = ("format", "sets", "wins", "tables", "appear", "lot")
"""Options of ``tournament open`` beside those of a table."""
NOT_FOR_TOURNAMENTS = frozenset({"password", "grace"})


class TournamentCommands:
    """``tournaments``, ``tournament``, ``yes`` and ``no``."""

    def __init__(self, conversation: Conversation) -> None:
        self._talk = conversation
        self._of_tournament: dict[str, Callable[[str], None]] = {
            "open": self._open,
            "follow": self._follow,
            "enter": self._enter,
            "bots": self._bots,
            "withdraw": self._withdraw,
            "begin": lambda _rest: self._ask(m.BeginTournament(id=NEW, tournament=self._number())),
            "end": lambda _rest: self._ask(m.EndTournament(id=NEW, tournament=self._number())),
            "standings": lambda _rest: self._standings(),
        }

    def do_tournaments(self, rest: str) -> None:
        """``tournaments``."""
        if rest:
            raise Unreadable(_("tournaments takes nothing more."))

        def show(reply: m.Reply) -> None:
            found = reply.tournaments if isinstance(reply, m.Tournaments) else ()
            lines = [tournament_line(each) for each in found]
            none = _("There is no tournament. Open one: tournament open NAME.")
            self._talk.presenter.answer("tournaments", lines or [none])

        self._talk.ask(m.ListTournaments(id=NEW), show)

    def do_tournament(self, rest: str) -> None:
        """``tournament WHAT ...``."""
        word, _space, more = rest.partition(" ")
        command = self._of_tournament.get(word.lower() or "standings")
        if command is None:
            accepted = listed(f"tournament {name}" for name in self._of_tournament)
            unknown = _("{typed} is nothing that a tournament does. Accepted: {accepted}.")
            raise Unreadable(unknown.format(typed=echoed(word), accepted=accepted))
        command(more.strip())

    def do_yes(self, rest: str) -> None:
        """``yes``: to an invitation, a call, or the next set."""
        del rest
        talk = self._talk
        for known in reversed(talk.tournaments.known()):
            if known.state is m.TournamentState.OVER:
                continue
            if is_invited(known, talk.own_name):
                talk.ask(m.AnswerInvitation(id=NEW, tournament=known.tournament))
                return
            table = seat_to_take(known, talk.own_name, talk.view)
            if table is not None:
                talk.join(m.Join(id=NEW, table=table))
                return
        if talk.view is None or talk.view.seat is None:
            raise Unreadable(_("Nobody asks you for a yes now."))
        talk.act(m.ReadyAction())

    def do_no(self, rest: str) -> None:
        """``no``: to an invitation."""
        del rest
        talk = self._talk
        for known in reversed(talk.tournaments.known()):
            if is_invited(known, talk.own_name):
                talk.ask(m.AnswerInvitation(id=NEW, tournament=known.tournament, accepts=False))
                return
        raise Unreadable(_("Nobody has invited you."))

    # ---------------------------------------------------------------- tournament WHAT

    def _open(self, rest: str) -> None:
        words, options = split_options(rest)
        name = " ".join(words)
        if not name:
            raise Unreadable(_("Say what it is to be called: tournament open NAME [OPTION=VALUE ...]."))
        accepted = (*OPTIONS, *(each for each in TABLE_OPTIONS if each not in NOT_FOR_TOURNAMENTS))
        for option in options:
            if option not in accepted:
                unknown = _("{typed} is not an option of a tournament. Accepted: {accepted}.")
                raise Unreadable(unknown.format(typed=echoed(option), accepted=listed(accepted)))
        own = {option: options.pop(option) for option in OPTIONS if option in options}
        table = read_open_table(name, options)
        request = m.OpenTournament(
            id=NEW,
            name=name,
            format=_format(own.get("format", FormatKind.WINNER_STAYS)),
            preset=table.preset,
            rules=table.rules,
            turn_seconds=table.turn_seconds,
            stand_in=table.stand_in,
            spectators=table.spectators,
            by_lot=own.get("lot", "no").lower() in {"yes", "on", "true"},
            sets=_count(own, "sets", 999),
            wins=_count(own, "wins", 999),
            tables=_count(own, "tables", m.MAX_TABLES),
            appear_seconds=_count(own, "appear", 3600, lowest=5),
        )

        def opened(reply: m.Reply) -> None:
            if isinstance(reply, m.TournamentOpened):
                is_open = _(
                    "Tournament {number} {name} is open. Others enter with tournament enter; you begin it with"
                    " tournament begin."
                )
                self._talk.presenter.say(is_open.format(number=reply.tournament, name=harmless(name)))

        self._talk.ask(request, opened)

    def _follow(self, rest: str) -> None:
        number = parse_number(rest, _("{typed} is not the number of a tournament: type a whole number."))
        self._talk.ask(m.FollowTournament(id=NEW, tournament=number), lambda _reply: self._standings(number))

    def _enter(self, rest: str) -> None:
        words = rest.split()
        number = int(words.pop(0)) if words and words[0].isdecimal() and len(words[0]) < 10 else self._number()
        lower = [word.lower() for word in words]
        if not words:
            self._ask(m.EnterTournament(id=NEW, tournament=number))
            return
        if "with" not in lower[1:] or lower[-1] == "with":
            raise Unreadable(_("Say team and partner: tournament enter [NUMBER] TEAM with PLAYER."))
        at = lower.index("with", 1)
        team, partner = " ".join(words[:at]), " ".join(words[at + 1 :])
        self._ask(m.EnterTournament(id=NEW, tournament=number, team=team, partner=partner))

    def _bots(self, rest: str) -> None:
        words = rest.split()
        level = m.BotLevel.STEADY
        if len(words) > 1 and words[-1].lower() in tuple(m.BotLevel):
            level = m.BotLevel(words.pop().lower())
        if not words:
            raise Unreadable(_("Say what the team is to be called: tournament bots TEAM [LEVEL]."))
        self._ask(m.EnterTournament(id=NEW, tournament=self._number(), team=" ".join(words), bots=level))

    def _withdraw(self, rest: str) -> None:
        self._ask(m.Withdraw(id=NEW, tournament=self._number(), team=rest or None))

    def _standings(self, number: int | None = None) -> None:
        talk = self._talk
        known = talk.tournaments.latest() if number is None else talk.tournaments.get(number)
        if known is None:
            raise Unreadable(_("You follow no tournament. Type tournaments, then tournament follow NUMBER."))
        talk.presenter.answer("tournament", standings_lines(known))

    def _number(self) -> int:
        known = self._talk.tournaments.latest()
        if known is None:
            raise Unreadable(_("Say which tournament first: tournaments, then tournament follow NUMBER."))
        return known.tournament

    def _ask(self, request: m.Request) -> None:
        self._talk.ask(request)


def _format(value: str) -> FormatKind:
    try:
        return FormatKind(value.lower().replace("-", "_"))
    except ValueError:
        allowed = _("{option} is one of {accepted}, not {typed}.")
        accepted = listed(FormatKind)
        raise Unreadable(allowed.format(option="format", accepted=accepted, typed=echoed(value))) from None


def _count(options: dict[str, str], option: str, highest: int, *, lowest: int = 1) -> int | None:
    if option not in options:
        return None
    number = parse_number(options[option], _("{typed} is no whole number."))
    if not lowest <= number <= highest:
        allowed = _("{option} is {lowest} to {highest}, not {number}.")
        raise Unreadable(allowed.format(option=option, lowest=lowest, highest=highest, number=number))
    return number
