"""Lists of games as hanab.live gives them: `{"rows": [...]}`, a row a game.

A row has the number, the score and the seed of a game, but neither its deck nor its actions: the
seed deals the deck.
"""

from __future__ import annotations

from hanabi.errors import InvalidInputError
from hanabi.notation.hanab_live import DEFAULT_NAMES
from hanabi.notation.record import PLAYER_COUNTS
from hanabi.notation.strict_json import as_integer
from hanabi.variants import find_variant

__all__ = ["game_of_row", "is_row"]

_PLAYERS = "num_players"


def is_row(data: object) -> bool:
    """Return whether JSON is a row of a list of the site.

    >>> is_row({"id": 1, "num_players": 3, "seed": "p3v0s17"}), is_row({"players": 3})
    (True, False)
    """
    return isinstance(data, dict) and _PLAYERS in data and "players" not in data


def game_of_row(data: object) -> object:
    """Return a row as the JSON of a game; what is no row comes back as it is.

    Raises
    ------
    InvalidInputError
        If a number is none of a variant or of players, or there is no seed.

    >>> game_of_row({"id": 1, "num_players": 2, "variant": 0, "seed": "p2v0s1", "score": 25})
    {'id': 1, 'seed': 'p2v0s1', 'score': 25, 'players': ['Alice', 'Bob'],
    'options': {'variant': 'No Variant'}}
    """
    if not isinstance(data, dict) or not is_row(data):
        return data
    game = {key: value for key, value in data.items() if key not in (_PLAYERS, "variant")}
    if not isinstance(game.get("seed"), str):
        raise InvalidInputError("seed: missing in a row of a list of games")
    players = as_integer(data[_PLAYERS], _PLAYERS, PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    game["players"] = list(DEFAULT_NAMES[:players])
    if "variant" in data:
        variant = find_variant(as_integer(data["variant"], "variant"))
        game["options"] = {"variant": variant.name}
    return game
