"""How a full screen looks, and what its player is used to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tarneeb_client.appearance import Appearance
from tarneeb_client.habits import Bell, Habits
from tarneeb_client.preferences import Preferences


@dataclass(frozen=True, slots=True)
class Look:
    """How the screen looks, and what the player is used to."""

    styles: Mapping[str, str]
    habits: Habits
    has_mouse: bool = False

    @classmethod
    def of(cls, preferences: Preferences, decided: Appearance) -> Look:
        """From the person's preferences and what was decided for this terminal."""
        habits = Habits(
            glyphs=decided.glyphs,
            bell=Bell(preferences.bell),
            preselects=preferences.preselect,
            one_key=preferences.one_key,
        )
        return cls(decided.styles, habits, preferences.mouse)
