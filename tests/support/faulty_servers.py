"""Servers with one fault each, as ``Fault``s of a proxy before the real one, and the check that catches it."""

from __future__ import annotations

from dataclasses import dataclass

from support.faulty_proxy import Fault, Fields, Pipe
from tarneeb_client.conformance.shapes import CARDS, EVENTS


def is_event(message: Fields) -> bool:
    return message["type"] in EVENTS


class SkippedNumber(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if is_event(message) and message["seq"] > 20:
            return [message | {"seq": message["seq"] + 1}]
        return [message]


class RepeatedNumber(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message, message] if message["type"] == "trump_named" else [message]


class LeakedCard(Fault):
    """A call tells, in a field that the protocol does not have, a card of the hand dealt last."""

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "hands_dealt" and message.get("hand"):
            self.memory["card"] = message["hand"][7]
        if message["type"] == "auction_won":
            return [message | {"best": self.memory["card"]}]
        return [message]


class HandForSpectators(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "hands_dealt" and message.get("hand"):
            self.memory["hand"] = message["hand"]
        if message["type"] == "snapshot" and message.get("seat") is None and "hand" in self.memory:
            return [message | {"hand": self.memory["hand"]}]
        return [message]


class LengthTellsSeat(Fault):
    """An event is longer for one viewer than for the others."""

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "snapshot":
            pipe.memory["seat"] = message.get("seat")
        is_longer = message["type"] == "card_played" and pipe.memory.get("seat") == 2
        return [message | {"by": "player"} if is_longer else message]


class RefusalIsTold(Fault):
    """Others learn of a card that was refused."""

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message.get("code") == "card_not_held":
            for other in self.pipes:
                if other is not pipe:
                    await other.tell({"type": "lobby_said", "name": "Server", "text": "a card was refused"})
        return [message]


class PromptToAll(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "prompt" and message["actions"][0]["type"] == "trump":
            for other in self.pipes:
                if other is not pipe:
                    await other.tell(message)
        return [message]


class SameToken(Fault):
    """A resume brings no new token."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "hello" and message.get("resume"):
            first = message["resume"]
            pipe.memory["first"] = first
            return [message | {"resume": self.memory.get(first, first)}]
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "welcome" and "first" in pipe.memory:
            self.memory[pipe.memory["first"]] = message["token"]
            return [message | {"token": pipe.memory["first"]}]
        return [message]


class OldTokenWorks(Fault):
    """A token that was replaced still resumes the session."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        token = message.get("resume")
        if message["type"] == "hello" and token:
            pipe.memory["used"] = token
            while token in self.memory:
                token = self.memory[token]
            return [message | {"resume": token}]
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        used = pipe.memory.get("used")
        if message["type"] == "welcome" and used:
            while used in self.memory:
                used = self.memory[used]
            self.memory[used] = message["token"]
        return [message]


class ShortToken(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"token": message["token"][:20]} if message["type"] == "welcome" else message]


class WrongSeatOrder(Fault):
    """Everything goes clockwise: seats 1 and 3 are exchanged on the wire."""

    FIELDS = ("seat", "turn", "dealer", "winning")

    def _exchanged(self, message: Fields) -> Fields:
        return {
            name: (4 - value) % 4 if name in self.FIELDS and type(value) is int else value
            for name, value in message.items()
        }

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [self._exchanged(message)]

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [self._exchanged(message)]


class WrongWinner(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        wrong = message["type"] == "card_played" and "turn" not in message
        return [message | {"winning": message["seat"]} if wrong else message]


class WrongScore(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "deal_scored":
            score = message["score"]
            points = [score["points"][0] + 1, score["points"][1]]
            return [message | {"score": score | {"points": points}}]
        return [message]


class MissingAction(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "prompt" and len(message["actions"]) > 1:
            return [message | {"actions": message["actions"][:-1]}]
        return [message]


class IllegalActionOffered(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "prompt" and message["actions"][0]["type"] == "play":
            held = [action["card"] for action in message["actions"]]
            other = next(card for card in CARDS if card not in held)
            return [message | {"actions": [*message["actions"], {"type": "play", "card": other}]}]
        return [message]


class OtherPackRevealed(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "deal_revealed":
            first, second, *rest = message["pack"]
            return [message | {"pack": [second, first, *rest]}]
        return [message]


class CommitmentReused(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "deal_revealed":
            salt = self.memory.setdefault("salt", message["salt"])
            return [message | {"salt": salt}]
        return [message]


class ReplyBeforeEvents(Fault):
    """What an act caused comes after its reply."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        pipe.memory["asked"] = message["type"] == "act"
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "done" and pipe.memory.pop("asked", False):
            return [message, *pipe.memory.pop("held", [])]
        if pipe.memory.get("asked") and is_event(message):
            pipe.memory.setdefault("held", []).append(message)
            return []
        return [message]


class RepeatApplied(Fault):
    """A request that comes again is done again: the server never sees an id twice."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if type(message.get("id")) is int:
            number = self.memory["id"] = self.memory.get("id", 0) + 1
            pipe.memory.setdefault("ids", {})[number] = message["id"]
            return [message | {"id": number}]
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        number = message.get("id")
        return [message | {"id": pipe.memory["ids"].get(number, number)} if number is not None else message]


class WrongRequestAnswered(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message, message] if message["type"] == "tables" else [message]


class ErrorEndsConnection(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message.get("code") == "unknown_type":
            await pipe.tell(message)
            await pipe.cut()
            return []
        return [message]


class FieldNotNamed(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "error" and "field" in message:
            return [message | {"field": message["field"].rpartition(".")[2]}]
        return [message]


class FloatsAreIntegers(Fault):
    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        action = message.get("action")
        if isinstance(action, dict) and isinstance(action.get("tricks"), float):
            return [message | {"action": action | {"tricks": int(action["tricks"])}}]
        return [message]


class OneFrameASegment(Fault):
    """Of what comes in one segment only the first frame is read."""

    def raw_up(self, chunk: bytes) -> bytes:
        return chunk[: 4 + int.from_bytes(chunk[:4], "big")] if len(chunk) >= 4 else chunk


class PongWithoutNonce(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [{"type": "pong"} if message["type"] == "pong" else message]


class SupersededWithoutWord(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message.get("code") == "superseded":
            await pipe.cut()
            return []
        return [message]


class MissedEventsForgotten(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "welcome" and message.get("resumed"):
            pipe.memory["forgets"] = True
        return [] if pipe.memory.get("forgets") and message["type"] == "said" else [message]


class SnapshotOfYesterday(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        deal = (message.get("public") or {}).get("deal") if message["type"] == "snapshot" else None
        if deal and deal["tricks"]:
            public = message["public"] | {"deal": deal | {"tricks": deal["tricks"][:-1]}}
            return [message | {"public": public}]
        return [message]


class AnyName(Fault):
    """Whatever a player wants to be called is accepted."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"name": "Anybody"} if message["type"] == "hello" else message]


class NamesTwice(Fault):
    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        pipe.memory.setdefault("name", message.get("name"))
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"name": pipe.memory["name"]} if message["type"] == "welcome" else message]


class ChatAsItCame(Fault):
    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "chat":
            pipe.memory["text"] = message["text"]
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        told = message["type"] == "said" and "text" in pipe.memory
        return [message | {"text": pipe.memory["text"]} if told else message]


class VersionAsWished(Fault):
    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        pipe.memory.setdefault("version", message.get("protocol_max"))
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"protocol": pipe.memory["version"]} if message["type"] == "welcome" else message]


class AboutTellsPlayers(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "about":
            return [message | {"players": self.memory.get("players", 0)}]
        if message["type"] == "joined":
            self.memory["players"] = self.memory.get("players", 0) + 1
        return [message]


class ClockInDisguise(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [{name: value for name, value in message.items() if name != "by"}]


class AwayKeptQuiet(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [] if message["type"] in {"player_away", "player_back"} else [message]


class StandInKeptQuiet(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [] if message["type"] in {"stand_in_began", "stand_in_ended"} else [message]


class GraceOfItsOwn(Fault):
    """The server holds every seat for as long as it likes, whatever the table was opened with."""

    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [{name: value for name, value in message.items() if name != "grace_seconds"}]


class BinaryInReply(Fault):
    def raw_down(self, payload: bytes) -> bytes:
        payload = payload.replace(b"\xa6server", b"\xc4\x06server", 1) if b"welcome" in payload else payload
        return super().raw_down(payload)


class SpectatorMaySpeakForSeat(Fault):
    """A player's own act is told as the bot's."""

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"by": "bot"} if message["type"] == "call_made" else message]


class NothingWrongWithEmptyFrames(Fault):
    def raw_up(self, chunk: bytes) -> bytes:
        return b"" if chunk == bytes(4) else chunk


class SeatAsText(Fault):
    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        return [message | {"seat": str(message["seat"])} if message["type"] == "trump_named" else message]


class HostileTextRepeated(Fault):
    async def up(self, pipe: Pipe, message: Fields) -> list[Fields]:
        pipe.memory["said"] = message.get("text", "")
        return [message]

    async def down(self, pipe: Pipe, message: Fields) -> list[Fields]:
        if message["type"] == "error":
            return [message | {"message": f"no: {pipe.memory['said']}"}]
        return [message]


@dataclass(frozen=True)
class Mutant:
    """A faulty server, the check that must catch it and the requirement that it breaks."""

    fault: type[Fault]
    check: str
    breaks: str

    @property
    def name(self) -> str:
        return self.fault.__name__


MUTANTS = (
    Mutant(SkippedNumber, "events are numbered without gaps", "O-1"),
    Mutant(RepeatedNumber, "events are numbered without gaps", "O-1"),
    Mutant(LeakedCard, "no viewer is sent a hidden card", "W-1"),
    Mutant(HandForSpectators, "no viewer is sent a hidden card", "W-4"),
    Mutant(LengthTellsSeat, "events are alike for every viewer", "W-2"),
    Mutant(LengthTellsSeat, "events have one length for all but for the hand", "W-2"),
    Mutant(RefusalIsTold, "cards against the rules are refused", "E-4"),
    Mutant(PromptToAll, "only the seat to act is prompted", "A-1"),
    Mutant(SameToken, "each welcome brings a new token", "R-1"),
    Mutant(OldTokenWorks, "the old token is void once the new one is known", "R-3"),
    Mutant(ShortToken, "a token is 256 random bits", "R-1"),
    Mutant(WrongSeatOrder, "turns go counterclockwise", "A-1"),
    Mutant(WrongWinner, "tricks go to whom rule 17 says", "O-4"),
    Mutant(WrongScore, "deals are scored by the rules", "O-4"),
    Mutant(MissingAction, "prompts offer exactly the legal actions", "A-2"),
    Mutant(IllegalActionOffered, "prompts offer exactly the legal actions", "A-2"),
    Mutant(OtherPackRevealed, "every deal is the one that was committed to", "Y-2"),
    Mutant(CommitmentReused, "every commitment is of its own", "Y-1"),
    Mutant(ReplyBeforeEvents, "all that an act caused comes before its reply", "Q-5"),
    Mutant(RepeatApplied, "a repeat is answered again and not applied again", "Q-3"),
    Mutant(RepeatApplied, "ids must grow", "Q-4"),
    Mutant(WrongRequestAnswered, "each request has one reply with its id", "Q-2"),
    Mutant(ErrorEndsConnection, "an unknown type is an error and no more", "E-4"),
    Mutant(FieldNotNamed, "a field at fault is named", "E-2"),
    Mutant(FloatsAreIntegers, "a field at fault is named", "P-9"),
    Mutant(OneFrameASegment, "one segment may hold many frames", "F-6"),
    Mutant(NothingWrongWithEmptyFrames, "an empty frame ends the connection", "F-4"),
    Mutant(PongWithoutNonce, "a ping is answered with its nonce", "H-1"),
    Mutant(SupersededWithoutWord, "a resume takes over at once", "R-6"),
    Mutant(MissedEventsForgotten, "missed events come after a resume", "R-11"),
    Mutant(SnapshotOfYesterday, "a snapshot and later events make the next snapshot", "O-4"),
    Mutant(NamesTwice, "a name in use gets a number", "N-1"),
    Mutant(AnyName, "a name that speaks for the server is refused", "N-3"),
    Mutant(ChatAsItCame, "chat is cleaned", "X-1"),
    Mutant(VersionAsWished, "the highest common version is spoken", "V-1"),
    Mutant(AboutTellsPlayers, "all are told the same", "I-3"),
    Mutant(ClockInDisguise, "the servers clock acts when time is over", "K-1"),
    Mutant(AwayKeptQuiet, "others are told of away and back", "R-15"),
    Mutant(StandInKeptQuiet, "a stand in for who stalls is told until the player does something", "K-6"),
    Mutant(StandInKeptQuiet, "a stand in for who is away ends with the return", "K-6"),
    Mutant(GraceOfItsOwn, "a tables own grace is kept", "R-15"),
    Mutant(BinaryInReply, "a hello is welcomed", "C-4"),
    Mutant(SeatAsText, "every frame is one message of the document", "P-1"),
    Mutant(HostileTextRepeated, "an error does not repeat hostile text", "E-5"),
    Mutant(SpectatorMaySpeakForSeat, "an action of ones own is told as such", "A-3"),
)
