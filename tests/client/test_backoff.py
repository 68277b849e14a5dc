"""Clients that lost a server at the same moment do not come back at the same moment."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_client.backoff import (
    FIRST_CAP_SECONDS,
    LAST_CAP_SECONDS,
    LAST_TRY_SECONDS,
    RESET_AFTER_SECONDS,
    Backoff,
)


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


@given(
    attempts=st.integers(0, 40),
    held=st.floats(0, 4000),
    at_least=st.floats(0, 300),
    seed=st.integers(0, 2**32),
)
def test_a_wait_is_cut_only_where_it_would_leave_no_time_and_never_below_the_servers_wish(
    attempts: int, held: float, at_least: float, seed: int
) -> None:
    uncut = Backoff(random.Random(seed), attempts=attempts).next_wait(at_least)
    wait = Backoff(random.Random(seed), attempts=attempts).next_wait(at_least, held)
    least, most = LAST_TRY_SECONDS
    assert at_least <= wait <= uncut
    if wait < uncut:
        assert uncut > held - least
        assert wait == at_least or least <= held - wait <= most + 1e-9
    if held > least + 1 and at_least <= held - most:
        assert held - wait >= least - 1e-9


def test_v01_the_last_tries_of_clients_that_lost_a_server_at_once_are_spread_too() -> None:
    waits = [Backoff(random.Random(seed), attempts=30).next_wait(held=11.0) for seed in range(400)]
    cut = [wait for wait in waits if wait <= 8.0]
    least, most = LAST_TRY_SECONDS
    assert len(cut) == 400
    counts = [sum(1 + 0.7 * part <= wait < 1 + 0.7 * (part + 1) for wait in cut) for part in range(10)]
    assert all(15 <= count <= 80 for count in counts), (counts, least, most)
