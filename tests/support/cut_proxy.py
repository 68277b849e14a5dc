"""A TCP proxy on loopback whose connections can be cut, as a bad network does."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence


class CutProxy:
    """Passes bytes both ways between whoever connects and ``target``. ``address`` is where to connect.

    The connections, in the order in which they come, break by themselves when so many bytes as ``limits``
    has for them went back from the target; those for which it has none do not.
    """

    def __init__(self, target: tuple[str, int], limits: Sequence[int] = ()) -> None:
        self._target = target
        self._limits = iter(limits)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._acceptor = threading.Thread(target=self._accept)
        self._acceptor.start()

    def cut(self) -> None:
        """Cut every connection that stands; new ones are accepted."""
        with self._lock:
            for each in self._sockets:
                _shut_down(each)

    def close(self) -> None:
        """Cut all, accept no more, and leave nothing open."""
        _shut_down(self._listener)
        self._acceptor.join()
        self.cut()
        for thread in self._threads:
            thread.join()
        for each in (self._listener, *self._sockets):
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._sockets += [near, far]
            for source, sink, limit in ((near, far, None), (far, near, next(self._limits, None))):
                thread = threading.Thread(target=_pass_on, args=(source, sink, limit))
                self._threads.append(thread)
                thread.start()


def _pass_on(source: socket.socket, sink: socket.socket, limit: int | None) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65536 if limit is None else min(limit, 65536)):
            sink.sendall(chunk)
            limit = None if limit is None else limit - len(chunk)
    _shut_down(source)
    _shut_down(sink)


def _shut_down(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def cut_proxy(host: str, port: int, limits: Sequence[int] = ()) -> Iterator[CutProxy]:
    """A proxy for the length of a block."""
    proxy = CutProxy((host, port), limits)
    try:
        yield proxy
    finally:
        proxy.close()
