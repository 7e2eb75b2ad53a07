"""Positions without a history, in text or JSON: piles, discards, hands, deck, tokens.

The text begins with the word `position`. Each further keyword starts a section of words, up to the
next keyword; words are separated by blanks, line ends, commas or semicolons, and `#` starts a
comment. In JSON the keywords are keys, and `hands` is an array of hands.

A card in hand may have what hints say of it, in parentheses: the cards that are possible, as suits
and ranks (`b4(b)`, `b4(gb45)`, `m3(r3|m)`), or the hints that touched it and those that did not
(`b4(+b-5)`). A hand of `?` is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules.cards import COLOR_LETTERS, Card, format_card, parse_color
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation.files import plain_text
from hanabi.rules.notation.record import PLAYER_COUNTS, PositionInput
from hanabi.rules.notation.strict_json import as_items, as_text, refuse_typos, show
from hanabi.rules.variants import Variant, find_variant
from hanabi.rules.variants.variant import letters_of

__all__ = [
    "format_position",
    "is_position",
    "parse_position",
    "position_from_json",
    "position_to_json",
]

_START = re.compile(r"(?:\s|#[^\n]*(?:\n|$))*position(?![^\s,;#:=])", re.IGNORECASE)
_WORD = re.compile(r"#[^\n]*|=|[^\s,;#=]+")
_HELD = re.compile(r"([^()]+)(?:\(([^()]*)\))?")
_CARD = re.compile(r"([a-z])([0-9]+)|([0-9]+)([a-z])|([0-9]+):([0-9]+)", re.ASCII)
_PILE = re.compile(r"([a-z]|[0-9]+:)(?:([0-9]+|S)|((?:-(?:[0-9]+|S))+))", re.ASCII)
_HINTS = re.compile(r"(?:[+-](?:[a-zA-Z]|[0-9]+:?))+", re.ASCII)
_PRODUCT = re.compile(r"([a-zA-RT-Z]*)([0-9S]*)", re.ASCII)

_KEYWORDS = (
    *("variant", "rules", "copies", "names", "piles", "discards", "hand", "deck", "left"),
    *("hints", "lives", "turns", "turn", "seat", "barred"),
)
_KEYS = tuple("hands" if each == "hand" else each for each in _KEYWORDS)
_REMARKS = ("about", "id")
_KINDS = ("color", "rank")
_HIDDEN = "?"
_LINE = 78
_LONGEST = 10_000  # letters about one card
_MOST_SUITS, _MOST_COPIES = 30, 99


class _Word(NamedTuple):
    """A word of the input, and its place for error messages."""

    text: str
    place: str

    def error(self, message: str) -> InvalidInputError:
        """Return the error for this word."""
        return InvalidInputError(f"{self.place}: {quote(self.text)} {message}")


@dataclass(slots=True)
class _Sections:
    """The words of each section; `hand` and `copies` may be given several times."""

    words: dict[str, list[_Word]] = field(default_factory=dict)
    hands: list[list[_Word]] = field(default_factory=list)
    copies: list[list[_Word]] = field(default_factory=list)
    rules: object = None

    def one(self, name: str) -> _Word | None:
        """Return the only word of a section, or None without the section."""
        if name not in self.words:
            return None
        words = self.words[name]
        if len(words) != 1:
            raise InvalidInputError(f"{name}: {counted(len(words), 'word')}, not one")
        return words[0]

    def number(self, name: str) -> int | None:
        """Return the number in a section, or None without the section."""
        word = self.one(name)
        return None if word is None else _number(word)


def _number(word: _Word) -> int:
    if not (word.text.isascii() and word.text.isdigit() and len(word.text) <= 9):
        raise word.error("is not a whole number")
    return int(word.text)


# Reading the two forms into sections.


def is_position(text: str) -> bool:
    r"""Return whether a text begins with the word `position`, after blanks and comments.

    >>> is_position("# an endgame\nposition\npiles r3"), is_position("hand 1 r2 r1")
    (True, False)
    """
    return _START.match(text) is not None


def parse_position(text: str) -> PositionInput:
    r"""Read the text form of a position. O(length).

    Raises
    ------
    InvalidInputError
        If a word is wrong (the message gives line and column), or the cards are not those of the
        deck.

    >>> given = parse_position("position copies 2,2 piles r1 hand r1 hand r2(2) deck r2 hints 1")
    >>> given.piles, given.discards, given.hands[1]
    (((1,),), (), (Card(color=0, rank=2),))
    """
    found, current = _Sections(), list[_Word]()
    is_new = False  # whether the last word was a keyword
    words = _placed(plain_text(text))
    first = next(words)
    if first.text.lower() not in ("position", "position:"):
        raise first.error("is not the word 'position'")
    for word in words:
        place = word.place
        name, _, rest = word.text.partition(":")
        name = name.lower()
        if name in _KEYWORDS:
            current, is_new = [_Word(rest, place)] if rest else [], not rest
            if name in ("hand", "copies"):
                (found.hands if name == "hand" else found.copies).append(current)
            elif name in found.words:
                raise InvalidInputError(f"{place}: {quote(name)} is given twice")
            else:
                found.words[name] = current
        elif word.text in ("=", ":") and is_new:
            continue
        elif not found.words and not found.hands and not found.copies:
            raise word.error(f"is not a keyword of a position: there are {', '.join(_KEYWORDS)}")
        else:
            current.append(word)
            is_new = False
    rules = found.one("rules")
    found.rules = None if rules is None else rules.text
    return _settled(found)


def _placed(text: str) -> Iterator[_Word]:
    """Yield the words of a text that are not in comments."""
    line, before, at = 1, -1, 0  # the line, the line end before it, and the last word's place
    for match in _WORD.finditer(text):
        line += text.count("\n", at, match.start())
        before = max(before, text.rfind("\n", at, match.start()))
        at = match.start()
        if match.group()[0] != "#":
            yield _Word(match.group(), f"line {line}, column {at - before}")


def position_from_json(data: dict[str, object]) -> PositionInput:
    """Read the JSON form of a position: an object with `hands`. O(length).

    Raises
    ------
    InvalidInputError
        If a piece is wrong (the message gives its path, as in `hands[1][3]`), or the cards are not
        those of the deck.

    >>> position_from_json({"hands": ["r1", "r2"], "copies": [[2, 2]], "left": "r1 r2", "hints": 1})
    ... # doctest: +ELLIPSIS
    PositionInput(spec=DeckSpec(copies=((2, 2),)), piles=((),), discards=(), ...
    """
    refuse_typos(data, (*_KEYS, *_REMARKS))
    for key in data:
        if key not in _KEYS and key not in _REMARKS:
            raise InvalidInputError(f"unknown key {quote(key)}: a position has {', '.join(_KEYS)}")
    found = _Sections(rules=data.get("rules"))
    for key, value in data.items():
        if key == "hands":
            found.hands = [_words(hand, path) for hand, path in as_items(value, key)]
        elif key == "copies":
            found.copies = [_words(row, path) for row, path in as_items(value, key)]
        elif key == "names":
            found.words[key] = [_Word(as_text(x, path), path) for x, path in as_items(value, key)]
        elif key == "variant" and isinstance(value, str):
            found.words[key] = [_Word(value, key)]
        elif key not in ("rules", *_REMARKS):
            found.words[key] = _words(value, key)
    return _settled(found)


def _words(value: object, path: str) -> list[_Word]:
    """Return the words of a string, a number or an array of these."""
    if isinstance(value, str):
        return [_Word(word, path) for word in re.split(r"[\s,;]+", value) if word]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [_Word(str(value), path)]
    if not isinstance(value, list):
        raise InvalidInputError(f"{path}: {show(value)} is neither words nor a number")
    found = []
    for item, where in as_items(value, path):
        words = [] if isinstance(item, list) else _words(item, where)
        if len(words) != 1:
            raise InvalidInputError(f"{where}: {show(item)} is not one word or number")
        found += words
    return found


# The words for cards and hints of a deck.


class _Names:
    """The words for the cards, suits and hints of a deck, plain or of a variant."""

    def __init__(self, spec: DeckSpec, variant: Variant | None) -> None:
        self.spec, self.variant = spec, variant
        self.letters = COLOR_LETTERS[: spec.colors] if spec.colors <= len(COLOR_LETTERS) else ""
        self.clue_letters = self.letters
        self.clue_ranks = tuple(range(1, spec.ranks + 1))
        if variant is not None:
            self.letters = variant.letters
            self.clue_letters = letters_of(variant.clue_colors)
            self.clue_ranks = variant.clue_ranks
        self.cards = frozenset(card for card, copies in spec.counts().items() if copies)
        # What hints can leave possible: without a variant, colors and ranks independently.
        self.kinds = self.cards
        if variant is None:
            self.kinds = frozenset(
                Card(color, rank) for color in range(spec.colors) for rank in self.clue_ranks
            )

    def card(self, word: _Word, text: str) -> Card:
        """Return the card that a text means."""
        card = None
        match = _CARD.fullmatch(text.lower())
        if self.variant is not None:
            card = self.variant.card_by(self.letters, text)
        elif match is not None and len(text) < 12:
            letter = match[1] or match[4]
            color = self.color(letter) if letter else int(match[5])
            card = None if color is None else Card(color, int(match[2] or match[3] or match[6]))
        if card is None or card not in self.cards:
            raise word.error(f"is not a card of {self.deck_in_words}")
        return card

    @property
    def deck_in_words(self) -> str:
        """The deck, for messages."""
        suits = " ".join(self.letters) or f"0 .. {self.spec.colors - 1}"
        name = "this deck" if self.variant is None else self.variant.name
        return f"{name}, of suits {suits} and ranks 1 .. {self.spec.ranks}"

    def color(self, letter: str) -> int | None:
        """Return the number of a suit by its letter, or None."""
        if self.variant is not None:
            at = self.letters.find(letter.lower())
            return None if at < 0 else at
        try:
            color = parse_color(letter)
        except InvalidInputError:
            return None
        return color if color < self.spec.colors and not letter.isdigit() else None

    def format(self, card: Card) -> str:
        """Return the text form of a card."""
        if self.variant is not None:
            return self.variant.format_card(*card)
        return format_card(*card, self.spec.colors)

    def rank(self, text: str) -> int:
        """Return a rank by its digits, or S for START; 0 if there is none such."""
        if text == "S":
            return (self.variant.start_rank or 0) if self.variant is not None else 0
        rank = int(text[-9:])
        is_start = self.variant is not None and rank == self.variant.start_rank
        return 0 if is_start or rank > self.spec.ranks else rank

    def rank_label(self, rank: int) -> str:
        """Return the text form of a rank."""
        is_start = self.variant is not None and rank == self.variant.start_rank
        return "S" if is_start else str(rank)

    def orders(self, color: int) -> tuple[tuple[int, ...], ...]:
        """Return the orders in which a pile can be built."""
        if self.variant is not None:
            return self.variant.orders(color)
        return (tuple(range(1, len(self.spec.copies[color]) + 1)),)

    def pile(self, word: _Word) -> tuple[int, tuple[int, ...]]:
        """Return the color of a pile, and the ranks on it in the order of play."""
        match = _PILE.fullmatch(word.text[:1].lower() + word.text[1:].upper())
        color = None
        if match is not None:
            head = match[1]
            color = int(head[:-1][-9:]) if head[-1] == ":" else self.color(head)
        if match is None or color is None or color >= self.spec.colors:
            raise word.error(f"is not a pile of {self.deck_in_words}, such as r3, r0 or r-5-4-3")
        if match[2] == "0":
            return color, ()
        labels = [match[2]] if match[2] else match[3].split("-")[1:]
        ranks = tuple(self.rank(label) for label in labels)
        orders = self.orders(color)
        places = dict.fromkeys(each[:n] for each in orders for n in range(1, len(each) + 1))
        if match[3]:
            if ranks not in places:
                raise word.error("cannot be built in this order")
            return color, ranks
        ending = [place for place in places if place[-1] == ranks[0]]
        if not ending:
            raise word.error(f"is not a pile of {self.deck_in_words}, such as r3, r0 or r-5-4-3")
        if len(ending) > 1:
            ways = (self._in_order(color, place) for place in ending)
            raise word.error(
                f"can be built in {len(ending)} ways: write the cards in order, as in {next(ways)}"
            )
        return color, ending[0]

    def format_pile(self, color: int, ranks: tuple[int, ...]) -> str:
        """Return the text form of a pile: its top card, or all if the top does not say the rest."""
        places = {each[:n] for each in self.orders(color) for n in range(1, len(each) + 1)}
        is_plain = sum(place[-1] == ranks[-1] for place in places) == 1
        return self.format(Card(color, ranks[-1])) if is_plain else self._in_order(color, ranks)

    def _in_order(self, color: int, ranks: tuple[int, ...]) -> str:
        labels = [self.rank_label(rank) for rank in ranks]
        head = self.format(Card(color, ranks[0])).removesuffix(labels[0])
        return "-".join([head, *labels])

    def known(self, word: _Word, text: str) -> frozenset[Card]:
        """Return the cards that are possible by what is written in parentheses."""
        if len(text) > _LONGEST:
            raise word.error(f"says more than {_LONGEST:,} letters of a card")
        if text[:1] in ("+", "-"):
            possible = self._after_hints(word, text)
        else:
            possible = frozenset().union(*(self._product(word, each) for each in text.split("|")))
        if not possible:
            raise word.error("leaves no card possible")
        return possible

    def _product(self, word: _Word, text: str) -> frozenset[Card]:
        if ":" in text:
            return frozenset((self.card(word, text),))
        match = _PRODUCT.fullmatch(text)
        if not text or match is None:
            raise word.error(f"says {quote(text)} of a card: expected suits and ranks, or hints")
        colors = [self.color(letter) for letter in match[1]]
        ranks = [self.rank(label) for label in match[2]]
        if None in colors or 0 in ranks:
            raise word.error(f"says {quote(text)} of a card: not of {self.deck_in_words}")
        return frozenset(
            card
            for card in self.kinds
            if (not colors or card.color in colors) and (not ranks or card.rank in ranks)
        )

    def _after_hints(self, word: _Word, text: str) -> frozenset[Card]:
        if _HINTS.fullmatch(text) is None:
            raise word.error(f"says {quote(text)} of a card: expected hints, such as +b-5")
        possible = self.kinds
        for sign, name in re.findall(r"([+-])([a-zA-Z]|[0-9]+:?)", text):
            touched = self._touched(name)
            if touched is None:
                colors = " ".join(self.clue_letters) or f"0: .. {self.spec.colors - 1}:"
                ranks = " ".join(map(str, self.clue_ranks))
                raise word.error(f"says {quote(name)}: hints name {colors} {ranks}".rstrip())
            possible = possible & touched if sign == "+" else possible - touched
        return possible

    def _touched(self, name: str) -> frozenset[Card] | None:
        """Return the cards that a hint touches, or None if there is no such hint."""
        variant = self.variant
        if name.isdigit():
            value = int(name[-9:])
            if value not in self.clue_ranks:
                return None
            if variant is None:
                return frozenset(card for card in self.kinds if card.rank == value)
            return frozenset(card for card in self.kinds if variant.touches_rank(value, *card))
        if variant is None:
            color = int(name[:-1][-9:]) if name[-1] == ":" else self.color(name)
            if color is None or color >= self.spec.colors:
                return None
            return frozenset(card for card in self.kinds if card.color == color)
        value = self.clue_letters.find(name.lower())
        if value < 0 or name[-1] == ":":
            return None
        return frozenset(card for card in self.kinds if variant.touches_color(value, *card))

    def format_known(self, known: frozenset[Card]) -> str:
        """Return cards as suits and ranks, as `known` reads them."""
        if not self.letters or self.spec.ranks > 9 + (self.variant is not None):
            return "|".join(f"{card.color}:{card.rank}" for card in sorted(known))
        ranks_of: dict[int, list[int]] = {}
        for card in sorted(known):
            ranks_of.setdefault(card.color, []).append(card.rank)
        colors = sorted(ranks_of)
        together = {rank for ranks in ranks_of.values() for rank in ranks}
        if known == self._all(colors, together):
            return self._part(colors, together)
        parts: dict[tuple[int, ...], list[int]] = {}
        for color in colors:
            parts.setdefault(tuple(ranks_of[color]), []).append(color)
        return "|".join(self._part(of, ranks) for ranks, of in parts.items())

    def _all(self, colors: Iterable[int], ranks: Iterable[int]) -> frozenset[Card]:
        of, among = set(colors), set(ranks)
        return frozenset(each for each in self.kinds if each.color in of and each.rank in among)

    def _part(self, colors: Sequence[int], ranks: Iterable[int]) -> str:
        suits = "".join(self.letters[color] for color in colors)
        labels = "".join(map(self.rank_label, sorted(ranks)))
        part = self._all(colors, ranks)
        for text, cards in (
            (suits, self._all(colors, range(1, self.spec.ranks + 1))),
            (labels, self._all(range(self.spec.colors), ranks)),
        ):
            if part == cards:
                return text
        return suits + labels


# From sections to a position.


def _settled(found: _Sections) -> PositionInput:
    """Return the position, after its cards were counted."""
    variant, spec = _deck_of(found)
    names = _Names(spec, variant)
    if len(found.hands) not in PLAYER_COUNTS:
        raise InvalidInputError(f"{counted(len(found.hands), 'hand')}: a position has 2 to 6")
    piles: list[tuple[int, ...] | None] = [None] * spec.colors
    count = _Count(names)
    for word in found.words.get("piles", ()):
        color, ranks = names.pile(word)
        if piles[color] is not None:
            raise word.error("is a second pile of its suit")
        piles[color] = ranks
        count.take(word, [Card(color, rank) for rank in ranks])
    discards = [names.card(word, word.text) for word in found.words.get("discards", ())]
    for word, card in zip(found.words.get("discards", ()), discards, strict=True):
        count.take(word, [card])
    hands, known = _hands(found, names, count)
    n_hidden = sum(card is None for hand in hands for card in hand)
    deck, rest = _deck(found, names, count, n_hidden)
    return PositionInput(
        spec=spec,
        piles=tuple(pile or () for pile in piles),
        discards=tuple(sorted((*discards, *rest))),
        hands=hands,
        known=known,
        deck=deck,
        hints=_tokens(found),
        lives=found.number("lives"),
        seat=found.number("seat") or 0,
        turns_left=found.number("turns"),
        turn=found.number("turn"),
        barred=_barred(found),
        variant=None if variant is None else variant.name,
        rules=found.rules,
        names=_player_names(found),
    )


def _deck_of(found: _Sections) -> tuple[Variant | None, DeckSpec]:
    """Return the variant, if one is named, and all cards."""
    variant = None
    word = found.one("variant")
    if word is not None:
        try:
            is_number = word.text.isdecimal() and len(word.text) < 10
            variant = find_variant(int(word.text) if is_number else word.text)
        except InvalidInputError as error:
            raise InvalidInputError(f"{word.place}: {error}") from None
    if not found.copies:
        return variant, DeckSpec.standard() if variant is None else variant.spec
    if len(found.copies) > _MOST_SUITS:
        raise InvalidInputError(f"copies: {len(found.copies):,} suits, at most {_MOST_SUITS}")
    rows = [tuple(map(_number, row[: _MOST_SUITS + 1])) for row in found.copies]
    for number, row in enumerate(rows):
        if not 0 < len(row) <= _MOST_SUITS or max(row) > _MOST_COPIES:
            raise InvalidInputError(
                f"copies: suit {number} has 1 to {_MOST_SUITS} numbers, each at most {_MOST_COPIES}"
            )
    return variant, DeckSpec(tuple(rows))


class _Count:
    """The copies of each card that are not yet somewhere."""

    def __init__(self, names: _Names) -> None:
        self.left, self._names = names.spec.counts(), names

    def take(self, word: _Word, cards: Iterable[Card]) -> None:
        """Remove cards, which a word names."""
        for card in cards:
            if self.left[card] <= 0:
                copies = counted(self._names.spec.counts()[card], "copy", "copies")
                name = self._names.format(card)
                raise word.error(f"is one {name} too many: the deck has {copies}")
            self.left[card] -= 1

    def named(self) -> str:
        """Return the cards that are nowhere yet, for messages."""
        cards = sorted(self.left.elements())
        shown = " ".join(map(self._names.format, cards[:6]))
        return f"{shown} ..." if len(cards) > 6 else shown


def _hands(
    found: _Sections, names: _Names, count: _Count
) -> tuple[tuple[tuple[Card | None, ...], ...], tuple[tuple[frozenset[Card] | None, ...], ...]]:
    hands: list[tuple[Card | None, ...]] = []
    known: list[tuple[frozenset[Card] | None, ...]] = []
    for seat, words in enumerate(found.hands):
        cards, possible = list[Card | None](), list[frozenset[Card] | None]()
        if len(words) > names.spec.size:
            raise InvalidInputError(
                f"hand of seat {seat}: {len(words):,} cards, of {names.spec.size} in the deck"
            )
        for word in words:
            match = _HELD.fullmatch(word.text)
            if match is None:
                raise word.error("is not a card in hand, such as b4, b4(+b) or ?(45)")
            card = None if match[1] == _HIDDEN else names.card(word, match[1])
            if card is not None:
                count.take(word, [card])
            if cards and (card is None) != (cards[0] is None):
                raise word.error("does not fit: a hand is hidden as a whole, or not at all")
            allowed = None if match[2] is None else names.known(word, match[2])
            if allowed is not None and card is not None and card not in allowed:
                raise word.error("is a card that its own hints exclude")
            cards.append(card)
            possible.append(None if allowed == names.kinds else allowed)
        if cards and cards[0] is None and seat != (found.number("seat") or 0):
            raise words[0].error("hides a hand that is not that of the seat to act")
        hands.append(tuple(cards))
        known.append(tuple(possible))
    return tuple(hands), tuple(known)


def _deck(
    found: _Sections, names: _Names, count: _Count, n_hidden: int
) -> tuple[tuple[Card | None, ...], list[Card]]:
    """Return the cards to draw, and the discards that follow from the rest if none are given."""
    words, has_discards = found.words.get("deck"), "discards" in found.words
    left = found.words.get("left")
    if words is not None and left is not None:
        raise InvalidInputError("give 'deck' or 'left', not both")
    size = None
    if words is not None and len(words) == 1 and words[0].text.isdecimal():
        size, words = _number(words[0]), None
    if words is None and left is None and not has_discards:
        raise InvalidInputError(
            "give 'discards', or the cards to draw: 'deck' in order or 'left' in any order"
        )
    cards = [
        None if word.text == _HIDDEN and left is None else names.card(word, word.text)
        for word in words or left or ()
    ]
    pool = count.left.total()  # cards to draw and in a hidden hand, if all discards are given
    for word, card in zip(words or left or (), cards, strict=True):
        count.take(word, () if card is None else [card])
    if left is not None:
        if has_discards and count.left.total():
            raise InvalidInputError(
                f"left: {count.named()} missing: neither on a pile, discarded, in a hand nor left"
            )
        pool = len(cards)
    elif words is not None:
        if n_hidden and any(card is not None for card in cards):
            raise InvalidInputError(
                "deck: with a hidden hand the order of the deck cannot be known: give 'left',"
                " which has the cards of the hidden hand, too"
            )
        gap = cards.index(None) if None in cards else len(cards)
        if any(card is not None for card in cards[gap:]):
            raise words[gap].error("stands for a card that is drawn before one that is known")
        if not has_discards and None in cards:
            raise InvalidInputError("deck: with cards that are not known, 'discards' are needed")
        pool, size = pool if has_discards else len(cards), len(cards)
    drawable = pool - n_hidden
    if drawable < 0:
        raise InvalidInputError(
            f"{counted(pool, 'card')} left for a hidden hand of {counted(n_hidden, 'card')}"
        )
    if size is not None and size != drawable:
        are = "is" if drawable == 1 else "are"
        named = f" ({count.named()})" if count.left.total() and not n_hidden else ""
        raise InvalidInputError(
            f"deck: {counted(size, 'card')} to draw, but {drawable} {are} neither on a pile,"
            f" discarded nor in a hand{named}"
        )
    rest = [] if has_discards else sorted(count.left.elements())
    known = cards if left is None and words is not None else [None] * drawable
    kinds = set(count.left.elements() if left is None else cards)
    if not n_hidden and len(kinds) == 1 and (has_discards or left is not None):
        known = [card or next(iter(kinds)) for card in known]  # only one order is possible
    return tuple(known), rest


def _tokens(found: _Sections) -> Fraction:
    word = found.one("hints")
    if word is None:
        raise InvalidInputError("hints: missing (the number of hint tokens left)")
    whole, dot, half = word.text.partition(".")
    if dot and half in ("0", "5") and whole.isdecimal():
        return _number(_Word(whole, word.place)) + Fraction(int(half), 10)
    return Fraction(_number(word))


def _barred(found: _Sections) -> str | None:
    word = found.one("barred")
    if word is None:
        return None
    if word.text.lower() not in _KINDS:
        raise word.error("is not a kind of hint: color or rank")
    return word.text.lower()


def _player_names(found: _Sections) -> tuple[str, ...]:
    names = tuple(word.text for word in found.words.get("names", ()))
    if names and len(names) != len(found.hands):
        raise InvalidInputError(
            f"names: {counted(len(names), 'name')} for {counted(len(found.hands), 'hand')}"
        )
    return names


# Writing both forms.


def format_position(given: PositionInput) -> str:
    """Write the text form of a position; `parse_position` reads it back.

    Raises
    ------
    InvalidInputError
        If its rules have no name: the JSON form has a place for them.

    >>> given = parse_position("position copies 2,2 piles r1 hand r1 hand r2(2) deck r2 hints 1")
    >>> print(format_position(given))
    position
    copies 2 2
    piles r1
    discards
    hand r1
    hand r2(2)
    deck r2
    hints 1
    seat 0
    """
    if given.rules is not None and not isinstance(given.rules, str):
        raise InvalidInputError("rules: the text form has no place for them; write JSON")
    lines = ["position"]
    for key, value in position_to_json(given).items():
        rows = value if isinstance(value, list) and key in ("hands", "copies") else [value]
        name = "hand" if key == "hands" else key
        if key == "variant":
            rows = [find_variant(str(value)).id]
        if key == "names" and not _are_words(given.names):
            continue
        for row in rows:
            words = " ".join(map(str, row)) if isinstance(row, list) else row
            lines += _wrapped(f"{name} {words}".rstrip())
    return "\n".join(lines)


def _are_words(names: Iterable[str]) -> bool:
    """Whether names can be written as words of the text form."""
    return all(
        _WORD.fullmatch(name) and name != "=" and name.partition(":")[0].lower() not in _KEYWORDS
        for name in names
    )


def _wrapped(line: str) -> Iterator[str]:
    while len(line) > _LINE and (at := line.rfind(" ", 0, _LINE + 1)) > 0:
        yield line[:at]
        line = line[at + 1 :]
    yield line


def position_to_json(given: PositionInput) -> dict[str, object]:
    """Return a position ready for `json.dumps`; `position_from_json` reads it back.

    >>> given = parse_position("position copies 2,2 piles r1 hand r1 hand r2(2) deck r2 hints 1")
    >>> position_to_json(given)["hands"]
    [['r1'], ['r2(2)']]
    """
    variant = None if given.variant is None else find_variant(given.variant)
    names = _Names(given.spec, variant)
    standard = DeckSpec.standard() if variant is None else variant.spec
    hints = given.hints
    known = [card for card in given.deck if card is not None]
    deck: object = [_HIDDEN if card is None else names.format(card) for card in given.deck]
    entries = {
        "variant": given.variant,
        "rules": given.rules,
        "copies": None if given.spec == standard else [list(row) for row in given.spec.copies],
        "names": list(given.names) or None,
        "piles": [names.format_pile(color, pile) for color, pile in enumerate(given.piles) if pile],
        "discards": [names.format(card) for card in given.discards],
        "hands": [
            [_held(names, *each) for each in zip(hand, possible, strict=True)]
            for hand, possible in zip(given.hands, given.known, strict=True)
        ],
        "deck": deck if known else len(given.deck),
        "hints": int(hints) if hints.denominator == 1 else float(hints),
        "lives": given.lives,
        "turns": given.turns_left,
        "seat": given.seat,
        "turn": given.turn,
        "barred": given.barred,
    }
    return {key: value for key, value in entries.items() if value is not None}


def _held(names: _Names, card: Card | None, known: frozenset[Card] | None) -> str:
    text = _HIDDEN if card is None else names.format(card)
    return text if known is None else f"{text}({names.format_known(known)})"
