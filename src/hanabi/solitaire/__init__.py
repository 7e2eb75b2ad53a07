"""Solitaire Hanabi [Baffier2017]: one player, every card known, a stream of cards.

The solvers live in modules of their own: `unique` (r = 1), `single_color` (c = 1), `few_values`
(n <= 2; n = 3 with one card in hand; no hand), `few_states` (few choices at a time), `table` (the
paper's dynamic program), `search`, `paths` and `sat` (any instance), `solver` (chooses among them),
`optima` (the least hand, the most cards). `certificate` checks proofs that nothing wins.
"""

from hanabi.solitaire.instance import Instance
from hanabi.solitaire.optima import LeastHand, MostCards, least_hand, most_cards
from hanabi.solitaire.play import BrokenRule, DrawAction, Move, Play, find_broken_rule, verify_play
from hanabi.solitaire.solver import solve
from hanabi.solitaire.streams import all_streams

__all__ = [
    "BrokenRule",
    "DrawAction",
    "Instance",
    "LeastHand",
    "MostCards",
    "Move",
    "Play",
    "all_streams",
    "find_broken_rule",
    "least_hand",
    "most_cards",
    "solve",
    "verify_play",
]
