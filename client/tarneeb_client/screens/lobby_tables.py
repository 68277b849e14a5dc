"""The tables of a lobby, in the order in which they are listed, one of them chosen."""

from __future__ import annotations

from collections.abc import Sequence

from tarneeb_protocol import messages as m

LOBBY_SECONDS = 2.0
"""How often the tables are asked for."""
PAGE = 10
"""Tables of a page."""


class LobbyTables:
    """``tables`` in order: those with a free seat first. ``chosen`` is the number of one of them, ``None``
    while there is none; it stays chosen wherever it goes in the order.
    """

    def __init__(self) -> None:
        self.are_known = False
        """The server has said which tables there are."""
        self.tables: tuple[m.TableSummary, ...] = ()
        self.chosen: int | None = None

    def take(self, tables: Sequence[m.TableSummary]) -> None:
        """These are the tables now."""
        self.are_known = True
        self.tables = tuple(sorted(tables, key=lambda table: (None not in table.seats, table.table)))
        if self.table is None:
            self.chosen = self.tables[0].table if self.tables else None

    @property
    def table(self) -> m.TableSummary | None:
        """The chosen table."""
        return next((table for table in self.tables if table.table == self.chosen), None)

    def move(self, step: int) -> None:
        """The table so many further, round and round."""
        if self.tables:
            self.chosen = self.tables[(self._at + step) % len(self.tables)].table

    def page(self, step: int) -> None:
        """A page further, at most to the end."""
        self.go(self._at + step * PAGE)

    def go(self, at: int) -> None:
        """The table at this place of the order, or the nearest."""
        if self.tables:
            self.chosen = self.tables[max(0, min(at, len(self.tables) - 1))].table

    @property
    def _at(self) -> int:
        numbers = [table.table for table in self.tables]
        return numbers.index(self.chosen) if self.chosen in numbers else 0
