"""The kit catches a server with a fault, by the requirement that it breaks, and finds none without."""

from __future__ import annotations

import pytest

from support.faulty_proxy import Fault, faulty_proxy
from support.faulty_servers import MUTANTS, CommitmentReused, Mutant
from support.live_server import live_server
from tarneeb_client.addresses import Address
from tarneeb_client.conformance.outcome import Verdict
from tarneeb_client.conformance.probe import Target
from tarneeb_client.conformance.server_kit import CHECKS, check_server, run_check

BY_NAME = {check.name: check for check in CHECKS}


def target(port: int, *, answer_seconds: float, most_deals: int | None = None) -> Target:
    address = Address("127.0.0.1", port)
    return Target(address, answer_seconds=answer_seconds, patience=10.0, most_deals=most_deals)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.name}-{mutant.breaks}")
async def test_a_planted_fault_is_caught_by_the_requirement_it_breaks(mutant: Mutant) -> None:
    check = BY_NAME[mutant.check]
    assert mutant.breaks in check.proves
    async with live_server() as server, faulty_proxy(server.port, mutant.fault()) as port:
        # A fault may leave the kit waiting for what never comes: a second tells as much as five. One deal of
        # seed 1 is enough for each fault but one.
        deals = 2 if mutant.fault is CommitmentReused else 1
        result = await run_check(check, target(port, answer_seconds=1.0, most_deals=deals))
    assert result.verdict is Verdict.FAILED, result
    assert result.seen


async def test_without_a_fault_the_same_checks_pass_through_the_same_proxy() -> None:
    async with live_server() as server, faulty_proxy(server.port, Fault()) as port:
        checks = [BY_NAME[name] for name in dict.fromkeys(mutant.check for mutant in MUTANTS)]
        results = await check_server(target(port, answer_seconds=10.0), checks)
    assert [result for result in results if result.verdict is not Verdict.PASSED] == []
