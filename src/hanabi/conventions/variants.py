"""The conventions of variants: rules as in `hanabi.conventions.clues`, and variants refused.

They hold at every level, and have no effect in games without such suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from hanabi.conventions.clues import Clue, Special, seen_elsewhere
from hanabi.conventions.conventions import Convention, named
from hanabi.conventions.table import Deal, Mind, Step, bits, deal_of
from hanabi.ground import InvalidInputError
from hanabi.rules import RULES_OF_2026, Kind, Rules, Understanding, Variant, field_names

__all__ = [
    "VARIANT_REFERENCES",
    "VARIANT_SAVES",
    "is_always_loaded",
    "is_free_choice",
    "is_loaded_play",
    "is_prized",
    "refuse_variant",
]

# Which variants are played.

_MOST_ALIKE = 3
"""The most suits of one color that are still read as usual."""

_KNOWN = Understanding(
    "the hgroup player",
    RULES_OF_2026,
    field_names(
        """
        name id suits ranks named_clue_colors named_clue_ranks special_rank
        special_rank_all_clue_colors special_rank_no_clue_colors special_rank_all_clue_ranks
        special_rank_no_clue_ranks special_rank_deceptive scarce_ones critical_rank clue_starved
        alternating_clues
        """
    ),
)


def refuse_variant(rules: Rules) -> None:
    """Raise an error unless the conventions cover the rules.

    Raises
    ------
    InvalidInputError
        If they do not; it names the first thing that is not covered.

    >>> refuse_variant(Rules.hanab_live(3, variant="Rainbow (5 Suits)"))
    >>> refuse_variant(Rules.hanab_live(3, variant="Orange (5 Suits)"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the hgroup player does not play Orange (5 Suits): a
        suit is
    discarded to be played
    >>> refuse_variant(Rules.hanab_live(3, variant="Funnels (5 Suits)"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the hgroup player does not know funnels = True of
        Funnels (5
    Suits)
    """
    _KNOWN.check(rules)
    variant = rules.variant
    reason = None if variant is None else _obstacle(rules, variant)
    if variant is not None and reason is not None:
        raise InvalidInputError(f"{_KNOWN.who} does not play {variant.name}: {reason}")


def _obstacle(rules: Rules, variant: Variant) -> str | None:
    """Return why the conventions exclude a variant although all its fields are known."""
    deal = deal_of(rules)
    if any(variant.inverted):
        return "a suit is discarded to be played"
    upwards = tuple(range(1, variant.ranks + 1))
    if any(variant.orders(color) != (upwards,) for color in range(rules.colors)):
        return "a suit is not built upwards from 1"
    if len(variant.clue_colors) < 2 or len(variant.clue_ranks) < 2:
        return "its hints name less than two colors or two numbers"
    if variant.special_rank_no_clue_colors and variant.special_rank_no_clue_ranks:
        return "all cards of a rank are touched by no hint"
    if deal.null and (Kind.HINT_RANK, 5) not in deal.touch:
        return "a suit is touched by no hint, and none names 5"
    alone = Counter(suit.clue_colors for suit in variant.suits if len(suit.clue_colors) == 1)
    if max(alone.values(), default=0) > _MOST_ALIKE:
        return "a color that four suits share means a slot"
    if 2 * deal.pink.bit_count() >= deal.full.bit_count():
        return "half of its cards are touched by all numbers, which then name slots"
    if variant.name == "Dual-Color (3 Suits)":
        return "its colors mean the cards that they do not touch"
    return None


# Prompts.


def is_free_choice(mind: Mind, clue: Clue, viewer: int, order: int, need: int) -> bool:
    """The Free Choice Finesse: whether a color was chosen that does not prompt a given card.

    Several colors touch the missing kind, and one that touches the given card as well would have
    touched the same cards of the target.
    """
    deal = mind.deal
    colors = {
        value: mask
        for (kind, value), mask in deal.touch.items()
        if kind is Kind.HINT_COLOR and mask >> need & 1
    }
    if len(colors) < 2 or viewer == clue.target or clue.rank:
        return False
    own = [value for value, mask in colors.items() if not mind.allowed[order] & ~mask]
    if not own or clue.action.value in own or mind.me == clue.target:
        return False
    hand = mind.hands[clue.target]
    return any(
        tuple(each for each in hand if colors[value] >> mind.card[each] & 1) == clue.touched
        for value in own
    )


def is_prized(mind: Mind, clue: Clue) -> bool:
    """Brown Tempo Clues are Valuable: whether a Tempo Clue moves no chop because of its cards.

    That is so for brown, muddy rainbow and pink cards, and for cards that no hint tells apart.
    """
    deal, left = mind.deal, mind.allowed[clue.focus]
    if not left & ~(deal.brown | (deal.pink & ~deal.dark)):
        return True
    looks = {mind.allowed[order] for order in clue.touched}
    return len(clue.touched) > 1 and looks == {left} and bool(left & deal.twins)


# Saves in special suits: the kinds that the focus may be, on chop, as in `clues.SAVES`.


def _is_color(clue: Clue) -> bool:
    return clue.action.kind is Kind.HINT_COLOR


def _of_ranks(deal: Deal, *ranks: int) -> int:
    return sum(deal.ranks[rank] for rank in ranks if rank <= deal.height)


def _dark_colors(deal: Deal) -> int:
    """Return the kinds of one copy that have a color of their own, which not all colors touch."""
    return deal.dark & ~deal.rainbow & ~deal.white & ~deal.brown


def _touched(mind: Mind, clue: Clue) -> int:
    return mind.deal.touch[clue.action.kind, clue.action.value]


def _has_other_critical(mind: Mind, clue: Clue) -> bool:
    """Whether a hint to several cards may also touch a critical card of another suit."""
    copies = mind.deal.copies
    known = sum(
        1 << kind for kind in bits(mind.critical & _touched(mind, clue)) if copies[kind] > 1
    )
    return len(clue.touched) > 1 and bool(known)


def black_save(mind: Mind, clue: Clue) -> int:
    """Black 3 & Black 4 Saves: 3s and 4s for a color, also 2s and 5s with several new cards.

    A number that may touch another critical card saves its 3 or 4, too.
    """
    kinds, deal = _dark_colors(mind.deal) & _touched(mind, clue), mind.deal
    if not _is_color(clue):
        is_both = clue.rank in (3, 4) and _has_other_critical(mind, clue)
        return kinds & deal.ranks[clue.rank] if is_both else 0
    kinds &= _own_color(deal, clue.action.value)
    return kinds & (_of_ranks(deal, 2, 3, 4, 5) if len(clue.fresh) > 1 else _of_ranks(deal, 3, 4))


def _own_color(deal: Deal, value: int) -> int:
    """Return the suits in which one color touches every card that any color touches."""
    mask, found = deal.touch[Kind.HINT_COLOR, value], 0
    for each in bits(mask):
        if not deal.suit(each) & ~(mask | deal.white | deal.rainbow):
            found |= 1 << each
    return found


@lru_cache(maxsize=64)
def _of_one_color(deal: Deal) -> tuple[int, ...]:
    """Return, by color, the suits of that color that have one copy of each card."""
    colors = [value for kind, value in deal.touch if kind is Kind.HINT_COLOR]
    return tuple(_own_color(deal, value) & _dark_colors(deal) for value in colors)


def _dark_color(deal: Deal) -> int | None:
    """Return the first color that is a suit's own, with one copy of each of its cards."""
    return next((value for value, kinds in enumerate(_of_one_color(deal)) if kinds), None)


def dark_rainbow_save(mind: Mind, clue: Clue) -> int:
    """Dark Rainbow Saves: 3s and 4s for their number, or for another dark suit's color if any."""
    deal, color = mind.deal, _dark_color(mind.deal)
    kinds = deal.dark & deal.rainbow & ~deal.brown & ~deal.pink
    if color is None:
        return _by_number(mind, clue, kinds)
    is_it = _is_color(clue) and clue.action.value == color
    return kinds & _of_ranks(deal, 3, 4) if is_it else 0


def dark_prism_save(mind: Mind, clue: Clue) -> int:
    """Dark Prism Saves: 3s and 4s for their number."""
    deal = mind.deal
    own = sum({1 << kind for kinds in _of_one_color(deal) for kind in bits(kinds)})
    return _by_number(mind, clue, _dark_colors(deal) & ~own)


def _by_number(mind: Mind, clue: Clue, kinds: int) -> int:
    """Return the 3s and 4s among some kinds that their number saves.

    A color also saves them if its own cards are useless, or if it may touch another critical card.
    """
    deal = mind.deal
    saved = kinds & _touched(mind, clue) & _of_ranks(deal, 3, 4)
    if not _is_color(clue):
        return saved & deal.ranks[clue.rank]
    is_clear = not _touched(mind, clue) & ~kinds & ~mind.trash
    return saved if is_clear or _has_other_critical(mind, clue) else 0


def gray_save(mind: Mind, clue: Clue) -> int:
    """Gray 3 and Gray 4 Saves: 3s and 4s that no color touches, for their number."""
    if clue.rank not in (3, 4):
        return 0
    return mind.deal.dark & mind.deal.white & ~mind.deal.pink & mind.deal.ranks[clue.rank]


def pseudo_five_save(mind: Mind, clue: Clue) -> int:
    """Pseudo 5 Saves: dark omni and gray pink cards for number 5.

    With several cards, number 2 saves them too, and a number that may be about a critical card.
    """
    deal = mind.deal
    is_false = clue.rank == 2 or _is_critical_number(mind, clue)
    if clue.rank != 5 and not (clue.rank and is_false and len(clue.touched) > 1):
        return 0
    return deal.dark & deal.pink & (deal.rainbow | deal.white) & _of_ranks(deal, 2, 3, 4, 5)


def _is_critical_number(mind: Mind, clue: Clue) -> bool:
    copies = mind.deal.copies
    kinds = mind.critical & mind.deal.ranks[clue.rank]
    return clue.rank in (3, 4) and any(copies[kind] > 1 for kind in bits(kinds))


def brown_save(mind: Mind, clue: Clue) -> int:
    """Brown Saves: cards that no number touches, for their color: 2s, 5s and those of one copy."""
    return _unnumbered(mind, clue) & ~mind.deal.rainbow if _is_color(clue) else 0


def muddy_save(mind: Mind, clue: Clue) -> int:
    """Muddy Rainbow Saves: so for those that all colors touch, for the first color.

    If a suit with one copy of each card has a color of its own, that color is used instead.
    """
    if not _is_color(clue) or clue.action.value != (_dark_color(mind.deal) or 0):
        return 0
    return _unnumbered(mind, clue) & mind.deal.rainbow


def _unnumbered(mind: Mind, clue: Clue) -> int:
    deal = mind.deal
    kinds = deal.brown & _touched(mind, clue) & ~deal.ranks[1]
    single = sum(1 << kind for kind in bits(kinds) if deal.copies[kind] == 1)
    return single | kinds & deal.ranks[2] & ~seen_elsewhere(mind, clue)


def four_save(mind: Mind, clue: Clue) -> int:
    """The 4 Save: 4s of one copy for number 4, except in suits with one copy of each card."""
    deal = mind.deal
    fours = deal.ranks[4] & ~deal.dark if clue.rank == 4 else 0
    return sum(1 << kind for kind in bits(fours) if deal.copies[kind] == 1)


def pink_five_save(mind: Mind, clue: Clue) -> int:
    """Special 5 Saves for Pink-Fives: 5s that all numbers touch for number 2, if none names 5."""
    deal = mind.deal
    if clue.rank != 2 or (Kind.HINT_RANK, 5) in deal.touch:
        return 0
    return deal.pink & _of_ranks(deal, 5)


def deceptive_save(mind: Mind, clue: Clue) -> int:
    """Deceptive 5 Saves: 5s that a color touches, if a false number touches them."""
    variant = mind.deal.rules.variant
    if variant is None or not variant.special_rank_deceptive or not _is_color(clue):
        return 0
    return _of_ranks(mind.deal, 5) & _touched(mind, clue) if variant.special_rank == 5 else 0


VARIANT_SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (named("Black 3 & Black 4 Saves"), black_save),
    (named("Dark Rainbow Saves"), dark_rainbow_save),
    (named("Dark Prism Saves"), dark_prism_save),
    (named("Gray 3 and Gray 4 Saves"), gray_save),
    (named("Pseudo 5 Saves"), pseudo_five_save),
    (named("Brown Saves"), brown_save),
    (named("Muddy Rainbow Saves"), muddy_save),
    (named("The 4 Save"), four_save),
    (named("Special 5 Saves for Pink-Fives"), pink_five_save),
    (named("Deceptive 5 Saves"), deceptive_save),
)
"""The saves of a focus on chop in special suits, beside the usual ones."""


def is_always_loaded(mind: Mind, clue: Clue) -> bool:
    """The Always Loaded Principle: whether a hint that always looks like a save is none.

    So it is if its target has a card to play, or a useless one.
    """
    if not _is_loaded(mind, clue, clue.target):
        return False
    deal, left = mind.deal, ~mind.trash
    if clue.rank in (3, 4):
        white = deal.white & deal.ranks[clue.rank]
        many = dark_rainbow_save(mind, clue) | dark_prism_save(mind, clue)
        return bool((white | many) & left)
    found = brown_save, muddy_save, pink_five_save, deceptive_save
    return any(rule(mind, clue) & left for rule in found)


def is_loaded_play(mind: Mind, clue: Clue) -> bool:
    """The Loaded Play Clue: whether a hint saves nothing, in a hard variant, if its target is busy.

    That is so after the early game, unless the giver should not discard. Number 5 still saves while
    the score is below two points a suit.
    """
    if not mind.deal.is_hard or mind.is_early or clue.severity:
        return False
    is_low_five = clue.rank == 5 and mind.score < 2 * mind.rules.colors
    return not is_low_five and _is_loaded(mind, clue, clue.target)


# Hints about other cards than their focus.


def null_move(mind: Mind, clue: Clue) -> Special | None:
    """The Null 5's Chop Move: number 5 off chop chop-moves the next player, if it is not busy."""
    if not _is_null_five(mind, clue) or _is_loaded(mind, clue, _next_seat(mind, clue)):
        return None
    chop = mind.chop(_next_seat(mind, clue))
    return Special(kinds=mind.deal.ranks[5], moved=0 if chop is None else 1 << chop)


def null_play(mind: Mind, clue: Clue) -> Special | None:
    """The Loaded 5 Null Play Clue: if it is, it plays its oldest unclued card as a null card."""
    if not _is_null_five(mind, clue):
        return None
    seat = _next_seat(mind, clue)
    order = next((each for each in mind.hands[seat] if not mind.touched >> each & 1), None)
    kinds = mind.deal.null & mind.playable
    steps = () if order is None else tuple(Step(seat, order, k, is_blind=True) for k in bits(kinds))
    return Special(kinds=mind.deal.ranks[5], steps=steps)


def _is_null_five(mind: Mind, clue: Clue) -> bool:
    return bool(mind.deal.null & ~mind.trash) and clue.rank == 5 and not clue.on_chop


def _next_seat(mind: Mind, clue: Clue) -> int:
    return (clue.giver + 1) % mind.rules.seats


def _is_loaded(mind: Mind, clue: Clue, seat: int) -> bool:
    plays = clue.due if seat == clue.target else mind.plays(seat)
    return bool(plays or mind.useless(seat))


VARIANT_REFERENCES: tuple[tuple[Convention, Callable[[Mind, Clue], Special | None]], ...] = (
    (named("The Null 5's Chop Move"), null_move),
    (named("The Loaded 5 Null Play Clue"), null_play),
)
"""The hints that are neither plays nor saves, after the usual ones."""
