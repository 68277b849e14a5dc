"""Sessions and connections as one knows them who sees all bytes and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from support.simulation.frames import Fields, Read, Splitter

CLIENT_FRAME, SERVER_FRAME = 8192, 65536


@dataclass(slots=True)
class KnownSession:
    """A session as a witness of all its connections knows it."""

    name: str
    token: str
    previous: str | None = None
    is_confirmed: bool = True
    epoch: int = 0
    """In which life of the server ``is_confirmed`` became true."""
    table: int | None = None
    seat: int | None = None
    is_vague: bool = False
    """It left, on this connection or on one before: it may be at a table again."""
    leaving: set[int] = field(default_factory=set)
    """Requests to leave that reached the server, of which no answer was seen yet."""
    wire: int = 0
    """The connection that speaks for it."""
    is_shown: bool = False
    """A hello with ``token`` has reached the server, so that ``previous`` may be void by now."""
    is_challenged: bool = False
    """A hello with ``token`` or ``previous`` has reached the server, so that ``wire`` may be cut off by now."""
    is_ended: bool = False
    is_surely_ended: bool = False
    """The server cannot but have come to the goodbye before it lost the connection."""
    ended_in: int = 0
    """In which life of the server it ended: with the next, that may be forgotten."""
    alive_at: float = 0.0
    open_wires: int = 0
    takeovers: int = 0
    wrong_passwords: int = 0
    asked: dict[int, list[Fields]] = field(default_factory=dict)
    asked_on: dict[int, int] = field(default_factory=dict)
    """The connection on which each request came first."""
    answers: dict[int, tuple[Read, int]] = field(default_factory=dict)
    acted_at: int = 0
    """Event up to which acts were claimed by replies."""
    view: tuple[int, int] | None = None
    """Table and event up to which it was told."""

    def end(self, epoch: int, *, is_sure: bool = True) -> None:
        """It is over."""
        self.is_ended, self.is_surely_ended, self.ended_in = True, is_sure, epoch

    def go_on(self) -> None:
        """It is not over after all: a goodbye that was taken in with much else, and not come to, is void."""
        self.is_ended = self.is_surely_ended = False

    @property
    def has_seat(self) -> bool:
        """Whether it surely sits at a table."""
        return self.seat is not None and not self.leaving and not self.is_vague


class Wire:
    """One connection as it is seen at the server's end."""

    def __init__(self, number: int, now: float) -> None:
        self.number = number
        self.up = Splitter(CLIENT_FRAME)
        self.down = Splitter(SERVER_FRAME)
        self.hello: Fields | None = None
        self.session: KnownSession | None = None
        self.early: list[Fields] = []
        """What came behind the hello, before its answer."""
        self.table: int | None = None
        self.seq: int | None = None
        self.seat: int | None = None
        self.is_in_time = False
        """Its hello had a token that was good."""
        self.is_over = False
        """A last message was sent."""
        self.is_closed = False
        self.heard_at = now
        self.syncs: set[int] = set()
        """Numbers after which events were asked for again."""
