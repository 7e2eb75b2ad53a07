"""Variants as data: suits, and the rules in which a variant differs from the plain game.

Nothing here plays a game: :mod:`hanabi.rules.packing` turns a variant into tables for the rules.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import chain, product
from string import ascii_lowercase
from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, quote
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "SUIT_FIELDS",
    "TABLE_FIELDS",
    "VARIANT_OF_2026",
    "FaceUp",
    "Suit",
    "SuitFaceUp",
    "Variant",
    "face_up",
    "field_names",
    "former_letters_of",
    "letters_of",
    "refuse_unknown",
    "unknown_fields",
]

# Suits: the clues that touch their cards, the copies of each card, and the direction of the pile.

_REVERSED = " Reversed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suit:
    """A suit of a variant.

    Attributes
    ----------
    name
        As on the site; two suits of a variant have different names.
    clue_colors
        The colors that touch its cards, unless another attribute or the variant says otherwise.
    one_of_each
        Whether there is one copy of each card.
    all_clue_colors, no_clue_colors
        Whether every color clue touches its cards, or none.
    all_clue_ranks, no_clue_ranks
        Whether every rank clue touches its cards, or none.
    prism
        Whether the rank of a card determines the color that touches it.
    inverted
        Whether playing and discarding are swapped: a "play" of its card discards it, and a
        "discard" plays it.
    is_reversed
        Whether it is built downwards.

    >>> Suit(name="Gold", clue_colors=("Red", "Green")).reverse().name
    'Gold Reversed'
    """

    name: str
    clue_colors: tuple[str, ...] = ()
    one_of_each: bool = False
    all_clue_colors: bool = False
    no_clue_colors: bool = False
    all_clue_ranks: bool = False
    no_clue_ranks: bool = False
    prism: bool = False
    inverted: bool = False
    is_reversed: bool = False

    def reverse(self) -> Suit:
        """Return the same suit, built downwards and named accordingly."""
        return replace(self, name=self.name + _REVERSED, is_reversed=True)


# The distinct letters of a variant's suits in text, which are those of hanab.live.

# Letters by the last word of a name, unless its first letter serves.
_FORMER = {"black": "k", "rainbow": "m", "pink": "i", "brown": "n", "null": "u"}
_USUAL = _FORMER | {"gray": "a", "prism": "i"}
# The site reserves these for notes. None of its suits needs one of them.
_RESERVED = "fx"


@lru_cache(maxsize=256)
def letters_of(names: tuple[str, ...]) -> str:
    """Return a letter for each suit, in order; the letters depend only on the names.

    A suit gets the first letter of its name's last word, or k for black, m for rainbow, i for pink
    and prism, n for brown, u for null and a for gray. If an earlier suit has that letter, it gets
    the leftmost letter of its name without "Dark" that is free and neither f nor x; if there is
    none, the first such letter of the alphabet. "Reversed" in a name is ignored.

    >>> letters_of(("Red", "Prism", "Gray", "Dark Rainbow Reversed", "Muddy Rainbow", "Dark Pink"))
    'riamup'
    """
    return _letters(tuple(name.removeprefix("Dark ") for name in names), _USUAL, _RESERVED)


@lru_cache(maxsize=256)
def former_letters_of(names: tuple[str, ...]) -> str:
    """Return the letters that this library gave to suits before it adopted those of the site.

    >>> former_letters_of(("Red", "Prism", "Gray", "Dark Rainbow Reversed", "Dark Pink"))
    'rpgmi'
    """
    return _letters(names, _FORMER, "")


def _letters(names: tuple[str, ...], usual: Mapping[str, str], reserved: str) -> str:
    letters = ""
    for name in names:
        words = name.removesuffix(" Reversed").removesuffix(" EA").lower()
        last = words.split()[-1]
        others = [x for x in words + ascii_lowercase if x.isalpha() and x not in reserved]
        wanted = [usual.get(last) or last[0], *others, *reserved]
        letters += next(x for x in wanted if x not in letters)
    return letters


_CARD = re.compile(r"([a-z])([0-9]{1,3}|s)|([0-9]{1,3})([a-z])")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Variant:
    """A variant of hanab.live, or one of the same kind.

    The START card of an up-or-down suit is the rank after the last one here (6; the site calls it
    7). Where the site's rules allow several readings, its own server's behavior decides.

    Attributes
    ----------
    name, id
        As on the site; your own variant has no number.
    suits
        In the site's order.
    ranks
        Number of cards in a complete pile.
    named_clue_colors, named_clue_ranks
        The possible clues, if they are not the colors of the suits and all ranks.
    color_clues_touch_nothing, rank_clues_touch_nothing
        Whether such clues touch no card; they are always legal.
    synesthesia
        Whether a color also touches a card because of the card's rank, besides its suit.
    special_rank
        The rank of the cards that the `special_rank_...` attributes apply to, or 0.
    odds_and_evens, funnels, chimneys
        Whether a rank clue touches ranks besides its own: all ranks of its parity, all ranks up to
        its own, or all from its own on.
    up_or_down
        Whether each suit may be built upwards or downwards, at the players' choice.
    sudoku
        Whether piles begin with any rank, all with different ones, and wrap around.
    scarce_ones
        Whether each 1 has only two copies.
    critical_rank
        A rank with only one copy of each card, or 0.
    alternating_clues
        Whether color clues and rank clues must alternate.
    clue_starved
        Whether a discard or a complete suit gives half a token.
    throw_it_in_a_hole
        Whether complete suits give no token. (The site also hides plays; no rule here needs that.)
    cow_and_pig, duck
        Whether people announce clues in another way, which does not affect the rules.

    >>> from hanabi.rules.variants import find_variant
    >>> rainbow = find_variant("Rainbow (5 Suits)")
    >>> rainbow.id, rainbow.touches_color(0, color=4, rank=1), rainbow.spec.size
    (16, True, 50)
    """

    name: str
    suits: tuple[Suit, ...]
    id: int | None = None
    ranks: int = 5
    named_clue_colors: tuple[str, ...] | None = None
    named_clue_ranks: tuple[int, ...] | None = None
    color_clues_touch_nothing: bool = False
    rank_clues_touch_nothing: bool = False
    synesthesia: bool = False
    special_rank: int = 0
    special_rank_all_clue_colors: bool = False
    special_rank_no_clue_colors: bool = False
    special_rank_all_clue_ranks: bool = False
    special_rank_no_clue_ranks: bool = False
    special_rank_deceptive: bool = False
    odds_and_evens: bool = False
    funnels: bool = False
    chimneys: bool = False
    up_or_down: bool = False
    sudoku: bool = False
    scarce_ones: bool = False
    critical_rank: int = 0
    alternating_clues: bool = False
    clue_starved: bool = False
    throw_it_in_a_hole: bool = False
    cow_and_pig: bool = False
    duck: bool = False

    def __post_init__(self) -> None:
        if self.sudoku and len(self.suits) > self.ranks:
            raise InvalidInputError(
                f"{quote(self.name)}: {len(self.suits)} suits cannot begin with {self.ranks}"
                " different ranks"
            )

    def __repr__(self) -> str:
        return f"<Variant {self.name}>"

    @property
    def is_plain(self) -> bool:
        """Whether it plays like the plain game: each suit has its own color, and piles go up."""
        plain = tuple(Suit(name=suit.name, clue_colors=(suit.name,)) for suit in self.suits)
        without_telling = replace(self, cow_and_pig=False, duck=False)
        return without_telling == Variant(name=self.name, id=self.id, suits=plain)

    @property
    def is_read_plainly(self) -> bool:
        """Whether clues touch, and piles accept, the same cards as in the plain game.

        Such variants differ only in copies of cards, and in whether a complete suit gives a token.
        """
        n, upwards = len(self.suits), tuple(range(1, self.ranks + 1))
        return (
            (len(self.clue_colors), self.clue_ranks) == (n, upwards)
            and not (self.alternating_clues or self.clue_starved or any(self.inverted))
            and all(self.orders(color) == (upwards,) for color in range(n))
            and all(
                self.touches_color(value, color, rank) == (value == color)
                for value, color, rank in product(range(n), range(n), upwards)
            )
            and all(
                self.touches_rank(value, color, rank) == (value == rank)
                for value, color, rank in product(upwards, range(n), upwards)
            )
        )

    @property
    def letters(self) -> str:
        """One letter per suit, from :func:`hanabi.rules.variants.variant.letters_of`."""
        return letters_of(tuple(suit.name for suit in self.suits))

    @property
    def former_letters(self) -> str:
        """The letters used before those of the site were adopted; they can still be read."""
        return former_letters_of(tuple(suit.name for suit in self.suits))

    @property
    def clue_colors(self) -> tuple[str, ...]:
        """The colors that a clue can name, in the site's order."""
        if self.named_clue_colors is not None:
            return self.named_clue_colors
        colors = chain.from_iterable(
            suit.clue_colors for suit in self.suits if not suit.all_clue_colors
        )
        return tuple(dict.fromkeys(colors))

    @property
    def clue_ranks(self) -> tuple[int, ...]:
        """The ranks that a clue can name."""
        if self.named_clue_ranks is not None:
            return self.named_clue_ranks
        return tuple(range(1, self.ranks + 1))

    @property
    def start_rank(self) -> int | None:
        """The rank of START cards, or None."""
        return self.ranks + 1 if self.up_or_down else None

    @property
    def spec(self) -> DeckSpec:
        """The multiset of the cards."""
        return DeckSpec(tuple(map(self._copies, self.suits)))

    @property
    def inverted(self) -> tuple[bool, ...]:
        """For each suit, whether playing and discarding are swapped."""
        return tuple(suit.inverted for suit in self.suits)

    def has_card(self, color: int, rank: int) -> bool:
        """Whether the card exists."""
        ranks = self.ranks + self.up_or_down
        return 0 <= color < len(self.suits) and 1 <= rank <= ranks

    def format_card(self, color: int, rank: int) -> str:
        """Return a card's text form: the letter of its suit, and its rank or S for START.

        >>> from hanabi.rules.variants import find_variant
        >>> find_variant("Rainbow (5 Suits)").format_card(4, 3)
        'm3'
        """
        return f"{self.letters[color]}{'S' if rank == self.start_rank else rank}"

    def find_card(self, text: str) -> Card | None:
        """Return the card written as `m3`, `3m` or `rS`, in upper or lower case, or None.

        A letter of no suit is read as a former letter (see `former_letters`).

        >>> from hanabi.rules.variants import find_variant
        >>> find_variant("Up or Down (5 Suits)").find_card("rS")
        Card(color=0, rank=6)
        """
        found = self.card_by(self.letters, text)
        return self.card_by(self.former_letters, text) if found is None else found

    def card_by(self, letters: str, text: str) -> Card | None:
        """Return the card that a text means if the suits have these letters, or None.

        >>> from hanabi.rules.variants import find_variant
        >>> find_variant("Prism (5 Suits)").card_by("rygbp", "p3")
        Card(color=4, rank=3)
        """
        match = _CARD.fullmatch(text.lower())
        if match is None:
            return None
        color = letters.find(match[1] or match[4])
        rank = self.ranks + 1 if match[2] == "s" else int(match[2] or match[3])
        is_written_so = (rank == self.start_rank) == (match[2] == "s")
        return Card(color, rank) if is_written_so and self.has_card(color, rank) else None

    def orders(self, color: int) -> tuple[tuple[int, ...], ...]:
        """Return the possible orders of ranks of a suit's pile, all of the same length."""
        upwards = tuple(range(1, self.ranks + 1))
        if self.sudoku:
            return tuple(upwards[i:] + upwards[:i] for i in range(self.ranks))
        if self.up_or_down:
            start, downwards = (self.ranks + 1,), upwards[::-1]
            return upwards, start + upwards[1:], downwards, start + downwards[1:]
        return (upwards[::-1] if self.suits[color].is_reversed else upwards,)

    def touches_color(self, value: int, color: int, rank: int) -> bool:
        """Whether the clue of color number `value` touches a card; the first rule decides."""
        suit, colors = self.suits[color], self.clue_colors
        is_special = rank == self.special_rank
        if self.color_clues_touch_nothing:
            return False
        if suit.all_clue_colors:
            return True
        if suit.no_clue_colors:
            return False
        if self.synesthesia and not suit.no_clue_ranks and value == (rank - 1) % len(colors):
            return True
        if is_special and self.special_rank_all_clue_colors:
            return True
        if is_special and self.special_rank_no_clue_colors:
            return False
        if suit.prism:
            number = len(colors) - 1 if rank == self.start_rank else (rank - 1) % len(colors)
            return value == number
        return colors[value] in suit.clue_colors

    def touches_rank(self, value: int, color: int, rank: int) -> bool:
        """Whether the clue of rank `value` touches a card; the first rule decides."""
        suit, is_special = self.suits[color], rank == self.special_rank
        if self.rank_clues_touch_nothing:
            return False
        if suit.all_clue_ranks:
            return True
        if suit.no_clue_ranks:
            return False
        if is_special and self.special_rank_all_clue_ranks:
            return True
        if is_special and self.special_rank_no_clue_ranks:
            return False
        if is_special and self.special_rank_deceptive:
            return value == self.clue_ranks[color % len(self.clue_ranks)]
        if rank == self.start_rank:
            return False
        if self.odds_and_evens:
            return value % 2 == rank % 2
        if self.funnels:
            return rank <= value
        if self.chimneys:
            return rank >= value
        return value == rank

    def _copies(self, suit: Suit) -> tuple[int, ...]:
        n = self.ranks
        extra = (1,) if self.up_or_down else ()
        if suit.one_of_each:
            return (1,) * n + extra
        if self.sudoku:
            return (2,) * n
        row = [2] * n
        row[0] = 2 if self.scarce_ones else 3
        row[-1] = 1
        if suit.is_reversed or self.up_or_down:
            row[0], row[-1] = 1, 3 if suit.is_reversed else 1
        if self.critical_rank:
            row[self.critical_rank - 1] = 1
        return tuple(row) + extra


# Fields of a record that the caller does not know, with values other than their defaults.


def field_names(text: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(field_names("seats hand_size"))
    ['hand_size', 'seats']
    """
    return frozenset(text.split())


TABLE_FIELDS = field_names(
    """
    name id suits ranks named_clue_colors named_clue_ranks synesthesia special_rank
    special_rank_all_clue_colors special_rank_no_clue_colors special_rank_all_clue_ranks
    special_rank_no_clue_ranks special_rank_deceptive odds_and_evens funnels chimneys up_or_down
    scarce_ones critical_rank cow_and_pig duck
    """
)
"""Fields of `Variant` that affect only its cards, its clues and what they touch, and the orders of
piles. Code that gets all of these from the variant's methods supports the fields."""

VARIANT_OF_2026 = TABLE_FIELDS | field_names(
    "color_clues_touch_nothing rank_clues_touch_nothing sudoku alternating_clues clue_starved"
    " throw_it_in_a_hole"
)
"""The fields of `Variant` as it was in November 2026; see `hanabi.rules.understanding`."""

SUIT_FIELDS = field_names(
    """
    name clue_colors one_of_each all_clue_colors no_clue_colors all_clue_ranks no_clue_ranks prism
    inverted is_reversed
    """
)
"""Fields of `Suit` of the same kind; `inverted` must be read from the variant, too."""


def unknown_fields(
    record: DataclassInstance, known: Collection[str], **defaults: object
) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each field that is neither known nor at its default.

    `defaults` are further values that count as defaults, by field name.

    >>> from hanabi.rules.variants.variant import Suit
    >>> list(unknown_fields(Suit(name="Prism", prism=True), {"name"}))
    [('prism', True)]
    """
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name not in known and value != defaults.get(field.name, field.default):
            yield field.name, value


def refuse_unknown(
    variant: Variant,
    known: Collection[str],
    who: str,
    error: type[Exception] = InvalidInputError,
) -> None:
    """Raise `error` if a variant differs from the plain game in a field that `who` does not know.

    >>> from hanabi.rules.variants import find_variant
    >>> refuse_unknown(find_variant("Sudoku (5 Suits)"), TABLE_FIELDS, "the solver")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the solver does not know sudoku = True of Sudoku (5
        Suits)
    """
    of_suits = (pair for suit in variant.suits for pair in unknown_fields(suit, SUIT_FIELDS))
    for name, value in (*unknown_fields(variant, known), *of_suits):
        raise error(f"{who} does not know {name} = {quote(value)} of {variant.name}")


# The properties of a variant that matter with all cards face up.


@dataclass(frozen=True, slots=True, order=True)
class SuitFaceUp:
    """A suit with all cards face up.

    Attributes
    ----------
    copies
        The number of copies of each rank.
    orders
        The possible orders of ranks of the pile.
    inverted
        Whether playing and discarding are swapped.
    touched
        For each rank, whether a clue can touch the card. If color and rank clues must alternate:
        two entries for each rank, whether a color clue can, and whether a rank clue can.
    """

    copies: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    inverted: bool
    touched: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class FaceUp:
    """All properties that matter with all cards face up: the same lines win equal variants.

    Lines are the same up to the order of the suits, and to the clue that a hint gives.

    Attributes
    ----------
    suits
        The suits, sorted.
    sudoku
        Whether piles must begin with different ranks.
    alternating
        Whether color and rank clues must alternate.
    free
        Whether a hint is always legal, whatever it touches. If color and rank clues must
        alternate: two entries, whether a color clue is, and whether a rank clue is.
    starved
        Whether a discard or a complete suit gives half a token.
    no_bonus
        Whether a complete suit gives no token.
    """

    suits: tuple[SuitFaceUp, ...]
    sudoku: bool
    alternating: bool
    free: tuple[bool, ...]
    starved: bool
    no_bonus: bool


def face_up(variant: Variant) -> FaceUp:
    """Return the properties of a variant that matter with all cards face up.

    It does not matter whether a legal clue names a color or a rank, nor which other cards it
    touches, because nobody has anything to learn.

    Raises
    ------
    InvalidInputError
        If the variant differs from the plain game in a way that this function does not know.

    >>> from hanabi.rules.variants import find_variant
    >>> face_up(find_variant("Rainbow (5 Suits)")) == face_up(find_variant("No Variant"))
    True
    >>> face_up(find_variant("Null (5 Suits)")) == face_up(find_variant("No Variant"))
    False
    """
    refuse_unknown(variant, VARIANT_OF_2026, "the comparison of variants with all cards face up")
    by_kind = (variant.color_clues_touch_nothing, variant.rank_clues_touch_nothing)
    free = by_kind if variant.alternating_clues else (any(by_kind),)
    suits = []
    for color, (suit, copies) in enumerate(zip(variant.suits, variant.spec.copies, strict=True)):
        touched: list[bool] = []
        for rank in range(1, len(copies) + 1):
            kinds = (
                any(
                    variant.touches_color(value, color, rank)
                    for value in range(len(variant.clue_colors))
                ),
                any(variant.touches_rank(value, color, rank) for value in variant.clue_ranks),
            )
            touched += kinds if variant.alternating_clues else (any(kinds),)
        # If a hint is always legal, it need not touch anything.
        always = free * (len(touched) // len(free))
        needed = tuple(a or b for a, b in zip(touched, always, strict=True))
        suits.append(SuitFaceUp(copies, variant.orders(color), suit.inverted, needed))
    return FaceUp(
        suits=tuple(sorted(suits)),
        sudoku=variant.sudoku,
        alternating=variant.alternating_clues,
        free=free,
        starved=variant.clue_starved,
        no_bonus=variant.throw_it_in_a_hole,
    )
