"""What the guide adds for variants, each convention a rule in one place, as in `conventions`.

The guide's pages on variants are [HGroup], below `variant-specific/`; the statements here are in
our own words. They hold at every level, and say nothing in games without such suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from hanabi.errors import InvalidInputError
from hanabi.game.actions import Kind
from hanabi.game.config import Rules
from hanabi.game.understanding import RULES_OF_2026, Understanding
from hanabi.players.hgroup.conventions import Clue, Convention, Special, seen_elsewhere
from hanabi.players.hgroup.table import Deal, Mind, Step, bits, deal_of
from hanabi.variants import Variant
from hanabi.variants.variant import field_names

__all__ = [
    "COLOR_PROMISE",
    "PINK_PROMISE",
    "VARIANT_CONVENTIONS",
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
"""So many suits of one color are still read as usual."""

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
    hanabi.errors.InvalidInputError: the hgroup player does not play Orange (5 Suits): a suit is
    discarded to be played
    >>> refuse_variant(Rules.hanab_live(3, variant="Funnels (5 Suits)"))
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the hgroup player does not know funnels = True of Funnels (5
    Suits)
    """
    _KNOWN.check(rules)
    variant = rules.variant
    reason = None if variant is None else _obstacle(rules, variant)
    if variant is not None and reason is not None:
        raise InvalidInputError(f"{_KNOWN.who} does not play {variant.name}: {reason}")


def _obstacle(rules: Rules, variant: Variant) -> str | None:
    """Return why the conventions do not cover a variant of which they know each field."""
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


# What each convention says. None of them has a level: who plays the variant plays them.

PINK_PROMISE = Convention(
    "Pink Promise",
    1,
    "variant-specific/pink#pink-promise",
    "a number about a card that all numbers touch is that card's number",
)
ONES_ASSUMPTION = Convention(
    "The 1's Assumption",
    1,
    "variant-specific/pink#the-1s-assumption",
    "all cards that number 1 touches are taken for 1s, until that cannot be so",
)
PINK_PROMPT = Convention(
    "The Pink Prompt Rank Exception",
    1,
    "variant-specific/pink#the-pink-prompt-rank-exception",
    "a card that may be pink, and has only another number's mark, is not prompted as the pink one",
)
COLOR_PROMISE = Convention(
    "Color Promise",
    1,
    "variant-specific/special-fives#color-promise",
    "a color about a 1 or 5 that all colors touch is that card's own color",
)
SOFT_GOOD_TOUCH = Convention(
    "Soft Good Touch Principle",
    1,
    "variant-specific/omni#soft-good-touch-principle",
    "cards beside the focus may be useless ones that all hints touch, so nobody plays them unasked",
)
TEMPO = Convention(
    "The Ambiguous Tempo Clue",
    1,
    "variant-specific#the-ambiguous-tempo-clue",
    "of cards that look alike, a color that touches them again is about the oldest",
)
PRIZED_TEMPO = Convention(
    "Brown Tempo Clues are Valuable",
    6,
    "variant-specific/brown#brown-tempo-clues-are-valuable",
    "a Tempo Clue about brown, muddy or pink cards, or such as look alike, moves no chop",
)
BROWN_TEMPO = Convention(
    "Brown Tempo Clue Inversion",
    1,
    "variant-specific/brown#brown-tempo-clue-inversion",
    "brown that touches brown cards again is about the oldest",
)
MUD = Convention(
    "Mud Clues",
    1,
    "variant-specific/muddy-rainbow-cocoa-rainbow#mud-clues",
    "a color that touches known muddy rainbow or omni cards again says by its place which one",
)
FULL_FINESSE = Convention(
    "The Full Finesse",
    1,
    "variant-specific/3-suits#the-full-finesse",
    "with three suits, number 5 off chop is no stall and moves no chop",
)
FREE_CHOICE = Convention(
    "The Free Choice Finesse",
    1,
    "variant-specific/rainbow#the-free-choice-finesse",
    "a color other than that of the card to be prompted, if both touch the same, finesses instead",
)
BLACK_SAVE = Convention(
    "Black 3 & Black 4 Saves",
    1,
    "variant-specific/black#black-3--black-4-saves",
    "of suits with one copy of each card, a color keeps 3s and 4s on chop, and a number 2s and 5s",
)
DARK_RAINBOW_SAVE = Convention(
    "Dark Rainbow Saves",
    1,
    "variant-specific/dark-rainbow#dark-rainbow-saves",
    "dark rainbow 3s and 4s are kept by number, or by another such suit's color if there is one",
)
DARK_PRISM_SAVE = Convention(
    "Dark Prism Saves",
    1,
    "variant-specific/dark-prism#dark-prism-saves",
    "dark prism 3s and 4s are kept by number",
)
GRAY_SAVE = Convention(
    "Gray 3 and Gray 4 Saves",
    1,
    "variant-specific/gray#gray-3-and-gray-4-saves",
    "gray 3s and 4s are kept by number",
)
PSEUDO_FIVE_SAVE = Convention(
    "Pseudo 5 Saves",
    1,
    "variant-specific/dark-omni-gray-pink#pseudo-5-saves",
    "number 5 keeps all dark omni and gray pink cards on chop",
)
BROWN_SAVE = Convention(
    "Brown Saves",
    1,
    "variant-specific/brown#brown-saves",
    "a color keeps 2s and 5s on chop that no number touches",
)
MUDDY_SAVE = Convention(
    "Muddy Rainbow Saves",
    1,
    "variant-specific/muddy-rainbow-cocoa-rainbow#muddy-rainbow-saves",
    "the first color keeps 2s and 5s on chop that all colors and no number touch",
)
FOUR_SAVE = Convention(
    "The 4 Save",
    1,
    "variant-specific/critical-fours#the-4-save",
    "number 4 keeps a 4 on chop, where 4s have one copy",
)
PINK_FIVE_SAVE = Convention(
    "Special 5 Saves for Pink-Fives",
    1,
    "variant-specific/special-fives#special-5-saves-for-pink-fives",
    "number 2 keeps 5s on chop that all numbers touch, where hints cannot name 5",
)
DECEPTIVE_SAVE = Convention(
    "Deceptive 5 Saves",
    1,
    "variant-specific/special-fives#deceptive-5-saves",
    "a color keeps 5s on chop that a false number touches",
)
ALWAYS_LOADED = Convention(
    "The Always Loaded Principle",
    1,
    "variant-specific#the-always-loaded-principle-alp",
    "hints that always look like such saves save nothing if their target has something else to do",
)

LOADED_PLAY = Convention(
    "The Loaded Play Clue",
    1,
    "variant-specific#the-loaded-play-clue-in-hard-variants-lpc",
    "in hard variants, a hint saves nothing in the midgame if its target has something else to do",
)
NULL_MOVE = Convention(
    "The Null 5's Chop Move",
    1,
    "variant-specific/null#the-null-5s-chop-move",
    "number 5 off chop keeps the chop of the next player, if nothing else is to do there",
)
NULL_PLAY = Convention(
    "The Loaded 5 Null Play Clue",
    1,
    "variant-specific/null#the-loaded-5-null-play-clue",
    "if there is, the next player's oldest card without a hint is the next of the null suit",
)

VARIANT_CONVENTIONS = (
    PINK_PROMISE,
    ONES_ASSUMPTION,
    PINK_PROMPT,
    COLOR_PROMISE,
    SOFT_GOOD_TOUCH,
    TEMPO,
    PRIZED_TEMPO,
    BROWN_TEMPO,
    MUD,
    FULL_FINESSE,
    FREE_CHOICE,
    BLACK_SAVE,
    DARK_RAINBOW_SAVE,
    DARK_PRISM_SAVE,
    GRAY_SAVE,
    PSEUDO_FIVE_SAVE,
    BROWN_SAVE,
    MUDDY_SAVE,
    FOUR_SAVE,
    PINK_FIVE_SAVE,
    DECEPTIVE_SAVE,
    ALWAYS_LOADED,
    LOADED_PLAY,
    NULL_MOVE,
    NULL_PLAY,
)
"""The conventions of variants, in the order of the guide's reference."""


# Prompts.


def is_free_choice(mind: Mind, clue: Clue, viewer: int, order: int, need: int) -> bool:
    """Whether a color was chosen that does not prompt a card which several colors touch."""
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
    """Whether a hint about known cards alone is worth its token, and so moves no chop.

    That is so of brown, muddy rainbow and pink cards, and of cards that no hint tells apart.
    """
    deal, left = mind.deal, mind.allowed[clue.focus]
    if not left & ~(deal.brown | (deal.pink & ~deal.dark)):
        return True
    looks = {mind.allowed[order] for order in clue.touched}
    return len(clue.touched) > 1 and looks == {left} and bool(left & deal.twins)


# Saves of special suits. Like `conventions.SAVES`: what the focus may be, on chop.


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
    """Whether a hint on several cards may also touch one of which only one copy is left."""
    copies = mind.deal.copies
    known = sum(
        1 << kind for kind in bits(mind.critical & _touched(mind, clue)) if copies[kind] > 1
    )
    return len(clue.touched) > 1 and bool(known)


def black_save(mind: Mind, clue: Clue) -> int:
    """Return 3s and 4s for a color, also 2s and 5s if it touches several fresh cards.

    A number that may touch another critical card keeps its 3 or 4, too.
    """
    kinds, deal = _dark_colors(mind.deal) & _touched(mind, clue), mind.deal
    if not _is_color(clue):
        is_both = clue.rank in (3, 4) and _has_other_critical(mind, clue)
        return kinds & deal.ranks[clue.rank] if is_both else 0
    kinds &= _own_color(deal, clue.action.value)
    return kinds & (_of_ranks(deal, 2, 3, 4, 5) if len(clue.fresh) > 1 else _of_ranks(deal, 3, 4))


def _own_color(deal: Deal, value: int) -> int:
    """Return the kinds of suits of which a color touches all cards that any color touches."""
    mask, found = deal.touch[Kind.HINT_COLOR, value], 0
    for each in bits(mask):
        if not deal.suit(each) & ~(mask | deal.white | deal.rainbow):
            found |= 1 << each
    return found


@lru_cache(maxsize=64)
def _of_one_color(deal: Deal) -> tuple[int, ...]:
    """Return the kinds of one copy by the color of their own suit."""
    colors = [value for kind, value in deal.touch if kind is Kind.HINT_COLOR]
    return tuple(_own_color(deal, value) & _dark_colors(deal) for value in colors)


def _dark_color(deal: Deal) -> int | None:
    """Return the first color of a suit that has one copy of each card and a color of its own."""
    return next((value for value, kinds in enumerate(_of_one_color(deal)) if kinds), None)


def dark_rainbow_save(mind: Mind, clue: Clue) -> int:
    """Return 3s and 4s for their number, or for the color of another suit of one copy if any."""
    deal, color = mind.deal, _dark_color(mind.deal)
    kinds = deal.dark & deal.rainbow & ~deal.brown & ~deal.pink
    if color is None:
        return _by_number(mind, clue, kinds)
    is_it = _is_color(clue) and clue.action.value == color
    return kinds & _of_ranks(deal, 3, 4) if is_it else 0


def dark_prism_save(mind: Mind, clue: Clue) -> int:
    """Return 3s and 4s for their number."""
    deal = mind.deal
    own = sum({1 << kind for kinds in _of_one_color(deal) for kind in bits(kinds)})
    return _by_number(mind, clue, _dark_colors(deal) & ~own)


def _by_number(mind: Mind, clue: Clue, kinds: int) -> int:
    """Return the 3s and 4s among some kinds that a number keeps.

    A color also keeps them if its own cards are useless, or if it may touch another critical card.
    """
    deal = mind.deal
    saved = kinds & _touched(mind, clue) & _of_ranks(deal, 3, 4)
    if not _is_color(clue):
        return saved & deal.ranks[clue.rank]
    is_clear = not _touched(mind, clue) & ~kinds & ~mind.trash
    return saved if is_clear or _has_other_critical(mind, clue) else 0


def gray_save(mind: Mind, clue: Clue) -> int:
    """Return 3s and 4s that no color touches, for their number."""
    if clue.rank not in (3, 4):
        return 0
    return mind.deal.dark & mind.deal.white & ~mind.deal.pink & mind.deal.ranks[clue.rank]


def pseudo_five_save(mind: Mind, clue: Clue) -> int:
    """Return dark omni and gray pink cards for number 5, or another number on several cards.

    Such a number is 2, or one that may be about another critical card.
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
    """Return cards that no number touches, for a color of theirs: 2s, 5s and those of one copy."""
    return _unnumbered(mind, clue) & ~mind.deal.rainbow if _is_color(clue) else 0


def muddy_save(mind: Mind, clue: Clue) -> int:
    """Return the same of those that all colors touch, for the first color.

    If a suit with one copy of each card has a color of its own, that one is used instead.
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
    """Return the 4s of one copy for number 4, except in suits with one copy of each card."""
    deal = mind.deal
    fours = deal.ranks[4] & ~deal.dark if clue.rank == 4 else 0
    return sum(1 << kind for kind in bits(fours) if deal.copies[kind] == 1)


def pink_five_save(mind: Mind, clue: Clue) -> int:
    """Return the 5s that all numbers touch for number 2, if no hint names 5."""
    deal = mind.deal
    if clue.rank != 2 or (Kind.HINT_RANK, 5) in deal.touch:
        return 0
    return deal.pink & _of_ranks(deal, 5)


def deceptive_save(mind: Mind, clue: Clue) -> int:
    """Return the 5s that a color touches, if a false number touches them."""
    variant = mind.deal.rules.variant
    if variant is None or not variant.special_rank_deceptive or not _is_color(clue):
        return 0
    return _of_ranks(mind.deal, 5) & _touched(mind, clue) if variant.special_rank == 5 else 0


VARIANT_SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (BLACK_SAVE, black_save),
    (DARK_RAINBOW_SAVE, dark_rainbow_save),
    (DARK_PRISM_SAVE, dark_prism_save),
    (GRAY_SAVE, gray_save),
    (PSEUDO_FIVE_SAVE, pseudo_five_save),
    (BROWN_SAVE, brown_save),
    (MUDDY_SAVE, muddy_save),
    (FOUR_SAVE, four_save),
    (PINK_FIVE_SAVE, pink_five_save),
    (DECEPTIVE_SAVE, deceptive_save),
)
"""The rules for a focus on chop in special suits, beside the usual ones."""


def is_always_loaded(mind: Mind, clue: Clue) -> bool:
    """Whether a hint that would always look like a save is none, as its target is busy."""
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
    """Whether a hint saves nothing because its target is busy, and the variant is hard.

    That is so after the early game, unless the giver may not discard. Number 5 still saves while
    the score is below two points a suit.
    """
    if not mind.deal.is_hard or mind.is_early or clue.severity:
        return False
    is_low_five = clue.rank == 5 and mind.score < 2 * mind.rules.colors
    return not is_low_five and _is_loaded(mind, clue, clue.target)


# Hints about other cards than their focus.


def null_move(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 off chop moves the chop of the next player, who has nothing else."""
    if not _is_null_five(mind, clue) or _is_loaded(mind, clue, _next_seat(mind, clue)):
        return None
    chop = mind.chop(_next_seat(mind, clue))
    return Special(kinds=mind.deal.ranks[5], moved=0 if chop is None else 1 << chop)


def null_play(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 off chop has the next player play the oldest card without a hint."""
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
    (NULL_MOVE, null_move),
    (NULL_PLAY, null_play),
)
"""The rules for hints that are no play or save clues, after the usual ones."""
