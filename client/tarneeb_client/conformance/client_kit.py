"""Runs the scenarios with a client."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

import anyio

from tarneeb_client.conformance.outcome import CONFUSED, Check, Failed, NotTested, Result, Verdict
from tarneeb_client.conformance.scripted.hostile import faults
from tarneeb_client.conformance.scripted.scenarios import SUBJECTS
from tarneeb_client.conformance.scripted.stage import LOOPBACK, Program, Stage

SCENARIOS: tuple[Check[Stage], ...] = tuple(
    check for subject in (*SUBJECTS, faults) for check in subject.checks
)
"""Every scenario, in the order of the report."""
AT_ONCE = 4
"""Scenarios that run at the same time, where each has its own port and its own process of the client."""

__all__ = ["SCENARIOS", "NoClient", "Program", "check_client"]


class NoClient(Exception):
    """Nothing can be checked: the kit cannot listen, or no client came."""


async def check_client(
    scenarios: Sequence[Check[Stage]] = SCENARIOS,
    program: Program | None = None,
    *,
    port: int = 0,
    patience: float = 12.0,
) -> list[Result]:
    """Run the scenarios; results in their order. With port 0 each has a port of its own, several at a time.

    ``program`` starts the client for each scenario; without it, a client that connects to ``port`` by itself is
    waited for each time. Raises ``NoClient``.
    """
    results: dict[str, Result] = {}
    free = anyio.CapacityLimiter(AT_ONCE if port == 0 else 1)

    async def run(scenario: Check[Stage]) -> None:
        async with free:
            results[scenario.name] = await _run(scenario, program, port, patience)

    async with anyio.create_task_group() as tasks:
        for scenario in scenarios:
            tasks.start_soon(run, scenario)
    listed = [results[scenario.name] for scenario in scenarios]
    if all(result.verdict is Verdict.NOT_TESTED for result in listed):
        raise NoClient(f"nothing could be tested: {listed[0].seen}")
    return listed


async def _run(scenario: Check[Stage], program: Program | None, port: int, patience: float) -> Result:
    try:
        listener = await anyio.create_tcp_listener(local_host=LOOPBACK, local_port=port)
    except OSError as error:
        return scenario.result(Verdict.NOT_TESTED, f"the kit cannot listen on port {port}: {error.strerror}")
    result = scenario.result(Verdict.FAILED, "it was not over in its time")
    with tempfile.TemporaryDirectory(prefix="tarneeb-") as folder:
        async with listener, anyio.create_task_group() as tasks:
            stage = Stage(listener, program, tasks, patience)
            try:
                with anyio.move_on_after(scenario.seconds + 2 * patience):
                    result = await _verdict(scenario, stage, folder)
            finally:
                stage.close()
                tasks.cancel_scope.cancel()
    return result


async def _verdict(scenario: Check[Stage], stage: Stage, folder: str) -> Result:
    try:
        await stage.begin(folder)
        await scenario.run(stage)
    except Failed as failed:
        return scenario.result(Verdict.FAILED, str(failed))
    except NotTested as not_tested:
        return scenario.result(Verdict.NOT_TESTED, str(not_tested))
    except CONFUSED as error:
        return scenario.result(Verdict.FAILED, f"what the client sent could not be followed: {error!r}")
    return scenario.result(Verdict.PASSED)
