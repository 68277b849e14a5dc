"""A form: fields one under the other, each a choice of a few words or a text. A value that keys change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tarneeb_client.screens.cells import fit, width
from tarneeb_client.screens.glyphs import Glyphs
from tarneeb_client.screens.rows import Row, filled, fitted, text_row


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a form. ``options`` are the values that it may have with their labels; a field without any is
    a text. ``help`` is shown while it is chosen.
    """

    name: str
    label: str
    value: str
    options: tuple[tuple[str, str], ...] = ()
    help: str = ""
    is_secret: bool = False

    @property
    def shown(self) -> str:
        """The value as the form shows it."""
        if self.is_secret:
            return "*" * len(self.value)
        return dict(self.options).get(self.value, self.value)

    def turned(self, step: int) -> Field:
        """The field with the option ``step`` places further, round and round; a text stays as it is."""
        if not self.options:
            return self
        values = [value for value, _ in self.options]
        at = values.index(self.value) if self.value in values else 0
        return replace(self, value=values[(at + step) % len(values)])


@dataclass(frozen=True, slots=True)
class Form:
    """A form with one field chosen; ``problem`` is what was wrong when it was last sent."""

    title: str
    fields: tuple[Field, ...]
    at: int = 0
    problem: str = ""

    @property
    def chosen(self) -> Field:
        """The field that keys change."""
        return self.fields[self.at]

    def value(self, name: str) -> str:
        """The value of a field. ``KeyError`` when there is none of that name."""
        for field in self.fields:
            if field.name == name:
                return field.value
        raise KeyError(name)

    def moved(self, step: int) -> Form:
        """The form with the field ``step`` places further chosen."""
        return replace(self, at=(self.at + step) % len(self.fields))

    def with_chosen(self, field: Field) -> Form:
        """The form with the chosen field changed."""
        fields = list(self.fields)
        fields[self.at] = field
        return replace(self, fields=tuple(fields), problem="")

    def turned(self, step: int) -> Form:
        """The form with the next or the previous option of the chosen field."""
        return self.with_chosen(self.chosen.turned(step))

    def typed(self, text: str) -> Form:
        """The form with ``text`` in the chosen field, if that is a text."""
        return self if self.chosen.options else self.with_chosen(replace(self.chosen, value=text))


def form_rows(form: Form, glyphs: Glyphs, cells: int, height: int) -> list[Row]:
    """The form in exactly ``height`` rows; it scrolls when it is longer."""
    label = min(max(width(field.label) for field in form.fields) + 2, cells // 2)
    room = max(1, height - 4)
    first = max(0, min(form.at - room // 2, len(form.fields) - room))
    rows = [
        text_row(" " + form.title, cells, "class:title"),
        text_row(glyphs.across * cells, cells, "class:rule"),
    ]
    for number, field in list(enumerate(form.fields))[first : first + room]:
        is_chosen = number == form.at
        style = "class:selected" if is_chosen else ""
        shown = f"< {field.shown} >" if field.options and is_chosen else field.shown
        pointer = glyphs.pointer if is_chosen else " "
        rows.append(
            fitted(
                [("", f" {pointer} "), ("class:quiet", fit(field.label, label)), (style, shown or " ")],
                cells,
            )
        )
    note = form.problem or form.chosen.help
    rows = filled(rows, height - 1, cells)
    return [*rows, text_row(" " + note, cells, "class:warning" if form.problem else "class:quiet")]


def form_of(title: str, fields: Sequence[Field]) -> Form:
    """A form with its first field chosen."""
    return Form(title, tuple(fields))
