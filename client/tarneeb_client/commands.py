"""The commands of the line mode, in one table: what each is called, takes and does.

``help``, the checks of the input and ``docs/playing.md`` stand on this table.
"""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_client.language import N_, _, listed
from tarneeb_client.parse import CARD_FORMS


@dataclass(frozen=True, slots=True)
class Command:
    """A command. ``usage`` is what one types, ``summary`` half a line, ``detail`` a few sentences; the two are
    translated when they are shown.
    """

    name: str
    usage: str
    summary: str
    detail: str
    aliases: tuple[str, ...] = ()


COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        "help [COMMAND]",
        N_("the commands, or more about one"),
        N_("Examples: help, help join."),
        ("?", "h?"),
    ),
    Command(
        "tables",
        "tables",
        N_("the tables of the server"),
        N_("Lists every open table: number, name, who sits where, state and rules."),
        ("list",),
    ),
    Command(
        "history",
        "history [NUMBER]",
        N_("the sets that were played here"),
        N_(
            "The latest recorded sets that you may see, each with its number; with NUMBER, those before that "
            "set. To step through one: tarneeb replay NUMBER --server HOST. Examples: history, history 40."
        ),
    ),
    Command(
        "open",
        "open NAME [OPTION=VALUE ...]",
        N_("open a table"),
        N_(
            "Options: preset=WORD, one of those that rules lists away from a table; target=31, 41, 51 or 61; "
            "turn=SECONDS for the turn clock, 0 for none; grace=SECONDS, how long a seat is held for who "
            "loses the link; stand_in=steady or random, the bot that plays for who is away or lets the time "
            "run out; spectators=yes or no; password=TEXT; and the rules one by one: auction=single, "
            "continuing or returning, four_passes=same_dealer, next_dealer or dealer_stuck, "
            "thirteen=game_call or kaboot_bonus, dealing=one_by_one or thirteen_at_a_time, partner_hints=yes "
            "or no, lead_tarneeb=yes or no, suit_bids=none, clubs_to_diamonds or clubs_to_spades, double=yes "
            "or no. A name with spaces needs no quotes. Example: open Friday night target=41 turn=30. Then: "
            "join."
        ),
    ),
    Command(
        "join",
        "join TABLE [SEAT | with PLAYER] [password=TEXT]",
        N_("take a seat at a table"),
        N_(
            "TABLE is a number or a name (in quotes if it ends like a seat); without it, the table opened "
            "last. SEAT is south, east, north or west. With PLAYER you sit opposite that player. Otherwise "
            "you get the first empty seat, or take over from a bot. Examples: join 3, join 3 west, join "
            "Friday night, join Friends with Rami."
        ),
    ),
    Command(
        "watch",
        "watch TABLE [password=TEXT]",
        N_("watch a table"),
        N_("You see everything but the hands. Example: watch 3."),
    ),
    Command(
        "leave",
        "leave",
        N_("leave the table"),
        N_("You give up your seat; in a set, a bot takes it. You are then in the lobby."),
    ),
    Command(
        "bot",
        "bot [SEAT] [LEVEL] | bot remove SEAT",
        N_("put a bot into an empty seat, or take one out"),
        N_(
            "LEVEL is steady, the default, or random. Between sets bot remove SEAT takes a bot out. "
            "Examples: bot, bot east, bot east random, bot remove east."
        ),
    ),
    Command("hand", "hand", N_("your cards"), N_("Your hand, suit by suit.")),
    Command(
        "table",
        "table",
        N_("the table as it stands"),
        N_("Who sits where, deal, calls, contract, the trick in progress, tricks and score."),
    ),
    Command("last", "last", N_("the last trick"), N_("The last finished trick of the deal, card by card.")),
    Command(
        "score", "score", N_("the score, deal by deal"), N_("Every deal of the set and the score."), ("scores",)
    ),
    Command(
        "who",
        "who",
        N_("who sits and who watches"),
        N_("Seats, spectators, and who is not ready for the next set."),
    ),
    Command(
        "rules",
        "rules",
        N_("the rules in force at the table"),
        N_(
            "Every option, the turn clock, and what happens when somebody is away. Away from a table: the "
            "presets that a table can be opened with."
        ),
    ),
    Command(
        "cut",
        "cut NUMBER",
        N_("cut the pack"),
        N_(
            "Lifts so many cards from the top and puts them under the rest, when it is your cut. Example: cut "
            "20."
        ),
    ),
    Command(
        "bid",
        "bid CALL [REMARK]",
        N_("call in the auction"),
        N_(
            "CALL is a number of tricks, with its suit where bids name one, or pass, double or game. It will "
            "do alone on your turn. Where the table has partner_hints, add helpful or not_helpful. Examples: "
            "bid 9, 9, 9h, pass, double, bid 9 helpful."
        ),
        ("call",),
    ),
    Command("pass", "pass [REMARK]", N_("pass in the auction"), N_("The same as bid pass."), ("p",)),
    Command(
        "game",
        "game [REMARK]",
        N_("promise all 13 tricks and with them the set"),
        N_("The same as bid game. Nobody can outbid or match it."),
    ),
    Command(
        "trump",
        "trump SUIT",
        N_("name the trump"),
        N_("SUIT is s, h, d or c, or spades, hearts, diamonds or clubs. The suit alone will do on your turn."),
        ("tarneeb",),
    ),
    Command(
        "play",
        "play CARD",
        N_("play a card"),
        N_(
            "CARD in a form such as {forms}, or the number that your turn's line gives it. "
            "The card or the number alone will do on your turn."
        ),
    ),
    Command(
        "ready",
        "ready",
        N_("say yes to the next set"),
        N_("When a set is over, the next begins once all are ready."),
    ),
    Command(
        "say",
        "say TEXT",
        N_("chat"),
        N_("To your table, or in the lobby to all who are there. /TEXT is the same."),
    ),
    Command(
        "tournaments",
        "tournaments",
        N_("the tournaments of the server"),
        N_("Lists them: number, name, format, how many teams, who opened it."),
    ),
    Command(
        "tournament",
        "tournament [WHAT ...]",
        N_("open, enter, begin, end or follow a tournament; alone: its standings"),
        N_(
            "tournament open NAME [OPTION=VALUE ...] opens one: format=winner_stays, round_robin or knock_out; "
            "sets=NUMBER or wins=NUMBER ends one where the winners stay; tables=NUMBER at once; "
            "appear=SECONDS for a team that is called; lot=yes draws partners; and the options of a table. "
            "tournament enter TEAM with PLAYER invites a partner; by lot: tournament enter. "
            "tournament bots TEAM [LEVEL] enters two bots, tournament begin and tournament end are its "
            "opener's. tournament withdraw takes your team out; tournament follow NUMBER tells you of another."
        ),
        ("cup",),
    ),
    Command(
        "yes",
        "yes",
        N_("say yes to what you are asked"),
        N_("To an invitation, to your team's call to a table, or to the next set."),
        ("y",),
    ),
    Command("no", "no", N_("say no to an invitation"), N_("The team that asked you is then not entered.")),
    Command(
        "retry",
        "retry",
        N_("while the link is lost: try again now"),
        N_(
            "The client tries again by itself, at longer and longer intervals. This does not wait for the next."
        ),
    ),
    Command(
        "quit",
        "quit",
        N_("leave and end"),
        N_("You leave the server for good; your seat is given up. The end of the input does the same."),
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
    lines = [f"{command.usage:<{width}}  {_(command.summary)}" for command in COMMANDS]
    more = _("help COMMAND tells more. On your turn a card, bid or suit alone will do. /TEXT is chat.")
    return [*lines, more]


def command_help(command: Command) -> list[str]:
    """One command in full."""
    detail = _(command.detail).replace("{forms}", CARD_FORMS)
    if command.aliases:
        detail += " " + _("Also: {words}.").format(words=listed(command.aliases))
    return [f"{command.usage}: {_(command.summary)}.", detail]
