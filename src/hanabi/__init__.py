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
    from hanabi.cards import Card
    from hanabi.deck import Deck, DeckSpec
    from hanabi.errors import HanabiError, IllegalActionError, InvalidInputError
    from hanabi.game import Action, Game, Rules
    from hanabi.hardness import Formula
    from hanabi.notation import DeckInput, GameRecord, PositionInput, SolitaireInput
    from hanabi.session.answer import Answer
    from hanabi.session.chances import chances
    from hanabi.session.counts import count
    from hanabi.session.difficulty import difficulty
    from hanabi.session.formulas import reduce
    from hanabi.session.hands import partition
    from hanabi.session.inputs import read
    from hanabi.session.review import review
    from hanabi.session.solving import solve
    from hanabi.session.tables import deal, simulate
    from hanabi.solitaire import Instance, Play
    from hanabi.verdict import Status, Verdict
    from hanabi.viewer.view import view_html

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

_HOMES = {
    "hanabi.cards": ("Card",),
    "hanabi.deck": ("Deck", "DeckSpec"),
    "hanabi.errors": ("HanabiError", "IllegalActionError", "InvalidInputError"),
    "hanabi.game": ("Action", "Game", "Rules"),
    "hanabi.hardness": ("Formula",),
    "hanabi.notation": ("DeckInput", "GameRecord", "PositionInput", "SolitaireInput"),
    "hanabi.session.answer": ("Answer",),
    "hanabi.session.chances": ("chances",),
    "hanabi.session.counts": ("count",),
    "hanabi.session.difficulty": ("difficulty",),
    "hanabi.session.formulas": ("reduce",),
    "hanabi.session.hands": ("partition",),
    "hanabi.session.inputs": ("read",),
    "hanabi.session.review": ("review",),
    "hanabi.session.solving": ("solve",),
    "hanabi.session.tables": ("deal", "simulate"),
    "hanabi.solitaire": ("Instance", "Play"),
    "hanabi.verdict": ("Status", "Verdict"),
    "hanabi.viewer.view": ("view_html",),
}


def __getattr__(name: str) -> object:
    """Import what is asked for: the command line must be at work before anything is imported."""
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None and name != "players":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if home is None:
        return import_module("hanabi.players")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """Return what can be asked for, imported yet or not."""
    return sorted({*globals(), *__all__})
