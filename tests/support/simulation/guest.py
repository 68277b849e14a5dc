"""A player or spectator who knows the protocol's document and nothing else, and behaves well."""

from __future__ import annotations

import trio

from support.simulation.calling import Caller
from support.simulation.frames import Fields, Read, packed

WAITS_FOR_TABLE = 1.0
"""Seconds between looks at the list of tables."""
SHORTEST_THOUGHT = 0.05
"""Seconds before anything but a card, so that no table can play for ever in no time."""
CALM_THOUGHT = 5.0
"""The same once the deals were enough: what is left is to see that all is well."""

BOTS = (*["random"] * 7, "steady")
"""Levels of the bots it seats, most of them quick."""

RACES: dict[str, frozenset[str]] = {
    "act": frozenset(
        {"stale", "not_your_turn", "wrong_phase", "table_over", "wrong_table_state", "not_at_table"}
    ),
    "join": frozenset({"seat_taken", "table_full", "no_such_table", "seen_another_hand", "already_at_table"}),
    "watch": frozenset({"no_such_table", "cannot_watch", "already_at_table"}),
    "leave": frozenset({"not_at_table"}),
    "add_bot": frozenset({"seat_taken", "table_full", "not_at_table", "not_a_player"}),
    "remove_bot": frozenset({"no_bot_there", "wrong_table_state", "not_at_table", "not_a_player"}),
    "chat": frozenset({"rate_limited"}),
    # Bots without delay can play hundreds of events in no time, after each of which a guest may ask.
    "sync": frozenset({"not_at_table", "rate_limited"}),
    "open_table": frozenset({"too_many_tables"}),
}
"""What a well-behaved client may be refused because somebody else, or the clock, was faster."""


class Guest(Caller):
    """Finds its table, sits down or watches, and answers its prompts."""

    def say(self) -> None:
        """A line of chat; no two in the world are the same."""
        self.lines += 1
        self.ask("chat", text=f"{self.habits.name} says line {self.lines}")

    def _hear(self, message: Read) -> None:
        fields = message.fields
        match message.kind:
            case "welcome":
                self._welcomed(fields)
            case "ping":
                self.write(packed({"type": "pong", "nonce": fields.get("nonce", 0)}))
            case "pong" | "about" | "lobby_said":
                pass
            case "snapshot":
                self.table, self.seq, self.seat = fields["table"], fields["seq"], fields.get("seat")
                self.seats, self.state = list(fields["seats"]), fields["state"]
                self.prompt = None
                self._fill_up()
            case "prompt":
                self.prompt = fields
                self._decide(fields)
            case "tables":
                self._answered(fields)
                self._choose_table(fields)
            case "opened":
                self._answered(fields)
                self._join(fields["table"])
            case "done" | "joined":
                self._done(fields)
            case "error":
                self._refusal(fields)
            case _:
                self._event(message.kind, fields)

    def _welcomed(self, welcome: Fields) -> None:
        self.is_welcome = True
        if self.token is not None:
            self.old_tokens.append(self.token)
        self.token = welcome["token"]
        self._ping_seconds, self._dead_seconds = welcome["ping_seconds"], welcome["dead_seconds"]
        if not welcome.get("resumed"):
            self.table = None
        if welcome.get("table") != self.table:
            self.table = welcome.get("table")
            self.seq = self.seat = None
        for request in self.unanswered.values():
            self.write(packed(request))
        if self.table is None:
            kinds = {request["type"] for request in self.unanswered.values()}
            self._is_looking = bool(kinds & {"list_tables", "join", "watch", "open_table"})
            self.look()

    def look(self) -> None:
        """Look for the table that it wants to be at."""
        if self.table is None and not self._is_looking and self.is_staying:
            self._is_looking = True
            self.ask("list_tables")

    def _look_again(self) -> None:
        self._is_looking = False
        self.look()

    def _choose_table(self, tables: Fields) -> None:
        if self.table is not None:
            self._is_looking = False
            return
        wanted = self.habits.table
        found = next((table for table in tables["tables"] if table["name"] == wanted), None)
        if found is not None:
            self._join(found["table"])
        elif tables.get("more"):
            self.ask("list_tables", after=tables["tables"][-1]["table"])
        elif self.habits.is_opener:
            more = dict(self.habits.opens or {})
            if self.habits.password is not None:
                more["password"] = self.habits.password
            self.ask("open_table", name=wanted, **more)
        else:
            self.later(WAITS_FOR_TABLE, self._look_again)

    def _join(self, table: int) -> None:
        fields: Fields = {"table": table}
        if self.habits.password is not None:
            fields["password"] = self.habits.password
        self.ask("watch" if self.habits.is_spectator else "join", **fields)

    def _answered(self, answer: Fields) -> Fields | None:
        number = answer.get("id")
        if number is None:
            return None
        self.sent_at.pop(number, None)
        return self.unanswered.pop(number, None)

    def _done(self, answer: Fields) -> None:
        asked = self._answered(answer)
        if asked is None:
            return
        if answer["type"] == "joined":
            self._is_looking = False
            self._fill_up()
        elif asked["type"] == "leave":
            self.table = self.seq = self.seat = None
            self.later(self.rng.random() * 2, self._look_again)
        elif asked["type"] == "act":
            self._decide_after_answer()

    def _decide_after_answer(self) -> None:
        """A prompt that came before the answer to the act before it waits for that answer."""
        if self.prompt is not None:
            self._decide(self.prompt)

    def _refusal(self, error: Fields) -> None:
        asked = self._answered(error)
        kind = None if asked is None else asked["type"]
        self.judge_refusal(kind, error, asked)
        if kind in {"join", "watch", "open_table", "list_tables"}:
            self.later(WAITS_FOR_TABLE, self._look_again)
        elif kind == "act" and self.prompt is not None:
            self.later(1.0 if error["code"] == "rate_limited" else 0.0, self._decide_after_answer)

    def judge_refusal(self, kind: str | None, error: Fields, asked: Fields | None) -> None:
        """Nothing is refused a good client but what another was faster to do."""
        if error["code"] not in RACES.get(kind or "", ()):
            self.judge.complain(f"{self.habits.name} asked {asked} and was answered {error}")

    def _event(self, kind: str, event: Fields) -> None:
        self.seq = event["seq"]
        self.moved_at = trio.current_time()
        if "turn" in event or kind in {
            "hands_dealt",
            "auction_won",
            "deal_started",
            "trick_taken",
            "card_played",
        }:
            self.prompt = None
        match kind:
            case "player_seated" | "bot_seated":
                self.seats[event["seat"]] = {"name": event["name"]}
                self._fill_up()
            case "player_left" | "bot_removed":
                self.seats[event["seat"]] = None
                self._fill_up()
            case "set_started":
                self.state = "playing"
            case "set_won":
                self.state = "set_over"
            case "table_closed":
                self.table = self.seq = self.seat = None
                self.later(0.2, self._look_again)
        habits = self.habits
        if habits.chats and self.rng.random() < habits.chats and not self.is_calm:
            self.say()
        if habits.syncs and self.rng.random() < habits.syncs and self.table is not None:
            # Without a number it is a snapshot; with one, what it has already.
            self.ask("sync", **({} if self.rng.random() < 0.7 else {"seq": self.seq}))

    def _fill_up(self) -> None:
        """The opener puts bots where nobody will sit, and after a while where nobody came."""
        if not self.habits.is_opener or self.seat is None or None not in self.seats:
            return
        if self.state != "playing":
            has_all = sum(seat is not None for seat in self.seats) >= self.habits.seats_taken
            self.later(0.05 if has_all else 3.0, self._add_bot)

    def _add_bot(self) -> None:
        if self.seat is not None and self.state != "playing" and None in self.seats:
            self.ask("add_bot", level=self.rng.choice(BOTS))

    # ------------------------------------------------------------ acting

    def _decide(self, prompt: Fields) -> None:
        thinks = self.habits.thinks
        if thinks and self.rng.random() < 0.3:
            self.later(self.rng.random() * thinks, lambda: self._act_if_still(prompt))
        elif prompt["actions"][0]["type"] != "play":
            self.later(CALM_THOUGHT if self.is_calm else SHORTEST_THOUGHT, lambda: self._act_if_still(prompt))
        else:
            self._act_if_still(prompt)

    def _act_if_still(self, prompt: Fields) -> None:
        has_acted = any(request["type"] == "act" for request in self.unanswered.values())
        if self.prompt is prompt and not has_acted:
            self.act(prompt)

    def act(self, prompt: Fields) -> None:
        """Answer a prompt."""
        self.prompt = None
        self.ask("act", action=self.choose(prompt["actions"]), seq=prompt["seq"])

    def choose(self, offered: list[Fields]) -> Fields:
        """The lowest bid or a pass more often than not, so that sets end; anything else by chance."""
        if offered[0]["type"] == "call" and self.rng.random() < 0.8:
            return offered[min(len(offered) - 1, int(self.rng.random() * 2))]
        return self.rng.choice(offered)
