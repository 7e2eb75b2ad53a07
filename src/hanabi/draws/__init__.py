"""The full game with all hands open and the deck unknown: exact chances of every action.

What is known are the cards of all hands and which cards are still to be drawn, but not their
order; every order is equally likely. The best play then has a chance of all points, and an
expected score, which are found as fractions by searching all draws (`open_chances`).

Positions that come to the same are one: cards in a hand have no order, hints are only a way to
wait, dead cards are all alike. Four more reductions keep both values. In each, X does what the
search keeps and Y what it leaves out; X then imitates Y on the same draws, which it sees as Y
does, and ends with as many points or more whatever they are. So X has no smaller chance of all
points, and no smaller expectation.

1. *A needed card is discarded only if its hand has no trash*, that is a dead card or a second
   copy in the hand. X discards the trash t, Y the needed card u; from then on X does with u what
   Y does with t. Only if Y plays t by mistake where u fits, X is ahead: a point, and a life. Y
   does so only where discarding is forbidden (2), so all hint tokens are there and stay equal. If
   Y later plays another copy of u, X discards that copy if this gives the same token, else plays
   it by mistake, which its extra life pays for. Points are then equal again.
2. *A card is played by mistake only where discarding is forbidden.* X discards and has a token
   more, Y errs and has a life less, or has ended the game. X imitates Y; where Y discards and X
   has all tokens, X errs instead, and both are equal.
3. *All hints are one*, as long as a legal one exists.
4. *In a last round in which nobody acts twice, who can play does*, and otherwise passes in any
   way: nobody needs what was not played.

X may go on where Y has ended, because no more points could be had; it then passes to the end. So
the reductions are used where everybody can always pass, with a hint or a discard: there are
tokens, and hands do not run empty. In variants every pile must have one order and every card be
touched by some clue, no suit is inverted and clues do not take turns; and nobody may play the
last card from the deck. Elsewhere only positions are merged.

Importing this package imports neither NumPy nor Numba.
"""

from __future__ import annotations

from hanabi.draws.solver import MOST_CARDS, ActionChances, Chances, Range, open_chances

__all__ = ["MOST_CARDS", "ActionChances", "Chances", "Range", "open_chances"]
