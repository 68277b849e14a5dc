"""Tables and deals described on request: the lobby's list, who sits where, hand, score, rules."""

from __future__ import annotations

from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import SUIT_NAMES, hand_text, spoken
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.events import score_sentence
from tarneeb_client.wording.people import SEAT_NAMES, Viewpoint
from tarneeb_engine.calls import CallKind
from tarneeb_engine.cards import Suit
from tarneeb_engine.ruleset import PRESETS, AuctionKind, Dealing, FourPasses, Ruleset, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_engine.views import Phase, TrickView
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless


def table_line(table: m.TableSummary) -> str:
    """A table of the lobby in one line."""
    taken = sum(summary is not None for summary in table.seats)
    seats = ", ".join(f"{SEAT_NAMES[seat]} {_occupant(table.seats[seat])}" for seat in Seat)
    parts = [f"Table {table.table} {harmless(table.name)}: {taken} of 4 seats taken", seats]
    parts.append(_STATES[table.state] + ("" if table.deal is None else f", deal {table.deal}"))
    if table.scores is not None:
        parts.append(f"South-North {table.scores[0]}, East-West {table.scores[1]}")
    parts.append(preset_name(table.rules) + f", first to {table.rules.target}")
    parts.append(_pace(table))
    if table.locked:
        parts.append("password needed")
    return "; ".join(parts) + "."


def _pace(table: m.TableSummary) -> str:
    clock = f"{table.turn_seconds} s a turn" if table.turn_seconds else "no turn clock"
    held = "" if table.grace_seconds is None else f", seats held {duration(table.grace_seconds)}"
    return f"{clock}{held}, a {table.stand_in.value} bot stands in"


_STATES = {
    m.TableState.WAITING: "waiting",
    m.TableState.PLAYING: "playing",
    m.TableState.SET_OVER: "set over",
}


def _occupant(summary: m.SeatSummary | None) -> str:
    if summary is None:
        return "empty"
    notes = []
    if summary.level is not None:
        notes.append(f"{summary.level.value} bot")
    if summary.away_seconds is not None:
        notes.append(f"link lost, held {duration(summary.away_seconds)}")
    if summary.has_stand_in:
        notes.append("a bot plays")
    return harmless(summary.name) + (f" ({', '.join(notes)})" if notes else "")


def place_line(snapshot: m.Snapshot) -> str:
    """Where the viewer is and who sits where: said on joining."""
    head = f"Table {snapshot.table} {harmless(snapshot.name)}."
    own = snapshot.seat
    if own is None:
        seats = ", ".join(f"{SEAT_NAMES[seat]} {_occupant(snapshot.seats[seat])}" for seat in Seat)
        return f"{head} You watch. {seats}."
    partner, right, left = own.partner(), own.next(), own.left()
    return (
        f"{head} You are {SEAT_NAMES[own]}. {_place(snapshot, partner, 'your partner')}; "
        f"{_place(snapshot, right, 'on your right')}; {_place(snapshot, left, 'on your left')}."
    )


def _place(snapshot: m.Snapshot, seat: Seat, where: str) -> str:
    return f"{SEAT_NAMES[seat]}, {where}: {_occupant(snapshot.seats[seat])}"


def back_line(snapshot: m.Snapshot) -> str:
    """A former process of the player's was at the table, and this one is back there."""
    seat = "watching" if snapshot.seat is None else f"seat {SEAT_NAMES[snapshot.seat]}"
    return f"Back at table {snapshot.table} {harmless(snapshot.name)}, {seat}."


def who_lines(snapshot: m.Snapshot) -> list[str]:
    """Who sits where and who watches."""
    lines = [place_line(snapshot)]
    if snapshot.state is m.TableState.SET_OVER:
        lines += waited_for(snapshot)
    if snapshot.spectators:
        lines.append(f"Watching: {', '.join(harmless(name) for name in snapshot.spectators)}.")
    return lines


def waited_for(snapshot: m.Snapshot) -> list[str]:
    """What the next set waits for: seats to be taken, or players to be ready; nothing if for neither."""
    if any(summary is None for summary in snapshot.seats):
        return [_waiting_line(snapshot)]
    waiting = [
        "you" if seat == snapshot.seat else harmless(summary.name)
        for seat, summary in zip(Seat, snapshot.seats, strict=True)
        if summary is not None and not summary.ready
    ]
    return [f"Not ready for the next set yet: {', '.join(waiting)}."] if waiting else []


def hand_line(view: TableView) -> str:
    """The viewer's own hand."""
    if view.seat is None:
        return "You watch, and hold no cards."
    if not view.hand:
        return "You hold no cards now."
    return f"Your hand: {hand_text(view.hand, _trump(view))}."


def table_lines(view: TableView) -> list[str]:
    """The state of the table: deal, contract, trick in progress, tricks, score."""
    snapshot, deal = view.snapshot, view.deal
    who = Viewpoint.of(snapshot)
    lines = [place_line(snapshot)]
    if snapshot.public is None or deal is None:
        lines.append(_waiting_line(snapshot))
        return lines
    lines.append(f"Set {snapshot.set_number}, deal {deal.number}, dealt by {_object(who, deal.dealer)}.")
    if deal.phase is Phase.AUCTION and deal.calls:
        calls = ", ".join(f"{who.occupant(call.seat)} {_call(call.call, call.tricks)}" for call in deal.calls)
        lines.append(f"Calls: {calls}.")
    if deal.contract is not None:
        trump = "not named yet" if deal.contract.trump is None else SUIT_NAMES[deal.contract.trump]
        bid = _call(deal.contract.call, deal.contract.tricks)
        lines.append(f"Bid {bid} by {_object(who, deal.contract.declarer)}. Trump {trump}.")
        lines.append(f"Tricks: {who.score(deal.taken)}.")
    if deal.trick is not None and deal.trick.cards:
        lines.append(f"Trick {len(deal.tricks) + 1}: {_trick(deal.trick, who, is_over=False)}")
    if view.seat is not None:
        lines.append(hand_line(view))
    lines.append(f"Score: {who.score(snapshot.public.scores)}. First to {snapshot.rules.target}.")
    if deal.turn is not None and who.is_own(deal.turn):
        if view.prompt is not None:  # else the prompt is on its way, and its line says more
            lines.append("It is your turn.")
    elif deal.turn is not None:
        lines.append(f"{who.occupant(deal.turn)} is to act.")
    elif snapshot.state is not m.TableState.PLAYING:
        lines.append(_waiting_line(snapshot))
    return lines


def _waiting_line(snapshot: m.Snapshot) -> str:
    empty = sum(summary is None for summary in snapshot.seats)
    if empty:
        return f"Waiting for {empty} more player{'s' if empty > 1 else ''}: type bot to fill a seat with a bot."
    return "The set is over. Type ready for the next one."


def _object(who: Viewpoint, seat: Seat) -> str:
    return "you" if who.is_own(seat) else who.occupant(seat)


def _call(kind: CallKind, tricks: int | None) -> str:
    return str(tricks) if kind is CallKind.BID else kind.value


def _trump(view: TableView) -> Suit | None:
    deal = view.deal
    return None if deal is None or deal.contract is None else deal.contract.trump


def _trick(trick: TrickView, who: Viewpoint, *, is_over: bool) -> str:
    played = []
    for place, card in enumerate(trick.cards):
        seat = Seat((trick.leader + place) % 4)
        played.append(who.does(seat, "lead" if place == 0 else "play") + " " + spoken(card))
    winner = ""
    if trick.winner is not None:
        winner = f". {who.does(trick.winner, 'won' if is_over else 'are', 'won' if is_over else 'is')}" + (
            "" if is_over else " winning"
        )
    return ", ".join(played) + winner + "."


def last_trick_line(view: TableView) -> str:
    """The last finished trick of the deal."""
    deal = view.deal
    if deal is None or not deal.tricks:
        return "No trick of this deal is finished yet."
    return f"Trick {len(deal.tricks)}: {_trick(deal.tricks[-1], Viewpoint.of(view.snapshot), is_over=True)}"


def score_lines(view: TableView) -> list[str]:
    """The score, deal by deal."""
    public = view.snapshot.public
    if public is None:
        return ["No set has begun."]
    who = Viewpoint.of(view.snapshot)
    lines = [f"Deal {score.number}: {score_sentence(score, who)}" for score in public.history]
    return [*lines, f"Score: {who.score(public.scores)}. First to {public.rules.target}."]


def preset_name(rules: Ruleset) -> str:
    """The preset that the rules are, whatever their target, or ``own rules``."""
    for name, preset in PRESETS.items():
        if rule_options(rules)[1:] == rule_options(preset)[1:]:
            return f"{name} rules"
    return "own rules"


def rule_options(rules: Ruleset) -> list[str]:
    """Every rule option in a sentence of its own, the target first."""
    return [
        f"The set is played to {rules.target} (rule 23).",
        {
            AuctionKind.SINGLE: "Each player calls once; the dealer may match the highest bid (rules 8, 10).",
            AuctionKind.CONTINUING: "The auction goes round until three in succession pass; a pass is final.",
        }[rules.auction],
        {
            FourPasses.SAME_DEALER: "After four passes the same dealer deals again (rule 12).",
            FourPasses.NEXT_DEALER: "After four passes the deal goes to the right (rule 12).",
            FourPasses.DEALER_STUCK: "After three passes the dealer must bid (rule 12).",
        }[rules.four_passes],
        {
            Thirteen.GAME_CALL: "The call game, all 13 tricks, wins the set or loses 13 points (rules 11, 20).",
            Thirteen.KABOOT_BONUS: "All 13 tricks have a bonus, and there is no call game (rule 22).",
        }[rules.thirteen],
        {
            Dealing.ONE_BY_ONE: "The cards are dealt one at a time (rule 7).",
            Dealing.THIRTEEN_AT_A_TIME: "The cards are dealt thirteen at a time (rule 7).",
        }[rules.dealing],
        "A call may carry the remark helpful or not_helpful (rule 13)."
        if rules.partner_hints
        else "Calls carry no remarks (rule 13).",
        "The declarer's first lead must be a trump (rule 15)."
        if rules.lead_tarneeb
        else "The declarer may lead any card (rule 15).",
    ]


def rules_lines(snapshot: m.Snapshot) -> list[str]:
    """The rules in force at the table."""
    clock = (
        f"Each turn has {snapshot.turn_seconds} seconds."
        if snapshot.turn_seconds
        else "Turns have no time limit."
    )
    head = f"Table {snapshot.table} plays by {preset_name(snapshot.rules)}."
    return [head, *rule_options(snapshot.rules), clock, *_absence(snapshot)]


def _absence(snapshot: m.Snapshot) -> list[str]:
    """What happens to the seat of who is away or does nothing."""
    bot = f"A {snapshot.stand_in.value} bot"
    return [
        f"The seat of who loses the link is held {duration(snapshot.grace_seconds)}.",
        f"{bot} plays for who is away or lets the time run out; further turns then take a second.",
        f"{bot} takes the seat of who leaves, or stays away longer, during a set.",
    ]
