"""The commands of ``commands.COMMANDS``, carried out in a conversation: one method each, ``do_NAME``."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec

from tarneeb_client.commands import COMMANDS, Command, command_help, find_command, help_lines
from tarneeb_client.conversation import Conversation
from tarneeb_client.language import _, alternatives, listed
from tarneeb_client.link import NEW
from tarneeb_client.narrator import other_to_act, trump_of
from tarneeb_client.parse import (
    Unreadable,
    echoed,
    is_card,
    is_seat,
    is_suit,
    normalised,
    parse_call,
    parse_card,
    parse_number,
    parse_seat,
    parse_suit,
)
from tarneeb_client.state import TableView
from tarneeb_client.table_options import check_name, only_password, read_open_table, split_options
from tarneeb_client.tournament_commands import TournamentCommands
from tarneeb_client.wording.records import set_line
from tarneeb_client.wording.tables import (
    hand_line,
    last_trick_line,
    preset_lines,
    rules_lines,
    score_lines,
    table_line,
    table_lines,
    waited_for,
    who_lines,
)
from tarneeb_client.wording.turns import legal_cards
from tarneeb_engine.cards import Card
from tarneeb_engine.seats import Seat
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless

LONGEST_LINE = 2000
"""Characters of a typed line: the longest chat is 300, so a longer line is a mistake."""

REQUESTS: dict[str, type[m.Request]] = {
    str(kind.__struct_config__.tag): kind for kind in m.CLIENT_MESSAGES if issubclass(kind, m.Request)
}
"""The requests that a JSON line may hold, by ``type``."""


class CommandRunner(TournamentCommands):
    """Carries out typed lines. ``accepts_json``: a line that begins with ``{`` is a request as on the wire."""

    def __init__(self, conversation: Conversation, *, accepts_json: bool = False) -> None:
        super().__init__(conversation)
        self._accepts_json = accepts_json
        self._commands: dict[str, Callable[[str], None]] = {
            command.name: getattr(self, f"do_{command.name}") for command in COMMANDS
        }

    def typed(self, line: str) -> None:
        """Carry out one line. What cannot be done is shown as a problem that says what is accepted."""
        self._talk.is_here()
        line = line.strip()
        if not line:
            return
        try:
            _check_length(line)
            if self._accepts_json and line.startswith("{"):
                self._request(line)
            elif line.startswith("/"):
                self.do_say(line[1:])
            else:
                self._command(line)
        except Unreadable as problem:
            self._talk.presenter.problem(str(problem))

    def _command(self, line: str) -> None:
        word, _space, rest = line.partition(" ")
        command = find_command(word)
        if command is not None:
            self._commands[command.name](rest.strip())
        elif not self._shorthand(line):
            unknown = _("{typed} is not a command. Type help for those there are.")
            raise Unreadable(unknown.format(typed=echoed(word)))

    def _shorthand(self, line: str) -> bool:
        """A card, call, suit or number alone, on the player's own turn."""
        view = self._talk.view
        prompt = None if view is None else view.prompt
        first = prompt.actions[0] if prompt is not None and prompt.actions else None
        is_number = normalised(line).isdigit()
        if isinstance(first, m.PlayAction) and (is_number or is_card(line)):
            self.do_play(line)
        elif isinstance(first, m.CallAction | m.TrumpAction):
            try:
                (self.do_bid if isinstance(first, m.CallAction) else self.do_trump)(line)
            except Unreadable as problem:  # it may have been meant as a command
                hint = _("{problem} Type help for the commands.")
                raise Unreadable(hint.format(problem=problem)) from None
        elif isinstance(first, m.CutAction) and is_number:
            self.do_cut(line)
        elif is_card(line):
            self.do_play(line)
        elif first is None and (is_number or is_suit(line)) and (other := other_to_act(view)):
            raise Unreadable(_("It is not your turn: {name} is to act.").format(name=other))
        else:
            return False
        return True

    def _request(self, line: str) -> None:
        """A request as on the wire, without ``id``."""
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            raise Unreadable(_("The line begins with a brace but is not one JSON object.")) from None
        kind = REQUESTS.get(str(fields.get("type"))) if isinstance(fields, dict) else None
        if kind is None:
            unknown = _("The object's type is not that of a request. Accepted: {accepted}.")
            raise Unreadable(unknown.format(accepted=listed(REQUESTS)))
        try:
            request = msgspec.convert({**fields, "id": NEW}, kind)
        except msgspec.ValidationError as error:
            fault = _("The request cannot be read: {reason}.").format(reason=harmless(str(error)))
            raise Unreadable(fault) from None
        self._talk.ask(request)

    def _at_table(self) -> TableView:
        view = self._talk.view
        if view is None:
            raise Unreadable(_("You are at no table. Accepted: tables, join TABLE, watch TABLE, open NAME."))
        return view

    def _something_after(self, name: str, rest: str) -> None:
        if not rest:
            command = find_command(name)
            usage = name if command is None else command.usage
            more = _("{command} needs something more: {usage}. Type help {command} for examples.")
            raise Unreadable(more.format(command=name, usage=usage))

    def _nothing_after(self, name: str, rest: str) -> None:
        if rest:
            extra = _("{command} takes nothing more, but {typed} follows it.")
            raise Unreadable(extra.format(command=name, typed=echoed(rest)))

    # ---------------------------------------------------------------- about the client itself

    def do_help(self, rest: str) -> None:
        """``help [COMMAND]``."""
        if not rest:
            self._talk.presenter.answer("help", help_lines())
            return
        command: Command | None = find_command(rest.split(maxsplit=1)[0])
        if command is None:
            unknown = _("{typed} is not a command. There are: {names}.")
            names = listed(known.name for known in COMMANDS)
            raise Unreadable(unknown.format(typed=echoed(rest), names=names))
        self._talk.presenter.answer("help", command_help(command))

    def do_quit(self, rest: str) -> None:
        """``quit``."""
        self._nothing_after("quit", rest)
        self._talk.quit()

    def do_retry(self, rest: str) -> None:
        """``retry``."""
        self._nothing_after("retry", rest)
        if not self._talk.retry():
            raise Unreadable(_("The link is not lost: there is nothing to try again."))

    # ---------------------------------------------------------------- the lobby

    def do_tables(self, rest: str) -> None:
        """``tables``."""
        self._nothing_after("tables", rest)

        def show(tables: tuple[m.TableSummary, ...]) -> None:
            lines = [table_line(table) for table in tables]
            self._talk.presenter.answer("tables", lines or [_("No table is open. Open one: open NAME.")])

        self._talk.list_tables(show)

    def do_history(self, rest: str) -> None:
        """``history [NUMBER]``."""
        fault = _("{typed} is not the number of a set, as history shows it.")
        before = max(1, parse_number(rest, fault)) if rest else None

        def show(reply: m.Reply) -> None:
            if isinstance(reply, m.Sets):
                lines = [set_line(each) for each in reply.sets]
                if reply.more and reply.sets:
                    lines.append(_("Earlier ones: history {number}").format(number=reply.sets[-1].record))
                none = (
                    _("No set that you may see has been played here yet.")
                    if before is None
                    else _("No set before number {number} that you may see.").format(number=before)
                )
                self._talk.presenter.answer("history", lines or [none])

        self._talk.ask(m.ListSets(id=NEW, before=before), show)

    def do_open(self, rest: str) -> None:
        """``open NAME [OPTION=VALUE ...]``."""
        words, options = split_options(rest)
        name = " ".join(words)
        if not name:
            raise Unreadable(_("Say what the table is to be called: open NAME [OPTION=VALUE ...]."))
        check_name(words)
        request = read_open_table(name, options)
        talk = self._talk

        def opened(reply: m.Reply) -> None:
            if isinstance(reply, m.Opened):
                talk.last_opened, talk.last_password = reply.table, request.password
                is_open = _("Table {number} {name} is open. Sit down: join {number}")
                talk.presenter.say(is_open.format(number=reply.table, name=harmless(name)))

        talk.ask(request, opened)

    def do_join(self, rest: str) -> None:
        """``join TABLE [SEAT | with PLAYER] [password=TEXT]``."""
        words, options = split_options(rest)
        password = only_password("join", options)
        if not words and self._talk.last_opened is not None:
            words = [str(self._talk.last_opened)]
        if not words:
            raise Unreadable(_("Say which table: join TABLE [SEAT | with PLAYER] [password=TEXT]."))
        table, seat, partner = _place(words)
        talk = self._talk

        def join(number: int) -> None:
            nonlocal password
            if password is None and number == talk.last_opened:
                password = talk.last_password
            talk.join(m.Join(id=NEW, table=number, seat=seat, partner=partner, password=password))

        talk.with_table(table, join)

    def do_watch(self, rest: str) -> None:
        """``watch TABLE [password=TEXT]``."""
        words, options = split_options(rest)
        password = only_password("watch", options)
        if not words:
            raise Unreadable(_("Say which table: watch TABLE [password=TEXT]."))
        talk = self._talk
        talk.with_table(
            " ".join(words), lambda number: talk.join(m.Watch(id=NEW, table=number, password=password))
        )

    def do_leave(self, rest: str) -> None:
        """``leave``."""
        self._nothing_after("leave", rest)
        self._at_table()
        self._talk.leave()

    def do_say(self, rest: str) -> None:
        """``say TEXT``."""
        if not rest.strip():
            raise Unreadable(_("Say what: say TEXT, or /TEXT."))
        self._talk.ask(m.Chat(id=NEW, text=rest.strip()))

    def do_bot(self, rest: str) -> None:
        """``bot [SEAT] [LEVEL]`` or ``bot remove SEAT``."""
        self._at_table()
        words = normalised(rest).split()
        if words and words[0] == "remove":
            self._something_after("bot", " ".join(words[1:]))
            self._talk.ask(m.RemoveBot(id=NEW, seat=parse_seat(" ".join(words[1:]))))
            return
        level = m.BotLevel.STEADY
        if words and words[-1] in tuple(m.BotLevel):
            level = m.BotLevel(words.pop())
        if len(words) > 1:
            fault = _("{typed} is no seat and level. Accepted: bot [SEAT] [LEVEL], LEVEL {levels}.")
            raise Unreadable(fault.format(typed=echoed(rest), levels=alternatives(m.BotLevel)))
        seat = parse_seat(words[0]) if words else None
        self._talk.ask(m.AddBot(id=NEW, seat=seat, level=level))

    # ---------------------------------------------------------------- what the player sees

    def _show(self, name: str, rest: str, lines: Callable[[TableView], list[str]]) -> None:
        self._nothing_after(name, rest)
        self._talk.presenter.answer(name, lines(self._talk.seat_clock.as_of_now(self._at_table())))

    def do_hand(self, rest: str) -> None:
        """``hand``."""
        self._show("hand", rest, lambda view: [hand_line(view)])

    def do_table(self, rest: str) -> None:
        """``table``."""
        self._show("table", rest, table_lines)

    def do_last(self, rest: str) -> None:
        """``last``."""
        self._show("last", rest, lambda view: [last_trick_line(view)])

    def do_score(self, rest: str) -> None:
        """``score``."""
        self._show("score", rest, score_lines)

    def do_who(self, rest: str) -> None:
        """``who``."""
        self._show("who", rest, lambda view: who_lines(view.snapshot))

    def do_rules(self, rest: str) -> None:
        """``rules``."""
        if self._talk.view is None and not rest:
            self._talk.presenter.answer("rules", preset_lines())
            return
        self._show("rules", rest, lambda view: rules_lines(view.snapshot))

    # ---------------------------------------------------------------- the play

    def do_cut(self, rest: str) -> None:
        """``cut NUMBER``."""
        self._at_table()
        self._something_after("cut", rest)
        self._talk.act(
            m.CutAction(
                at=parse_number(rest, _("{typed} is not a number of cards to lift: type a whole number."))
            )
        )

    def do_bid(self, rest: str) -> None:
        """``bid CALL [REMARK]``."""
        self._at_table()
        self._talk.act(parse_call(rest))

    def do_pass(self, rest: str) -> None:
        """``pass [REMARK]``."""
        self.do_bid(f"pass {rest}")

    def do_game(self, rest: str) -> None:
        """``game [REMARK]``."""
        self.do_bid(f"game {rest}")

    def do_trump(self, rest: str) -> None:
        """``trump SUIT``."""
        self._at_table()
        self._something_after("trump", rest)
        self._talk.act(m.TrumpAction(suit=parse_suit(rest)))

    def do_play(self, rest: str) -> None:
        """``play CARD``, or the number of a legal card."""
        view = self._at_table()
        self._something_after("play", rest)
        self._talk.act(m.PlayAction(card=self._card(view, rest)))

    def _card(self, view: TableView, text: str) -> Card:
        if not normalised(text).isdigit():
            return parse_card(text)
        number = parse_number(text, _("{typed} is not the number of a card: type a whole number."))
        cards = () if view.prompt is None else legal_cards(view.prompt, trump_of(view))
        if not 1 <= number <= len(cards):
            if cards:
                fault = _(
                    "{typed} is not the number of a card that you can play. "
                    "Accepted: numbers 1 to {last}, or a card."
                )
            else:
                fault = _(
                    "{typed} is not the number of a card that you can play. "
                    "Accepted: a card, and on your turn its number."
                )
            raise Unreadable(fault.format(typed=echoed(text), last=len(cards)))
        return cards[number - 1]

    def do_ready(self, rest: str) -> None:
        """``ready``."""
        self._nothing_after("ready", rest)
        view = self._at_table()
        own = None if view.seat is None else view.snapshot.seats[view.seat]
        if own is not None and own.ready and view.snapshot.state is not m.TableState.PLAYING:
            self._talk.presenter.answer("ready", [_("You are ready already."), *waited_for(view.snapshot)])
            return
        self._talk.act(m.ReadyAction())


def _place(words: list[str]) -> tuple[str, Seat | None, str | None]:
    """Table, seat and partner of a ``join``. A table's name may have spaces: the seat is the last word."""
    lower = [word.lower() for word in words]
    if "with" in lower[1:]:
        at = lower.index("with", 1)
        if at == len(words) - 1:
            raise Unreadable(_("Say whose partner you want to be: join TABLE with PLAYER."))
        return " ".join(words[:at]), None, " ".join(words[at + 1 :])
    if len(words) > 1 and (is_seat(words[-1]) or (len(words) == 2 and words[0].isdecimal())):
        return " ".join(words[:-1]), parse_seat(words[-1]), None
    return " ".join(words), None, None


def _check_length(line: str) -> None:
    if len(line) > LONGEST_LINE:
        limit = _("A line has at most {most} characters; this one has {number}.")
        raise Unreadable(limit.format(most=LONGEST_LINE, number=len(line)))
