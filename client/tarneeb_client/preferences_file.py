"""Where a person's preferences are kept, and how they are changed there: comments stay as they were."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tarneeb_client.language import _
from tarneeb_client.preferences import FILE_NAME, preferences_table


class CannotSave(Exception):
    """The preferences cannot be written; the text says where and why."""


def preferences_path() -> Path:
    """The file, in the user's configuration folder; the environment's ``TARNEEB_CONFIG`` names another."""
    given = os.environ.get("TARNEEB_CONFIG")
    if given:
        return Path(given)
    from platformdirs import user_config_path  # noqa: PLC0415  (most commands need no preferences)

    return user_config_path("tarneeb", appauthor=False) / FILE_NAME


def save(path: Path, changed: Mapping[str, str | bool]) -> None:
    """Change some preferences in the file, which is made with a comment for each where there is none. It is
    written whole or not at all. Raises ``CannotSave``.
    """
    import tomlkit  # noqa: PLC0415  (only whoever saves needs it)
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        text = ""
    except OSError as error:
        raise CannotSave(
            _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror)
        ) from None
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise CannotSave(
            _("{path} is no TOML, and is left as it is: {reason}").format(path=path, reason=error)
        ) from None
    meanings = {name: preference.meaning for name, preference, _ in preferences_table()}
    for name, value in changed.items():
        if name not in document:
            # Above any table: what follows [colours] would be a colour.
            first = next((key for key, item in document.items() if isinstance(item, Mapping)), None)
            _add(document, name, value, meanings[name], before=first)
        else:
            document[name] = value
    _write(path, tomlkit.dumps(document))


def _add(document: object, name: str, value: str | bool, meaning: str, *, before: str | None) -> None:
    import tomlkit  # noqa: PLC0415

    assert isinstance(document, tomlkit.TOMLDocument)  # noqa: S101  (it was just parsed)
    if before is None:
        document.add(tomlkit.comment(meaning))
        document.add(name, tomlkit.item(value))
        return
    tables = {
        key: document.pop(key) for key in [key for key, item in document.items() if isinstance(item, Mapping)]
    }
    document.add(tomlkit.comment(meaning))
    document.add(name, tomlkit.item(value))
    for key, table in tables.items():
        document.add(key, table)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise CannotSave(
            _("{path} cannot be written: {reason}").format(path=path, reason=error.strerror)
        ) from None
