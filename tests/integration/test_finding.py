"""``tarneeb find`` and ``tarneeb-server`` as processes, on machines of networks of their own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.networks import Machine, networks
from support.processes import client_command, environment, server_command

pytestmark = pytest.mark.slow
START_SECONDS = 30.0


@dataclass
class Hosted:
    """A server on a machine; ``log`` is what it said on standard error."""

    process: subprocess.Popen[bytes]
    log: Path

    def wait_for(self, event: str) -> str:
        """The line of the log with this event, once it is there."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            for line in self.log.read_text(encoding="utf-8").splitlines():
                if f"event={event}" in line:
                    return line
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, f"no {event}: {self.log.read_text(encoding='utf-8')}"
            time.sleep(0.02)


@contextlib.contextmanager
def hosted(machine: Machine, folder: Path, *arguments: str, warnings: str = "error") -> Iterator[Hosted]:
    log = folder / f"server-{len(list(folder.iterdir()))}.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            machine.command(server_command(*arguments)),
            stdout=subprocess.DEVNULL,
            stderr=stream,
            env={**environment(), "PYTHONWARNINGS": warnings},
        )
    try:
        yield Hosted(process, log)
        process.terminate()
        assert process.wait(20) == 0
        assert "Traceback" not in log.read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()


def find(
    machine: Machine, *arguments: str, home: dict[str, str] | None = None
) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    done = machine.run(*client_command("find", "--json", *arguments), variables=home)
    assert "Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done


@pytest.mark.proves("Z-1")
def test_n01_a_server_is_found_whichever_interface_comes_first_on_either_machine(tmp_path: Path) -> None:
    """Three interfaces each; the first two, and the default routes, lead elsewhere, as those of a VPN do."""
    with networks() as made:
        host, player, elsewhere = made.machine(), made.machine(), made.machine()
        for machine, number in ((host, 1), (player, 3)):
            for nth in range(2):
                name, _ = made.cable(machine, elsewhere, f"10.{number + nth}.0")
                way = f"default via 10.{number + nth}.0.2 dev {name} metric {1 + nth}"
                machine.ip("route", "add", *way.split())
        made.cable(host, player, "192.168.7", "fd00:7:")
        with hosted(host, tmp_path, "--name", "Majlis") as server:
            server.wait_for("discoverable")
            (found,), done = find(player)
        assert done.returncode == 0
        assert (found["name"], found["compatible"], found["advertised"]) == ("Majlis", True, True)
        assert found["address"] in {"192.168.7.1", "fd00:7::1"}
        assert found["addresses"][0] == found["address"]
        assert set(found["addresses"]) == {"10.1.0.1", "10.2.0.1", "192.168.7.1", "fd00:7::1"}


@pytest.mark.proves("Z-4")
def test_several_servers_of_one_machine_are_listed_sorted_with_what_to_type_until_they_end(
    tmp_path: Path,
) -> None:
    with networks() as made:
        host, player = made.machine(), made.machine()
        made.cable(host, player, "192.168.7")
        with (
            hosted(host, tmp_path, "--name", "Zayd\u2019s") as one,
            hosted(host, tmp_path, "--name", "دار", "--port", "4000") as two,
            hosted(host, tmp_path, "--name", "Hidden", "--port", "4001", "--discovery", "off") as hidden,
            hosted(host, tmp_path, "--name", "Alone", "--port", "4002", "--host", "127.0.0.1") as alone,
        ):
            one.wait_for("discoverable")
            two.wait_for("discoverable")
            opened = player.run(*client_command("play", "192.168.7.1:4000"), typed="open Friends\nquit\n")
            assert opened.returncode == 0, opened.stdout
            done = player.run(*client_command("find"))
            assert done.returncode == 0
            lines = done.stdout.splitlines()
            assert [line for line in lines if not line.startswith(" ")] == ["Zayd\u2019s", "دار"]
            assert [line.strip() for line in lines if "tarneeb play" in line] == [
                "tarneeb play 192.168.7.1",
                "tarneeb play 192.168.7.1:4000",
            ]
            assert [line.partition("; ")[2] for line in lines if " ms; " in line] == [
                "no table yet",
                "1 table, 4 free seats",
            ]
            for server in (hidden, alone):
                assert "discover" not in server.log.read_text(encoding="utf-8")
        done = player.run(*client_command("find", "--seconds", "1"))
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("No server was found in 1 second.\n")


def test_at_a_terminal_servers_are_shown_as_they_come_and_ctrl_c_ends_the_search(tmp_path: Path) -> None:
    with networks() as made:
        host, player = made.machine(), made.machine()
        made.cable(host, player, "192.168.7")
        with hosted(host, tmp_path, "--name", "Majlis") as server:
            server.wait_for("discoverable")
            ours, theirs = pty.openpty()
            with subprocess.Popen(
                player.command(client_command("find", "--seconds", "60")),
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=environment(),
            ) as process:
                os.close(theirs)
                shown = b""
                try:
                    while b"free seats" not in shown and b"no table yet" not in shown:
                        assert select.select([ours], [], [], START_SECONDS)[0], shown
                        shown += os.read(ours, 4096)
                    assert shown.startswith(b"Majlis\r\n    tarneeb play 192.168.7.1\r\n")
                    process.send_signal(signal.SIGINT)
                    assert process.wait(20) == 130
                finally:
                    process.kill()
                    os.close(ours)


def test_on_a_network_with_nothing_but_ipv6_link_local_the_address_to_type_has_its_zone(
    tmp_path: Path,
) -> None:
    with networks() as made:
        host, player = made.machine(), made.machine()
        names = made.cable(host, player)
        for machine, name, address in ((host, names[0], "fe80::11"), (player, names[1], "fe80::12")):
            machine.ip("link", "set", name, "addrgenmode", "none")
            machine.ip("address", "flush", "dev", name)
            machine.ip("address", "add", f"{address}/64", "dev", name, "nodad")
        with hosted(host, tmp_path, "--port", "4000") as server:
            server.wait_for("discoverable")
            (found,), _ = find(player)
            address, zone = found["address"].removeprefix("[").removesuffix("]:4000").split("%")
            assert (address, found["trouble"]) == ("fe80::11", None)
            assert f"{zone}: {names[1]}" in player.ip("link")
            typed = player.run(*client_command("play", found["address"], "--name", "Nour"), typed="quit\n")
        assert typed.stdout.startswith("Connected to Tarneeb as Nour.")
        assert typed.returncode == 0


@pytest.mark.proves("Z-11")
def test_n03_a_server_that_announcements_do_not_reach_from_is_explained_and_a_typed_address_works(
    tmp_path: Path,
) -> None:
    """Behind a router that passes no multicast, as a container on a bridge is to the other machines."""
    with networks() as made:
        container, router, player = made.machine(), made.machine(), made.machine()
        inside, _ = made.cable(container, router, "172.17.0")
        outside, _ = made.cable(player, router, "192.168.7")
        container.ip("route", "add", "default", "via", "172.17.0.2", "dev", inside)
        player.ip("route", "add", "default", "via", "192.168.7.2", "dev", outside)
        forwarding = "from pathlib import Path; Path('/proc/sys/net/ipv4/ip_forward').write_text('1')"
        assert router.run(sys.executable, "-c", forwarding).returncode == 0
        with hosted(container, tmp_path, "--name", "Majlis") as server:
            server.wait_for("discoverable")
            servers, done = find(player, "--seconds", "1")
            assert (servers, done.returncode) == ([], 1)
            explained = " ".join(done.stderr.split())
            for words in ("UDP port 5353", "TCP 31313", "container (Docker)", "tarneeb play HOST[:PORT]"):
                assert words in explained
            home = {"XDG_STATE_HOME": str(tmp_path / "state")}
            typed = player.run(
                *client_command("play", "172.17.0.1", "--name", "Nour"), typed="quit\n", variables=home
            )
            assert typed.stdout.startswith("Connected to Majlis as Nour.")
            (remembered,), done = find(player, "--seconds", "1", home=home)
            assert (remembered["name"], remembered["address"]) == ("Majlis", "172.17.0.1")
            assert (remembered["advertised"], done.returncode) == (False, 0)


@pytest.mark.parametrize(
    ("has_network", "reason"), [(True, "Address already in use"), (False, "this machine has no address")]
)
def test_a_server_whose_discovery_cannot_start_says_so_in_one_line_and_is_played_on(
    has_network: bool, reason: str, tmp_path: Path
) -> None:
    with networks() as made:
        host, player, address = made.machine(), made.machine(), "192.168.7.1"
        if has_network:
            made.cable(host, player, "192.168.7")
        else:
            player, address = host, "127.0.0.1"
        holding = (
            "import socket, sys; taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
            " taken.bind(('', 5353)); print(flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            host.command([sys.executable, "-c", holding]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            # zeroconf leaves the socket that it cannot bind to the garbage collector.
            with hosted(host, tmp_path, warnings="error,ignore::ResourceWarning") as server:
                line = server.wait_for("not_discoverable")
                assert reason in line
                typed = player.run(*client_command("play", address, "--name", "Nour"), typed="quit\n")
                assert typed.stdout.startswith("Connected to Tarneeb as Nour.")
            holder.communicate()
        assert server.log.read_text(encoding="utf-8").count("discover") == 1


def test_a_player_on_no_network_is_told_so() -> None:
    with networks() as made:
        servers, done = find(made.machine(), "--seconds", "0.2")
    assert (servers, done.returncode) == ([], 1)
    assert "Nothing can be heard on this machine: this machine is on no network." in done.stderr
