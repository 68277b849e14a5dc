"""Recorded sets on the screen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tarneeb_client.replay import CannotReplay, read_transcript, recording_of
from tarneeb_client.screens.glyphs import UNICODE
from tarneeb_client.screens.keys import find_key
from tarneeb_client.screens.places import Place
from tarneeb_client.screens.replay_desk import ReplayDesk
from tarneeb_client.screens.rows import plain, row_width
from tarneeb_engine.actions import PlayCard
from tarneeb_engine.seats import Seat
from tarneeb_engine.transcript import Proof, format_transcript, parse_transcript
from tarneeb_protocol.fairness import commitment

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_step_of_a_recorded_set_has_its_hands_and_the_last_one_its_result(path: Path) -> None:
    found = read_transcript(path).steps
    for step in found:
        deal = step.view.deal
        assert deal is not None
        assert tuple(len(hand) for hand in step.hands) == deal.cards_held
        held = [card for hand in step.hands for card in hand]
        assert len(set(held)) == len(held)
    for before, after in pairwise(found):
        if isinstance(after.action, PlayCard) and after.seat is not None:
            assert set(before.hands[after.seat]) - set(after.hands[after.seat]) == {after.action.card}
    final = parse_transcript(path.read_text(encoding="utf-8")).final_state()
    public = found[-1].view.snapshot.public
    assert public is not None
    assert (public.scores, public.winner) == (final.scores, final.winner)


def desk(name: str = "tarneeb-steady") -> ReplayDesk:
    path = next(path for path in GOLDEN if path.stem == name)
    return ReplayDesk(read_transcript(path).steps, title="Friends", glyphs=UNICODE)


def press(viewer: ReplayDesk, *keys: str) -> None:
    for key in keys:
        found = find_key(key, viewer.place, has_input=False)
        assert found is not None, key
        viewer.press(found.action, key)


@pytest.mark.parametrize("size", [(80, 24), (104, 25), (60, 20), (20, 5)], ids=str)
def test_each_step_fits_the_screen(size: tuple[int, int]) -> None:
    viewer = desk()
    cells, height = size
    for _ in range(130):
        rows = viewer.rows(cells, height)
        assert len(rows) == height
        assert all(row_width(row) == cells for row in rows)
        press(viewer, "right")


def test_one_steps_forward_and_back_by_action_trick_and_deal() -> None:
    viewer = desk()
    press(viewer, "left")
    assert viewer.at == 0
    press(viewer, "pagedown")
    assert (viewer.step.deal, viewer.step.action) == (2, None)
    press(viewer, "pageup")
    assert (viewer.step.deal, viewer.at) == (1, 0)
    press(viewer, "down", "down")
    deal = viewer.step.view.deal
    assert deal is not None
    assert len(deal.tricks) == 1
    press(viewer, "end")
    assert viewer.step.view.snapshot.public is not None
    assert viewer.step.view.snapshot.public.winner is not None
    press(viewer, "right", "home")
    assert viewer.at == 0


def test_hands_can_be_covered_and_panes_opened_and_closed() -> None:
    viewer = desk()
    press(viewer, "right", "right")
    open_text = "\n".join(plain(row) for row in viewer.rows(80, 24))
    press(viewer, "h")
    covered = "\n".join(plain(row) for row in viewer.rows(80, 24))
    assert "# # # # # # # # # # # # #" in covered
    assert "♠ " in open_text
    assert "♠ " not in covered
    press(viewer, "f4", "escape", "?", "escape")
    assert viewer.place is Place.REPLAY
    press(viewer, "f10")
    assert viewer.is_over


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "ends with a newline"),
        (b"\xff\xfe\n", "is not UTF-8"),
        (b"tarneeb-set/9\n", "a known version"),
        (b"tarneeb-set/1\nrules tarneeb\ndealer E\nresult unfinished 0:0\n", "holds no deal"),
        (b"x" * (8 * 1024 * 1024 + 1), "more than"),
    ],
    ids=["empty", "not UTF-8", "other version", "no deal", "too long"],
)
def test_what_is_no_transcript_is_refused_in_a_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "set.txt"
    path.write_bytes(content)
    with pytest.raises(CannotReplay, match=said):
        read_transcript(path)
    with pytest.raises(CannotReplay, match="cannot be read"):
        read_transcript(tmp_path / "none.txt")


def test_every_seat_has_its_row() -> None:
    shown = [plain(row) for row in desk().rows(80, 24)]
    for seat, name in zip(Seat, ("Rami", "Huda", "Sami", "ليلى"), strict=True):
        assert any(row.startswith(f" {seat.name[0]} {name}") for row in shown)


def test_a_recorded_pack_that_was_not_committed_to_is_noticed() -> None:
    transcript = parse_transcript(GOLDEN[0].read_text(encoding="utf-8"))
    salt = bytes(range(32))
    proofs = tuple(Proof(commitment(deal.pack, salt), salt.hex()) for deal in transcript.deals if deal.is_over)
    fair = recording_of(format_transcript(replace(transcript, proofs=proofs)), "fair")
    assert (fair.is_proved, fair.wrong_packs) == (True, ())
    swapped = (proofs[1], proofs[0], *proofs[2:])
    unfair = recording_of(format_transcript(replace(transcript, proofs=swapped)), "unfair")
    assert (unfair.is_proved, unfair.wrong_packs) == (True, (1, 2))
    bare = read_transcript(GOLDEN[0])
    assert (bare.is_proved, bare.wrong_packs) == (False, ())
