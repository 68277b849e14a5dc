"""Clients that lost a server at the same moment do not come back at the same moment."""

from __future__ import annotations

import random

import pytest

from tarneeb_client.backoff import FIRST_CAP_SECONDS, LAST_CAP_SECONDS, RESET_AFTER_SECONDS, Backoff


def first_waits(attempt: int, clients: int = 400) -> list[float]:
    waits = []
    for seed in range(clients):
        backoff = Backoff(random.Random(seed))
        for _ in range(attempt):
            backoff.next_wait()
        waits.append(backoff.next_wait())
    return waits


def tenths(waits: list[float], cap: float) -> list[int]:
    counts = [0] * 10
    for wait in waits:
        counts[min(9, int(10 * wait / cap))] += 1
    return counts


def test_v01_400_clients_that_lost_a_server_at_once_come_back_spread_over_the_whole_window() -> None:
    counts = tenths(first_waits(attempt=0), FIRST_CAP_SECONDS)
    # 40 are expected in each tenth; a binomial of 400 leaves 20 to 60 less than once in a hundred thousand.
    assert all(20 <= count <= 60 for count in counts), counts


@pytest.mark.proves("B-1")
def test_v03_at_the_cap_the_clients_are_still_spread_over_the_whole_window() -> None:
    counts = tenths(first_waits(attempt=30), LAST_CAP_SECONDS)
    assert all(20 <= count <= 60 for count in counts), counts


@pytest.mark.proves("B-1")
def test_waits_grow_with_each_attempt_up_to_the_cap() -> None:
    means = [sum(first_waits(attempt)) / 400 for attempt in range(8)]
    assert means[:5] == sorted(means[:5])
    assert max(first_waits(200)) <= LAST_CAP_SECONDS


@pytest.mark.proves("B-2")
def test_only_a_connection_that_lived_resets_the_waits() -> None:
    backoff = Backoff(random.Random(1))
    for _ in range(5):
        backoff.next_wait()
    backoff.connection_ended(RESET_AFTER_SECONDS - 0.1)
    assert backoff.attempts == 5
    backoff.connection_ended(RESET_AFTER_SECONDS)
    assert backoff.attempts == 0


@pytest.mark.proves("B-3")
def test_the_servers_wish_is_kept_and_spread_over() -> None:
    waits = [Backoff(random.Random(seed)).next_wait(at_least=5.0) for seed in range(50)]
    assert min(waits) >= 5.0
    assert len(set(waits)) == 50
