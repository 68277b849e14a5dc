"""An evening whose secrets are known to the test: none of them is where it does not belong."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
import trio

from support.plain_wire import PlainWire
from support.processes import environment, server_command
from tarneeb_engine.cards import FULL_PACK

SERVER_PASSWORD, TABLE_PASSWORD = "majlis-of-the-moon", "sesame-seed-42"
WRONG_SERVER_PASSWORD, WRONG_TABLE_PASSWORD = "barley-for-the-server", "barley-for-the-table"
FALSE_TOKEN = "Zm9yZ2VkLXRva2VuLWZvcmdlZC10b2tlbi1mb3JnZWQ"
DEALS = 3


async def connect(port: int, name: str, **fields: object) -> tuple[PlainWire, dict[str, object]]:
    wire = await PlainWire.connect("127.0.0.1", port)
    answer = await wire.hello(name, **{"password": SERVER_PASSWORD, **fields})
    return wire, answer


async def evening(port: int) -> list[str]:
    """Mistakes with every secret, a game, a lost link; returns the tokens that were given."""
    tokens: list[str] = []
    for fields, code in (
        ({"password": WRONG_SERVER_PASSWORD}, "wrong_password"),
        ({"password": None}, "wrong_password"),
        ({"resume": FALSE_TOKEN}, "bad_token"),
    ):
        wire, refused = await connect(port, "Guest", **fields)
        assert refused["code"] == code
        await trio.aclose_forcefully(wire.stream)
    host, welcome = await connect(port, "Nour")
    tokens.append(str(welcome["token"]))
    table = (await host.request("open_table", name="Locked", password=TABLE_PASSWORD, turn_seconds=0))["table"]
    guest, welcome = await connect(port, "Sami")
    tokens.append(str(welcome["token"]))
    for _ in range(5):
        assert (await guest.request("join", table=table, password=WRONG_TABLE_PASSWORD))[
            "code"
        ] == "wrong_password"
    assert (await guest.until("goodbye"))["code"] == "kicked"
    await trio.aclose_forcefully(guest.stream)
    await host.request("join", table=table, password=TABLE_PASSWORD)
    for _ in range(3):
        await host.request("add_bot")
    for card in FULL_PACK[:10]:  # refused, nearly all: a card that is not held, or not to be played now
        await host.request("act", action={"type": "play", "card": card.value})
    # The link breaks; the player comes back with the token.
    await trio.aclose_forcefully(host.stream)
    back, welcome = await connect(port, "Nour", password=None, resume=tokens[0])
    assert welcome["resumed"]
    tokens.append(str(welcome["token"]))
    request, revealed = 1000, 0
    while revealed < DEALS:
        message = await back.until("prompt", "deal_revealed")
        if message["type"] == "deal_revealed":
            revealed += 1
        else:
            request += 1
            await back.send(type="act", id=request, action=message["actions"][0])
    # Without a goodbye: the session stays, and with it a name that is to be found in the store.
    await trio.aclose_forcefully(back.stream)
    return tokens


@pytest.mark.slow
@pytest.mark.proves("R-2")
@pytest.mark.parametrize("log_format", ["text", "json"])
def test_h13_nothing_a_host_reads_or_keeps_holds_a_password_a_token_or_a_hidden_card(
    tmp_path: Path, log_format: str
) -> None:
    ready, store = tmp_path / "ready.json", tmp_path / "store"
    password_file = tmp_path / "password"
    password_file.write_text(SERVER_PASSWORD + "\n")
    out, err = tmp_path / "out", tmp_path / "err"
    command = server_command(
        *("--host", "127.0.0.1", "--port", "0", "--ready-file", str(ready), "--data-dir", str(store)),
        *("--password-file", str(password_file), "--bot-delay", "0", "--log-level", "debug"),
        *("--log-format", log_format),
    )
    with out.open("wb") as out_stream, err.open("wb") as err_stream:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err_stream, env=environment())
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(4)]
            out_stream.writelines(lines)
            port = int(lines[-1].rsplit(b":", 1)[1])
            told = ready.read_bytes()
            tokens = trio.run(_limited_evening, port)
            process.send_signal(signal.SIGTERM)
            rest, _ = process.communicate(timeout=30)
            out_stream.write(rest)
            assert process.returncode == 0
        finally:
            process.kill()
            process.wait()
    passwords = (SERVER_PASSWORD, TABLE_PASSWORD, WRONG_SERVER_PASSWORD, WRONG_TABLE_PASSWORD)
    secrets = [text.encode() for text in (*passwords, *tokens, FALSE_TOKEN)]
    log = err.read_bytes()
    if log_format == "json":
        events = {json.loads(line)["event"] for line in log.splitlines()}
        assert {"deal_over", "acted"} <= events
    else:
        assert b"event=deal_over" in log
        assert b"event=acted" in log
    kept = [file for file in store.rglob("*") if file.is_file()]
    assert any(b"Nour" in file.read_bytes() for file in kept)
    for where, held in (("log", log), ("stdout", out.read_bytes()), ("ready file", told)):
        assert not [text for text in secrets if text in held], where
        assert not re.search(rb"\b[2-9TJQKA][CDHS]\b", held), where
    for file in kept:
        contents = file.read_bytes()
        assert not [text for text in secrets if text in contents], file


async def _limited_evening(port: int) -> list[str]:
    with trio.fail_after(60):
        return await evening(port)
