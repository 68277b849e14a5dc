"""The keys at a table: choosing and doing an action, the last trick, the scores, the log."""

from __future__ import annotations

from tarneeb_client.language import _
from tarneeb_client.parse import Unreadable, is_card, normalised, parse_card
from tarneeb_client.screens import panes
from tarneeb_client.screens.choices import Choice, is_cutting, pick
from tarneeb_client.screens.desk_state import DeskState
from tarneeb_client.screens.hand import held_cards
from tarneeb_client.screens.keys import as_latin
from tarneeb_client.screens.panes import Pane
from tarneeb_client.screens.score_rows import score_rows
from tarneeb_client.state import TableView
from tarneeb_engine.cards import Card
from tarneeb_protocol import messages as m

SCROLLED_LINES = 5
"""Of the log, by one press of a key."""


class TableKeys(DeskState):
    """A desk's keys at a table."""

    @property
    def choice(self) -> Choice | None:
        """What Enter would do: what the typed text picks, else what the arrows have come to."""
        return self.acting.choice(self.view, self.text)

    def key_pick(self, key: str) -> None:
        """The next or the previous choice."""
        step = 1 if key == "right" else -1
        view = self.view
        self.text = ""
        if view is not None and not self.acting.move(view, step) and self.habits.preselects:
            self.acting.move_preselected(view, step)

    def click_pick(self, which: str) -> None:
        """A card, bid or suit that is clicked on: it is chosen, and done when it was so already."""
        view = self.view
        if view is None:
            return
        if view.prompt is None:
            held = next((held.card for held in held_cards(view) if held.letter == which), None)
            if held is not None and self.habits.preselects:
                self.acting.preselected = None if self.acting.preselected == held else held
            return
        was_typed = self.text.strip()
        self.text = ""
        if pick(view, which) is None:
            self.act(view, which)  # an illegal card: the server says why not
        elif self.acting.point_at(view, which) and not was_typed:
            self.act(view, "")

    def act(self, view: TableView, text: str) -> None:
        """Do what is picked, or what the typed ``text`` says."""
        if self.talk.seat_clock.lost is not None:
            return
        picked = pick(view, text) if text else None
        if picked is None and not text:
            picked = self.acting.choice(view, "")
            if picked is None:
                self.talk.is_here()
                return
            if self.acting.is_deaf(self.now):
                return
        if picked is not None:
            self.talk.is_here()
            self.talk.act(self.acting.complete(picked.action))
            return
        card = self._named(view, text)
        if card is not None and view.prompt is None and self.habits.preselects and view.seat is not None:
            self._preselect(view, card)
        elif card is not None and view.prompt is not None and not is_cutting(view):
            self.talk.act(m.PlayAction(card=card))  # the server says why not
        else:
            self.runner.typed(text)

    def _preselect(self, view: TableView, card: Card) -> None:
        sign = self.habits.glyphs.card(card)
        if card not in view.hand:
            self.note(_("You do not hold {card}.").format(card=sign))
            return
        self.acting.preselected = card
        self.note(_("{card} will be played if it is legal then. Esc takes it back.").format(card=sign))

    def _named(self, view: TableView, text: str) -> Card | None:
        """The held card that ``text`` names by its letter, or any in full."""
        word = normalised(text)
        for held in held_cards(view):
            if held.letter in {word, as_latin(word)}:
                return held.card
        for form in (text, as_latin(word)):
            if is_card(form):
                try:
                    return parse_card(form)
                except Unreadable:
                    continue
        return None

    def key_remark(self, key: str) -> None:
        """The next remark to go with the call, or none."""
        del key
        view = self.view
        if view is None or not self.acting.turn_remark(view):
            self.note(_("There is no remark to make now."))

    def key_bot(self, key: str) -> None:
        """Put a bot into an empty seat."""
        del key
        self.runner.typed("bot")

    def key_last(self, key: str) -> None:
        """The last trick."""
        del key
        view = self.view
        if view is not None:
            glyphs = self.habits.glyphs
            self.pane = Pane(_("Last trick"), lambda cells: panes.trick_rows(view, glyphs, cells))

    def key_scores(self, key: str) -> None:
        """Every deal of the set."""
        del key
        view = self.view
        if view is not None:
            glyphs = self.habits.glyphs
            self.pane = Pane(_("Scores"), lambda cells: score_rows(view, glyphs, cells))

    def key_scroll(self, key: str) -> None:
        """Scroll the log, or the pane."""
        step = SCROLLED_LINES if key == "pageup" else -SCROLLED_LINES
        if self.pane is not None:
            self.pane.scroll(-step)
        else:
            self.log.scroll(step)
