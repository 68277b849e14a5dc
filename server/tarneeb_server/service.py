"""A server from its start to its end: it listens, says where, serves, and stops when it is told to."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from tarneeb_server.announce import announcement, format_address, lan_addresses
from tarneeb_server.app import App
from tarneeb_server.control import Control, open_control
from tarneeb_server.descriptors import fitted
from tarneeb_server.discovery import advert_of, advertise
from tarneeb_server.listener import listen
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.store import NoJournal
from tarneeb_server.systemd import READY, STOPPING, notify

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Callable, Sequence
    from types import FrameType

    from tarneeb_server.control_place import ControlSocket
    from tarneeb_server.settings import Settings
    from tarneeb_server.store import Store
    from tarneeb_server.tls import ServerTls

STANDARD_INPUT = 0
ENDING = (signal.SIGINT, signal.SIGTERM)

logger = logging.getLogger(LOGGER_NAME)


def write_ready_file(path: str, ready: dict[str, str | int]) -> None:
    """Write the line that scripts wait for; the file is there whole or not at all. ``OSError`` when it cannot
    be written.
    """
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(json.dumps(ready) + "\n")
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:  # named as the host named it, not as the temporary file
        raise OSError(error.errno, error.strerror, f"--ready-file: {path}") from None


async def run(
    settings: Settings, store: Store | None, tls: ServerTls | None, say: Callable[[str], None]
) -> None:
    """Listen, announce, serve until SIGINT or SIGTERM, say goodbye. Raises ``CannotListenError``,
    ``ControlError`` and ``OSError``.

    From here on, and after it, no SIGINT and no SIGTERM ends the process by itself: what is to be kept is kept.
    """
    fingerprint = None if tls is None else tls.fingerprint
    listening = listen(settings.host, settings.port)
    with contextlib.ExitStack() as stack:
        for sock in listening:
            stack.callback(sock.close)
        port: int = listening[0].getsockname()[1]
        early = _take_over_signals()
        with trio.open_signal_receiver(*ENDING) as signals:
            control = open_control(settings, port, os.environ)
            if control is not None:
                stack.callback(control.close)
            if settings.ready_file is not None:
                host = settings.host[0].strip("[]") if settings.host else "127.0.0.1"
                ready: dict[str, str | int] = {"host": host, "port": port, "name": settings.name}
                if fingerprint is not None:
                    ready["fingerprint"] = fingerprint
                write_ready_file(settings.ready_file, ready)
                stack.callback(Path(settings.ready_file).unlink, missing_ok=True)
            hosts = list(settings.host) or lan_addresses()
            for text in announcement(settings.name, settings.host, port, hosts, fingerprint):
                say(text)
            logger.info("%s", format_event("listening", (("port", port), ("name", settings.name))))
            if fingerprint is not None:
                logger.info("%s", format_event("tls", (("fingerprint", fingerprint),)))
            async with trio.open_nursery() as connections, trio.open_nursery() as tasks:
                app = _app(settings, store, connections)
                app.addresses = tuple(format_address(host, port).strip("'") for host in hosts)
                if early:
                    app.stop(signal.Signals(early[0]).name)
                app.fingerprint = fingerprint
                tasks.start_soon(app.run, listening, tls)
                if settings.discovery == "on":
                    places = [sock.getsockname()[:2] for sock in listening]
                    advert = advert_of(app.about, has_tls=tls is not None)
                    tasks.start_soon(advertise, advert, places, app.lobby)
                await _serve(app, tasks, listening, control, signals)
                connections.cancel_scope.cancel()
    logger.info("event=stopped")


def _take_over_signals() -> list[int]:
    """Signals that come before the receiver listens, or after it has gone, are only written down."""
    early: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        early.append(number)

    for number in ENDING:
        signal.signal(number, note)
    return early


def _app(settings: Settings, store: Store | None, connections: trio.Nursery) -> App:
    settings, most_lingering = fitted(settings)
    if store is None:
        return App(settings, secrets.token_hex(8), connections, NoJournal(), most_lingering)
    app = App(settings, store.server_id, connections, store, most_lingering)
    app.restore(store.load())
    return app


async def _serve(
    app: App,
    tasks: trio.Nursery,
    listening: Sequence[socket.socket],
    control: ControlSocket | None,
    signals: AsyncIterator[int],
) -> None:
    """Serve until the server is told to stop, and until its connections are closed then."""
    tasks.start_soon(_watch_signals, app, signals)
    if control is not None:
        tasks.start_soon(Control(app).run, control.listening)
    if app.settings.until == "input-ends":
        tasks.start_soon(_stop_at_end_of_input, app)
    notify(READY, os.environ)
    await app.stopping.wait()
    notify(STOPPING, os.environ)
    for sock in listening:
        trio.lowlevel.notify_closing(sock)
        sock.close()
    await app.shut_down()
    tasks.cancel_scope.cancel()


async def _watch_signals(app: App, signals: AsyncIterator[int]) -> None:
    async for number in signals:
        name = signal.Signals(number).name
        if app.stopping.is_set():
            logger.info("%s", format_event("hurried", (("reason", name),)))
            app.hurry()
        else:
            app.stop(name)


async def _stop_at_end_of_input(app: App) -> None:
    """Wait until nobody holds the other end of the standard input, then stop as at SIGTERM."""
    with contextlib.suppress(OSError):  # a terminal that is gone
        while await trio.to_thread.run_sync(os.read, STANDARD_INPUT, 4096, abandon_on_cancel=True):
            pass
    app.stop("input_ended")
