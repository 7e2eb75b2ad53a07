"""The text form: cards as words, with comments and a few directives.

Words are separated by blanks, line ends, commas or semicolons; `#` starts a comment that runs to
the end of its line. A card is `r1` or `1r` (colors r y g b p t; w for p, m for t; either case),
`12:7` (color number, counted from 0, and rank), or a bare number if there is only one color.
After `variant 16`, the letters are those of that variant's suits, and `rS` is a START card.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from hanabi.ground import InvalidInputError, quote
from hanabi.rules.cards import Card, format_card, parse_color
from hanabi.rules.deck import Deck
from hanabi.rules.notation.files import plain_text
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.notation.record import MOST, PLAYER_COUNTS, DeckInput, GameRecord, SolitaireInput
from hanabi.rules.variants import Variant, find_variant

__all__ = ["format_text", "parse_cards", "parse_text"]

_WORD = re.compile(r"#[^\n]*|=|[^\s,;#=]+")
_CARD = re.compile(
    r"([rygbptwm])([0-9]+)|([0-9]+)([rygbptwm])|([0-9]+):([0-9]+)|([0-9]+)",
    re.ASCII | re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+")
_DIRECTIVE = re.compile(
    r"(hand|values|colors|players|variant)(?::([0-9]*))?", re.ASCII | re.IGNORECASE
)

# Both letters of a pair name the same color. A text with both means two colors, one unknown.
_ALIASES = (("p", "w"), ("t", "m"))

_LINE = 78


@dataclass(slots=True)
class _CardReader:
    """The cards read so far, and the offset at which each piece first appeared."""

    text: str
    by_line: bool = True
    cards: list[Card] = field(default_factory=list)
    known: dict[str, Card] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    letters: dict[str, str] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    variant: Variant | None = None
    matches: Iterator[re.Match[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.matches = _WORD.finditer(self.text)

    def fail(self, offset: int, message: str) -> InvalidInputError:
        """Return the error for the piece at `offset`."""
        if not self.by_line:
            return InvalidInputError(f"character {offset + 1}: {message}")
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return InvalidInputError(f"line {line}, column {column}: {message}")

    def new_words(self) -> Iterator[tuple[str, int]]:
        """Append the cards of known words and yield every other word. O(length)."""
        known, cards = self.known, self.cards
        for match in self.matches:
            word = match.group()
            card = known.get(word)
            if card is not None:
                cards.append(card)
            elif word[0] != "#":
                yield word, match.start()

    def argument(self, *, equals: bool) -> str:
        """Return the next word, after an equals sign if `equals`."""
        for match in self.matches:
            word = match.group()
            if word[0] == "#":
                continue
            if equals and word in ("=", ":"):
                return self.argument(equals=False)
            return word
        return ""

    def number(self, digits: str, offset: int) -> int:
        """Return the number written in `digits`, at most MOST."""
        # Python refuses to convert thousands of digits; ten are enough to decide.
        number = int(digits[-10:])
        if number > MOST or digits[:-10].strip("0"):
            raise self.fail(offset, f"{quote(digits)} is too large: at most {MOST}")
        return number

    def learn(self, word: str, offset: int) -> None:
        """Append the card that `word` names, and remember the word."""
        if self.variant is None:
            card = self.plain_card(word, offset)
        else:
            found = self.variant.find_card(word)
            if found is None:
                suits = " ".join(self.variant.letters)
                raise self.fail(
                    offset, f"{quote(word)} is not a card of {self.variant.name}, of suits {suits}"
                )
            card = Card(*found)
        self.known[word] = card
        self.offsets[word] = offset
        self.cards.append(card)

    def plain_card(self, word: str, offset: int) -> Card:
        """Return the card that `word` names if there is no variant."""
        match = _CARD.fullmatch(word)
        if match is None:
            more = ", JSON, or a hanab.live link or seed" if self.by_line and not self.known else ""
            raise self.fail(offset, f"{quote(word)} is not a card (such as r1, 1r or 12:7){more}")
        letter = (match[1] or match[4] or "").lower()
        number = match[5]
        color = parse_color(letter) if letter else self.number(number or "0", offset)
        self.kinds.add("colored" if letter or number else "bare")
        if len(self.kinds) == 2:
            raise self.fail(
                offset, f"{quote(word)}: bare numbers and cards with a color do not mix"
            )
        self.letters.setdefault(letter, word)
        for one, other in _ALIASES:
            if one in self.letters and other in self.letters:
                earlier = self.letters[other if letter == one else one]
                raise self.fail(
                    offset,
                    f"{quote(word)} after {quote(earlier)}: {one} and {other} name the same color",
                )
        value = self.number(match[2] or match[3] or match[6] or match[7], offset)
        if value == 0:
            raise self.fail(offset, f"{quote(word)} has value 0: values count from 1")
        return Card(color, value)

    def begin_variant(self, number: int, offset: int) -> None:
        """Read all further cards as cards of a variant."""
        if self.cards:
            raise self.fail(offset, "'variant' says how cards are written: it comes before them")
        try:
            self.variant = find_variant(number)
        except InvalidInputError as error:
            raise self.fail(offset, str(error)) from None

    def settled(self) -> tuple[list[Card], tuple[str, ...]]:
        """Decide which letters the text uses; return its cards, and remarks.

        In four variants, two suits have swapped letters, or one suit has another's former letter.
        Their texts are read with whichever letters explain every word. If both do, the letters
        that give the variant's deck are used. A text that stays ambiguous is refused.
        """
        variant = self.variant
        if variant is None:
            return self.cards, ()
        by = variant.letters, variant.former_letters
        site, former = ({word: variant.card_by(each, word) for word in self.known} for each in by)
        for word, card in site.items():
            other = former[word]
            if card is not None and other is not None and card != other:
                break
        else:
            return self.cards, _remarks(variant) if None in site.values() else ()
        words = [each for each in _WORD.findall(self.text) if each in self.known]
        whole = [each for each in (site, former) if None not in each.values()]
        decks = [[each for word in words if (each := read[word]) is not None] for read in whole]
        if len(decks) != 1:
            decks = [deck for deck in decks if Counter(deck) == variant.spec.counts()]
        if len(decks) != 1:
            suits = [variant.suits[each.color].name for each in (card, other)]
            raise self.fail(
                self.offsets[word],
                f"{quote(word)} is {suits[0]} by hanab.live's letters, {' '.join(by[0])},"
                f" and {suits[1]} by the former ones, {' '.join(by[1])}: write JSON",
            )
        is_former = decks[0] != self.cards or None in site.values()
        return decks[0], _remarks(variant) if is_former else ()

    def check_limits(self, n: int | None, c: int | None) -> None:
        """Refuse the first card beyond the declared numbers of values and colors."""
        for word, (color, value) in self.known.items():
            if n is not None and value > n:
                declared = f"values {n}"
            elif c is not None and color >= c:
                declared = f"colors {c}"
            else:
                continue
            raise self.fail(
                self.offsets[word], f"card {quote(word)} is beyond the declared {declared}"
            )


def _remarks(variant: Variant) -> tuple[str, ...]:
    now, former = map(" ".join, (variant.letters, variant.former_letters))
    return (f"Note: suits are read by their former letters, {former}; they are {now} now.",)


def parse_cards(text: str) -> Deck:
    """Return the cards of a text without directives.

    Raises InvalidInputError if a word is not a card; the message gives the 1-based character where
    it starts.

    >>> parse_cards("b5 p4, 1r")
    <Deck of 3 cards: b5 p4 r1>
    """
    reader = _CardReader(plain_text(text), by_line=False)
    for word, offset in reader.new_words():
        reader.learn(word, offset)
    return Deck(reader.cards)


def parse_text(text: str) -> SolitaireInput | DeckInput | GameRecord:
    r"""Read the text form. O(length).

    Each directive may stand anywhere, but only once: `hand 2` (hand size), `values 6`, `colors 2`,
    and `players 3`, which makes the cards a deck dealt to players. `hand: 2` and `hand = 2` work,
    too. With players, `variant 16` (the variant's number) may stand before the cards.

    Raises
    ------
    InvalidInputError
        If a word is neither a card nor a directive, a directive is repeated or contradicted, or
        there are no cards. The message gives line and column.

    >>> parse_text("hand 2  # two slots\nr1 2y, 1:1")
    SolitaireInput(cards=<Deck of 3 cards: r1 y2 y1>, hand_size=2, n=None, c=None)
    """
    reader = _CardReader(plain_text(text))
    found: dict[str, tuple[int, int]] = {}
    for word, offset in reader.new_words():
        directive = _DIRECTIVE.fullmatch(word)
        if directive is None:
            reader.learn(word, offset)
            continue
        name = directive[1].lower()
        if name in found:
            raise reader.fail(offset, f"{quote(name)} is given twice")
        digits = directive[2] or reader.argument(equals=directive[2] is None)
        if not _NUMBER.fullmatch(digits):
            raise reader.fail(offset, f"{quote(word)} needs a number, not {quote(digits)}")
        found[name] = reader.number(digits, offset), offset
        if name == "variant":
            reader.begin_variant(found[name][0], offset)
    return _result(reader, found)


def _result(
    reader: _CardReader, found: dict[str, tuple[int, int]]
) -> SolitaireInput | DeckInput | GameRecord:
    hand, n, c, players = (
        found[name][0] if name in found else None
        for name in ("hand", "values", "colors", "players")
    )
    if not reader.cards:
        raise InvalidInputError("there are no cards in it")
    reader.check_limits(n, c)
    read, remarks = reader.settled()
    cards = Deck(read)
    if players is None:
        if reader.variant is not None:
            raise reader.fail(found["variant"][1], "'variant' needs 'players'")
        return SolitaireInput(cards, hand, n, c)
    offset = found["players"][1]
    if hand is not None:
        raise reader.fail(offset, "give 'hand' or 'players', not both")
    if players not in PLAYER_COUNTS:
        raise reader.fail(offset, f"'players' {players} is not in 2 .. 6")
    if reader.variant is None:
        return DeckInput(players, cards, n, c)
    if n is not None or c is not None:
        raise reader.fail(offset, "give 'variant', or 'values' and 'colors', not both")
    names = DEFAULT_NAMES[:players]
    return GameRecord(players, cards, variant=reader.variant.name, names=names, remarks=remarks)


def format_text(given: SolitaireInput | DeckInput | GameRecord) -> str:
    """Write the text form, in lines of at most 78 characters; `parse_text` reads it back.

    Of a game, only the table and the deck are written.

    >>> print(format_text(SolitaireInput(Deck([(0, 1), (1, 2)]), hand_size=2)))
    hand 2
    r1 y2
    """
    directives: tuple[tuple[str, int | None], ...]
    if isinstance(given, GameRecord):
        variant = given.variant_data
        directives = (("players", given.players), ("variant", variant.id))
        cards = [variant.format_card(*card) for card in given.deck]
    elif isinstance(given, DeckInput):
        if given.rules is not None:
            raise InvalidInputError("rules: the text form has no place for them; write JSON")
        directives = (("players", given.players), ("values", given.n), ("colors", given.c))
        cards = _named(given.deck)
    else:
        directives = (("hand", given.hand_size), ("values", given.n), ("colors", given.c))
        cards = _named(given.cards)
    lines = [f"{name} {number}" for name, number in directives if number is not None]
    line = ""
    for card in cards:
        if line and len(line) + 1 + len(card) > _LINE:
            lines.append(line)
            line = card
        else:
            line = f"{line} {card}" if line else card
    return "\n".join([*lines, line])


def _named(cards: Deck) -> list[str]:
    colors = max((card.color + 1 for card in cards), default=0)
    return [format_card(*card, colors) for card in cards]
