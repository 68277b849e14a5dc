"""The command ``tarneeb conformance``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

import anyio

from tarneeb_client.conformance.client_kit import SCENARIOS, NoClient, Program, check_client
from tarneeb_client.conformance.outcome import Check, Ground, Result, Verdict
from tarneeb_client.conformance.probe import Target
from tarneeb_client.conformance.report import print_for_people, print_json
from tarneeb_client.conformance.server_kit import CHECKS, NoServer, check_server
from tarneeb_client.console import OutputClosed, write_line
from tarneeb_client.start import BadArgument, read_address, read_fingerprint, read_password

EXIT_FAILED = 1
EXIT_COULD_NOT_RUN = 2


def start_conformance(parsed: argparse.Namespace) -> int:
    """Run the kit; the exit status: 0 nothing failed, 1 something failed, 2 nothing could be checked.

    Raises ``BadArgument``.
    """
    try:
        return _server(parsed) if parsed.side == "server" else _client(parsed)
    except (NoServer, NoClient) as error:
        print(f"tarneeb conformance: {error}", file=sys.stderr)  # noqa: T201
        return EXIT_COULD_NOT_RUN
    except OutputClosed:
        return EXIT_COULD_NOT_RUN


def _server(parsed: argparse.Namespace) -> int:
    address, password = read_address(parsed.address), read_password(parsed.password_file)
    checks = _chosen(CHECKS, parsed.only)
    if parsed.list:
        return _list(checks)
    fingerprint = read_fingerprint(parsed.fingerprint)
    target = Target(
        address,
        password,
        tls=parsed.tls or fingerprint is not None,
        fingerprint=fingerprint,
        patience=parsed.patience,
    )
    return _report(parsed, anyio.run(partial(check_server, target, checks)))


def _client(parsed: argparse.Namespace) -> int:
    checks = _chosen(SCENARIOS, parsed.only)
    if parsed.list:
        return _list(checks)
    if not parsed.program and not parsed.listen:
        raise BadArgument("give --listen PORT for a client that you start yourself, or a COMMAND after --")
    program = Program(tuple(parsed.program), _typed(parsed.type)) if parsed.program else None
    results = anyio.run(partial(check_client, checks, program, port=parsed.listen, patience=parsed.patience))
    return _report(parsed, results)


def _typed(path: str | None) -> bytes:
    if path is None:
        return b""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123  (as short as can be)
            return stream.read()
    except OSError as error:
        raise BadArgument(f"--type: cannot read {path}: {error.strerror}") from None


def _chosen(checks: Sequence[Check[Ground]], words: str | None) -> Sequence[Check[Ground]]:
    chosen = [check for check in checks if words is None or words in f"{check.subject} {check.name}"]
    if not chosen:
        raise BadArgument(f"--only: no check has {words!r} in its subject or name; --list shows all")
    return chosen


def _list(checks: Sequence[Check[Ground]]) -> int:
    for check in checks:
        write_line(f"{check.subject}: {check.name} ({', '.join(check.proves)})")
    return 0


def _report(parsed: argparse.Namespace, results: Sequence[Result]) -> int:
    (print_json if parsed.json else print_for_people)(results, write_line)
    return EXIT_FAILED if any(result.verdict is Verdict.FAILED for result in results) else 0
