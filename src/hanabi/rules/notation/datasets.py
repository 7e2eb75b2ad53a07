"""Readers of data sets: logs of games between people and bots, and games as arrays.

The logs are those of HanabiData [Eger2017]. A log gives a seed, the cards left after the deal, and
a line `MOVE:` for each action; the prose between them adds no information. The seed gives the whole
deck: five colors in the order green, yellow, white, blue, red, shuffled as Python 2 did. White
becomes purple here, to match the colors of the plain variant.

The logged games follow the printed rules with two exceptions: players may discard while all hint
tokens are available, and a game that ends with the last error keeps its points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.rules.cards import Card
from hanabi.rules.deck import STANDARD_COPIES, Deck
from hanabi.rules.notation.record import (
    PLAYER_COUNTS,
    GameRecord,
    Hands,
    RecordedAction,
    cards_per_player,
)
from hanabi.rules.notation.strict_json import as_object, load

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = Mapping[str, npt.NDArray[Any]]

__all__ = [
    "games_of_arrays",
    "games_of_file",
    "is_study_log",
    "numbered_action",
    "parse_study_log",
    "read_tensors",
]

_PLAYERS = 2
_LOG_RULES = {"preset": "official", "discard_at_full_hints": True, "bombed_scores_zero": False}
_LOG_COLORS = (2, 1, 4, 3, 0)  # green, yellow, white, blue, red in the plain variant's order
_START = re.compile(r"\s*(?:Old GID: \S*\s+)?Treatment: \('(\w+)', (\d{1,18})\)\s*\n\s*\[\(")
_LEFT = re.compile(r"\((\d), (\d)\)")
_MOVE = re.compile(r"MOVE: ([01]) ([0-3])" + r" (None|-?\d{1,3})" * 4)
_SCORE = re.compile(r"Score (\d{1,3})")


def is_study_log(text: str) -> bool:
    r"""Return whether a text begins like a HanabiData log.

    >>> is_study_log("Treatment: ('outer', 1)\n[(1, 1)]"), is_study_log("r1 r2")
    (True, False)
    """
    return _START.match(text) is not None


def parse_study_log(text: str) -> GameRecord:
    """Read a log. O(length).

    The record's `extra` holds the log's final `score`, or None if the log breaks off.

    Raises InvalidInputError if the cards left do not match the seed, or a line `MOVE:` is
    unreadable or impossible.
    """
    start = _START.match(text)
    if start is None:
        raise InvalidInputError(
            "it is no log: expected Treatment: ('AI', SEED) and a list of cards"
        )
    name, seed = start[1], int(start[2])
    deck = _deck(seed)
    size = cards_per_player(_PLAYERS)
    left = text[start.end() - 2 :].partition("\n")[0]
    given = [(int(color), int(rank)) for color, rank in _LEFT.findall(left)]
    if given != deck[_PLAYERS * size :]:
        raise InvalidInputError(f"the cards left, {quote(left)}, are not those of seed {seed}")
    score = _SCORE.search(text.rpartition("\n" + "MOVE:")[2])
    return GameRecord(
        players=_PLAYERS,
        deck=Deck(Card(_LOG_COLORS[color], rank) for color, rank in deck),
        actions=tuple(_log_actions(text, Hands(_PLAYERS, size, len(deck)))),
        names=(name, "You"),
        extra={"score": None if score is None else int(score[1])},
        rules=_LOG_RULES,
    )


def _deck(seed: int) -> list[tuple[int, int]]:
    """Return the color and rank of each card in draw order."""
    cards = [
        (color, rank)
        for color in range(5)
        for rank, copies in enumerate(STANDARD_COPIES, start=1)
        for _ in range(copies)
    ]
    random = Random(seed)  # noqa: S311 - the shuffle that the logs were made with
    for last in reversed(range(1, len(cards))):
        other = int(random.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def _log_actions(text: str, hands: Hands) -> Iterator[RecordedAction]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("MOVE:"):
            continue
        move = _MOVE.fullmatch(line.rstrip())
        if move is None:
            raise InvalidInputError(f"line {number}: {quote(line)} is no move")
        seat, kind = int(move[1]), int(move[2])
        slot, target, color, rank = (
            None if each == "None" else int(each) for each in move.groups()[2:]
        )
        try:
            if kind > 1:
                yield RecordedAction(kind - 2, hands.take(seat, -1 if slot is None else slot))
                continue
            other = _within(target, 1 - seat, 1 - seat)
            if kind == 0:
                yield RecordedAction(2, other, _LOG_COLORS[_within(color, 0, 4)])
            else:
                yield RecordedAction(3, other, _within(rank, 1, 5))
        except InvalidInputError as error:
            raise InvalidInputError(f"line {number}: {quote(line)}: {error}") from None


def _within(value: int | None, low: int, high: int) -> int:
    if value is None or not low <= value <= high:
        raise InvalidInputError(f"{quote(value)} is not in {low} .. {high}")
    return value


# Games as arrays in a .safetensors file, as the data set of AH2AC2 has them [Dizdarevic2025].
#
# Entries: `decks` (games, cards, 2), color and rank from 0 in draw order; `actions` (games, turns,
# players), each seat's action at each turn, with the highest action number for seats whose turn it
# is not; `num_actions` and `scores` (games,), `game_ids` (games,) of hanab.live, `num_players` ().
#
# Actions are numbered by kind: discards of each slot, oldest first; plays of each slot; color hints
# to the next player, then to each one after; rank hints likewise. The games are from hanab.live,
# and the colors keep its order. At the time, a game went on even if no more points could be scored.

_TYPES = {
    "I8": "<i1", "U8": "<u1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8",
    "U64": "<u8",
}  # fmt: skip
_COLORS = _RANKS = 5
_MOST_HEADER = 1 << 20
_TENSOR_RULES = {"preset": "hanab_live", "stop_when_stuck": False}


def read_tensors(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of whole numbers in a .safetensors file. O(bytes).

    Raises InvalidInputError if the bytes are not such a file, or an array does not hold whole
    numbers.
    """
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 0 < size <= min(_MOST_HEADER, len(data) - 8):
        raise InvalidInputError("it is no .safetensors file: its header does not fit")
    try:
        header = as_object(load(data[8 : 8 + size].decode()), "the header")
        return {
            name: _array(data[8 + size :], each)
            for name, each in header.items()
            if name != "__metadata__"
        }
    except InvalidInputError:
        raise
    except (ValueError, TypeError) as error:
        raise InvalidInputError(f"its header cannot be read: {error}") from None
    except KeyError as error:
        raise InvalidInputError(f"its header: {error} is missing, or no kind of integers") from None


def _array(data: bytes, described: Any) -> npt.NDArray[Any]:
    """Return the array with the described type, shape, and first and last byte."""
    import numpy as np

    first, end = described["data_offsets"]
    shape = tuple(described["shape"])
    kind = np.dtype(_TYPES[described["dtype"]])
    if end - first != prod(shape) * kind.itemsize or not 0 <= first <= end <= len(data):
        raise InvalidInputError(f"bytes {first} .. {end} do not hold {shape} numbers")
    return np.frombuffer(data, kind, prod(shape), first).reshape(shape)


def games_of_file(data: bytes) -> Iterator[GameRecord]:
    """Yield the games of a .safetensors file; see `read_tensors` and `games_of_arrays`."""
    return games_of_arrays(read_tensors(data))


def games_of_arrays(arrays: Arrays) -> Iterator[GameRecord]:
    """Yield the games of arrays; the record's `extra` holds its `score`. O(cards + turns) each.

    Raises
    ------
    InvalidInputError
        At once, if an array is missing or has the wrong shape; or in place of a game with invalid
        cards or actions, after which you can ask for the next game.

    >>> import numpy as np
    >>> [game] = games_of_arrays({
    ...     "num_players": np.array(2), "game_ids": np.array([7]), "scores": np.array([1]),
    ...     "decks": np.array([[[0, 0]] * 11]), "num_actions": np.array([1]),
    ...     "actions": np.array([[[5, 20], [20, 20]]]),
    ... })
    >>> game.id, game.actions
    (7, (RecordedAction(type=0, target=0, value=None),))
    """
    players, games = _shapes(arrays)
    return map(partial(_game, arrays, players), range(games))


def _shapes(arrays: Arrays) -> tuple[int, int]:
    """Check all shapes; return the numbers of players and of games."""
    names = {
        "num_players": 0,
        "game_ids": 1,
        "scores": 1,
        "num_actions": 1,
        "actions": 3,
        "decks": 3,
    }
    for name, dimensions in names.items():
        if name not in arrays:
            raise InvalidInputError(f"{quote(name)} is missing")
        if arrays[name].ndim != dimensions:
            raise InvalidInputError(f"{quote(name)} has {counted(arrays[name].ndim, 'dimension')}")
    players, games = int(arrays["num_players"]), len(arrays["decks"])
    if players not in PLAYER_COUNTS:
        raise InvalidInputError(f"num_players: {players} is not in 2 .. 6")
    if arrays["decks"].shape[2] != 2 or arrays["actions"].shape[2] != players:
        raise InvalidInputError("decks and actions: their last sizes are not 2 and the players")
    for name in ("game_ids", "scores", "num_actions", "actions"):
        if len(arrays[name]) != games:
            raise InvalidInputError(f"{quote(name)} is of {len(arrays[name])} games, not {games}")
    return players, games


def _game(arrays: Arrays, players: int, index: int) -> GameRecord:
    identity = int(arrays["game_ids"][index])
    with naming(f"game {identity}"):
        pairs = arrays["decks"][index].tolist()
        for pair in pairs:
            if not (0 <= pair[0] < _COLORS and 0 <= pair[1] < _RANKS):
                raise InvalidInputError(f"{pair} is no color and rank of a card")
        turns = int(arrays["num_actions"][index])
        if not 0 <= turns <= arrays["actions"].shape[1]:
            raise InvalidInputError(f"num_actions: {turns} is not within the actions")
        return GameRecord(
            players=players,
            deck=Deck(Card(color, rank + 1) for color, rank in pairs),
            actions=tuple(
                _tensor_actions(arrays["actions"][index][:turns].tolist(), players, len(pairs))
            ),
            id=identity,
            extra={"score": int(arrays["scores"][index])},
            rules=_TENSOR_RULES,
        )


def _tensor_actions(turns: list[list[int]], players: int, cards: int) -> Iterator[RecordedAction]:
    size = cards_per_player(players)
    hands = Hands(players, size, cards)
    idle = 2 * size + (players - 1) * (_COLORS + _RANKS)
    for turn, acts in enumerate(turns):
        seat = turn % players
        if not 0 <= acts[seat] < idle or any(
            acts[other] != idle for other in range(players) if other != seat
        ):
            raise InvalidInputError(f"turn {turn}: {acts} are no actions of seat {seat} alone")
        yield numbered_action(acts[seat], seat, hands, players, size)


def numbered_action(
    number: int, seat: int, hands: Hands, players: int, size: int
) -> RecordedAction:
    """Return the action that has a number in the Hanabi Learning Environment, with plain suits.

    A card that leaves the hand is taken from `hands`. Raises InvalidInputError if there is no such
    action, or no such card.

    >>> hands = Hands(2, 5, 50)
    >>> numbered_action(6, 1, hands, 2, 5), numbered_action(19, 1, hands, 2, 5)
    (RecordedAction(type=0, target=6, value=None), RecordedAction(type=3, target=0, value=5))
    """
    colors = 2 * size
    ranks = colors + (players - 1) * _COLORS
    if not 0 <= number < ranks + (players - 1) * _RANKS:
        raise InvalidInputError(f"{number} is no action of {players} players")
    if number < colors:
        return RecordedAction(int(number < size), hands.take(seat, number % size))
    kind = 2 if number < ranks else 3
    step, value = divmod(number - (colors if kind == 2 else ranks), _COLORS)
    return RecordedAction(kind, (seat + step + 1) % players, value + kind - 2)
