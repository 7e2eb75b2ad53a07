"""Replays of Kaggle's environment `open_spiel_hanabi`: OpenSpiel's game, which wraps HLE's.

Read is what `info` has: `openSpielGameStringResolved`, the game with all of its parameters, as in
`hanabi_proxy(players=2,...)`; and `actionHistory`, the numbers of all actions as text. Chance's are
among them: a card `5 * color + rank - 1` for each card dealt, player 0's whole hand first, and
behind each play or discard, unless it ends the game or the deck is empty. Everything else in
`info` and in `steps` follows from these. Colors keep their order (R Y G W B there).

The game and its replays are described by the repository Kaggle/kaggle-environments: the file
`open_spiel_env.py`, and three replays in the folder of the game's visualizer.
"""

from __future__ import annotations

import re
from collections import Counter

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.notation.datasets import numbered_action
from hanabi.rules.notation.record import GameRecord, Hands, RecordedAction, cards_per_player
from hanabi.rules.notation.strict_json import (
    as_array,
    as_integer,
    as_items,
    as_object,
    as_text,
    show,
)

__all__ = ["is_kaggle", "kaggle_game"]

_ENVIRONMENT, _GAMES = "open_spiel_hanabi", ("hanabi", "hanabi_proxy")
_RESOLVED, _HISTORY = "openSpielGameStringResolved", "actionHistory"
_COLORS = _RANKS = 5
_CARDS = 50
_RULES = {"hand_size": "hand_size", "max_information_tokens": "hints", "max_life_tokens": "lives"}
# Parameters that must have one of these values, as others would be another game; a seed may differ.
_FIXED = {
    "colors": (str(_COLORS),),
    "ranks": (str(_RANKS),),
    "random_start_player": ("False",),
    "observation_type": ("", "minimal", "card_knowledge"),
}
_NUMBER = re.compile("[0-9]{1,3}")
_STRING = re.compile(r"(\w{1,40})\(([^()]{0,1000})\)")


def is_kaggle(data: dict[str, object]) -> bool:
    """Return whether a JSON object looks like a replay of one of Kaggle's environments.

    >>> is_kaggle({"name": "halite", "configuration": {}, "steps": []}), is_kaggle({"deck": []})
    (True, False)
    """
    return "configuration" in data and "steps" in data


def kaggle_game(data: dict[str, object]) -> GameRecord:
    """Read a replay. O(length).

    The deck has only the cards that were drawn. The environment draws no card once the game is
    over, unlike the rules here: one of those left then stands in its place, and a remark says so.

    Raises InvalidInputError if it is a replay of another game or environment, a parameter makes it
    another game, or the history lacks cards or has impossible entries.

    >>> history = [*"0123456789", "18", "0", "24"]
    >>> about = {"openSpielGameStringResolved": "hanabi(players=2)", "actionHistory": history}
    >>> record = kaggle_game({"info": about})
    >>> record.deck, [action.type for action in record.actions]
    (<Deck of 11 cards: r1 r2 r3 r4 r5 ...>, [3, 1])
    """
    if data.get("name", _ENVIRONMENT) != _ENVIRONMENT:
        raise InvalidInputError(
            f"name: {show(data['name'])}; of Kaggle's replays only those of {_ENVIRONMENT} are read"
        )
    info = as_object(data.get("info"), "info", _RESOLVED, _HISTORY)
    given = as_text(info[_RESOLVED], f"info.{_RESOLVED}")
    with naming(f"info.{_RESOLVED}"):
        players, rules = _game(given)
    size = rules.get("hand_size", cards_per_player(players))
    history = as_array(info[_HISTORY], f"info.{_HISTORY}")
    remarks: tuple[str, ...] = ()
    with naming(f"info.{_HISTORY}"):
        cards, actions, is_due = _played(history, players, size)
    if is_due:
        cards.append(min((DeckSpec.standard().counts() - Counter(cards)).elements()))
        remark = f"move {len(actions)} ends the game and draws no card there; here {cards[-1]}"
        remarks = (f"Note: {remark} stands for it.",)
    names = info.get("TeamNames")
    if not isinstance(names, list) or len(names) != players:
        names = []
    return GameRecord(
        players=players,
        deck=Deck(cards),
        actions=tuple(actions),
        names=tuple(as_text(*name) for name in as_items(names, "info.TeamNames")),
        rules={"preset": "hle", **rules},
        remarks=remarks,
    )


def _game(given: str) -> tuple[int, dict[str, int]]:
    """Return the number of players, and the rules as `rules` in JSON has them."""
    parts = _STRING.fullmatch(given)
    if parts is None or parts[1] not in _GAMES:
        raise InvalidInputError(f"{quote(given)} is not OpenSpiel's Hanabi")
    players = 2
    rules: dict[str, int] = {}
    for each in filter(None, parts[2].split(",")):
        key, _, value = each.partition("=")
        if key in ("players", *_RULES):
            number = as_integer(int(value) if value.isdecimal() else value, key, 1, _CARDS)
            if key == "players":
                players = as_integer(number, key, 2, 5)
            else:
                rules[_RULES[key]] = number
        elif key != "seed" and value not in _FIXED.get(key, ()):
            raise InvalidInputError(f"{quote(each)}: games with this are not read")
    return players, rules


def _played(
    history: list[object], players: int, size: int
) -> tuple[list[Card], list[RecordedAction], bool]:
    """Return the cards that chance dealt, the other actions, and whether the last draws no card."""
    hands, due = Hands(players, size, _CARDS), players * size
    if len(history) < due:
        raise InvalidInputError(
            f"{counted(len(history), 'entry', 'entries')}; the deal alone takes {due} cards"
        )
    cards: list[Card] = []
    actions: list[RecordedAction] = []
    for index, entry in enumerate(history):
        text = as_text(entry, f"[{index}]")
        with naming(f"[{index}]"):
            if not _NUMBER.fullmatch(text) or (due and int(text) >= _COLORS * _RANKS):
                raise InvalidInputError(f"{quote(text)} is no {'card' if due else 'action'}")
            if due:
                cards.append(Card(int(text) // _RANKS, int(text) % _RANKS + 1))
                due -= 1
                continue
            seat = len(actions) % players
            actions.append(numbered_action(int(text), seat, hands, players, size))
            due = int(actions[-1].type < 2 and len(cards) < _CARDS)
    return cards, actions, due > 0
