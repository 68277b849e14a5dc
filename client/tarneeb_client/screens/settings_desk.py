"""The settings on the screen: a form, until it is sent or closed."""

from __future__ import annotations

from tarneeb_client.preferences import Preferences
from tarneeb_client.screens.form import form_rows
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.keyed import KeyedDesk
from tarneeb_client.screens.keys import footer_of
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.rows import Row, in_signs
from tarneeb_client.screens.settings_form import changed_settings, settings_form
from tarneeb_client.screens.status import footer_row


class SettingsDesk(KeyedDesk):
    """The form. ``changed`` is what was changed, once it was sent."""

    def __init__(self, preferences: Preferences, glyphs: Glyphs) -> None:
        super().__init__()
        self.changed: dict[str, str | bool] = {}
        self._preferences = preferences
        self._glyphs = glyphs
        self._form = settings_form(preferences)
        self.text = self._form.chosen.value

    @property
    def place(self) -> Place:
        """Where keys are pressed."""
        return Place.FORM

    def tick(self, now: float) -> None:
        """Nothing here depends on the time."""

    def typed(self, text: str) -> None:
        """The input line holds ``text`` now."""
        self.text = text
        self._form = self._form.typed(text)

    def key_field(self, key: str) -> None:
        """Another field."""
        self._form = self._form.moved(1 if key == "down" else -1)
        self.text = "" if self._form.chosen.options else self._form.chosen.value

    def key_turn(self, key: str) -> None:
        """Another option of the field."""
        self._form = self._form.turned(1 if key == "right" else -1)

    def key_enter(self, key: str) -> None:
        """Take the settings."""
        del key
        self.changed = changed_settings(self._form, self._preferences)
        self.is_over = True

    def key_close(self, key: str) -> None:
        """Leave everything as it was."""
        del key
        self.is_over = True

    def key_leave(self, key: str) -> None:
        """Leave everything as it was."""
        self.key_close(key)

    def key_interrupt(self, key: str) -> None:
        """Leave everything as it was."""
        self.key_close(key)

    def prefix(self) -> str:
        """What stands before the input."""
        return "> "

    def footer(self, cells: int) -> Row:
        """The keys of this place."""
        return footer_row(footer_of(self.place), cells)

    def rows(self, cells: int, height: int) -> list[Row]:
        """The screen above the input line, then the footer: exactly ``height`` rows of ``cells``."""
        body = form_rows(self._form, self._glyphs, cells, max(1, height - 1))
        return in_signs([*body, self.footer(cells)], self._glyphs)
