"""Checks of text: what names and chat may hold, and how it is cleaned."""

from __future__ import annotations

from tarneeb_client.conformance.outcome import Subject
from tarneeb_client.conformance.probe import Probe, brief, expect
from tarneeb_client.conformance.shapes import Fields

subject: Subject[Probe] = Subject("text")

REFUSED_TEXTS: tuple[tuple[str, str], ...] = (
    ("nothing but spaces", " \u3000 "),
    ("an escape character", "a\x1b[2Jb"),
    ("a null", "a\0b"),
    ("an 8-bit control", "a\x9bb"),
    ("a line break", "a\nb"),
    ("a bidi override", "a\u202eb"),
    ("a bidi isolate", "a\u2066b"),
    ("a zero-width space", "a\u200bb"),
    ("a soft hyphen", "a\u00adb"),
    ("a line separator", "a\u2028b"),
    ("a private-use character", "a\ue000b"),
    ("an unassigned character", "a\u0378b"),
    ("a filler", "a\u3164b"),
    ("a blank braille pattern", "a\u2800b"),
    ("a combining mark at its beginning", "\u0301a"),
    ("five combining marks on one character", "a" + "\u0316" * 5),
)
CLEANED: tuple[tuple[str, str], ...] = (
    ("e\u0301te\u0301", "\u00e9t\u00e9"),
    ("  a \u00a0\u3000 b  ", "a b"),
    ("\u2764\ufe0f", "\u2764"),
    ("\u0645\u0631\u062d\u0628\u0627", "\u0645\u0631\u062d\u0628\u0627"),
    ("bravo! \u2660\u2665 123", "bravo! \u2660\u2665 123"),
)


@subject.check("X-2")
async def a_name_that_no_name_may_be_is_refused(probe: Probe) -> None:
    """A name that is empty, too long, or holds what names may not hold is `bad_name`."""
    for what, text in (*REFUSED_TEXTS, ("25 characters", "n" * 25)):
        client = await probe.connect()
        answer = await client.say_hello(text)
        expect(answer.get("code") == "bad_name", f"a name with {what} was answered by {brief(answer)}")
        await client.closes()


RESERVED_NAMES: tuple[str, ...] = (
    *("The server says", "SERVER", "Your host", "TheServer", "S-e-r-v-e-r", "server1", "Bot Layla"),
    *("me", "You", "!", "\u2660 \u2665", "\U0001f98a"),
    # Cyrillic and Greek letters, accents, wide ones, and Arabic with vowels, a tatweel and a Farsi yeh.
    *("\u0405\u0435rv\u0435r", "H\u03bfst", "\u00c1dmin", "\uff22\uff4f\uff54"),
    "\u0627\u0644\u062e\u0640\u0627\u062f\u0650\u0645 \u064a\u0642\u0648\u0644",
    *("\u0627\u0644\u0645\u0636\u06cc\u0641", "\u0623\u0646\u062a"),
)
NOT_RESERVED: tuple[str, ...] = (
    *("Observer", "Botros", "Hosta", "Yousef", "7"),
    "\u0646\u0638\u0627\u0645 \u0627\u0644\u062f\u064a\u0646",
)


@subject.check("N-3")
async def a_name_that_speaks_for_the_server_is_refused(probe: Probe) -> None:
    """A name that is or holds a reserved word, or has no letter and no digit, is `bad_name`; others are not."""
    for name in RESERVED_NAMES:
        client = await probe.connect()
        answer = await client.say_hello(name)
        expect(answer.get("code") == "bad_name", f"the name {name!a} was answered by {brief(answer)}")
        await client.closes()
    for name in NOT_RESERVED:
        client = await probe.connect()
        answer = await client.say_hello(name)
        expect(answer.get("type") == "welcome", f"the name {name!a} was answered by {brief(answer)}")


@subject.check("X-2")
async def chat_that_no_chat_may_be_is_refused(probe: Probe) -> None:
    """A chat line that is empty, too long, or holds what chat may not hold is `bad_text`, and nobody hears."""
    client = await probe.player()
    for what, text in (*REFUSED_TEXTS, ("301 characters", "n" * 301)):
        reply = await client.ask("chat", text=text)
        expect(reply.get("code") == "bad_text", f"chat with {what} was answered by {brief(reply)}")
    said = [each for each in client.of_type("lobby_said") if each["name"] == client.welcome["name"]]
    expect(not said, f"refused chat was said in the lobby: {said}")


@subject.check("X-1", "X-3")
async def chat_is_cleaned(probe: Probe) -> None:
    """Text is normalised to NFC, spaces are squeezed, variation selectors dropped; scripts and emoji stay."""
    client = await probe.player()
    number = await probe.table(client)
    await client.get("join", table=number)
    for sent, expected in CLEANED:
        await client.get("chat", text=sent)
        said = client.of_type("said")[-1]["text"]
        expect(said == expected, f"{sent!r} was said as {said!r}, not {expected!r}")


@subject.check("X-2", "X-3")
async def the_longest_texts_are_accepted(probe: Probe) -> None:
    """Names have at most 24 characters, chat lines at most 300."""
    client = await probe.player("\u0646" * 20 + str(probe.target.rng.randrange(1000, 9999)))
    expect(len(client.welcome["name"]) == 24, f"a name of 24 characters became {client.welcome['name']!r}")
    await client.get("chat", text="\u0644" * 300)


@subject.check("E-5")
async def an_error_does_not_repeat_hostile_text(probe: Probe) -> None:
    """`error.message` does not repeat text that was refused as it came."""
    client = await probe.player()
    table = await probe.table(client)
    hostile = "Eve\x1b]0;x\x07\u202e"
    tried: tuple[tuple[str, Fields], ...] = (
        ("open_table", {"name": hostile}),
        ("open_table", {"name": "T", "preset": hostile}),
        ("open_table", {"name": "T", "rules": {"auction": hostile}}),
        ("join", {"table": table, "partner": hostile}),
        ("chat", {"text": hostile}),
        (hostile, {}),
        ("act", {"action": {"type": hostile}}),
    )
    for kind, fields in tried:
        reply = await client.ask(kind, **fields)
        expect(reply["type"] == "error", f"{kind!r} {fields} was granted")
        for character in "\x1b\x07\u202e":
            shown = f"U+{ord(character):04X}"
            expect(character not in reply["message"], f"the error of {kind!r} {fields} says {shown}")
