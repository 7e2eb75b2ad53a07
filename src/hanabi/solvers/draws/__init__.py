"""The full game with all hands open and the deck unknown: exact chances of every action.

The cards of all hands are known, and so are the cards still to be drawn, but not their order; every
order is equally likely. Optimal play then has a chance of a perfect score and an expected score.
`open_chances` finds both as fractions by searching all draws.

Equivalent positions are merged: cards in a hand have no order, hints are only a way to wait, and
dead cards are all alike. Four more reductions keep both values. In each, X does what the
search keeps and Y what it leaves out; X then imitates Y on the same draws, which it sees as Y
does, and ends with at least as many points whatever they are. So X has no smaller chance of a
perfect score, and no smaller expectation.

1. *A needed card is discarded only if its hand has no trash*, that is a dead card or a second
   copy in the hand. X discards the trash t, Y the needed card u; from then on X does with u what
   Y does with t. Only if Y plays t by mistake where u fits, X is ahead: a point, and a life. Y
   does so only where discarding is forbidden (2), so all hint tokens are there and stay equal. If
   Y later plays another copy of u, X discards that copy if this gives the same token, else plays
   it by mistake, which its extra life pays for. Points are then equal again.
2. *A card is played by mistake only where discarding is forbidden.* X discards and has one token
   more; Y errs and has one life less, or has ended the game. X imitates Y; where Y discards and X
   has all tokens, X errs instead, and both are equal.
3. *All hints are one*, as long as a legal one exists.
4. *In a last round in which nobody acts twice, every player who can play does*, and otherwise
   passes in any way: nobody needs what was not played.

X may go on where Y has ended because no more points were possible; it then passes to the end. So
the reductions apply only where everybody can always pass, with a hint or a discard: there are
tokens, and hands do not run empty. In variants, moreover, no suit may be inverted, and nobody may
play the last card from the deck. Two more conditions need to hold only from the position on, in
which they stay true: every pile can be built on in a single order, and the cards left in hands and
deck that no clue touches are fewer than those that the other seats hold at any time, so one of
these can be hinted; if clues alternate, this goes for each kind of clue, which then tell nothing
apart. Elsewhere only equivalent positions are merged.

Importing this package imports neither NumPy nor Numba.
"""

from hanabi.solvers.draws.seat import Judged, Judgement, judge
from hanabi.solvers.draws.solver import MOST_CARDS, ActionChances, Chances, Range, open_chances

__all__ = [
    "MOST_CARDS",
    "ActionChances",
    "Chances",
    "Judged",
    "Judgement",
    "Range",
    "judge",
    "open_chances",
]
