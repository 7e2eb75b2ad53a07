"""One or two commands to copy for each command's help."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["EXAMPLES"]

EXAMPLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "solve": ("hanabi solve GAME.json --lost-at", "hanabi solve p2v0s17 --show"),
        "show": ("hanabi show GAME.json --turns 10-20",),
        "review": ("hanabi review GAME.json --show",),
        "link": ("hanabi link GAME.json",),
        "verify": ("hanabi verify CARDS.json PLAY.json",),
        "deck": ("hanabi deck --players 4 --seed 7", "hanabi deck p3v0s1..10"),
        "reduce": ("hanabi reduce FORMULA.cnf -o CARDS.json",),
        "sat": ("hanabi sat FORMULA.cnf",),
        "explain": ("hanabi explain FORMULA.cnf --svg PICTURE.svg",),
        "count": ("hanabi count 3,2,2,2,1 --hand 3",),
        "partition": ("hanabi partition HAND.json",),
        "players": ("hanabi players",),
        "play": ("hanabi play information --players 3 --seed 1 --show",),
        "simulate": ("hanabi simulate endgame/information --players 4 -n 1000",),
        "tournament": ("hanabi tournament rule-based information --players 3",),
        "atlas": ('hanabi atlas "Rainbow (5 Suits)" --decks 1000 --store DECKS.store',),
        "paper": ("hanabi paper table1",),
        "compile": ("hanabi compile",),
        "results": ("hanabi results list --store RUN.store",),
    }
)
"""Words in capitals stand for files of one's own."""
