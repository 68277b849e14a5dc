"""Settings from flags, environment and file: who goes first, and what a fault is told like."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarneeb_server import logs
from tarneeb_server.logs import JsonLines, format_event
from tarneeb_server.settings import Settings, flags
from tarneeb_server.sources import PREFIX, BadSettings, choose, settings_lines


def file_with(folder: Path, text: str) -> str:
    path = folder / "server.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("from_file", [False, True])
@pytest.mark.parametrize("from_environment", [False, True])
@pytest.mark.parametrize("from_flag", [False, True])
def test_a_flag_goes_before_a_variable_that_before_the_file_and_that_before_the_default(
    tmp_path: Path, from_file: bool, from_environment: bool, from_flag: bool
) -> None:
    path = file_with(tmp_path, "turn_seconds = 11\n" if from_file else "")
    environment = {"TARNEEB_SERVER_TURN_SECONDS": "22"} if from_environment else {}
    chosen = choose({"turn_seconds": ["33"]} if from_flag else {}, path, environment)
    expected = (
        (33, "--turn-seconds")
        if from_flag
        else (22, "the environment variable TARNEEB_SERVER_TURN_SECONDS")
        if from_environment
        else (11, f"{path}:1: turn_seconds")
        if from_file
        else (45, "default")
    )
    assert (chosen.settings.turn_seconds, chosen.origins["turn_seconds"]) == expected


def test_every_fault_is_told_at_once_with_where_it_stands_and_what_is_accepted(tmp_path: Path) -> None:
    path = file_with(tmp_path, '# mine\nport = "x"\nturn_secs = 3\nmax_tables = 0\n\n[password]\nx = 1\n')
    environment = {
        "TARNEEB_SERVER_LOG_LEVEL": "loud",
        "TARNEEB_SERVER_PROT": "1",
        "TARNEEB_PASSWORD": "p" * 129,
    }
    with pytest.raises(BadSettings) as refused:
        choose({"bot_delay": ["61"], "tls_cert": ["a.pem"]}, path, environment)
    told = set(refused.value.faults)
    level = "TARNEEB_SERVER_LOG_LEVEL"
    assert told == {
        f"{path}:2: port: expected a number, without quotes, not 'x'",
        f"{path}:3: turn_secs is no setting; turn_seconds may be meant",
        f"{path}:4: max_tables: expected a whole number from 1 to 100000, not 0",
        f"{path}:6: password is no setting; a password has a file of its own: password_file",
        f"the environment variable {level}: expected one of debug, info, warning, error, not 'loud'",
        "the environment variable TARNEEB_SERVER_PROT is no setting; TARNEEB_SERVER_PORT may be meant",
        "--bot-delay: expected seconds from 0 to 60, not '61'",
        "the environment variable TARNEEB_PASSWORD is to be the password, 1 to 128 characters; it has 129",
        "--tls-cert needs --tls-key too: a certificate and its key go together",
    }


def test_the_file_is_the_one_that_is_named_or_the_first_that_is_there(tmp_path: Path) -> None:
    mine = file_with(tmp_path, 'name = "Mine"\n')
    other = tmp_path / "other.toml"
    other.write_text('name = "Other"\n')
    missing = str(tmp_path / "missing.toml")
    assert choose({}, None, {}, [missing, mine, str(other)]).settings.name == "Mine"
    assert choose({}, None, {"TARNEEB_SERVER_CONFIG": str(other)}, [mine]).settings.name == "Other"
    assert choose({}, mine, {"TARNEEB_SERVER_CONFIG": missing}).settings.name == "Mine"
    assert choose({}, None, {}, [missing]).settings == Settings()
    with pytest.raises(BadSettings, match=r"--config: .*missing.toml' cannot be read: No such file"):
        choose({}, missing, {}, [mine])
    with pytest.raises(BadSettings, match=r"variable TARNEEB_SERVER_CONFIG: .* cannot be read: Is a directory"):
        choose({}, None, {"TARNEEB_SERVER_CONFIG": str(tmp_path)})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(content=st.binary(max_size=200) | st.text(max_size=80).map(str.encode))
def test_a_file_of_anything_is_accepted_or_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "server.toml"
    path.write_bytes(content)
    try:
        choose({}, str(path), {})
    except BadSettings as error:
        faults = error.faults
    else:
        faults = ()
    assert all(str(path) in fault for fault in faults)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(BadSettings, match="more than 65536 bytes"):
        choose({}, "/dev/zero", {})


def test_what_is_printed_is_a_file_with_the_same_settings_and_without_the_password(tmp_path: Path) -> None:
    environment = {
        "TARNEEB_SERVER_HOST": "127.0.0.1, ::1",
        "TARNEEB_SERVER_NAME": 'The "سهرة" # night',
        "TARNEEB_SERVER_BOT_DELAY": "0.25",
        "TARNEEB_PASSWORD": "sesame",
    }
    chosen = choose({"data_dir": ["/var/lib/tarneeb"]}, None, environment)
    assert chosen.settings.host == ("127.0.0.1", "::1")
    text = "\n".join(settings_lines(chosen))
    assert "sesame" not in text
    assert "set by TARNEEB_PASSWORD" in text
    again = choose({}, file_with(tmp_path, text), {"TARNEEB_PASSWORD": "sesame"})
    assert again.settings == chosen.settings


def test_every_setting_can_come_from_each_source() -> None:
    for name, _ in flags():
        for given_, environment in (({name: ["\0"]}, {}), ({}, {PREFIX + name.upper(): "\0"})):
            with pytest.raises(BadSettings):
                choose(given_, None, environment)


def test_json_lines_have_the_fields_of_the_event_with_their_types() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger(logs.LOGGER_NAME)
    logger.addHandler(handler)
    fields = (("table", 1), ("name", 'No "one"\n='), ("done", False), ("level", "steady"), ("seat", None))
    logger.info("%s", format_event("seated", fields))
    logger.info("event=nothing_is_kept reason=no_data_dir")
    try:
        int("broken")
    except ValueError:
        logger.exception("event=fault")
    seated, nothing, fault = map(json.loads, stream.getvalue().splitlines())
    assert (seated.pop("time"), seated.pop("level")) != ("", "")
    assert seated == {
        "event": "seated",
        "table": 1,
        "name": 'No "one"\n=',
        "done": False,
        "level_": "steady",
        "seat": None,
    }
    assert (nothing["event"], nothing["reason"]) == ("nothing_is_kept", "no_data_dir")
    assert fault["level"] == "error"
    assert "ValueError: invalid literal" in fault["traceback"]


def test_a_file_with_the_password_goes_before_the_variable_with_one(tmp_path: Path) -> None:
    path = tmp_path / "password.txt"
    path.write_text("from the file\n", encoding="utf-8")
    path.chmod(0o600)
    environment = {"TARNEEB_PASSWORD": "from the variable"}
    assert choose({}, None, environment).settings.password == "from the variable"
    assert choose({"password_file": [str(path)]}, None, environment).settings.password == "from the file"


@pytest.mark.parametrize("text", ["port = " + "9" * 20000, "x = " + "[" * 30000])
def test_numbers_and_nesting_without_end_are_a_fault_of_the_file(tmp_path: Path, text: str) -> None:
    path = file_with(tmp_path, text)
    with pytest.raises(BadSettings) as refused:
        choose({}, path, {})
    assert str(refused.value).startswith(f"{path} is no TOML: ")
