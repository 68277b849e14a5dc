"""Machines on a network of their own: network namespaces of Linux, joined by virtual cables.

Nothing that runs in them reaches any other network. They need no rights where a user may make a user namespace.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from support.processes import environment

_TOOLS = ("ip", "unshare", "nsenter")


@dataclass
class Machine:
    """A network namespace. ``enter`` is the command that another is prefixed with to run there."""

    enter: tuple[str, ...]
    cables: list[str] = field(default_factory=list)

    def command(self, command: Sequence[str]) -> list[str]:
        """The command as it is run on this machine."""
        return [*self.enter, *command]

    def ip(self, *arguments: str) -> str:
        """Run ``ip`` on this machine and return what it prints."""
        done = subprocess.run(
            self.command(["ip", *arguments]), capture_output=True, text=True, timeout=30, check=True
        )
        return done.stdout

    def run(
        self, *command: str, typed: str = "", timeout: float = 60, variables: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on this machine to its end, with these variables of the environment besides."""
        return subprocess.run(
            self.command(command),
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            env={**environment(), **(variables or {})},
            check=False,
        )


class Networks:
    """Makes machines and lays cables between them."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._root: Machine | None = None
        self._laid = 0

    def machine(self) -> Machine:
        """A new machine with loopback and nothing else."""
        if self._root is None:
            as_user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
            holder = self._hold(["unshare", *as_user, "--net"])
            enter = ["nsenter", f"--target={holder}", "--net"]
            if as_user:
                enter += ["--user", "--preserve-credentials"]
            self._root = Machine(tuple(enter))
        holder = self._hold([*self._root.enter, "unshare", "--net"])
        user = self._root.enter[3:]
        made = Machine(("nsenter", f"--target={holder}", "--net", *user))
        made.ip("link", "set", "lo", "up")
        # Nobody else has its addresses: nothing waits until the kernel has asked, which takes it two seconds.
        asks = "/proc/sys/net/ipv6/conf/default/accept_dad"
        subprocess.run(made.command(["sh", "-c", f"test ! -e {asks} || echo 0 > {asks}"]), check=True)
        return made

    def _hold(self, command: list[str]) -> int:
        """A process that keeps a namespace until the end of the test: it waits for its input to end."""
        process = subprocess.Popen(
            [*command, "sh", "-c", "echo $$; exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(_let_go, process)
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            assert process.stderr is not None
            pytest.skip(f"no network namespace can be made here: {process.stderr.read().strip()}")
        return int(line)

    def cable(self, one: Machine, other: Machine, *prefixes: str) -> tuple[str, str]:
        """Join two machines; returns the names of the two interfaces.

        Of each prefix, such as ``10.0.1`` or ``fd00:1:``, ``one`` gets the address 1 and ``other`` 2. IPv6
        link-local addresses come by themselves.
        """
        assert self._root is not None
        self._laid += 1
        names = (f"a{self._laid}", f"b{self._laid}")
        self._root.ip("link", "add", names[0], "type", "veth", "peer", "name", names[1])
        for number, (machine, name) in enumerate(zip((one, other), names, strict=True), 1):
            self._root.ip("link", "set", name, "netns", machine.enter[1].partition("=")[2])
            for prefix in prefixes:
                six = prefix.endswith(":")
                address = f"{prefix}:{number}/64" if six else f"{prefix}.{number}/24"
                machine.ip("address", "add", address, "dev", name, *(["nodad"] if six else []))
            machine.ip("link", "set", name, "up")
            machine.cables.append(name)
        return names


def _let_go(process: subprocess.Popen[str]) -> None:
    process.communicate()  # ends its input, and so it


@contextlib.contextmanager
def networks() -> Iterator[Networks]:
    """Networks for the length of the block. The test is skipped where the system does not let us make any."""
    if any(shutil.which(tool) is None for tool in _TOOLS):
        pytest.skip(f"needs {', '.join(_TOOLS)}")
    with contextlib.ExitStack() as stack:
        made = Networks(stack)
        trial = made.machine(), made.machine()
        try:
            made.cable(*trial)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no virtual cable can be laid here: {error.stderr.strip()}")
        yield made
