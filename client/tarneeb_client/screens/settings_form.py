"""The preferences as a form."""

from __future__ import annotations

from tarneeb_client.language import _
from tarneeb_client.preferences import Preferences, preferences_table
from tarneeb_client.screens.form import Field, Form, form_of


def settings_form(preferences: Preferences) -> Form:
    """Every preference, as it is."""
    fields = []
    for name, preference, _default in preferences_table():
        value = getattr(preferences, name)
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        options = tuple((option, _(option)) for option in preference.options)
        fields.append(
            Field(
                name=name,
                label=name.replace("_", " "),
                value=shown,
                options=options,
                help=_(preference.meaning),
            )
        )
    return form_of(_("Settings"), fields)


def changed_settings(form: Form, preferences: Preferences) -> dict[str, str | bool]:
    """What the form has otherwise than the preferences, as the file takes it."""
    changed: dict[str, str | bool] = {}
    for name, preference, _default in preferences_table():
        value = form.value(name)
        taken = value == "true" if preference.options == ("true", "false") else value
        if taken != getattr(preferences, name):
            changed[name] = taken
    return changed
