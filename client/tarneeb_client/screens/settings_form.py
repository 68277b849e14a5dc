"""The preferences as a form."""

from __future__ import annotations

from tarneeb_client.language import N_, _
from tarneeb_client.preferences import Preferences, preferences_table
from tarneeb_client.screens.form import Field, Form, form_of

LABELS = {
    "name": N_("name"),
    "language": N_("language"),
    "theme": N_("theme"),
    "deck": N_("deck"),
    "signs": N_("signs"),
    "rtl": N_("rtl"),
    "bell": N_("bell"),
    "mouse": N_("mouse"),
    "one_key": N_("one key"),
    "preselect": N_("preselect"),
    "verbosity": N_("verbosity"),
}
"""What a preference is called in the form; in the file it is called by its own name."""
OPTIONS = {
    "auto": N_("auto"),
    "true": N_("yes"),
    "false": N_("no"),
    "en": "English",
    "ar": "العربية",
    "dark": N_("dark"),
    "light": N_("light"),
    "contrast": N_("contrast"),
    "mono": N_("mono"),
    "four": N_("four"),
    "two": N_("two"),
    "unicode": "Unicode",
    "ascii": "ASCII",
    "terminal": N_("the terminal"),
    "app": N_("this program"),
    "off": N_("off"),
    "turn": N_("at my turn"),
    "all": N_("at everything"),
}


def option_name(option: str) -> str:
    """What an option is called in the form."""
    return _(OPTIONS.get(option, option)) if option else option


def settings_form(preferences: Preferences) -> Form:
    """Every preference, as it is."""
    fields = []
    for name, preference, _default in preferences_table():
        value = getattr(preferences, name)
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        options = tuple((option, option_name(option)) for option in preference.options)
        fields.append(
            Field(
                name=name,
                label=_(LABELS[name]),
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
