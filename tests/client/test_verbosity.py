"""How much the line mode tells: the same set at each of the three verbosities."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from support.lobby_driver import LobbyDriver
from support.processes import client_command, environment
from support.table_talk import TableTalk, act_somehow, is_prompted, solo
from tarneeb_client.verbosity import Verbosity
from tarneeb_protocol import messages as m

DEALS = 2


def played(seed: int, verbosity: Verbosity) -> list[str]:
    """What is printed while Nour plays as the seed decides, until some deals are over."""
    driver = LobbyDriver(seed_for_tests=seed)
    nour = solo(driver, verbosity=verbosity)
    rng = random.Random(seed)
    while sum(line.startswith("Deal ") and "Score:" in line for line in nour.printed) < DEALS:
        nour.listen()
        if is_prompted(nour):
            act_somehow(nour, rng)
        else:
            driver.advance(1.0)
    return nour.printed


@pytest.fixture(scope="module", params=[1, 2, 3])
def told(request: pytest.FixtureRequest) -> dict[Verbosity, list[str]]:
    return {verbosity: played(request.param, verbosity) for verbosity in Verbosity}


def is_beyond_events(line: str) -> bool:
    return line.startswith(("Calls:", "Your hand:")) or (line.startswith("Trick ") and ":" in line)


def test_little_is_part_of_what_is_told_normally_and_that_of_everything(
    told: dict[Verbosity, list[str]],
) -> None:
    little, normal, everything = (
        [line for line in told[verbosity] if not is_beyond_events(line)] for verbosity in Verbosity
    )
    left = iter(normal)
    assert all(line in left for line in little), "something is told in another order, or at 1 alone"
    assert everything == normal
    assert len(told[Verbosity.LITTLE]) < 0.7 * len(told[Verbosity.NORMAL])


def test_turns_trouble_and_results_are_told_at_every_verbosity(told: dict[Verbosity, list[str]]) -> None:
    for start in ("Your turn", "!", "You ", "Trump is", "Deal ", "Set "):
        wanted = [
            line
            for line in told[Verbosity.NORMAL]
            if line.startswith(start) and not (start == "Deal " and ("deals; " in line or "You deal;" in line))
        ]
        assert [
            line
            for line in told[Verbosity.LITTLE]
            if line.startswith(start) and (start != "Deal " or "Score:" in line)
        ] == wanted
    assert any("wins the trick" in line for line in told[Verbosity.LITTLE])
    assert not any(" leads " in line or " plays " in line for line in told[Verbosity.LITTLE] if ":" not in line)


def test_before_a_turn_the_trick_so_far_is_told_where_its_cards_were_not_or_are_wanted_again(
    told: dict[Verbosity, list[str]],
) -> None:
    for verbosity in (Verbosity.LITTLE, Verbosity.EVERYTHING):
        lines = told[verbosity]
        before = [lines[at - 1] for at, line in enumerate(lines) if line.startswith("Your turn. Legal: 1 ")]
        assert any(line.startswith("Trick ") and " leads " in line for line in before)
    assert not any(
        line.startswith("Trick ") and ": " in line for line in told[Verbosity.NORMAL] if "leads" in line
    )


def test_the_own_hand_follows_each_trick_at_the_highest_verbosity_alone(
    told: dict[Verbosity, list[str]],
) -> None:
    for verbosity, lines in told.items():
        after = [
            lines[at + 1]
            for at, line in enumerate(lines)
            if "win the trick" in line or "wins the trick" in line
        ]
        with_hand = [line for line in after if line.startswith("Your hand:")]
        assert len(after) == 13 * DEALS
        assert len(with_hand) == (12 * DEALS if verbosity is Verbosity.EVERYTHING else 0)


def test_a_spectator_is_told_of_no_hand_at_any_verbosity() -> None:
    driver = LobbyDriver()
    host = solo(driver)
    watcher = TableTalk(driver, "Huda", verbosity=Verbosity.EVERYTHING)
    watcher.type("watch 1")
    rng = random.Random(5)
    while not any("the trick" in line for line in watcher.printed):
        host.listen()
        if is_prompted(host):
            act_somehow(host, rng)
        driver.advance(1.0)
        watcher.listen()
    assert not any("hand" in line.lower() for line in watcher.printed)


def test_a_lost_link_of_another_and_the_return_are_told_at_the_lowest_verbosity() -> None:
    driver = LobbyDriver()
    nour, rami = TableTalk(driver, "Nour", verbosity=Verbosity.LITTLE), TableTalk(driver, "Rami")
    nour.type("open Friends", "join")
    rami.type("join 1")
    assert not any("takes seat" in line for line in nour.listen())
    driver.drop(rami.link)
    assert any(line.startswith("! Rami lost the link") for line in nour.listen())
    again = driver.resume(rami.link)
    assert nour.listen() == ["Rami is back."]
    driver.send(again, m.Chat(id=1000, text="hello"))
    assert nour.listen() == ["<Rami> hello"]


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "tells_seats"), [("1", False), ("2", True)])
def test_the_preference_decides_for_the_real_program(tmp_path: Path, setting: str, tells_seats: bool) -> None:
    (tmp_path / "tarneeb").mkdir()
    (tmp_path / "tarneeb" / "tarneeb.toml").write_text(f"verbosity = {setting}\n")
    done = subprocess.run(
        client_command("solo", "--seed", "3", "--plain", "--name", "Nour"),
        input="cut 20\n",
        capture_output=True,
        text=True,
        env={**environment(), "XDG_CONFIG_HOME": str(tmp_path)},
        timeout=60,
        check=True,
    )
    assert "You cut 20 cards." in done.stdout
    assert ("takes seat East" in done.stdout) is tells_seats
