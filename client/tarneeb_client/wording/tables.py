"""Tables and deals described on request: the lobby's list, who sits where, hand, score, rules."""

from __future__ import annotations

from dataclasses import replace

from tarneeb_client.language import N_, _, clauses, in_context, listed, plural
from tarneeb_client.state import TableView
from tarneeb_client.wording.cards import hand_text, spoken, suit_name
from tarneeb_client.wording.connection import duration
from tarneeb_client.wording.events import level_name, score_sentence
from tarneeb_client.wording.people import Viewpoint, called, seat_name
from tarneeb_client.wording.turns import call_text
from tarneeb_engine.cards import Suit
from tarneeb_engine.ruleset import AuctionKind, Dealing, FourPasses, Ruleset, SuitBids, Thirteen
from tarneeb_engine.seats import Seat
from tarneeb_engine.variants import DEFAULT, VARIANTS
from tarneeb_engine.views import ContractView, DealView, Phase, TrickView
from tarneeb_protocol import messages as m
from tarneeb_protocol.text import harmless


def table_line(table: m.TableSummary) -> str:
    """A table of the lobby in one line."""
    taken = sum(summary is not None for summary in table.seats)
    parts = [
        _("Table {number} {name}: {taken} of 4 seats taken").format(
            number=table.table, name=harmless(table.name), taken=taken
        ),
        _seats(table.seats),
        _(_STATES[table.state])
        if table.deal is None
        else _("{state}, deal {number}").format(state=_(_STATES[table.state]), number=table.deal),
    ]
    if table.scores is not None:
        first, second = table.scores
        parts.append(_("South-North {first}, East-West {second}").format(first=first, second=second))
    parts.append(
        _("{rules}, first to {target}").format(rules=preset_name(table.rules), target=table.rules.target)
    )
    parts.append(_pace(table))
    if table.locked:
        parts.append(_("password needed"))
    return f"{clauses(parts)}."


def _pace(table: m.TableSummary) -> str:
    clock = turn_time(table.turn_seconds)
    level = level_name(table.stand_in)
    if table.grace_seconds is None:
        return _("{clock}, a {level} bot stands in").format(clock=clock, level=level)
    held = duration(table.grace_seconds)
    return _("{clock}, seats held {time}, a {level} bot stands in").format(clock=clock, time=held, level=level)


def turn_time(seconds: int) -> str:
    """How long a turn may take, in a word or two; 0 for as long as one likes."""
    return _("{seconds} s a turn").format(seconds=seconds) if seconds else _("no turn clock")


_STATES = {
    m.TableState.WAITING: N_("waiting"),
    m.TableState.PLAYING: N_("playing"),
    m.TableState.SET_OVER: N_("set over"),
}


def _seats(seats: m.Seats) -> str:
    return listed(
        _("{seat} {occupant}").format(seat=seat_name(seat), occupant=_occupant(seats[seat])) for seat in Seat
    )


def _occupant(summary: m.SeatSummary | None) -> str:
    if summary is None:
        return in_context("seat", "empty")
    notes = []
    if summary.level is not None:
        notes.append(_("{level} bot").format(level=level_name(summary.level)))
    if summary.away_seconds is not None:
        notes.append(_("link lost, held {time}").format(time=duration(summary.away_seconds)))
    if summary.has_stand_in:
        notes.append(_("a bot plays"))
    return called(summary.name) + (f" ({listed(notes)})" if notes else "")


def place_line(snapshot: m.Snapshot) -> str:
    """Where the viewer is and who sits where: said on joining."""
    own = snapshot.seat
    table = {"number": snapshot.table, "name": harmless(snapshot.name)}
    if own is None:
        return _("Table {number} {name}. You watch. {seats}.").format(**table, seats=_seats(snapshot.seats))
    around = {"partner": own.partner(), "right": own.next(), "left": own.left()}
    return _(
        "Table {number} {name}. You are {own}. {partner_seat}, your partner: {partner}; "
        "{right_seat}, on your right: {right}; {left_seat}, on your left: {left}."
    ).format(
        **table,
        own=seat_name(own),
        **{where: _occupant(snapshot.seats[seat]) for where, seat in around.items()},
        **{f"{where}_seat": seat_name(seat) for where, seat in around.items()},
    )


def back_line(snapshot: m.Snapshot) -> str:
    """A former process of the player's was at the table, and this one is back there."""
    table = {"number": snapshot.table, "name": harmless(snapshot.name)}
    if snapshot.seat is None:
        return _("Back at table {number} {name}, watching.").format(**table)
    return _("Back at table {number} {name}, seat {seat}.").format(**table, seat=seat_name(snapshot.seat))


def who_lines(snapshot: m.Snapshot) -> list[str]:
    """Who sits where and who watches."""
    lines = [place_line(snapshot)]
    if snapshot.state is m.TableState.SET_OVER:
        lines += waited_for(snapshot)
    if snapshot.spectators:
        names = listed(called(name) for name in snapshot.spectators)
        lines.append(_("Watching: {names}.").format(names=names))
    return lines


def waited_for(snapshot: m.Snapshot) -> list[str]:
    """What the next set waits for: seats to be taken, or players to be ready; nothing if for neither."""
    if any(summary is None for summary in snapshot.seats):
        return [_waiting_line(snapshot)]
    waiting = [
        in_context("subject", "you") if seat == snapshot.seat else called(summary.name)
        for seat, summary in zip(Seat, snapshot.seats, strict=True)
        if summary is not None and not summary.ready
    ]
    if not waiting:
        return []
    return [_("Not ready for the next set yet: {names}.").format(names=listed(waiting))]


def hand_line(view: TableView) -> str:
    """The viewer's own hand."""
    if view.seat is None:
        return _("You watch, and hold no cards.")
    if not view.hand:
        return _("You hold no cards now.")
    return _("Your hand: {cards}.").format(cards=hand_text(view.hand, _trump(view)))


def table_lines(view: TableView) -> list[str]:
    """The state of the table: deal, contract, trick in progress, tricks, score."""
    snapshot, deal = view.snapshot, view.deal
    who = Viewpoint.of(snapshot)
    lines = [place_line(snapshot)]
    if snapshot.public is None or deal is None:
        lines.append(_waiting_line(snapshot))
        return lines
    lines += _deal_lines(snapshot, deal, who)
    if view.seat is not None:
        lines.append(hand_line(view))
    lines.append(_score_line(snapshot.public.scores, snapshot.rules, who))
    if deal.turn is not None and who.is_own(deal.turn):
        if view.prompt is not None:  # else the prompt is on its way, and its line says more
            lines.append(_("It is your turn."))
    elif deal.turn is not None:
        lines.append(_("{name} is to act.").format(name=who.occupant(deal.turn)))
    elif snapshot.state is not m.TableState.PLAYING:
        lines.append(_waiting_line(snapshot))
    return lines


def _deal_lines(snapshot: m.Snapshot, deal: DealView, who: Viewpoint) -> list[str]:
    dealt = who.tell(
        deal.dealer,
        own=_("Set {set_number}, deal {number}, dealt by you."),
        other=_("Set {set_number}, deal {number}, dealt by {name}."),
        set_number=snapshot.set_number,
        number=deal.number,
    )
    lines = [dealt]
    if deal.phase is Phase.AUCTION and deal.calls:
        lines.append(_("Calls: {calls}.").format(calls=calls_text(deal, who)))
    if deal.contract is not None:
        lines.append(_contract(deal.contract, who))
        lines.append(_("Tricks: {tricks}.").format(tricks=who.score(deal.taken)))
    if deal.trick is not None and deal.trick.cards:
        lines.append(_numbered_trick(len(deal.tricks) + 1, deal.trick, who, is_over=False))
    return lines


def trick_so_far_line(view: TableView) -> str | None:
    """The trick in progress; ``None`` while no card of it is played."""
    deal = view.deal
    if deal is None or deal.trick is None or not deal.trick.cards:
        return None
    return _numbered_trick(len(deal.tricks) + 1, deal.trick, Viewpoint.of(view.snapshot), is_over=False)


def calls_line(view: TableView) -> str | None:
    """The auction in progress; ``None`` when there is none, or nobody has called."""
    deal = view.deal
    if deal is None or deal.phase is not Phase.AUCTION or not deal.calls:
        return None
    return _("Calls: {calls}.").format(calls=calls_text(deal, Viewpoint.of(view.snapshot)))


def calls_text(deal: DealView, who: Viewpoint) -> str:
    """The calls of the auction so far: ``Rami 7, Huda pass``."""
    return listed(
        _("{name} {call}").format(
            name=who.occupant(call.seat), call=call_text(call.call, call.tricks, call.suit)
        )
        for call in deal.calls
    )


def _contract(contract: ContractView, who: Viewpoint) -> str:
    bid = call_text(contract.call, contract.tricks)
    if contract.trump is None:
        own, other = _("Bid {bid} by you. Trump not named yet."), _("Bid {bid} by {name}. Trump not named yet.")
        return who.tell(contract.declarer, own=own, other=other, bid=bid)
    own, other = _("Bid {bid} by you. Trump {suit}."), _("Bid {bid} by {name}. Trump {suit}.")
    told = who.tell(contract.declarer, own=own, other=other, bid=bid, suit=suit_name(contract.trump))
    return f"{told} {_('Doubled.')}" if contract.doubled else told


def _score_line(scores: tuple[int, int], rules: Ruleset, who: Viewpoint) -> str:
    return _("Score: {score}. First to {target}.").format(score=who.score(scores), target=rules.target)


def _waiting_line(snapshot: m.Snapshot) -> str:
    empty = sum(summary is None for summary in snapshot.seats)
    if empty:
        return plural(
            "Waiting for {number} more player: type bot to fill a seat with a bot.",
            "Waiting for {number} more players: type bot to fill a seat with a bot.",
            empty,
        ).format(number=empty)
    return _("The set is over. Type ready for the next one.")


def _trump(view: TableView) -> Suit | None:
    deal = view.deal
    return None if deal is None or deal.contract is None else deal.contract.trump


def _numbered_trick(number: int, trick: TrickView, who: Viewpoint, *, is_over: bool) -> str:
    played = []
    for place, card in enumerate(trick.cards):
        seat = Seat((trick.leader + place) % 4)
        if place == 0:
            own, other = in_context("within a list", "You lead {card}"), _("{name} leads {card}")
        else:
            own, other = in_context("within a list", "You play {card}"), _("{name} plays {card}")
        played.append(who.tell(seat, own=own, other=other, card=spoken(card)))
    sentence = _("Trick {number}: {cards}.").format(number=number, cards=listed(played))
    if trick.winner is None:
        return sentence
    if is_over:
        winner = who.tell(trick.winner, own=_("You won."), other=_("{name} won."))
    else:
        winner = who.tell(trick.winner, own=_("You are winning."), other=_("{name} is winning."))
    return f"{sentence} {winner}"


def last_trick_line(view: TableView) -> str:
    """The last finished trick of the deal."""
    deal = view.deal
    if deal is None or not deal.tricks:
        return _("No trick of this deal is finished yet.")
    return _numbered_trick(len(deal.tricks), deal.tricks[-1], Viewpoint.of(view.snapshot), is_over=True)


def score_lines(view: TableView) -> list[str]:
    """The score, deal by deal."""
    public = view.snapshot.public
    if public is None:
        return [_("No set has begun.")]
    who = Viewpoint.of(view.snapshot)
    lines = [
        _("Deal {number}: {how}").format(number=score.number, how=score_sentence(score, who))
        for score in public.history
    ]
    return [*lines, _score_line(public.scores, public.rules, who)]


def preset_name(rules: Ruleset) -> str:
    """The preset that the rules are, if need be to another target than its own, or ``own rules``."""
    usual = replace(rules, target=VARIANTS[DEFAULT].rules.target)
    for wanted in (rules, usual):
        for variant in VARIANTS.values():
            if variant.rules == wanted:
                return _(variant.name)
    return _("own rules")


def preset_lines() -> list[str]:
    """Every preset that this client knows of: its word, its name and how it is played."""
    return [
        _("{word}: {name}. {differs}").format(word=word, name=_(variant.name), differs=_(variant.differs))
        for word, variant in VARIANTS.items()
    ]


def rule_options(rules: Ruleset) -> list[str]:
    """Every rule option in a sentence of its own, the target first."""
    return [
        _("The set is played to {target} (rule 23).").format(target=rules.target),
        {
            AuctionKind.SINGLE: _(
                "Each player calls once; the dealer may match the highest bid (rules 8, 10)."
            ),
            AuctionKind.CONTINUING: _(
                "The auction goes round until three in succession pass; a pass is final."
            ),
            AuctionKind.RETURNING: _(
                "The auction goes round until three in succession pass; who passed may bid again (rule 27)."
            ),
        }[rules.auction],
        {
            FourPasses.SAME_DEALER: _("After four passes the same dealer deals again (rule 12)."),
            FourPasses.NEXT_DEALER: _("After four passes the deal goes to the right (rule 12)."),
            FourPasses.DEALER_STUCK: _("After three passes the dealer must bid (rule 12)."),
        }[rules.four_passes],
        {
            Thirteen.GAME_CALL: _(
                "The call game, all 13 tricks, wins the set or loses 13 points (rules 11, 20)."
            ),
            Thirteen.KABOOT_BONUS: _("All 13 tricks have a bonus, and there is no call game (rule 22)."),
        }[rules.thirteen],
        {
            Dealing.ONE_BY_ONE: _("The cards are dealt one at a time (rule 7)."),
            Dealing.THIRTEEN_AT_A_TIME: _("The cards are dealt thirteen at a time (rule 7)."),
        }[rules.dealing],
        _("A call may carry the remark helpful or not_helpful (rule 13).")
        if rules.partner_hints
        else _("Calls carry no remarks (rule 13)."),
        _("The declarer's first lead must be a trump (rule 15).")
        if rules.lead_tarneeb
        else _("The declarer may lead any card (rule 15)."),
        {
            SuitBids.NONE: _("A bid is a number; the trump is named after the auction (rule 14)."),
            SuitBids.CLUBS_TO_DIAMONDS: _(
                "A bid names its suit; clubs are lowest, then spades, hearts, diamonds (rules 24, 25)."
            ),
            SuitBids.CLUBS_TO_SPADES: _(
                "A bid names its suit; clubs are lowest, then diamonds, hearts, spades (rules 24, 25)."
            ),
        }[rules.suit_bids],
        _("An opponent may double the highest bid (rule 26).")
        if rules.double
        else _("Nobody doubles (rule 26)."),
    ]


def rules_lines(snapshot: m.Snapshot) -> list[str]:
    """The rules in force at the table."""
    seconds = snapshot.turn_seconds
    clock = _("Turns have no time limit.")
    if seconds:
        clock = plural("Each turn has {number} second.", "Each turn has {number} seconds.", seconds).format(
            number=seconds
        )
    head = _("Table {number} plays by {rules}.").format(
        number=snapshot.table, rules=preset_name(snapshot.rules)
    )
    return [head, *rule_options(snapshot.rules), clock, *_absence(snapshot)]


def _absence(snapshot: m.Snapshot) -> list[str]:
    """What happens to the seat of who is away or does nothing."""
    level = level_name(snapshot.stand_in)
    return [
        _("The seat of who loses the link is held {time}.").format(time=duration(snapshot.grace_seconds)),
        _(
            "A {level} bot plays for who is away or lets the time run out; further turns then take a second."
        ).format(level=level),
        _("A {level} bot takes the seat of who leaves, or stays away longer, during a set.").format(
            level=level
        ),
    ]
