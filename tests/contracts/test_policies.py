"""The public names for compiled players keep their arguments; see `hanabi.players.policies`.

A line may be added. If one has to change, raise `INTERFACE`, and say in the change log how to
change a policy.
"""

from __future__ import annotations

import inspect

from hanabi.players import policies

ARGUMENTS = {
    "act_by": "policy, view, rng",
    "action_code": "kind, target, value",
    "advance": "policy, position, memory, action, scratch",
    "advance_seen": "policy, position, memory, action, scratch, seat",
    "below": "stream, bound",
    "card_code": "color, rank",
    "card_of": "rules, code",
    "cards_hinted": "rules, kind, value",
    "cards_known": "rules, known",
    "chance": "policy, position, rng, memory, scratch, action",
    "clue_bit": "kind, value",
    "clues_of": "rules, code",
    "code_at": "position, place",
    "color_of": "code",
    "copies_kept": "rules, state, card",
    "copies_left": "rules, state, card",
    "copies_of": "rules, card",
    "decide": "policy, position, rng, memory, scratch",
    "deck_left": "rules, state",
    "first_hint": "clues, seat",
    "has_hint": "rules, state",
    "height_of": "rules, state, color",
    "hintable": "position, seat",
    "index_at": "rules, state, place",
    "is_hint": "action",
    "is_hintable": "position, seat",
    "is_inverted": "rules, code",
    "is_next": "rules, state, code",
    "is_shared": "policy, rules, memory",
    "jit": "function",
    "jit_inline": "function",
    "keeps_inner_memory": "wrapper",
    "kind_of": "action",
    "known_at": "rules, state, place",
    "last_rank": "rules, color",
    "legal_actions": "position, actions",
    "mask_of": "rules, code",
    "may_discard": "rules, state",
    "memory_size": "policy, rules",
    "most_points": "rules, state",
    "n_held": "rules, state, seat",
    "next_ranks": "rules, state, color",
    "possible": "policy, position, memory, seat, slot",
    "rank_of": "code",
    "ranks_to_come": "rules, state, color",
    "reach": "rules, state, color",
    "resume": "policy, position, memory, scratch",
    "score": "rules, state",
    "scratch_size": "policy, rules",
    "split": "rng",
    "start": "policy, position, memory, scratch",
    "step": "position, action",
    "target_of": "action",
    "touched_slots": "position, action",
    "truthful": "policy, position, memory, action, scratch",
    "value_of": "action",
    "word": "stream",
}
OTHERS = {"INTERFACE", "UNKNOWN", "Packed", "Policy", "RandomStream", "Words", "layout"}
WORDS = [
    "COLORS",
    "RANKS",
    "SEATS",
    "HAND_SIZE",
    "DECK_SIZE",
    "MAX_HINTS",
    "MAX_LIVES",
    "MAX_SCORE",
    "HINT_COST",
    "MAX_ACTIONS",
    "TURN",
    "SEAT",
    "HINTS",
    "LIVES",
    "DRAWN",
    "TURNS_LEFT",
    "POINTS",
    "END",
    "RANK_BITS",
    "COLOR_BITS",
    "IN_PROGRESS",
    "PLAY",
    "DISCARD",
    "HINT_COLOR",
    "HINT_RANK",
    "PLAY_DECK",
    "DISCARD_DECK",
]


def test_arguments_stay() -> None:
    assert set(policies.__all__) == ARGUMENTS.keys() | OTHERS
    assert policies.INTERFACE == 1
    for name, arguments in ARGUMENTS.items():
        function = getattr(policies, name)
        plain = inspect.unwrap(getattr(function, "py_func", function))
        plain = getattr(plain, "py_func", plain)
        assert ", ".join(inspect.signature(plain).parameters) == arguments, name
        assert plain.__doc__, name


def test_words_of_a_position_keep_their_names() -> None:
    assert policies.Packed._fields == ("rules", "deck", "state")
    for word in WORDS:
        assert isinstance(getattr(policies.layout, word), int)
