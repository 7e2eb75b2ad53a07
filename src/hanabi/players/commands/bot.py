"""`hanabi bot` lets a player of this program speak the protocol for programs (docs/bots.md)."""

from __future__ import annotations

import json
import sys
from typing import Any

from hanabi._version import __version__
from hanabi.conventions import LEVELS, QUESTIONS, HGroup, answer
from hanabi.ground import InvalidInputError, Stream, naming
from hanabi.players.process import PROTOCOL, RANDOM
from hanabi.players.protocol import Player, decision_of, seated, why_of
from hanabi.players.registry import parse_player
from hanabi.rules import (
    Card,
    Rebuilder,
    View,
    action_to_json,
    as_integer,
    as_object,
    as_text,
    deal_from_json,
    event_from_json,
    is_integer,
    load,
    rules_from_json,
    show,
)

__all__ = ["bot_command"]


def bot_command(player: str, /, *, why: bool = False) -> int:
    """Let a player play as a program, by lines of JSON (docs/bots.md).

    Reads messages from standard input, and answers on standard output.

    Parameters
    ----------
    player
        The player. "hanabi players" lists them.
    why
        Also send why the player takes each action, if it says so.
    """
    bot = _Bot(parse_player(player), player, has_reasons=why)
    for number, line in enumerate(sys.stdin.buffer, start=1):
        with naming(f"line {number}"):
            answer = bot.answer(_read(line))
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return 0


def _read(line: bytes) -> dict[str, object]:
    try:
        return as_object(load(line.decode()), "message", "type")
    except UnicodeDecodeError:
        raise InvalidInputError("not UTF-8") from None


class _Bot:
    """One seat of one game after another."""

    def __init__(self, player: Player, name: str, *, has_reasons: bool) -> None:
        self._player, self._name, self._has_reasons = player, name, has_reasons
        self._seated = player
        self._rebuilder: Rebuilder | None = None  # None before the start of a game

    def answer(self, message: dict[str, object]) -> dict[str, Any] | None:
        """Take a message, and return the answer, if it has one."""
        kind = message["type"]
        if kind == "hello":
            if not is_integer(message.get("protocol"), PROTOCOL):
                raise InvalidInputError(
                    f"protocol {show(message.get('protocol'))} is not {PROTOCOL}"
                )
            about = f"{self._name}, hanabi {__version__}"
            hello = {"type": "hello", "protocol": PROTOCOL, "name": about}
            return hello | {"answers": QUESTIONS} if isinstance(self._player, HGroup) else hello
        if kind == "start":
            start = as_object(message, "start", "rules", "seat", "first_seat", "deal")
            self._rebuilder = Rebuilder(
                rules_from_json(start["rules"]),
                as_integer(start["seat"], "seat"),
                deal_from_json(start["deal"]),
                first_seat=as_integer(start["first_seat"], "first_seat"),
            )
            self._seated = seated(self._player)
            if isinstance(self._player, HGroup) and "level" in start:
                self._seated = HGroup(as_integer(start["level"], "level", 1, LEVELS))
        elif kind == "event":
            self._game.add(event_from_json(message))
        elif kind == "turn":
            asked = as_object(message, "turn", "turn", "random")
            random = as_integer(asked["random"], "random", 0, RANDOM)
            view = self._game.asked(as_integer(asked["turn"], "turn"))
            return self._act(view, Stream(random))
        elif kind == "ask":
            asked = as_object(message, "ask", "turn", "what")
            return self._answer(self._game.view(), asked)
        elif kind != "over":
            raise InvalidInputError(
                f"type: {show(kind)} is none of hello, start, event, turn, ask, over"
            )
        return None

    @property
    def _game(self) -> Rebuilder:
        if self._rebuilder is None:
            raise InvalidInputError("an event or a turn before the start of a game")
        return self._rebuilder

    def _answer(self, view: View, asked: dict[str, object]) -> dict[str, Any]:
        """Return what conventions say of the seat's hand, or of a card in it."""
        what, held = as_text(asked["what"], "what"), view.hand_indices[view.seat]
        card = as_integer(asked.get("card", -1), "card", -1)
        if what not in QUESTIONS or not isinstance(self._seated, HGroup):
            raise InvalidInputError(f"what: {show(what)} is no question for {self._name}")
        if what == "identities" and card not in held:
            raise InvalidInputError(f"card: {card} is not in the hand")
        found = answer(view, self._seated.level, what, card)
        told = [each._asdict() if isinstance(each, Card) else each for each in found]
        return {"type": "answer", "turn": view.turn, what: told}

    def _act(self, view: View, rng: Stream) -> dict[str, Any]:
        action = decision_of(self._seated, view, rng)
        data = {"type": "action", "turn": view.turn, "action": action_to_json(action)}
        reason = why_of(self._player, view, action) if self._has_reasons else None
        return data if reason is None else data | {"why": reason}
