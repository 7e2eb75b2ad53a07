"""The public interface for compiled players of your own: `from hanabi.players import policies`.

A compiled player is a *policy*: a `NamedTuple` for whose class `decide` is registered, and any
other of these functions whose default is wrong for it: `memory_size`, `scratch_size`, `start`,
`chance`, `advance`, `possible`, `resume`, `truthful`, `advance_seen`, `is_shared`.
`hanabi.players.kernels.policy` describes each. Its player has `act(view, rng)`, for which `act_by`
suffices, and `compiled(rules)`, which returns the policy: `docs/my_policy.py` is an example.

These names are public, and so is what their docstrings say. Within `INTERFACE` revision 1:

- names, arguments, and the meaning of arguments and results stay as they are;
- a position is a `Packed` of three arrays of 64-bit integers, whose words are named in `layout`.
  The names that `tests/contracts/test_policies.py` lists stay; their numbers, the sizes of arrays,
  and the words of `memory` of our own policies may change in any release;
- new names, and new functions of a policy with a default, may come in any release.

If a name has to go or to change its meaning, the revision is raised, and the release notes say how
to change a policy. Names of other modules are internal, even if kernels can call them. Compiled
code of your own is never kept between processes, so no release runs outdated code.

Importing this module imports NumPy and Numba.

>>> from typing import NamedTuple
>>> from hanabi.players import policies
>>> class First(NamedTuple):
...     pass
>>> @policies.decide.register(First)
... @policies.jit
... def _(policy, position, rng, memory, scratch):
...     policies.legal_actions(position, scratch)
...     return scratch[0]
>>> from hanabi.rules import Game, Rules
>>> from hanabi.ground.rng import Stream
>>> rules = Rules.hanab_live(2)
>>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
>>> print(policies.act_by(First(), view, Stream(1)))
play slot 0
"""

from __future__ import annotations

from hanabi.ground import RandomStream, Words, below, jit, jit_inline, split, word
from hanabi.players.compiled import decide as act_by
from hanabi.players.kernels.policy import (
    UNKNOWN,
    Policy,
    advance,
    advance_seen,
    chance,
    decide,
    is_shared,
    keeps_inner_memory,
    memory_size,
    possible,
    resume,
    scratch_size,
    start,
    truthful,
)
from hanabi.rules import (
    Packed,
    action_code,
    card_code,
    card_of,
    cards_hinted,
    cards_known,
    clue_bit,
    clues_of,
    code_at,
    color_of,
    copies_kept,
    copies_left,
    copies_of,
    deck_left,
    first_hint,
    has_hint,
    height_of,
    hintable,
    index_at,
    is_hint,
    is_hintable,
    is_inverted,
    is_next,
    kind_of,
    known_at,
    last_rank,
    layout,
    legal_actions,
    mask_of,
    may_discard,
    most_points,
    n_held,
    next_ranks,
    rank_of,
    ranks_to_come,
    reach,
    score,
    step,
    target_of,
    touched_slots,
    value_of,
)

__all__ = [
    "INTERFACE",
    "UNKNOWN",
    "Packed",
    "Policy",
    "RandomStream",
    "Words",
    "act_by",
    "action_code",
    "advance",
    "advance_seen",
    "below",
    "card_code",
    "card_of",
    "cards_hinted",
    "cards_known",
    "chance",
    "clue_bit",
    "clues_of",
    "code_at",
    "color_of",
    "copies_kept",
    "copies_left",
    "copies_of",
    "decide",
    "deck_left",
    "first_hint",
    "has_hint",
    "height_of",
    "hintable",
    "index_at",
    "is_hint",
    "is_hintable",
    "is_inverted",
    "is_next",
    "is_shared",
    "jit",
    "jit_inline",
    "keeps_inner_memory",
    "kind_of",
    "known_at",
    "last_rank",
    "layout",
    "legal_actions",
    "mask_of",
    "may_discard",
    "memory_size",
    "most_points",
    "n_held",
    "next_ranks",
    "possible",
    "rank_of",
    "ranks_to_come",
    "reach",
    "resume",
    "score",
    "scratch_size",
    "split",
    "start",
    "step",
    "target_of",
    "touched_slots",
    "truthful",
    "value_of",
    "word",
]

INTERFACE = 1
"""The revision of these names and their meaning."""
