"""A recorded set on the screen: step forward and back, every hand in sight or covered."""

from __future__ import annotations

from collections.abc import Sequence

from tarneeb_client.language import _
from tarneeb_client.replay import Step
from tarneeb_client.screens.cells import fit
from tarneeb_client.screens.cross import TableScene, cross
from tarneeb_client.screens.glyphs import Glyphs, rank_sign
from tarneeb_client.screens.hand import card_style
from tarneeb_client.screens.keyed import KeyedDesk
from tarneeb_client.screens.keys import footer_of
from tarneeb_client.screens.panes import Pane, help_rows
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.rows import Fragment, Row, apart, beside, filled, fitted, in_signs, text_row
from tarneeb_client.screens.score_rows import score_rows
from tarneeb_client.screens.side import seat_tag, side_name, side_pane
from tarneeb_client.screens.status import footer_row
from tarneeb_client.wording.cards import suits_in_order
from tarneeb_client.wording.events import call_sentence
from tarneeb_client.wording.people import Viewpoint
from tarneeb_engine.actions import Cut, MakeCall, NameTrump, PlayCard
from tarneeb_engine.seats import Seat, Team

SIDE = 26
"""Cells of the pane beside the table."""
WITH_SIDE = 80
"""Columns from which there is one."""


class ReplayDesk(KeyedDesk):
    """The viewer. ``at`` is the step that is shown."""

    def __init__(self, steps: Sequence[Step], *, title: str, glyphs: Glyphs) -> None:
        super().__init__()
        self.at = 0
        self._steps = steps
        self._title = title
        self._glyphs = glyphs
        self._is_covered = False
        self._pane: Pane | None = None

    @property
    def place(self) -> Place:
        """Where keys are pressed."""
        return Place.REPLAY if self._pane is None else Place.PANE

    @property
    def step(self) -> Step:
        """What is shown."""
        return self._steps[self.at]

    def tick(self, now: float) -> None:
        """Nothing here depends on the time."""

    def typed(self, text: str) -> None:
        """Nothing is typed here."""
        del text

    # ---------------------------------------------------------------- keys

    def key_step(self, key: str) -> None:
        """One step forward or back."""
        self._go(self.at + (1 if key == "right" else -1))

    def key_trick(self, key: str) -> None:
        """Forward to where a trick, or an auction, has ended; back to where one began."""
        direction = 1 if key == "down" else -1
        at = self.at + direction
        while 0 < at < len(self._steps) - 1 and not self._is_resting(at):
            at += direction
        self._go(at)

    def key_deal(self, key: str) -> None:
        """To the beginning of the next deal, or of this one and the one before."""
        forward = key == "pagedown"
        begins = [number for number, step in enumerate(self._steps) if step.action is None]
        others = [at for at in begins if (at > self.at if forward else at < self.at)]
        if others:
            self._go(others[0] if forward else others[-1])
        elif forward:
            self._go(len(self._steps) - 1)

    def key_ends(self, key: str) -> None:
        """To the first step, or the last."""
        self._go(0 if key == "home" else len(self._steps) - 1)

    def key_cover(self, key: str) -> None:
        """Cover the hands, or show them."""
        del key
        self._is_covered = not self._is_covered

    def key_scores(self, key: str) -> None:
        """Every deal so far."""
        del key
        view, glyphs = self.step.view, self._glyphs
        self._pane = Pane(_("Scores"), lambda cells: score_rows(view, glyphs, cells))

    def key_help(self, key: str) -> None:
        """The keys."""
        del key
        self._pane = Pane(_("Keys"), lambda cells: help_rows(Place.REPLAY, cells))

    def key_scroll(self, key: str) -> None:
        """Scroll the pane."""
        if self._pane is not None:
            self._pane.scroll(5 if key == "pagedown" else -5)

    def key_close(self, key: str) -> None:
        """Close the pane."""
        del key
        self._pane = None

    def key_leave(self, key: str) -> None:
        """End."""
        del key
        self.is_over = True

    def key_interrupt(self, key: str) -> None:
        """End."""
        self.key_leave(key)

    def _go(self, at: int) -> None:
        self.at = max(0, min(at, len(self._steps) - 1))

    def _is_resting(self, at: int) -> bool:
        """Whether a trick has just ended, the trump was just named, or a deal begins."""
        step = self._steps[at]
        if step.action is None or isinstance(step.action, NameTrump):
            return True
        deal = step.view.deal
        return isinstance(step.action, PlayCard) and deal is not None and not (deal.trick and deal.trick.cards)

    # ---------------------------------------------------------------- the screen

    def prefix(self) -> str:
        """What stands before the input: nothing, for there is none."""
        return " "

    def footer(self, cells: int) -> Row:
        """The keys of this place."""
        return footer_row(footer_of(self.place), cells)

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""
        return in_signs([*self._body(cells, max(1, height - 1)), self.footer(cells)], self._glyphs)

    def _body(self, cells: int, height: int) -> list[Row]:
        view, glyphs = self.step.view, self._glyphs
        if self._pane is not None:
            return self._pane.rows(glyphs, cells, height)
        hands = [self._hand_row(seat, cells) for seat in Seat]
        rule = text_row(glyphs.across * cells, cells, "class:rule")
        room = height - 4 - len(hands)
        if cells >= WITH_SIDE:
            left = cells - SIDE - 1
            table = beside(
                cross(self._scene(), glyphs, left, max(0, room)),
                side_pane(view, (), glyphs, SIDE, max(0, room)),
                ("class:rule", glyphs.down),
            )
        else:
            table = cross(self._scene(), glyphs, cells, max(0, room))
        status = text_row(" " + self._told(), cells, "class:status.turn")
        return filled([self._title_row(cells), rule, *table, rule, status, *hands], height, cells)

    def _title_row(self, cells: int) -> Row:
        view = self.step.view
        scores = (0, 0) if view.snapshot.public is None else view.snapshot.public.scores
        score = "   ".join(f"{side_name(view, team)} {scores[team]}" for team in Team)
        place = _("step {number} of {count}").format(number=self.at + 1, count=len(self._steps))
        deal = _("deal {number}").format(number=self.step.deal)
        return apart([("class:title", f" {self._title}  {deal}")], [("", f"{score}   {place} ")], cells)

    def _scene(self) -> TableScene:
        view = self.step.view
        deal = view.deal
        trick = None
        if deal is not None:
            # A trick that has just ended is what this step is about.
            has_ended = deal.tricks and not (deal.trick and deal.trick.cards)
            trick = deal.tricks[-1] if has_ended else deal.trick
        return TableScene(
            seats=view.snapshot.seats,
            seat=None,
            turn=None if deal is None else deal.turn,
            dealer=None if deal is None else deal.dealer,
            cards_held=(0, 0, 0, 0) if deal is None else deal.cards_held,
            trick=trick,
            away={},
        )

    def _hand_row(self, seat: Seat, cells: int) -> Row:
        view = self.step.view
        name = Viewpoint.of(view.snapshot).occupant(seat)
        row: list[Fragment] = [("class:quiet", fit(f" {seat_tag(seat)} {name}", 14) + " ")]
        hand = self.step.hands[seat]
        if self._is_covered:
            return fitted([*row, ("class:quiet", "# " * len(hand))], cells)
        deal = view.deal
        trump = None if deal is None or deal.contract is None else deal.contract.trump
        for suit in suits_in_order(trump):
            ranks = [rank_sign(card.rank) for card in reversed(hand) if card.suit is suit]
            if ranks:
                row += [(card_style(suit), f"{self._glyphs.suit(suit)} {' '.join(ranks)}"), ("", "   ")]
        return fitted(row, cells)

    def _told(self) -> str:
        """What this step did, in a sentence."""
        step = self.step
        who = Viewpoint.of(step.view.snapshot)
        deal = step.view.deal
        if step.seat is None or step.action is None:
            dealer = "" if deal is None else who.occupant(deal.dealer)
            return _("{name} deals.").format(name=dealer)
        name = who.occupant(step.seat)
        match step.action:
            case Cut(at=at):
                return _("{name} cuts {number} cards.").format(name=name, number=at)
            case MakeCall(call=call):
                return call_sentence(name, call)
            case NameTrump(suit=suit):
                return _("{name} names the trump: {suit}.").format(name=name, suit=self._glyphs.suit(suit))
            case PlayCard(card=card):
                told = _("{name} plays {card}.").format(name=name, card=self._glyphs.card(card))
                if deal is not None and deal.tricks and not (deal.trick and deal.trick.cards):
                    winner = deal.tricks[-1].winner
                    if winner is not None:
                        told += " " + _("{name} wins the trick.").format(name=who.occupant(winner))
                return told
