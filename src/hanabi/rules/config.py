"""Rule sets of the full game: everything that is fixed before the first card is dealt.

The published rule sets differ in few points. `official` is the printed game as [Baffier2017,
appendix A] gives it; the others are described by their differences from it. Reading a rule set
never imports NumPy or Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from hanabi.ground import InvalidInputError, counted, did_you_mean, naming, printable, quote
from hanabi.rules.actions import Action, Kind, hint_color, hint_rank
from hanabi.rules.deck import STANDARD_COPIES, DeckSpec
from hanabi.rules.notation.record import PLAYER_COUNTS, cards_per_player
from hanabi.rules.notation.strict_json import (
    as_integer,
    as_items,
    as_object,
    as_text,
    load,
    refuse_typos,
    show,
)
from hanabi.rules.variants import Variant, find_variant

__all__ = [
    "DEFAULT_PRESET",
    "HAND_SIZES",
    "MAX_KINDS",
    "MAX_SEATS",
    "MAX_SUITS",
    "PRESETS",
    "Rules",
    "check_seats",
    "choose_rules",
    "read_rules",
    "rules_for_variant",
    "rules_from_json",
    "rules_of_json",
    "rules_to_json",
]

MAX_SUITS = 30
"""Most colors, and most ranks: the knowledge about a card is kept as bits of one machine word."""

MAX_KINDS = 62
"""Most different cards of a variant: the knowledge about a card is a set of them in one word."""

HAND_SIZES: Mapping[int, int] = MappingProxyType(
    {1: 5} | {seats: cards_per_player(seats) for seats in PLAYER_COUNTS}
)
"""Cards in a hand for 1 to 6 seats: 5, 5, 5, 4, 4, 3.

The sizes for two to five seats are printed in the rules; six seats follow hanab.live. No source
gives a hand size for a single player. It is 5 here, as with two players.
"""

MAX_SEATS = max(HAND_SIZES)
"""Most seats at a table."""

_ONE_TURN_A_SEAT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one game, fixed before the deal. Defaults are the printed rules.

    `dataclasses.replace` makes a variation, and changes only the fields that you name. To change
    `seats`, start from a preset instead, so that `hand_size` and `final_round` follow.

    Attributes
    ----------
    spec
        The multiset of cards. A color is complete when its pile holds every rank of its row. Rows
        may differ in length. A card may have no copy; its color is then never complete.
    seats
        Players, 1 to 6. Seat 0 starts and receives its whole hand first.
    hand_size
        Cards dealt to every seat, at least 1.
    hints
        Hint tokens at the start, which is also their maximum. At least 0.
    lives
        Errors that end the game, at least 1.
    completion_bonus
        Whether completing a color gives a hint token back (unless none is spent).
    discard_at_full_hints
        Whether a card may be discarded while no hint token is spent.
    empty_hints
        Whether a hint may touch no card.
    bombed_scores_zero
        Whether the last error forfeits all points. If not, the points on the piles count.
    open_hands
        Whether seats see their own cards.
    final_round
        Turns that remain once the last card has been drawn. The default is the number of seats, so
        that everyone has one more turn, including the player who drew it. Any other number is
        allowed. With None the game goes on until the piles are complete, the lives are spent or
        nobody can act.
    keep_slots
        Whether a new card takes the slot of the card that left. Otherwise, as on hanab.live, the
        newer cards move down one slot and the new card takes the last slot.
    stop_when_stuck
        Whether the game ends as soon as no further point can be scored: every playable card is
        gone, or held by a seat that has had its last turn (hanab.live).
    deck_plays
        Whether the last card of the deck may be played unseen, directly from the deck (hanab.live).
    half_tokens
        Whether a discard or a complete color gives back only half a hint token.
    all_or_nothing
        Whether nothing scores unless all piles are complete: the game ends once that is impossible.
        A seat that has tokens, but no card and no legal hint, then waits forever (hanab.live).
    speedrun
        Whether the game ends with 0 points once completing all piles is impossible (hanab.live).
    variant
        A variant with suits, clues or piles other than the plain ones, or None. `spec` must have
        the variant's shape. A variant sets no other field of the rules by itself; `hanab_live`
        sets those that follow from it.

    Raises
    ------
    InvalidInputError
        If a number is out of range, or the deck is too small for the deal.

    >>> rules = Rules.official(seats=3)
    >>> rules.hand_size, rules.max_score, rules.final_round
    (5, 25, 3)
    >>> small = Rules(spec=DeckSpec.uniform(colors=2, ranks=3, copies=2), seats=2, hand_size=2)
    >>> small.deck_size, small.max_score
    (12, 6)
    """

    spec: DeckSpec
    seats: int
    hand_size: int
    hints: int = 8
    lives: int = 3
    completion_bonus: bool = True
    discard_at_full_hints: bool = False
    empty_hints: bool = True
    bombed_scores_zero: bool = True
    open_hands: bool = False
    final_round: int | None = _ONE_TURN_A_SEAT
    keep_slots: bool = False
    stop_when_stuck: bool = False
    deck_plays: bool = False
    half_tokens: bool = False
    all_or_nothing: bool = False
    speedrun: bool = False
    variant: Variant | None = None

    def __post_init__(self) -> None:
        _check_range("seats", self.seats, 1, MAX_SEATS)
        _check_range("colors", self.colors, 1, MAX_SUITS)
        for color, row in enumerate(self.spec.copies):
            _check_range(f"ranks of color {color}", len(row), 1, MAX_SUITS)
        for name, least in (("hand_size", 1), ("hints", 0), ("lives", 1)):
            _check_range(name, getattr(self, name), least, None)
        if self.final_round == _ONE_TURN_A_SEAT:
            object.__setattr__(self, "final_round", self.seats)
        if self.final_round is not None:
            _check_range("final_round", self.final_round, 0, None)
        if self.variant is not None:
            self._check_variant(self.variant)
        if self.seats * self.hand_size > self.deck_size:
            raise InvalidInputError(
                f"a deck of {counted(self.deck_size, 'card')} is too small for"
                f" {self.seats} hands of {quote(self.hand_size)}"
            )

    def _check_variant(self, variant: Variant) -> None:
        shape, wanted = (tuple(map(len, spec.copies)) for spec in (self.spec, variant.spec))
        if shape != wanted:
            raise InvalidInputError(
                f"spec: {quote(shape)} ranks a suit; {variant.name} has {wanted}"
            )
        if sum(shape) > MAX_KINDS:
            raise InvalidInputError(
                f"{sum(shape)} different cards; a variant has up to {MAX_KINDS}"
            )

    @property
    def colors(self) -> int:
        """Number of colors."""
        return self.spec.colors

    @property
    def ranks(self) -> int:
        """Number of ranks of the longest color."""
        return self.spec.ranks

    @property
    def deck_size(self) -> int:
        """Number of cards, hands included."""
        return self.spec.size

    @property
    def clues(self) -> tuple[Action, ...]:
        """The colors, then the ranks, that a hint can name, as hints to seat 0."""
        colors, ranks = self.colors, tuple(range(1, self.ranks + 1))
        if self.variant is not None:
            colors, ranks = len(self.variant.clue_colors), self.variant.clue_ranks
        return (*(hint_color(0, c) for c in range(colors)), *(hint_rank(0, r) for r in ranks))

    def touches(self, hint: Action, card: tuple[int, int]) -> bool:
        """Whether a hint touches a card (color, rank).

        >>> Rules.hanab_live(2, variant="Rainbow (5 Suits)").touches(hint_color(1, 0), (4, 3))
        True
        """
        color, rank = card
        is_color = hint.kind is Kind.HINT_COLOR
        if self.variant is None:
            return hint.value == (color if is_color else rank)
        touches = self.variant.touches_color if is_color else self.variant.touches_rank
        return touches(hint.value, color, rank)

    def is_inverted(self, card: tuple[int, int]) -> bool:
        """Whether playing a card discards it, and discarding it plays it."""
        return self.variant is not None and self.variant.inverted[card[0]]

    @property
    def hint_cost(self) -> int:
        """The cost of a hint, in units of what a discard gives back."""
        return 2 if self.half_tokens else 1

    @property
    def max_score(self) -> int:
        """Points for complete piles: one for each card."""
        return sum(len(self.orders(color)[0]) for color in range(self.colors))

    def orders(self, color: int) -> tuple[tuple[int, ...], ...]:
        """Return the orders in which a color's ranks can be played: upwards, without a variant.

        >>> Rules.official(2).orders(0)
        ((1, 2, 3, 4, 5),)
        """
        if self.variant is not None:
            return self.variant.orders(color)
        return (tuple(range(1, len(self.spec.copies[color]) + 1)),)

    @classmethod
    def official(cls, seats: int) -> Rules:
        """Return the printed rules for 1 to 6 seats [Baffier2017, appendix A].

        There are five colors, eight hint tokens and three lives. A complete color gives a token
        back. Hints may touch no card. Nobody may discard while all tokens are available. The third
        error forfeits all points. Everyone has one last turn once the deck is empty. Hands of six
        players have hanab.live's size. A single player has nobody to hint, and therefore sees the
        hand of five cards and may always discard.

        >>> Rules.official(2).empty_hints, Rules.official(1).discard_at_full_hints
        (True, True)
        """
        _check_range("seats", seats, 1, MAX_SEATS)
        alone = seats == 1
        return cls(
            spec=DeckSpec.standard(),
            seats=seats,
            hand_size=HAND_SIZES[seats],
            discard_at_full_hints=alone,
            open_hands=alone,
        )

    @classmethod
    def multicolor(cls, seats: int, *, copies: Sequence[int] = STANDARD_COPIES) -> Rules:
        """Return the printed rules with the advanced game's sixth, multicolored suit.

        The suit is a separate color, hinted like the others. `copies` gives its copies of each
        rank: ten cards like the other colors in the box [Baffier2017, appendix A], in many games
        one of each.

        >>> Rules.multicolor(2).max_score, Rules.multicolor(2, copies=(1,) * 5).deck_size
        (30, 55)
        """
        rules = cls.official(seats)
        return replace(rules, spec=DeckSpec((*rules.spec.copies, tuple(copies))))

    @classmethod
    def bergh2016(cls, seats: int = 3) -> Rules:
        """Return the rules of [Bergh2016, section 2]: the printed ones without completion bonus.

        Cards stay in their slots: a new card takes the slot of the one that left.

        >>> Rules.bergh2016().completion_bonus
        False
        """
        return replace(cls.official(seats), completion_bonus=False, keep_slots=True)

    @classmethod
    def hanab_live(
        cls, seats: int, colors: int = 5, *, variant: Variant | str | int | None = None
    ) -> Rules:
        """Return hanab.live's rules, by default for its plain variants of 3 to 6 suits.

        A hint must touch at least one card. The game ends once no further point can be scored.
        With inverted suits, discarding is always allowed, because a player need not know whether a
        card is inverted.

        Parameters
        ----------
        seats
            2 to 6.
        colors
            3 to 6, used without a variant; 5 is "No Variant".
        variant
            A variant, or its name or number on the site. A plain variant becomes None in the rules.

        Raises
        ------
        InvalidInputError
            If a number is out of range, or the variant does not exist.

        >>> Rules.hanab_live(2, colors=6).deck_size, Rules.hanab_live(2, variant=2).deck_size
        (60, 55)
        >>> Rules.hanab_live(2, variant="No Variant") == Rules.hanab_live(2)
        True
        """
        _check_range("seats", seats, 2, MAX_SEATS)
        if isinstance(variant, str | int):
            variant = find_variant(variant)
        if variant is None or variant.is_plain:
            colors = colors if variant is None else len(variant.suits)
            _check_range("colors", colors, 3, 6)
            spec, variant = DeckSpec.standard(colors), None
        else:
            spec = variant.spec
        return replace(
            cls.official(seats),
            spec=spec,
            variant=variant,
            empty_hints=False,
            stop_when_stuck=True,
            completion_bonus=variant is None or not variant.throw_it_in_a_hole,
            discard_at_full_hints=variant is not None and any(variant.inverted),
            half_tokens=variant is not None and variant.clue_starved,
        )

    @classmethod
    def hle(cls, seats: int) -> Rules:
        """Return the rules of the Hanabi Learning Environment for 2 to 5 seats.

        They are the printed rules, except that a hint must touch at least one card.

        >>> Rules.hle(5).hand_size
        4
        """
        _check_range("seats", seats, 2, 5)
        return replace(cls.official(seats), empty_hints=False)


PRESETS: Mapping[str, Callable[[int], Rules]] = MappingProxyType(
    {
        "official": Rules.official,
        "multicolor": Rules.multicolor,
        "bergh2016": Rules.bergh2016,
        "hanab_live": Rules.hanab_live,
        "hle": Rules.hle,
    }
)
"""Rule sets by name: functions of the number of seats."""


def _check_range(name: str, value: int, low: int, high: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number")
    if value < low or (high is not None and value > high):
        limit = f"{low} or more" if high is None else f"{low} to {high}"
        raise InvalidInputError(f"{name} = {quote(value)} is not {limit}")


# Rule sets of the full game from JSON. Every reader checks each entry with `_fields_of`.

DEFAULT_PRESET = "hanab_live"

_KEY_LENGTH = 30
_MOST_CARDS = 10_000  # a few digits must not ask for a deck that fills the memory

_READ_APART = ("spec", "seats", "variant")
_CHANGES = {each.name: str(each.type) for each in fields(Rules) if each.name not in _READ_APART}


def _fields_of(
    given: Mapping[str, object], kinds: Mapping[str, str], *apart: str
) -> dict[str, Any]:
    """Return the fields of `Rules` that entries of a JSON object state, each checked.

    `kinds` has the type of each allowed field. The entry `copies` states the field `spec`. Entries
    named in `apart` are left to the caller.
    """
    refuse_typos(given, (*apart, "copies", *kinds))
    found: dict[str, Any] = {}
    for key, value in given.items():
        path = f"rules.{printable(key, _KEY_LENGTH)}"
        if key == "copies":
            found["spec"] = _spec_of(value, path)
        elif key in kinds:
            found[key] = _checked(value, kinds[key], path)
        elif key not in apart:
            names = ", ".join((*kinds, "copies", *apart))
            raise InvalidInputError(f"{path}: there is no such rule; there are {names}")
    return found


def _checked(value: object, kind: str, path: str) -> object:
    if kind == "bool":
        if not isinstance(value, bool):
            raise InvalidInputError(f"{path}: {show(value)} is not true or false")
    elif value is not None or "None" not in kind:
        as_integer(value, path)
    return value


def _spec_of(value: object, path: str) -> DeckSpec:
    """Return the cards that `copies` states: for each color, the copies of each rank."""
    rows = tuple(
        tuple(as_integer(copies, where) for copies, where in as_items(row, of_color))
        for row, of_color in as_items(value, path)
    )
    spec = DeckSpec(rows)
    if spec.size > _MOST_CARDS:
        raise InvalidInputError(
            f"{path}: a deck of {counted(spec.size, 'card')}; the most are {_MOST_CARDS:,}"
        )
    return spec


def rules_of_json(value: object, seats: int, spec: DeckSpec) -> tuple[str, Rules]:
    """Return the preset's name and the rules that `value` describes, for `seats` and `spec`.

    `value` is None for `DEFAULT_PRESET`, a preset's name, or an object. The object's entry `preset`
    names a preset, and its other entries change attributes of `Rules`. Its entry `variant` names
    one of hanab.live's variants, whose cards and rules then replace `spec` and the preset's. Its
    entry `copies` replaces `spec`, and the numbers of a variant's cards: for each color, the copies
    of each rank.

    Raises
    ------
    InvalidInputError
        If an entry is unknown or wrong, or the entries do not fit each other.

    >>> spec = DeckSpec.uniform(colors=2, ranks=3, copies=2)
    >>> name, rules = rules_of_json({"preset": "hle", "hand_size": 2, "hints": 3}, 2, spec)
    >>> name, rules.hints, rules.empty_hints
    ('hle', 3, False)
    >>> rules_of_json({"hand_size": 2, "copies": [[3, 2, 1]]}, 2, spec)[1].spec
    DeckSpec(copies=((3, 2, 1),))
    """
    name, variant, changes = _parts_of(value)
    with naming("rules"):
        if variant is not None:
            return name, replace(_rules_of_variant(name, seats, variant), **changes)
        return name, replace(PRESETS[name](seats), **{"spec": spec} | changes)


def _parts_of(value: object) -> tuple[str, object, dict[str, Any]]:
    """Return the preset's name, the variant's or None, and the fields that are changed."""
    given = _named(value)
    name = as_text(given.get("preset", DEFAULT_PRESET), "rules.preset")
    if name not in PRESETS:
        meant = did_you_mean(name, PRESETS, "there are")
        raise InvalidInputError(f"rules: {quote(name)} is not a rule set{meant}")
    return name, given.get("variant"), _fields_of(given, _CHANGES, "preset", "variant")


def _named(value: object) -> dict[str, object]:
    """Return the object that says the same as None or a preset's name."""
    if value is None:
        return {}
    return {"preset": value} if isinstance(value, str) else as_object(value, "rules")


def read_rules(text: str) -> object:
    """Return what a text gives as rules: a preset's name, or a JSON object for `rules_of_json`.

    Raises
    ------
    InvalidInputError
        If there is no such preset, or an entry of the object is unknown or wrong.

    >>> read_rules("hle"), read_rules('{"hints": 3}')
    ('hle', {'hints': 3})
    """
    value = load(text) if text.lstrip().startswith("{") else text
    _parts_of(value)
    return value


def rules_for_variant(value: object, variant: Variant) -> object:
    """Return rules in a form for `rules_of_json`, with the name of the variant that is played.

    A variant in `value` wins. The cards of a plain variant are left to the caller.

    >>> rules_for_variant("hanab_live", find_variant(16))
    {'variant': 'Rainbow (5 Suits)', 'preset': 'hanab_live'}
    """
    return value if variant.is_plain else {"variant": variant.name} | _named(value)


def _rules_of_variant(preset: str, seats: int, variant: object) -> Rules:
    if preset != DEFAULT_PRESET:
        raise InvalidInputError(f"a variant goes with {DEFAULT_PRESET}, not {preset}")
    return Rules.hanab_live(seats, variant=as_text(variant, "variant"))


def choose_rules(choice: object, seats: int | None) -> Rules:
    """Return the rules that a preset's name or an object describes; `Rules` are returned as is.

    Unlike in `rules_of_json`, the cards are those of the preset if the object states no others.

    Raises InvalidInputError if there are no such rules, `seats` is missing, or `seats` differs from
    the rules' number.

    >>> choose_rules("multicolor", 3).max_score, choose_rules({"hints": 3}, 2).hints
    (30, 3)
    """
    if isinstance(choice, Rules):
        check_seats(choice, seats)
        return choice
    if seats is None:
        raise InvalidInputError("no number of players, and no rules that say it")
    name = choice.get("preset", DEFAULT_PRESET) if isinstance(choice, Mapping) else choice
    # rules_of_json refuses an unknown name.
    preset = PRESETS.get(name, Rules.hanab_live) if isinstance(name, str) else Rules.hanab_live
    return rules_of_json(choice, seats, preset(seats).spec)[1]


def check_seats(rules: Rules, seats: int | None) -> None:
    """Raise an error if rules are not for the requested number of players (None: any).

    >>> check_seats(Rules.official(3), 4)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: players: 4 are asked for, the rules are for 3
    """
    if seats not in (None, rules.seats):
        raise InvalidInputError(
            f"players: {quote(seats)} are asked for, the rules are for {rules.seats}"
        )


# Rule sets as JSON without presets, for results and for programs in other languages.

_ALWAYS_STATED = ("seats", "hand_size")


def rules_to_json(rules: Rules, *, is_full: bool = False) -> dict[str, Any]:
    """Return a rule set as JSON, leaving out what agrees with the printed rules unless `is_full`.

    >>> rules_to_json(Rules.hle(2))["empty_hints"]
    False
    >>> rules_from_json(rules_to_json(Rules.hle(2))) == Rules.hle(2)
    True
    """
    data: dict[str, Any] = {"copies": [list(row) for row in rules.spec.copies]}
    for field in fields(rules):
        value = getattr(rules, field.name)
        if field.name == "spec":
            continue
        if field.name == "final_round":
            if is_full or value != rules.seats:
                data[field.name] = value
        elif field.name == "variant":
            if is_full or value is not None:
                data[field.name] = None if value is None else _name_of(value)
        elif field.name in _ALWAYS_STATED or is_full or field.default not in (MISSING, value):
            data[field.name] = value
    return data


def _name_of(variant: Variant) -> str:
    if variant.id is None:
        raise InvalidInputError(f"{quote(variant.name)} is not a named variant of hanab.live")
    return variant.name


def rules_from_json(data: object) -> Rules:
    """Return the rule set that `rules_to_json` described.

    Raises
    ------
    InvalidInputError
        If the data describe no rule set; quotes the wrong entry, or names the missing one.

    >>> rules_from_json({"copies": [[3, 2, 1]], "seats": 2, "hand_size": "two"})
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: rules.hand_size: 'two' is not an integer
    """
    given, kinds = as_object(data, "rules", "copies", *_ALWAYS_STATED), {"seats": "int"} | _CHANGES
    found, variant = _fields_of(given, kinds, "variant"), given.get("variant")
    with naming("rules"):
        if variant is not None:
            found["variant"] = find_variant(as_text(variant, "variant"))
        return Rules(**found)
