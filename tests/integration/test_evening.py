"""A server and four bot processes, as a host and four client authors would run them."""

from __future__ import annotations

import json

from support.processes import client_command, processes, running_server

SETS = 20
SECONDS = 240.0


def test_four_bot_processes_finish_twenty_sets_on_one_server_and_leave_nothing_behind() -> None:
    with running_server() as server:
        commands = [
            client_command("bot", server.address, "--table", "League", "--sets", str(SETS), "--seed", str(seed))
            for seed in range(4)
        ]
        with processes(commands) as bots:
            said = [bot.communicate(timeout=SECONDS) for bot in bots]
            assert [bot.returncode for bot in bots] == [0, 0, 0, 0], said
        assert server.stop() == 0
        log = server.log.read_text()
    assert [errors for _, errors in said] == [""] * 4
    assert "Traceback" not in log
    assert "level=ERROR" not in log
    assert "level=WARNING" not in log
    printed = [[json.loads(line) for line in output.splitlines()] for output, _ in said]
    assert printed == [printed[0]] * 4
    assert [each["set"] for each in printed[0]] == list(range(1, SETS + 1))
    for each in printed[0]:
        loser = {"South-North": "East-West", "East-West": "South-North"}[each["winner"]]
        assert each["deals"] >= 1
        assert each["score"][loser] < 31
        assert set(each["seats"]) == {"South", "East", "North", "West"}
        assert len(set(each["seats"].values())) == 4
