"""A server that is ended and started again on the same data directory and port."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from support.processes import START_SECONDS, environment, server_command


class RestartingServer:
    """``tarneeb-server`` on loopback. ``log`` gets what every process of it says on standard error."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._arguments = arguments
        self._folder = folder
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start it and wait until it listens; the seconds that it took."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory(dir=self._folder) as folder, self.log.open("ab") as log:
            ready = Path(folder) / "ready.json"
            command = server_command(
                "--host", "127.0.0.1", "--port", str(self.port), "--ready-file", str(ready)
            )
            command += ["--data-dir", str(self.data), *self._arguments]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment())
            self.process = process
            while not ready.exists():
                assert process.poll() is None, f"it ended with {process.returncode}: {self.log.read_text()}"
                assert time.monotonic() < began + START_SECONDS, self.log.read_text()
                time.sleep(0.005)
            self.port = int(json.loads(ready.read_text(encoding="utf-8"))["port"])
        return time.monotonic() - began

    def kill(self) -> None:
        """End it at once, as ``kill -9`` does."""
        assert self.process is not None
        assert self.process.poll() is None, f"it has ended already: {self.log.read_text()[-2000:]}"
        self.process.kill()
        self.process.wait()

    def stop(self) -> float:
        """End it in order; the seconds that it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0, self.log.read_text()
        return time.monotonic() - began

    def close(self) -> None:
        """End whatever still runs."""
        if self.process is not None and self.process.poll() is None:
            self.kill()
