"""Settings of all tests: Hypothesis tries the same examples in every run, however busy the machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
