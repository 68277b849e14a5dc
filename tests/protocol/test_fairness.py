"""The commitment to a shuffled pack."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_engine.cards import FULL_PACK, Card
from tarneeb_protocol.fairness import SALT_SIZE, commitment, is_fair

SALT = bytes(range(32))
PACKS = st.permutations(FULL_PACK).map(tuple)


@pytest.mark.proves("Y-1")
def test_the_commitment_is_sha256_over_the_salt_and_the_packs_letters() -> None:
    letters = "".join(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
    assert len(letters) == 104
    assert commitment(FULL_PACK, SALT) == hashlib.sha256(SALT + letters.encode()).hexdigest()
    assert commitment(FULL_PACK, SALT) == "89fdbe3baee3d92b7e7a790e75e7b539e18f7bc214fd7a369a1b9bea2a7ef31d"


@given(PACKS, st.binary(min_size=SALT_SIZE, max_size=SALT_SIZE))
def test_what_was_committed_to_is_fair(pack: tuple[Card, ...], salt: bytes) -> None:
    assert is_fair(commitment(pack, salt), pack, salt.hex())


@given(PACKS, st.integers(0, 51), st.integers(0, 51))
def test_two_cards_exchanged_are_not_fair(pack: tuple[Card, ...], one: int, other: int) -> None:
    changed = list(pack)
    changed[one], changed[other] = changed[other], changed[one]
    assert is_fair(commitment(pack, SALT), changed, SALT.hex()) == (one == other)


@given(st.integers(0, 255))
def test_another_salt_is_not_fair(bit: int) -> None:
    other = bytearray(SALT)
    other[bit // 8] ^= 1 << bit % 8
    assert not is_fair(commitment(FULL_PACK, SALT), FULL_PACK, other.hex())


@pytest.mark.parametrize(
    "salt",
    ["", SALT.hex()[:-2], SALT.hex() + "00", SALT.hex().upper(), " " + SALT.hex()[1:], "é" * 64, "٣" * 64],
)
def test_what_is_no_salt_is_not_fair_and_raises_nothing(salt: str) -> None:
    assert not is_fair(commitment(FULL_PACK, SALT), FULL_PACK, salt)


@pytest.mark.parametrize("committed", ["", "0" * 64, "\ud800", "é" * 64])
def test_what_is_no_commitment_is_not_fair_and_raises_nothing(committed: str) -> None:
    assert not is_fair(committed, FULL_PACK, SALT.hex())


@pytest.mark.parametrize("pack", [(), FULL_PACK[:-1], (*FULL_PACK, Card.SA), (*FULL_PACK[:-1], Card.C2)])
def test_what_is_no_pack_is_not_fair_and_cannot_be_committed_to(pack: tuple[Card, ...]) -> None:
    assert not is_fair(commitment(FULL_PACK, SALT), pack, SALT.hex())
    with pytest.raises(ValueError, match=f"this one has {len(pack)} cards"):
        commitment(pack, SALT)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_salt_of_another_size_cannot_be_used(size: int) -> None:
    with pytest.raises(ValueError, match=f"a salt has 32 bytes, not {size}"):
        commitment(FULL_PACK, bytes(size))


def test_packs_that_differ_have_commitments_that_differ() -> None:
    randomness = random.Random(7)
    packs = [tuple(randomness.sample(FULL_PACK, 52)) for _ in range(200)]
    assert len({commitment(pack, SALT) for pack in packs}) == 200
