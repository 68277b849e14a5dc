"""The control socket of a running server: the host's commands come in by it, for the server's account alone.

What a command may be stands in ``control_requests``, what it does in ``administration``.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from typing import TYPE_CHECKING

import trio

from tarneeb_server.administration import carry_out
from tarneeb_server.control_place import ControlError, peer_uid, put, registered_path, socket_path
from tarneeb_server.control_requests import LONGEST_REQUEST, StopServer, read_request
from tarneeb_server.hosting import NotDone
from tarneeb_server.logs import LOGGER_NAME, format_event

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

    from tarneeb_server.administration import Server
    from tarneeb_server.control_place import ControlSocket
    from tarneeb_server.effects import LogValue
    from tarneeb_server.settings import Settings
    from tarneeb_server.status import Fields

MOST_AT_ONCE = 8
"""Control connections at the same time; a command makes one, for a moment."""
REQUEST_SECONDS = 5.0
"""How long a command may take to say what it wants, and to take the answer."""

logger = logging.getLogger(LOGGER_NAME)


def open_control(settings: Settings, port: int, environment: Mapping[str, str]) -> ControlSocket | None:
    """The control socket that the settings ask for. ``ControlError`` when they name a place that cannot be had.

    Where nobody chose the place, a server without it is better than none: the log says so.
    """
    path = socket_path(settings.control, settings.data_dir, port, environment)
    if path is None:
        return None
    registered = registered_path(port, environment)
    try:
        control = put(path, is_registered=path == registered)
    except (OSError, ControlError) as error:
        reason = _reason(error)
        if settings.control is not None:
            raise ControlError(f"--control: {path} cannot be used: {reason}") from None
        _warn("no_control_socket", path=str(path), reason=reason)
        return None
    try:
        control.register(registered)
    except (OSError, ControlError) as error:
        _warn("control_not_registered", path=str(registered), reason=_reason(error))
    return control


def _reason(error: OSError | ControlError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _warn(event: str, **fields: LogValue) -> None:
    logger.warning("%s", format_event(event, fields.items()))


class Control:
    """Serves the control socket."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._open = 0

    async def run(self, listening: socket.socket) -> None:
        """Take commands until cancelled. One that fails is no harm to any other, nor to play."""
        sock = trio.socket.from_stdlib_socket(listening)
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    connection, _ = await sock.accept()
                except OSError as error:
                    _warn("control_cannot_accept", reason=error.strerror)
                    await trio.sleep(1)
                    continue
                if self._open >= MOST_AT_ONCE:
                    _warn("control_refused", reason="too_many")
                    with trio.move_on_after(0.1), contextlib.suppress(OSError):
                        await _send(connection, _error("too many commands run at once; try again"))
                    connection.close()
                    continue
                self._open += 1
                nursery.start_soon(self._serve, connection)

    async def _serve(self, connection: trio.socket.SocketType) -> None:
        try:
            with trio.move_on_after(REQUEST_SECONDS):
                await self._converse(connection)
        except OSError:
            pass  # the command has gone
        except Exception:
            logger.exception("event=control_failed")
        finally:
            self._open -= 1
            connection.close()

    async def _converse(self, connection: trio.socket.SocketType) -> None:
        uid = peer_uid(connection)
        line = await _read_line(connection)  # first: to close with it unread may take the answer away
        if uid is not None and uid not in {os.geteuid(), 0}:
            _warn("control_refused", reason="another_account", uid=uid)
            await _send(connection, _error("only the account that runs the server, or root, may command it"))
            return
        if line is None:
            await _send(connection, _error(f"a request is one line of at most {LONGEST_REQUEST} bytes"))
            return
        answer, holds = self._answer(line, uid)
        await _send(connection, answer)
        if holds:
            # Left open on purpose: the system closes it when the process has ended, which tells the command so.
            connection.detach()

    def _answer(self, line: bytes, uid: int | None) -> tuple[Fields, bool]:
        try:
            request = read_request(line)
        except ValueError as error:
            _warn("control_refused", reason="unreadable", uid=uid)
            return _error(str(error)), False
        fields: dict[str, LogValue] = {"command": str(request.__struct_config__.tag), "uid": uid}
        for name in ("name", "what", "seconds", "within"):
            if (value := getattr(request, name, None)) is not None:
                fields[name] = value
        try:
            answer = carry_out(request, self._server)
        except NotDone as reason:
            logger.info("%s", format_event("control", {**fields, "done": False}.items()))
            return _error(str(reason)), False
        except Exception:
            logger.exception("%s", format_event("control_failed", fields.items()))
            return _error("the server has a fault; its log tells more"), False
        logger.info("%s", format_event("control", {**fields, "done": True}.items()))
        return answer, isinstance(request, StopServer)


async def _read_line(connection: trio.socket.SocketType) -> bytes | None:
    """The first line, ``None`` when it is too long or never ends."""
    received = b""
    while b"\n" not in received:
        if len(received) > LONGEST_REQUEST:
            return None
        chunk = await connection.recv(LONGEST_REQUEST)
        if not chunk:
            return None
        received += chunk
    line = received.partition(b"\n")[0]
    return line if len(line) < LONGEST_REQUEST else None


async def _send(connection: trio.socket.SocketType, answer: Fields) -> None:
    payload = json.dumps(answer).encode() + b"\n"
    while payload:
        sent = await connection.send(payload)
        payload = payload[sent:]


def _error(text: str) -> Fields:
    return {"ok": False, "error": text}
