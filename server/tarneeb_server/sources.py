"""Where settings come from: flags go before the environment, that before a file, that before the defaults."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tarneeb_server.settings import Flag, Settings, check_password, flags, read_password

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PASSWORD_VARIABLE = "TARNEEB_PASSWORD"
"""Environment variable with the server's password; a password file goes before it."""
PREFIX = "TARNEEB_SERVER_"
"""What the variables of the settings begin with: TARNEEB_SERVER_TURN_SECONDS."""
CONFIG_VARIABLE = f"{PREFIX}CONFIG"
LARGEST_FILE = 65536
"""Bytes: a hundred times what a file with every setting has."""

DEFAULT = "default"


class BadSettings(ValueError):
    """Settings that are not accepted. ``faults`` has a sentence for each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings in force, and by name where each came from."""

    settings: Settings
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Given:
    texts: tuple[str, ...]
    origin: str


def default_files() -> list[str]:
    """Where the file is looked for when nobody says: the account's configuration, then the machine's."""
    import platformdirs  # noqa: PLC0415  (--help answers at once)

    folders = (platformdirs.user_config_dir("tarneeb"), platformdirs.site_config_dir("tarneeb"))
    return [f"{folder}/server.toml" for folder in folders]


def choose(
    given: Mapping[str, Sequence[str]],
    config: str | None,
    environment: Mapping[str, str],
    places: Iterable[str] = (),
) -> Chosen:
    """The settings of the flags ``given``, by name and as typed, of ``environment`` and of the file ``config``.
    Without one the file is that which the environment names, else the first of ``places`` that is there.

    Raises ``BadSettings`` with every fault.
    """
    faults: list[str] = []
    known = dict(flags())
    found = _from_file(config, environment, places, known, faults)
    found |= _from_environment(environment, known, faults)
    found |= {
        name: _Given(tuple(texts), f"--{name.replace('_', '-')}") for name, texts in given.items() if texts
    }
    values: dict[str, Any] = {}
    for name, source in found.items():
        try:
            parsed = tuple(known[name].parse(text) for text in source.texts)
        except ValueError as error:
            faults.append(f"{source.origin}: expected {error}")
        else:
            values[name] = parsed if known[name].repeats else parsed[-1]
    origins = {name: found[name].origin if name in found else DEFAULT for name in known}
    password, origins["password"] = _password(values, environment, origins, faults)
    try:
        settings = Settings(**values, password=password)
    except ValueError as error:
        faults.append(str(error))
    else:
        if not faults:
            return Chosen(settings, origins)
    raise BadSettings(faults)


def _password(
    values: Mapping[str, Any], environment: Mapping[str, str], origins: Mapping[str, str], faults: list[str]
) -> tuple[str | None, str]:
    try:
        if "password_file" in values:
            return read_password(values["password_file"]), origins["password_file"]
        password = environment.get(PASSWORD_VARIABLE)
        if password is not None:
            check_password(password, f"the environment variable {PASSWORD_VARIABLE}")
            return password, PASSWORD_VARIABLE
    except ValueError as error:
        faults.append(str(error))
    return None, DEFAULT


def _from_environment(
    environment: Mapping[str, str], known: Mapping[str, Flag], faults: list[str]
) -> dict[str, _Given]:
    found = {}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE:
            continue
        name = variable.removeprefix(PREFIX).lower()
        if name not in known or variable != variable.upper():
            names = [f"{PREFIX}{each.upper()}" for each in known]
            faults.append(f"the environment variable {variable} is no setting{_meant(variable, names)}")
            continue
        texts = tuple(text.replace(",", " ").split()) or (text,) if known[name].repeats else (text,)
        found[name] = _Given(texts, f"the environment variable {variable}")
    return found


def _from_file(
    config: str | None,
    environment: Mapping[str, str],
    places: Iterable[str],
    known: Mapping[str, Flag],
    faults: list[str],
) -> dict[str, _Given]:
    path, said_by = config, "--config"
    if path is None and CONFIG_VARIABLE in environment:
        path, said_by = environment[CONFIG_VARIABLE], f"the environment variable {CONFIG_VARIABLE}"
    if path is not None:
        try:
            text = _read(path)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            faults.append(f"{said_by}: {path!r} cannot be read: {reason}")
            return {}
        return _parsed(path, text, known, faults)
    for place in places:
        try:
            return _parsed(place, _read(place), known, faults)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            faults.append(f"{place} cannot be read: {reason}")
            return {}
    return {}


def _read(path: str) -> str:
    with open(path, "rb") as stream:  # noqa: PTH123  (pathlib would slow --help down)
        content = stream.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"it has more than {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None


def _parsed(path: str, text: str, known: Mapping[str, Flag], faults: list[str]) -> dict[str, _Given]:
    import tomllib  # noqa: PLC0415  (as above)

    try:
        entries = tomllib.loads(text)
    except RecursionError:
        faults.append(f"{path} is no TOML: it is nested too deep")
        return {}
    except ValueError as error:  # TOML that is none, and a number of thousands of digits
        faults.append(f"{path} is no TOML: {error}")
        return {}
    found = {}
    for key, value in entries.items():
        where = f"{path}{_line_of(key, text)}: {key}"
        if key not in known:
            secret = "; a password has a file of its own: password_file" if key == "password" else ""
            faults.append(f"{where} is no setting{secret or _meant(key, known)}")
            continue
        flag = known[key]
        items = value if flag.repeats and isinstance(value, list) else [value]
        if not items or not all(_has_kind(item, flag) for item in items):
            faults.append(f"{where}: expected {_kind(flag)}, not {str(value)[:80]!r}")
            continue
        found[key] = _Given(tuple(map(str, items)), where)
    return found


def _has_kind(value: object, flag: Flag) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) if flag.is_number else isinstance(value, str)


def _kind(flag: Flag) -> str:
    if flag.is_number:
        return "a number, without quotes"
    return 'a text in quotes, or a list of such: ["127.0.0.1"]' if flag.repeats else "a text in quotes"


def _line_of(key: str, text: str) -> str:
    """``:LINE`` of a key; nothing where it is written in a way that this does not find."""
    name = re.escape(key)
    at = re.search(rf"""^[ \t]*\[?[ \t]*["']?{name}["']?[ \t]*[=.\]]""", text, re.MULTILINE)
    return "" if at is None else f":{text.count(chr(10), 0, at.start()) + 1}"


def _meant(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), 1)
    return f"; {close[0]} may be meant" if close else "; tarneeb-server settings lists them"


def settings_lines(chosen: Chosen) -> list[str]:
    """What is in force as TOML that a file may have, with where each came from; no secret."""
    import json  # noqa: PLC0415  (as above)

    lines = []
    for name, flag in flags():
        value = getattr(chosen.settings, name)
        origin = chosen.origins[name]
        if value is None or value == ():
            lines.append(f"# {name} is not set")
            continue
        text = (
            value if flag.is_number else json.dumps(list(value) if flag.repeats else value, ensure_ascii=False)
        )
        lines.append(f"{name} = {text}  # {origin}")
    is_set = chosen.settings.password is not None
    lines.append(f"# password: {'set by ' + chosen.origins['password'] if is_set else 'none'}")
    return lines
