"""Every key of the full screen, in one table: bindings, footer, help and docs/playing.md stand on it."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.language import N_
from tarneeb_client.screens.places import ANYWHERE, AT_TABLE, REPLAY, Place


@dataclass(frozen=True, slots=True)
class Key:
    """A key. ``keys`` are prompt_toolkit's names for it, ``label`` what it is called on the screen, ``summary``
    a word or two for the footer, ``detail`` a sentence for the help. ``needs_empty_input``: it is a character
    that may also be typed, so it is a key only while the input line is empty.
    """

    action: str
    keys: tuple[str, ...]
    label: str
    summary: str
    detail: str
    places: frozenset[Place]
    needs_empty_input: bool = False
    is_in_footer: bool = True


KEYS: tuple[Key, ...] = (
    Key(
        "pick",
        ("left", "right"),
        N_("a-m/arrows"),
        N_("pick"),
        N_(
            "Pick a card by its letter or the next legal one with the arrows; a bid by its number, pass with p."
        ),
        frozenset({Place.PLAY}),
    ),
    Key(
        "enter",
        ("enter",),
        N_("Enter"),
        N_("play"),
        N_("Do what is picked or typed: h10, 10h and ♥10 are cards, too. At a cut, arrows change the number."),
        frozenset({Place.PLAY}),
    ),
    Key(
        "enter",
        ("enter",),
        N_("Enter"),
        N_("ready"),
        N_("Say yes to the next set."),
        frozenset({Place.WAITING}),
    ),
    Key(
        "close",
        ("escape",),
        "Esc",
        N_("take back"),
        N_("Take back what is typed, or the card chosen beforehand; it never leaves the game."),
        frozenset({Place.WAITING, Place.PLAY}),
        is_in_footer=False,
    ),
    Key(
        "remark",
        ("r",),
        "r",
        N_("remark"),
        N_("Where the table has remarks: say with your call that your hand helps, or does not, or neither."),
        frozenset({Place.PLAY}),
        needs_empty_input=True,
        is_in_footer=False,
    ),
    Key(
        "bot",
        ("b",),
        "b",
        N_("add a bot"),
        N_("Put a bot into an empty seat."),
        frozenset({Place.WAITING}),
        needs_empty_input=True,
    ),
    Key(
        "move",
        ("up", "down"),
        N_("arrows"),
        N_("choose"),
        N_("Choose a table, or a server."),
        frozenset({Place.LOBBY, Place.HOME}),
    ),
    Key(
        "enter", ("enter",), N_("Enter"), N_("connect"), N_("Go to the chosen server."), frozenset({Place.HOME})
    ),
    Key(
        "resume",
        ("R", "r"),
        "R",
        N_("resume"),
        N_("Go back to the seat that is held for you."),
        frozenset({Place.HOME}),
        needs_empty_input=True,
    ),
    Key(
        "solo",
        ("s",),
        "s",
        N_("solo"),
        N_("Play with three bots on this machine."),
        frozenset({Place.HOME}),
        needs_empty_input=True,
    ),
    Key(
        "learn",
        ("l",),
        "l",
        N_("learn"),
        N_("Learn the game by playing a deal."),
        frozenset({Place.HOME}),
        needs_empty_input=True,
    ),
    Key(
        "address",
        ("o",),
        "o",
        N_("address"),
        N_("Type the address of a server: HOST or HOST:PORT."),
        frozenset({Place.HOME}),
        needs_empty_input=True,
    ),
    Key(
        "rescan",
        ("f5",),
        "F5",
        N_("look again"),
        N_("Look for servers on the network anew."),
        frozenset({Place.HOME}),
    ),
    Key(
        "settings",
        ("f2",),
        "F2",
        N_("settings"),
        N_("Name, language, colours and habits."),
        frozenset({Place.HOME}),
    ),
    Key(
        "enter",
        ("enter",),
        N_("Enter"),
        N_("join"),
        N_("Sit down at the chosen table."),
        frozenset({Place.LOBBY}),
    ),
    Key(
        "seat",
        ("j",),
        "j",
        N_("seat"),
        N_("Choose your seat at the table, and so your partner."),
        frozenset({Place.LOBBY}),
        needs_empty_input=True,
    ),
    Key(
        "fill",
        ("b",),
        "b",
        N_("with bots"),
        N_("Sit down at the chosen table, and put bots into its other empty seats."),
        frozenset({Place.LOBBY}),
        needs_empty_input=True,
    ),
    Key(
        "rules",
        ("i",),
        "i",
        N_("rules"),
        N_("Show the rules of the chosen table, and who is there."),
        frozenset({Place.LOBBY}),
        needs_empty_input=True,
    ),
    Key(
        "page",
        ("pageup", "pagedown"),
        "PgUp/PgDn",
        N_("page"),
        N_("Ten tables up or down."),
        frozenset({Place.LOBBY}),
        is_in_footer=False,
    ),
    Key(
        "ends",
        ("home", "end"),
        "Home/End",
        N_("ends"),
        N_("The first table, or the last."),
        frozenset({Place.LOBBY}),
        is_in_footer=False,
    ),
    Key(
        "watch",
        ("w",),
        "w",
        N_("watch"),
        N_("Watch the chosen table."),
        frozenset({Place.LOBBY}),
        needs_empty_input=True,
    ),
    Key(
        "new",
        ("n",),
        "n",
        N_("new table"),
        N_("Open a table with rules of your choice."),
        frozenset({Place.LOBBY}),
        needs_empty_input=True,
    ),
    Key(
        "last",
        ("t", "f3"),
        "t",
        N_("last trick"),
        N_("Show the last trick."),
        AT_TABLE,
        needs_empty_input=True,
    ),
    Key("step", ("left", "right"), N_("left/right"), N_("step"), N_("One action back or forward."), REPLAY),
    Key("trick", ("up", "down"), N_("up/down"), N_("trick"), N_("A trick back or forward."), REPLAY),
    Key("deal", ("pageup", "pagedown"), "PgUp/PgDn", N_("deal"), N_("A deal back or forward."), REPLAY),
    Key("ends", ("home", "end"), "Home/End", N_("ends"), N_("To the first step, or the last."), REPLAY),
    Key("cover", ("h",), "h", N_("hands"), N_("Cover the hands, or show them."), REPLAY),
    Key(
        "scores",
        ("f4",),
        "F4",
        N_("scores"),
        N_("Show every deal of the set and how it was reckoned."),
        AT_TABLE | REPLAY,
        is_in_footer=False,
    ),
    Key(
        "chat",
        ("/", "tab"),
        "/",
        N_("chat"),
        N_("Say something to your table, in the lobby to all who are there. Esc goes back."),
        AT_TABLE | {Place.LOBBY},
        needs_empty_input=True,
    ),
    Key(
        "help",
        ("?", "f1"),
        "?",
        N_("help"),
        N_("Show the keys of this place."),
        AT_TABLE | REPLAY | {Place.LOBBY, Place.LOST, Place.HOME},
        needs_empty_input=True,
    ),
    Key(
        "palette",
        ("c-p",),
        "^P",
        N_("commands"),
        N_("Type a command, with completion by Tab: all that the line mode has."),
        AT_TABLE | {Place.LOBBY},
    ),
    Key(
        "scroll",
        ("pageup", "pagedown"),
        "PgUp/PgDn",
        N_("scroll"),
        N_("Scroll what happened, or the pane that is open."),
        AT_TABLE | {Place.PANE},
        is_in_footer=False,
    ),
    Key(
        "retry",
        ("r", "f5"),
        "r",
        N_("retry now"),
        N_("Try to connect again at once."),
        frozenset({Place.LOST}),
        needs_empty_input=True,
    ),
    Key(
        "close",
        ("escape",),
        "Esc",
        N_("close"),
        N_("Close what is open; it never leaves the game."),
        frozenset({Place.PANE, Place.FORM, Place.TYPING}),
    ),
    Key(
        "close",
        ("enter",),
        N_("Enter"),
        N_("close"),
        N_("Close it, too."),
        frozenset({Place.PANE}),
        is_in_footer=False,
    ),
    Key(
        "field",
        ("up", "down"),
        N_("up/down"),
        N_("field"),
        N_("Go to another field."),
        frozenset({Place.FORM}),
    ),
    Key(
        "turn",
        ("left", "right"),
        N_("left/right"),
        N_("change"),
        N_("Change the field."),
        frozenset({Place.FORM}),
    ),
    Key("enter", ("enter",), N_("Enter"), N_("done"), N_("Send the form."), frozenset({Place.FORM})),
    Key(
        "enter", ("enter",), N_("Enter"), N_("send"), N_("Say it, or carry it out."), frozenset({Place.TYPING})
    ),
    Key(
        "complete",
        ("tab",),
        "Tab",
        N_("complete"),
        N_("Complete a command, an option or a name; again, the next that fits."),
        frozenset({Place.TYPING}),
    ),
    Key(
        "recall",
        ("up", "down"),
        N_("up/down"),
        N_("earlier"),
        N_("What was typed before."),
        frozenset({Place.TYPING}),
        is_in_footer=False,
    ),
    Key(
        "mouse",
        ("f8",),
        "F8",
        N_("mouse"),
        N_("Turn the mouse on or off: on, it picks cards and tables; off, it marks text (or hold Shift)."),
        AT_TABLE | {Place.HOME, Place.LOBBY},
        is_in_footer=False,
    ),
    Key(
        "redraw",
        ("c-l",),
        "^L",
        N_("redraw"),
        N_("Draw the screen anew."),
        ANYWHERE,
        is_in_footer=False,
    ),
    Key(
        "interrupt",
        ("c-c",),
        "^C",
        N_("clear"),
        N_("Clear what is typed; twice, leave with the seat held for you."),
        ANYWHERE,
        is_in_footer=False,
    ),
    Key("leave", ("f10",), "F10", N_("leave"), N_("Leave the table; in the lobby, the program."), ANYWHERE),
)
"""In the order of the footer and the help."""
