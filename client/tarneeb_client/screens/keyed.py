"""What every screen that takes keys has: methods ``key_ACTION``, and clicks that come to the same."""

from __future__ import annotations

import math

from tarneeb_client.screens.keys import find_key
from tarneeb_client.screens.places import Place


class KeyedDesk:
    """A screen that takes keys. ``text`` is what stands in the input line, ``is_over`` that the program goes on
    to something else, ``has_mouse`` that clicks are taken.
    """

    def __init__(self) -> None:
        self.text = ""
        self.is_over = False
        self.has_mouse = False

    @property
    def place(self) -> Place:
        """Where keys are pressed."""
        raise NotImplementedError

    @property
    def is_secret(self) -> bool:
        """Whether what is typed is not to be shown."""
        return False

    def seconds_to_change(self) -> float:
        """After how many seconds without a key or news the time alone changes what is shown; infinity for
        never.
        """
        return math.inf

    def press(self, action: str, key: str) -> None:
        """A key of the table ``key_table``: what it is for, and which of its keys it was."""
        getattr(self, f"key_{action}")(key)

    def click(self, target: str) -> None:
        """A click on what ``rows.clickable`` marked with ``target``: ``KIND.WHICH``."""
        kind, _, which = target.partition(".")
        if kind == "key":
            key = find_key(which, self.place, has_input=False)
            if key is not None:
                self.press(key.action, which)
        else:
            getattr(self, f"click_{kind}")(which)

    def key_redraw(self, key: str) -> None:
        """Draw anew: the terminal's part, nothing changes here."""

    def key_suspend(self, key: str) -> None:
        """Back to the shell for a while: the terminal's part."""

    def key_mouse(self, key: str) -> None:
        """The mouse on or off."""
        del key
        self.has_mouse = not self.has_mouse
