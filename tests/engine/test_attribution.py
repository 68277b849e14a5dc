"""Who acted, in a transcript; and its digest."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.self_play import play_set
from tarneeb_engine.attribution import Actor, ActorKind, deeds_of, format_actor, parse_actor
from tarneeb_engine.notation import NotationError, actions_of
from tarneeb_engine.transcript import Proof, Transcript, format_transcript, parse_transcript
from tarneeb_engine.variants import PRESETS

NAMES = ("Rami", "هدى", "سامي 2", "O'Neil (bot)")
PLAYED = play_set(PRESETS["tarneeb"], 5, ("steady",) * 4, NAMES, most_deals=3)
ACTORS = (
    Actor(ActorKind.PLAYER, "Rami"),
    Actor(ActorKind.PLAYER, "هدى", key="SHA256:0123456789abcdef"),
    Actor(ActorKind.STAND_IN, "سامي 2", "steady"),
    Actor(ActorKind.BOT, level="random"),
)


def attributed(seed: int) -> Transcript:
    """The set, each action done by anybody: more comings and goings than at any table."""
    rng = random.Random(seed)
    deeds = tuple(
        deeds_of(deal, [rng.choice((1, 1, 1, 1, 2, 3, 4)) for _ in actions_of(deal)]) for deal in PLAYED.deals
    )
    proofs = tuple(Proof("a" * 64, "b" * 64) for _ in PLAYED.deals)
    return replace(PLAYED, proofs=proofs, actors=ACTORS, deeds=deeds, is_sealed=True)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32))
def test_who_acted_is_printed_and_read_again(seed: int) -> None:
    transcript = attributed(seed)
    text = format_transcript(transcript)
    assert parse_transcript(text) == transcript
    for deal, deeds in zip(transcript.deals, transcript.deeds, strict=True):
        assert sum(count for runs in deeds for _, count in runs) == len(list(actions_of(deal)))


SEALED = format_transcript(attributed(1))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_one_changed_character_of_a_sealed_transcript_is_refused_with_its_line(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(SEALED) - 1))
    character = data.draw(st.characters(exclude_categories=["Cs"]) | st.sampled_from(SEALED) | st.just(""))
    kept = data.draw(st.booleans())
    damaged = SEALED[:place] + character + SEALED[place + (not kept) :]
    if damaged == SEALED:
        return
    with pytest.raises(NotationError) as refused:
        parse_transcript(damaged)
    assert refused.value.line is not None


@pytest.mark.parametrize("actor", ACTORS, ids=format_actor)
def test_an_actor_is_written_and_read(actor: Actor) -> None:
    assert parse_actor(format_actor(actor)) == actor


@pytest.mark.parametrize(
    "text", ["", "player", "player Rami", "player - ", "bot", "bot Steady", "stand-in steady", "ghost - Rami"]
)
def test_what_is_no_actor_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is nobody who acts|is not (the name|how)"):
        parse_actor(text)


def line_of(text: str, word: str) -> int:
    return next(at for at, line in enumerate(text.split("\n")) if line.startswith(word))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("by", "by 1 1 1", "does not say of four seats"),
        ("by", "by 9 1 1 1", "names somebody who is not told"),
        ("by", "by 1:99,2 1 1 1", "more than the"),
        ("by", "by 1:2,1 1 1 1", "names somebody who is not told above, or twice in a row"),
        ("by", "by 1:2 1 1 1", "does not say who acted"),
        ("by", "by - 1 1 1", "does not say who acted"),
        ("actor 2", "actor 3 bot steady", "is not the number that is due"),
        ("actor 2", "actor 2 ghost", "is nobody who acts"),
        ("sha256", f"sha256 {'0' * 64}", "is not the digest of the lines above it"),
    ],
)
def test_a_wrong_line_about_who_acted_is_refused_with_its_place(old: str, new: str, said: str) -> None:
    lines = SEALED.split("\n")
    at = line_of(SEALED, old)
    lines[at] = new
    with pytest.raises(NotationError, match=f"line {at + 1}, .*{said}"):
        parse_transcript("\n".join(lines))


def test_a_pack_that_is_not_proved_or_was_not_committed_to_is_refused_when_it_is_asked_for() -> None:
    def is_fair(commitment: str, pack: object, salt: str) -> bool:
        return (commitment, salt) == ("a" * 64, "b" * 64)

    assert parse_transcript(SEALED, is_fair) == attributed(1)
    with pytest.raises(NotationError, match="is no commitment to the pack"):
        parse_transcript(SEALED, lambda *_: False)
    bare = format_transcript(PLAYED)
    parse_transcript(bare)
    at = line_of(bare, "points")
    with pytest.raises(NotationError, match=f"line {at + 2}, .*accepted: commitment"):
        parse_transcript(bare, is_fair)
