"""SingleHanabi [Bergh2016, section 3]: the number of shuffled sequences that can be played.

There is one color, with x_i cards of value i for i = 1 .. k, and N cards in all. The player has no
hand: a card is played at once or lost. A sequence is good if it has 1-2-...-k as a subsequence,
else bad; F(x) is the number of bad ones. Modules:

`generating` counts fast; `theorem` has the paper's slow sum, recurrence and bijection; `ranking`
lists, ranks and draws sequences; `hands` counts with a hand of h cards, also in several colors;
`playability` estimates by simulation; `classes` explains lost games.
"""

from hanabi.solitaire.counting.generating import bad, good, probability
from hanabi.solitaire.counting.vector import parse_vector, total

__all__ = ["bad", "good", "parse_vector", "probability", "total"]
