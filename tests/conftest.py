"""Settings of all tests: Hypothesis tries the same examples in every run, however busy the machine; programs
that are started are compiled once.
"""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

_compiled = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes of all workers keep their compiled code in one folder: where the environment asks for
    no compiled code, or what is installed came without, each start would compile some hundred modules first.
    """
    if hasattr(config, "workerinput"):
        return  # a worker has the environment of the process that started it
    folder = tempfile.mkdtemp(prefix="tarneeb-compiled-")
    config.stash[_compiled] = folder
    os.environ["PYTHONPYCACHEPREFIX"] = folder
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    if folder := config.stash.get(_compiled, None):
        shutil.rmtree(folder, ignore_errors=True)
