"""A command's side of the control socket: which server is meant, and what it answers.

Standard library alone, and it blocks: a command does one thing and ends.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tarneeb_server.control_place import (
    FILE_NAME,
    ControlError,
    connect,
    peer_uid,
    registered,
    runtime_folder,
)

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

ANSWER_SECONDS = 10.0
"""A server that is alive answers in milliseconds; one that was stopped by a signal (SIGSTOP) never does."""
NAME_SECONDS = 1.0
"""How long a server may take to say its name, for a list of servers."""
LONGEST_ANSWER = 64 * 1024 * 1024
"""Bytes: far more than the status of a server with as many tables as can be set."""


@contextlib.contextmanager
def ask(
    request: dict[str, Any], port: int | None, data_dir: str | None, control: str | None
) -> Iterator[tuple[dict[str, Any], socket.socket]]:
    """The answer of the server that is meant, and the connection, open for as long as the block runs.

    Raises ``ControlError`` with what was wrong and what is possible.
    """
    path = _find(port, data_dir, control)
    with contextlib.closing(_connect(path, ANSWER_SECONDS)) as connection:
        yield _converse(connection, request, path), connection


def wait_for_end(connection: socket.socket, seconds: float) -> None:
    """Until the server's process has ended, which closes the connection. ``ControlError`` if it has not."""
    connection.settimeout(seconds)
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        raise ControlError(f"the server was told to stop, but still runs after {seconds:g} seconds") from None


def _find(port: int | None, data_dir: str | None, control: str | None) -> Path:
    if control is not None:
        return Path(control).absolute()
    if data_dir is not None:
        return Path(data_dir).absolute() / FILE_NAME
    running = registered(os.environ)
    meant = [entry for entry in running if port is None or entry[0] == port]
    if len(meant) == 1:
        return meant[0][2]
    folder = runtime_folder(os.environ)
    if not running:
        raise ControlError(
            f"no server of this account is running (none is in {folder}); for one of another account, or with a"
            " control socket elsewhere, say --data-dir DIR or --control PATH"
        )
    listed = "".join(f"\n  {line}" for line in map(_server_line, running))
    if not meant:
        raise ControlError(f"no server of this account listens on port {port}; running are:{listed}")
    by = "--port N" if port is None else "--data-dir DIR or --control PATH"
    raise ControlError(f"several servers are running; say which by {by}:{listed}")


def _server_line(entry: tuple[int, int, Path]) -> str:
    """A server as a host tells it from others."""
    port, process, path = entry
    said = f"--port {port}  process {process}"
    try:
        with contextlib.closing(_connect(path, NAME_SECONDS)) as connection:
            result = _converse(connection, {"command": "status"}, path)["result"]
            data_dir = result["journal"]["data_dir"]
            said += f"  {result['name']}" + (f"  --data-dir {data_dir}" if data_dir else "")
    except (ControlError, KeyError, TypeError):
        said += "  (does not answer)"
    return said if path.is_socket() and not path.is_symlink() else f"{said}  --control {path.resolve()}"


def _connect(path: Path, seconds: float) -> socket.socket:
    try:
        connection = connect(path, seconds)
    except OSError as error:
        raise ControlError(_why(error, path)) from None
    uid = peer_uid(connection)
    if uid is not None and os.geteuid() not in {0, uid} and uid != 0:
        connection.close()
        raise ControlError(f"what listens at {path} belongs to another account")
    return connection


def _why(error: OSError, path: Path) -> str:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return f"no server is running there: {path} does not exist"
    if error.errno == errno.ECONNREFUSED:
        is_socket = path.is_socket()
        return f"no server is running there: {path} " + (
            "is left from one that was killed" if is_socket else "is no socket"
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"{path} is for the account that runs the server, and for root"
    if isinstance(error, TimeoutError):
        return f"the server at {path} does not answer"
    return f"{path}: {error.strerror or error}"


def _converse(connection: socket.socket, request: dict[str, Any], path: Path) -> dict[str, Any]:
    received = bytearray()
    try:
        with contextlib.suppress(ConnectionError):  # it may have said why not already
            connection.sendall(json.dumps(request).encode() + b"\n")
        while not received.endswith(b"\n") and len(received) < LONGEST_ANSWER:
            chunk = connection.recv(1 << 16)
            if not chunk:
                break
            received += chunk
        answer = json.loads(received) if received.endswith(b"\n") else None
    except OSError as error:
        raise ControlError(_why(error, path)) from None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise ControlError(
            f"the server at {path} gave no answer; perhaps too many commands ran at once: try again"
        )
    return answer
