"""What the kernel's numbers for broken rules mean, in words."""

from __future__ import annotations

from hanabi.errors import counted, quote
from hanabi.game.actions import Action
from hanabi.game.table import Table

__all__ = ["explain"]


def explain(table: Table, broken: int, action: Action) -> str:
    """Return in words the rule that `action` breaks, as `find_broken_rule` found it.

    >>> from hanabi.game import Game, Rules, discard
    >>> rules = Rules.official(2)
    >>> explain(Game.start(rules, rules.spec.shuffle(seed=1)), 4, discard(0))
    'no discards while all 8 hint tokens are there'
    """
    from hanabi.game.kernels import legal as kernel

    rules, seat = table.rules, table.seat_to_act
    variant = rules.variant
    clue_colors = rules.colors if variant is None else len(variant.clue_colors)
    clue_ranks = f"1 .. {rules.ranks}"
    if variant is not None:
        clue_ranks = ", ".join(map(str, variant.clue_ranks)) or "not to be named"
    cards = counted(len(table.hand_indices[seat]), "card")
    left = counted(table.deck_left, "card")
    messages = {
        kernel.GAME_IS_OVER: f"the game is over ({table.end_reason})",
        kernel.NO_SUCH_ACTION: f"{quote(tuple(action))} is no action",
        kernel.NO_SUCH_SLOT: f"the seat holds {cards}, from slot 0",
        kernel.FULL_HINTS: f"no discards while all {rules.hints} hint tokens are there",
        kernel.NO_DECK_PLAYS: "these rules do not let a card be played from the deck",
        kernel.NO_DECK_DISCARDS: "no suit is inverted: the deck's last card can only be played",
        kernel.DECK_IS_NOT_ONE_CARD: f"the deck has {left}, not the last one alone",
        kernel.NO_SUCH_SEAT: f"the seats are 0 .. {rules.seats - 1}",
        kernel.OWN_SEAT: "a hint goes to another seat",
        kernel.NO_SUCH_COLOR: f"the colors are 0 .. {clue_colors - 1}",
        kernel.NO_SUCH_RANK: f"the ranks are {clue_ranks}",
        kernel.NO_HINTS: "no hint token is left",
        kernel.EMPTY_HINT: "these rules forbid a hint that touches no card",
        kernel.SAME_KIND_OF_HINT: "color and rank hints take turns in these rules",
    }
    return messages[broken]
