"""Ctrl-C at any moment of a start ends a command without a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.processes import environment

DELAYS = [number * 0.05 for number in range(9)]
"""Seconds from the first line of the command on: through its imports, and into its work."""

ARGUMENTS = {
    "tarneeb_server": ["--host", "127.0.0.1", "--port", "0", "--discovery", "off"],
    "tarneeb_client": ["find", "--seconds", "3", "--json"],
}


@pytest.mark.slow
@pytest.mark.parametrize("package", ARGUMENTS)
def test_ctrl_c_at_any_moment_of_a_start_leaves_no_traceback(package: str, tmp_path: Path) -> None:
    script = f"from {package}.entry import main; import sys; print('begun', flush=True); sys.exit(main())"
    statuses = set()
    for delay in DELAYS:
        with (tmp_path / "errors").open("w+b") as errors:
            process = subprocess.Popen(
                [sys.executable, "-c", script, *ARGUMENTS[package]],
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**environment(), "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
            )
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == b"begun\n"
                time.sleep(delay)  # what is under test is the moment
                process.send_signal(signal.SIGINT)
                statuses.add(process.wait(30))
            finally:
                process.kill()
                process.wait()
                assert process.stdout is not None
                process.stdout.close()
            errors.seek(0)
            told = errors.read().decode()
        assert "Traceback" not in told, (delay, told)
        assert "KeyboardInterrupt" not in told, (delay, told)
    assert statuses <= {0, 130, -signal.SIGINT}
    assert -signal.SIGINT in statuses  # some came before the command had begun its work
