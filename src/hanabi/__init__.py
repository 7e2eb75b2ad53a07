"""The exact laboratory for the card game Hanabi.

>>> import hanabi
>>> game = hanabi.deal(players=3, seed=7)
>>> print(hanabi.solve(game))
winnable: 25 points in ...
"""

import sys

# Before anything that is not yet imported: `python -m hanabi` puts the current folder first on the
# import path, and a `json.py` beside downloaded games would run. Players of your own are found
# there none the less: see `hanabi.players.own`.
if (
    sys.argv[:1] == ["-m"]  # until Python has found the module
    and not sys.flags.safe_path
    and sys.orig_argv[-len(sys.argv)] in ("hanabi", "-mhanabi")
):
    _here = sys.path.pop(0)
    if __file__.startswith(_here):  # a checkout's `src`: children look for the package there
        sys.path.append(_here)

from hanabi._version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes 10 ms to import
if TYPE_CHECKING:
    from hanabi import players
    from hanabi.ground import HanabiError, IllegalActionError, InvalidInputError, Status, Verdict
    from hanabi.reviews import advice_on as advise
    from hanabi.reviews import chances_of as chances
    from hanabi.reviews import review_game as review
    from hanabi.rules import (
        Action,
        Card,
        Deck,
        DeckInput,
        DeckSpec,
        Game,
        GameRecord,
        PositionInput,
        Rules,
        SolitaireInput,
    )
    from hanabi.shell import (
        Answer,
        count,
        deal,
        difficulty,
        partition,
        read,
        reduce,
        simulate,
        solve,
        view_html,
    )
    from hanabi.solitaire import Formula, Instance, Play

__all__ = [
    "Action",
    "Answer",
    "Card",
    "Deck",
    "DeckInput",
    "DeckSpec",
    "Formula",
    "Game",
    "GameRecord",
    "HanabiError",
    "IllegalActionError",
    "Instance",
    "InvalidInputError",
    "Play",
    "PositionInput",
    "Rules",
    "SolitaireInput",
    "Status",
    "Verdict",
    "__version__",
    "advise",
    "chances",
    "count",
    "deal",
    "difficulty",
    "partition",
    "players",
    "read",
    "reduce",
    "review",
    "simulate",
    "solve",
    "view_html",
]


def __getattr__(name: str) -> object:
    """Open the door: the command line must be at work before anything is imported."""
    from hanabi.doors import open_door

    open_door(__name__)
    return getattr(sys.modules[__name__], name)


def __dir__() -> list[str]:
    """Return what can be asked for, imported yet or not."""
    return sorted({*globals(), *__all__})
