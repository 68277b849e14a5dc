"""One table of settings: the source of the flags, of the keys of the file and the environment (``sources``), of
their checks and of what ``--help`` says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

DEFAULT_PORT = 31313
LONGEST_PASSWORD = 128
"""Characters: what a hello can carry."""


def whole(lowest: int, highest: int) -> Any:
    """A parser of whole numbers in a range; raises ``ValueError`` that says what is accepted."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ValueError(f"a whole number from {lowest} to {highest}, not {text!r}") from None
        if not lowest <= number <= highest:
            raise ValueError(f"a whole number from {lowest} to {highest}, not {number}")
        return number

    return parse


def seconds(lowest: float, highest: float) -> Any:
    """A parser of seconds, fractions allowed; raises ``ValueError`` that says what is accepted."""

    def parse(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not lowest <= number <= highest:
            raise ValueError(f"seconds from {lowest:g} to {highest:g}, not {text!r}")
        return number

    return parse


def one_of(*words: str) -> Any:
    """A parser of one word of a few; raises ``ValueError`` that names them."""

    def parse(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"one of {', '.join(words)}, not {text!r}")
        return text.lower()

    return parse


def line(longest: int) -> Any:
    """A parser of one printable line; raises ``ValueError`` that says what is accepted."""

    def parse(text: str) -> str:
        stripped = text.strip()
        if not stripped or len(stripped) > longest or not stripped.isprintable():
            raise ValueError(f"1 to {longest} printable characters, not {text!r}")
        return stripped

    return parse


def path(text: str) -> str:
    """A parser of a path; raises ``ValueError`` when it is empty or holds a null character."""
    if not text or "\0" in text:
        raise ValueError("a path, not an empty text")
    return text


@dataclass(frozen=True, slots=True)
class Flag:
    """How a setting is given on the command line. ``parse`` raises ``ValueError`` saying what is accepted."""

    parse: Any
    metavar: str
    help: str
    repeats: bool = False

    @property
    def is_number(self) -> bool:
        """Whether a file has it without quotes."""
        return self.metavar in {"N", "SECONDS"}


def setting(default: Any, parse: Any, metavar: str, text: str, *, repeats: bool = False) -> Any:
    """A field of ``Settings`` with its flag; its name with hyphens is the flag's name."""
    return field(default=default, metadata={"flag": Flag(parse, metavar, text, repeats)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that can be set about a server. Seconds unless a name says otherwise."""

    host: tuple[str, ...] = setting(
        (),
        line(255),
        "HOST",
        "listen on this address only; may be given again (default: every address, IPv4 and IPv6)",
        repeats=True,
    )
    port: int = setting(
        DEFAULT_PORT, whole(0, 65535), "N", f"TCP port; 0 picks a free one (default: {DEFAULT_PORT})"
    )
    name: str = setting("Tarneeb", line(64), "TEXT", "what players see this server called (default: Tarneeb)")
    discovery: str = setting(
        "on",
        one_of("on", "off"),
        "WHAT",
        "on: clients on the same network find this server by themselves (mDNS), unless it listens on loopback"
        " alone; off: they need its address (default: on)",
    )
    data_dir: str | None = setting(
        None,
        path,
        "DIR",
        "keep sessions, tables and finished sets in DIR/tarneeb.db, and go on with them after a restart"
        " (default: nothing is kept)",
    )
    durability: str = setting(
        "power",
        one_of("process", "power"),
        "WHAT",
        "what the journal is to survive: process, the end of the server however it comes, or power, a power cut"
        " too (default: power)",
    )
    control: str | None = setting(
        None,
        path,
        "PATH",
        "where the socket of the commands below is; off is nowhere (default: in the data directory, else in the"
        " runtime directory of this account)",
    )
    password_file: str | None = setting(
        None,
        path,
        "FILE",
        "ask every player for the password in FILE's first line (without it, TARNEEB_PASSWORD counts)",
    )
    tls: str = setting(
        "off",
        one_of("off", "self-made"),
        "KIND",
        "self-made: TLS with a certificate of the server's own making, whose fingerprint is printed and which"
        " is kept for the next start; for another one give --tls-cert and --tls-key (default: off)",
    )
    tls_cert: str | None = setting(
        None, path, "FILE", "TLS with the certificate in FILE, in PEM, then those that vouch for it"
    )
    tls_key: str | None = setting(None, path, "FILE", "the key of --tls-cert, in PEM, not encrypted")
    ready_file: str | None = setting(
        None, path, "FILE", "write one line of JSON with host, port and name to FILE once the server listens"
    )
    bot_delay: float = setting(0.7, seconds(0, 60), "SECONDS", "how long bots think (default: 0.7)")
    turn_seconds: int = setting(
        45, whole(0, 3600), "N", "time for a turn where a table does not say; 0 is no clock (default: 45)"
    )
    grace_seconds: int = setting(
        120,
        whole(0, 86400),
        "N",
        "how long a seat is held for a player whose connection is lost, where a table does not say"
        " (default: 120)",
    )
    stand_in: str = setting(
        "steady",
        one_of("random", "steady"),  # the bot levels of the protocol, which is slow to import
        "LEVEL",
        "where a table does not say, the bot that plays for a player who is away or lets the clock run out, and"
        " takes the seat of who leaves during a set: random or steady (default: steady)",
    )
    deserted_seconds: int = setting(
        60, whole(1, 86400), "N", "how long a table without any player stays open (default: 60)"
    )
    ping_seconds: int = setting(
        15, whole(1, 3600), "N", "how often a silent connection is asked for life (default: 15)"
    )
    dead_seconds: int = setting(
        45, whole(2, 7200), "N", "a connection this long without a byte from the client is dead (default: 45)"
    )
    hello_seconds: int = setting(
        10, whole(1, 300), "N", "how long a new connection may take to say hello (default: 10)"
    )
    max_connections: int = setting(1000, whole(1, 100_000), "N", "connections at the same time (default: 1000)")
    max_connections_per_address: int | None = setting(
        None,
        whole(1, 100_000),
        "N",
        "connections at the same time from one address, or one IPv6 network of 64 bits (default: 64, and any"
        " number from this machine itself)",
    )
    max_tables: int = setting(250, whole(1, 100_000), "N", "open tables at the same time (default: 250)")
    max_tables_per_player: int = setting(
        8, whole(1, 1000), "N", "open tables that one player may have opened (default: 8)"
    )
    max_spectators: int = setting(32, whole(0, 64), "N", "spectators at one table (default: 32)")
    outbox_kib: int = setting(
        512,
        whole(128, 1 << 20),
        "N",
        "KiB waiting for a client that does not read before it is cut off (default: 512)",
    )
    seed_for_tests: int | None = setting(
        None,
        whole(0, 2**63 - 1),
        "N",
        "predictable deals, for tests only: never for play (default: the system's randomness)",
    )
    until: str = setting(
        "signal",
        one_of("signal", "input-ends"),
        "WHAT",
        "when to end: signal, at Ctrl-C or SIGTERM; input-ends, also with the standard input, so that a program"
        " that starts a server leaves none behind (default: signal)",
    )
    log_level: str = setting(
        "info",
        one_of("debug", "info", "warning", "error"),
        "LEVEL",
        "debug, info, warning or error (default: info)",
    )
    log_format: str = setting(
        "text",
        one_of("text", "json"),
        "FORMAT",
        "how the log writes an event: text, key=value, or json, an object a line (default: text)",
    )
    password: str | None = None
    """The server's password, from the environment or the password file. Never a flag: other people of the
    machine can read a command line."""

    def __post_init__(self) -> None:
        if self.dead_seconds <= self.ping_seconds:
            raise ValueError(
                "--dead-seconds must be more than --ping-seconds,"
                f" which is {self.ping_seconds}, not {self.dead_seconds}"
            )
        if (self.tls_cert is None) != (self.tls_key is None):
            given, missing = ("cert", "key") if self.tls_key is None else ("key", "cert")
            raise ValueError(f"--tls-{given} needs --tls-{missing} too: a certificate and its key go together")
        if self.tls == "self-made" and self.tls_cert is not None:
            raise ValueError(
                "--tls self-made makes its own certificate: leave it out, or --tls-cert and --tls-key"
            )


def flags() -> list[tuple[str, Flag]]:
    """Every setting that has a flag, by field name, in the order of ``--help``."""
    return [(entry.name, entry.metadata["flag"]) for entry in fields(Settings) if "flag" in entry.metadata]


def read_password(file_name: str) -> str:
    """The password in a file's first line. Raises ``ValueError`` saying what is wrong and what is accepted."""
    try:
        with open(file_name, encoding="utf-8") as stream:  # noqa: PTH123  (pathlib would slow --help down)
            password = stream.readline(4096).rstrip("\r\n")
    except OSError as error:
        raise ValueError(f"--password-file: {file_name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"--password-file: {file_name} is not UTF-8 text") from None
    check_password(password, f"--password-file: the first line of {file_name}")
    return password


def check_password(password: str, where: str) -> None:
    """Raise ``ValueError`` for a password that no client could give, or that would be none. ``where`` is where
    it was found.
    """
    if not 1 <= len(password) <= LONGEST_PASSWORD:
        raise ValueError(
            f"{where} is to be the password, 1 to {LONGEST_PASSWORD} characters; it has {len(password)}"
        )
    if not password.isprintable():
        raise ValueError(f"{where} is to be the password, and holds characters that nobody can type")
