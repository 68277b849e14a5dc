"""What is in deploy/: its commands are commands, its flags exist, its paths agree."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tarneeb_server import admin
from tarneeb_server.__main__ import settings_from
from tarneeb_server.settings import DEFAULT_PORT, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
ROOT = DEPLOY.parent
STATE = "/var/lib/tarneeb"


def unit() -> list[tuple[str, str, str]]:
    """Section, key and value of every line of the unit, in order: a key may come again."""
    found, section = [], ""
    for line in (DEPLOY / "tarneeb.service").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals, line
            found.append((section, key, value))
    return found


def service(key: str) -> list[str]:
    return [value for section, name, value in unit() if (section, name) == ("Service", key)]


def instructions() -> list[tuple[str, str]]:
    """Name and arguments of every instruction of the Dockerfile, in order."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def last_stage(name: str) -> list[str]:
    found = instructions()
    begin = max(index for index, (instruction, _) in enumerate(found) if instruction == "FROM")
    return [rest for instruction, rest in found[begin:] if instruction == name]


def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return parsed


def accepted(command: list[str]) -> Settings:
    """The settings of a command line that starts a server, which ends the test when they are not accepted."""
    assert Path(command[0]).name == "tarneeb-server"
    return settings_from(command[1:], {})


def check_of_health(command: list[str]) -> None:
    name, subcommand, *arguments = command
    assert (Path(name).name, subcommand) == ("tarneeb-server", "status")
    given = admin.parser(subcommand).parse_args(arguments)
    assert given.check
    assert given.data_dir == STATE


# ---------------------------------------------------------------- systemd


def test_the_unit_starts_a_server_that_keeps_what_it_has_in_its_state_directory() -> None:
    (start,) = service("ExecStart")
    (before,) = service("ExecStartPre")
    (state,) = service("StateDirectory")
    settings = accepted(shlex.split(start))
    assert settings.data_dir == f"%S/{state}"
    assert settings.port == DEFAULT_PORT >= 1024  # it has no capability for a lower one
    program, command, *arguments = shlex.split(before)
    assert (program, command) == (shlex.split(start)[0], "check")
    assert settings_from(arguments, {}).data_dir == settings.data_dir
    assert service("Type") == ["notify"]
    assert service("RestartPreventExitStatus") == ["2"]


def test_the_unit_gives_the_server_no_right_that_it_does_not_need() -> None:
    families = set(service("RestrictAddressFamilies")[0].split())
    assert families == {"AF_INET", "AF_INET6", "AF_NETLINK", "AF_UNIX"}
    assert service("CapabilityBoundingSet") == [""]
    assert service("DynamicUser") == ["yes"]
    assert service("ProtectSystem") == ["strict"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this machine")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "tarneeb.service").read_text(encoding="utf-8")
    # It looks whether the programs are there, and this machine has them elsewhere.
    text = text.replace("/opt/tarneeb/bin/tarneeb-server", shutil.which("true") or "/bin/true")
    copy = tmp_path / "tarneeb.service"
    copy.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # It tells of every unit of the machine; ours alone is meant.
    faults = [line for line in done.stderr.splitlines() if "tarneeb" in line]
    assert not faults


# ---------------------------------------------------------------- containers


def test_the_image_runs_a_server_that_keeps_its_data_on_the_volume_and_is_asked_how_it_is() -> None:
    (entry,) = last_stage("ENTRYPOINT")
    (volume,) = last_stage("VOLUME")
    assert accepted(json.loads(entry)).data_dir == volume == STATE
    (health,) = last_stage("HEALTHCHECK")
    options, _, command = health.partition(" CMD ")
    check_of_health(json.loads(command))
    seconds = {name: int(value) for name, value in re.findall(r"--([a-z-]+)=(\d+)s", options)}
    assert seconds["timeout"] < seconds["interval"]


def test_the_image_has_an_account_without_rights_that_owns_the_volume() -> None:
    (account,) = last_stage("USER")
    number = account.split(":")[0]
    assert int(number) >= 1000
    (made,) = last_stage("RUN")
    assert f"--uid {number} " in made
    assert re.search(rf"install .*--owner=tarneeb .*--mode=0700 {STATE}$", made)
    assert last_stage("EXPOSE") == [str(DEFAULT_PORT)]
    assert last_stage("STOPSIGNAL") == ["SIGTERM"]


def test_the_image_gets_the_program_where_the_build_has_put_it() -> None:
    build = dict(instructions())["ENV"], last_stage("COPY")[0]
    environment = next(rest for name, rest in instructions() if name == "ENV")
    place = dict(pair.split("=", 1) for pair in environment.split())["UV_PROJECT_ENVIRONMENT"]
    assert build[1] == f"--from=build {place} {place}"
    assert build[0].startswith(f"PATH={place}/bin:$PATH ")
    # Both stages have the same interpreter at the same path: the environment links to it.
    bases = [rest.split(" AS ")[0] for name, rest in instructions() if name == "FROM"]
    assert bases[0] == bases[1]


def test_whatever_the_build_needs_reaches_it_and_nothing_else() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*"
    taken = {line.removeprefix("!") for line in lines if line.startswith("!")}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all((ROOT / name).exists() for name in taken)
    for component in ("engine", "protocol", "server", "client"):
        assert f'"{component}/tarneeb_{component}"' in project
    assert taken == {
        *("engine", "protocol", "server", "client"),
        *("pyproject.toml", "uv.lock", "README.md", "LICENSE", "LICENSE-UNICODE"),
    }


def test_compose_keeps_the_data_directory_and_publishes_the_port() -> None:
    described = compose()
    (served,) = described["services"].values()
    build = served["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    ((volume, place),) = (entry.split(":") for entry in served["volumes"])
    assert place == STATE
    assert volume in described["volumes"]
    (entry,) = last_stage("ENTRYPOINT")
    settings = accepted([*json.loads(entry), *served["command"]])
    assert settings.data_dir == STATE
    assert served["ports"] == [f"{settings.port}:{settings.port}"]
    assert served["read_only"] is True
    assert served["tmpfs"] == ["/tmp"]  # noqa: S108  (the container's own)


def test_the_commands_of_the_units_are_those_that_the_package_installs() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'tarneeb-server = "tarneeb_server.entry:main"' in project
    assert Path(sys.executable).with_name("tarneeb-server").exists()
