"""``tarneeb verify``: the first thing that is wrong, by line, and the exit status."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_client import language
from tarneeb_client.__main__ import main
from tarneeb_engine.attribution import Actor, ActorKind, deeds_of
from tarneeb_engine.notation import actions_of
from tarneeb_engine.transcript import Proof, format_transcript, parse_transcript
from tarneeb_protocol.fairness import commitment

SO, NOT_SO, NOT_READ = 0, 1, 2
GOLDEN = Path(__file__).parents[1] / "golden" / "tarneeb-steady.txt"


def recorded() -> str:
    """A golden set as a server would have recorded it."""
    bare = parse_transcript(GOLDEN.read_text(encoding="utf-8"))
    salt = bytes(range(32))
    names = bare.players
    assert names is not None
    return format_transcript(
        replace(
            bare,
            proofs=tuple(Proof(commitment(deal.pack, salt), salt.hex()) for deal in bare.deals if deal.is_over),
            actors=tuple(Actor(ActorKind.PLAYER, name) for name in names),
            deeds=tuple(
                deeds_of(deal, [seat + 1 for seat, _ in actions_of(deal)])
                for deal in bare.deals
                if deal.is_over
            ),
            is_sealed=True,
        )
    )


TEXT = recorded()


@pytest.fixture(autouse=True)
def _english() -> None:
    language.use("en")


def verdict(path: Path, text: str) -> int:
    path.write_text(text, encoding="utf-8")
    return main(["verify", str(path)])


def test_a_recorded_set_is_verified_from_its_file_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verdict(tmp_path / "set.txt", TEXT) == SO
    transcript = parse_transcript(TEXT)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{len(transcript.deals)} packs are those that were fixed before the cut")
    assert lines[-1].split(" won the set")[0] in {"Rami and Sami", "Huda and ليلى"}


@pytest.mark.parametrize(
    ("word", "change", "said"),
    [
        ("deal/1 number=1", ("cut=", "cut=1"), "line {at}, column "),
        ("points", (":", "1:"), "line {at}, column 1: "),
        ("commitment", ("commitment ", "commitment 0"), "line {at}, column "),
        ("by ", ("by 1", "by 2"), "is not the digest of the lines above it"),
        ("south", ("Rami", "Ramy"), "is not the digest of the lines above it"),
        ("result", ("won by", "was won by"), "is not the result of these deals"),
    ],
)
def test_the_first_thing_that_is_wrong_is_told_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, change: tuple[str, str], said: str
) -> None:
    lines = TEXT.split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith(word))
    assert change[0] in lines[at]
    lines[at] = lines[at].replace(*change, 1)
    assert verdict(tmp_path / "set.txt", "\n".join(lines)) == NOT_SO
    error = capsys.readouterr().err
    assert error.startswith(f"tarneeb verify: {tmp_path / 'set.txt'}: line ")
    assert said.format(at=at + 1) in error


def test_another_salt_is_not_what_the_pack_was_committed_to_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verdict(tmp_path / "set.txt", TEXT.replace(" salt 00", " salt 01", 1)) == NOT_SO
    assert "is no commitment to the pack" in capsys.readouterr().err


def test_a_set_without_proofs_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(tmp_path / "set.txt", GOLDEN.read_text(encoding="utf-8")) == NOT_SO
    assert "accepted: commitment" in capsys.readouterr().err


def test_what_cannot_be_read_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none.txt")]) == NOT_READ
    assert "cannot be read" in capsys.readouterr().err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe" * 9)
    assert main(["verify", str(tmp_path / "bytes")]) == NOT_READ
    assert "is not UTF-8 text" in capsys.readouterr().err
    assert main(["verify", "1", "--server", "127.0.0.1:1"]) == NOT_READ
