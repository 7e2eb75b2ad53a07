"""Writer of replays as Kaggle's environment of Hanabi saves them: what the reader needs of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hanabi.rules import Game
from hanabi.rules.replay import follow
from oracles.encoding import numbers

__all__ = ["kaggle_replay"]


def kaggle_replay(end: Game, **parameters: object) -> dict[str, Any]:
    """Return the replay of a game by the rules of the Hanabi Learning Environment."""
    rules, deck = end.rules, [str(5 * card.color + card.rank - 1) for card in end.deck]
    drawn = rules.seats * rules.hand_size
    history = deck[:drawn]
    for before, after in pairwise(follow(end.deal, end.actions)):
        history.append(str(numbers(before, before.seat_to_act)[after.actions[-1]]))
        if after.deck_left < before.deck_left and not after.is_over:
            history.append(deck[drawn])
            drawn += 1
    given = {
        "colors": 5,
        "hand_size": rules.hand_size,
        "max_information_tokens": rules.hints,
        "max_life_tokens": rules.lives,
        "players": rules.seats,
        "random_start_player": False,
        "ranks": 5,
        "seed": 0,
    } | parameters
    text = ",".join(f"{key}={value}" for key, value in given.items())
    return {
        "name": "open_spiel_hanabi",
        "configuration": {"openSpielGameName": "hanabi"},
        "steps": [],
        "info": {
            "openSpielGameStringResolved": f"hanabi_proxy({text})",
            "actionHistory": history,
            "TeamNames": [f"Player {seat + 1}" for seat in range(rules.seats)],
        },
    }
