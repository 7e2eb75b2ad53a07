"""SingleHanabi [Bergh2016, section 3]: how many shuffled sequences can be played.

One color; x_i cards of value i, for i = 1 .. k, N in all. In SingleHanabi the player has no hand: a
card is played at once or lost. A sequence is good if it has 1-2-...-k as a subsequence, else bad;
F(x) is the number of bad ones. Modules:

`generating` the fast form; `theorem` and `recurrence` the paper's, slow; `bijection` its swap of
two values; `ranking` lists, ranks and draws sequences; `hand_memory` counts with a hand of h cards,
`automaton` in several colors too; `playability` estimates by simulation; `classes` sorts lost games
by their reason.
"""

from __future__ import annotations

from hanabi.counting.generating import bad, good, probability
from hanabi.counting.vector import parse_vector, total

__all__ = ["bad", "good", "parse_vector", "probability", "total"]
