"""The commands of the line mode, in one table: what each is called, takes and does.

``help``, the checks of the input and ``docs/playing.md`` stand on this table.
"""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.parse import CARD_FORMS


@dataclass(frozen=True, slots=True)
class Command:
    """A command. ``usage`` is what one types, ``summary`` half a line, ``detail`` a few sentences."""

    name: str
    usage: str
    summary: str
    detail: str
    aliases: tuple[str, ...] = ()


COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        "help [COMMAND]",
        "the commands, or more about one",
        "Examples: help, help join.",
        ("?", "h?"),
    ),
    Command(
        "tables",
        "tables",
        "the tables of the server",
        "Lists every open table: number, name, who sits where, state and rules.",
        ("list",),
    ),
    Command(
        "open",
        "open NAME [OPTION=VALUE ...]",
        "open a table",
        "Options: preset=tarneeb or classic; target=31, 41, 51 or 61; turn=SECONDS for the turn clock, 0 for "
        "none; grace=SECONDS, how long a seat is held for who loses the link; stand_in=steady or random, the "
        "bot that plays for who is away or lets the time run out; spectators=yes or no; password=TEXT; and the "
        "rules one by one: auction=single or continuing, four_passes=same_dealer, next_dealer or dealer_stuck, "
        "thirteen=game_call or kaboot_bonus, dealing=one_by_one or thirteen_at_a_time, partner_hints=yes or "
        "no, lead_tarneeb=yes or no. A name with spaces needs no quotes. "
        "Example: open Friday night target=41 turn=30. Then: join.",
    ),
    Command(
        "join",
        "join TABLE [SEAT | with PLAYER] [password=TEXT]",
        "take a seat at a table",
        "TABLE is a number or a name (in quotes if it ends like a seat); without it, the table opened last. "
        "SEAT is south, east, north or west. With PLAYER you sit opposite that player. Otherwise you get the "
        "first empty seat, or take over from a bot. "
        "Examples: join 3, join 3 west, join Friday night, join Friends with Rami.",
    ),
    Command(
        "watch",
        "watch TABLE [password=TEXT]",
        "watch a table",
        "You see everything but the hands. Example: watch 3.",
    ),
    Command(
        "leave",
        "leave",
        "leave the table",
        "You give up your seat; in a set, a bot takes it. You are then in the lobby.",
    ),
    Command(
        "bot",
        "bot [SEAT] [LEVEL] | bot remove SEAT",
        "put a bot into an empty seat, or take one out",
        "LEVEL is steady, the default, or random. Between sets bot remove SEAT takes a bot out. "
        "Examples: bot, bot east, bot east random, bot remove east.",
    ),
    Command("hand", "hand", "your cards", "Your hand, suit by suit."),
    Command(
        "table",
        "table",
        "the table as it stands",
        "Who sits where, deal, calls, contract, the trick in progress, tricks and score.",
    ),
    Command("last", "last", "the last trick", "The last finished trick of the deal, card by card."),
    Command("score", "score", "the score, deal by deal", "Every deal of the set and the score.", ("scores",)),
    Command(
        "who", "who", "who sits and who watches", "Seats, spectators, and who is not ready for the next set."
    ),
    Command(
        "rules",
        "rules",
        "the rules in force at the table",
        "Every option, the turn clock, and what happens when somebody is away.",
    ),
    Command(
        "cut",
        "cut NUMBER",
        "cut the pack",
        "Lifts so many cards from the top and puts them under the rest, when it is your cut. Example: cut 20.",
    ),
    Command(
        "bid",
        "bid CALL [REMARK]",
        "call in the auction",
        "CALL is a number of tricks, pass or game. The number, pass or game alone will do on your turn. Where "
        "the table has partner_hints, add helpful or not_helpful. Examples: bid 9, 9, pass, bid 9 helpful.",
        ("call",),
    ),
    Command("pass", "pass [REMARK]", "pass in the auction", "The same as bid pass.", ("p",)),
    Command(
        "game",
        "game [REMARK]",
        "promise all 13 tricks and with them the set",
        "The same as bid game. Nobody can outbid or match it.",
    ),
    Command(
        "trump",
        "trump SUIT",
        "name the trump",
        "SUIT is s, h, d or c, or spades, hearts, diamonds or clubs. The suit alone will do on your turn.",
        ("tarneeb",),
    ),
    Command(
        "play",
        "play CARD",
        "play a card",
        f"CARD in a form such as {CARD_FORMS}, or the number that your turn's line gives it. "
        "The card or the number alone will do on your turn.",
    ),
    Command(
        "ready", "ready", "say yes to the next set", "When a set is over, the next begins once all are ready."
    ),
    Command(
        "say",
        "say TEXT",
        "chat",
        "To your table, or in the lobby to all who are there. /TEXT is the same.",
    ),
    Command(
        "retry",
        "retry",
        "while the link is lost: try again now",
        "The client tries again by itself, at longer and longer intervals. This does not wait for the next.",
    ),
    Command(
        "quit",
        "quit",
        "leave and end",
        "You leave the server for good; your seat is given up. The end of the input does the same.",
        ("exit",),
    ),
)
"""Every command, in the order of the help."""

_BY_WORD = {word: command for command in COMMANDS for word in (command.name, *command.aliases)}


def find_command(word: str) -> Command | None:
    """The command called so, by name or alias, in either case."""
    return _BY_WORD.get(word.lower())


def help_lines() -> list[str]:
    """Every command in a line, then how to go on."""
    width = max(len(command.usage) for command in COMMANDS if len(command.usage) <= 28)
    lines = [f"{command.usage:<{width}}  {command.summary}" for command in COMMANDS]
    return [*lines, "help COMMAND tells more. On your turn a card, bid or suit alone will do. /TEXT is chat."]


def command_help(command: Command) -> list[str]:
    """One command in full."""
    also = f" Also: {', '.join(command.aliases)}." if command.aliases else ""
    return [f"{command.usage}: {command.summary}.", command.detail + also]
