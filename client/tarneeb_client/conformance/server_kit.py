"""Runs the checks of a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio

from tarneeb_client.conformance.checks import (
    absence,
    acting,
    asking,
    framing,
    handshake,
    liveness,
    lobby,
    payloads,
    requests,
    resuming,
    stream,
    texts,
    tls,
)
from tarneeb_client.conformance.outcome import CONFUSED, Check, Failed, NotTested, Result, Verdict
from tarneeb_client.conformance.probe import Probe, Target, probing

SUBJECTS = (
    framing.subject,
    payloads.subject,
    asking.subject,
    handshake.subject,
    texts.subject,
    requests.subject,
    lobby.subject,
    acting.subject,
    stream.play,
    stream.events,
    stream.privacy,
    stream.fairness,
    resuming.subject,
    absence.subject,
    liveness.subject,
    tls.subject,
)
CHECKS: tuple[Check[Probe], ...] = tuple(check for subject in SUBJECTS for check in subject.checks)
"""Every check of a server, in the order of the report."""
AT_ONCE = 6
"""Checks that run at the same time: most of their time is waiting."""


class NoServer(Exception):
    """Nothing can be checked: no server answers there, or it refuses the kit."""


async def run_check(check: Check[Probe], target: Target) -> Result:
    """Run one check, with a limit of time."""
    result = check.result(Verdict.PASSED)
    try:
        with anyio.fail_after(check.seconds + target.patience):
            async with probing(target) as probe:
                result = await _verdict(check, probe)
    except TimeoutError:
        result = check.result(Verdict.FAILED, f"it was not over in {check.seconds + target.patience:g} s")
    return result


async def _verdict(check: Check[Probe], probe: Probe) -> Result:
    try:
        await check.run(probe)
    except Failed as failed:
        return check.result(Verdict.FAILED, str(failed))
    except NotTested as not_tested:
        return check.result(Verdict.NOT_TESTED, str(not_tested))
    except CONFUSED as error:
        # The kit reads what a server under test says; what makes no sense to it is the server's fault.
        return check.result(Verdict.FAILED, f"what the server sent could not be followed: {error!r}")
    return check.result(Verdict.PASSED)


async def check_server(
    target: Target, checks: Sequence[Check[Probe]] = CHECKS, tell: Callable[[Result], None] | None = None
) -> list[Result]:
    """Run the checks, several at a time; results in the order of ``checks``. Raises ``NoServer``."""
    await _greet(target)
    results: dict[str, Result] = {}
    free = anyio.CapacityLimiter(AT_ONCE)

    async def run(check: Check[Probe]) -> None:
        async with free:
            results[check.name] = await run_check(check, target)
        if tell is not None:
            tell(results[check.name])

    async with anyio.create_task_group() as tasks:
        for check in checks:
            tasks.start_soon(run, check)
    return [results[check.name] for check in checks]


async def _greet(target: Target) -> None:
    refusal = ""
    async with probing(target) as probe:
        try:
            await probe.player()
        except Failed as failed:
            refusal = str(failed)
    if refusal:
        raise NoServer(refusal)
