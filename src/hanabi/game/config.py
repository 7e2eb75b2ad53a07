"""Rule sets of the full game: what a kernel needs to know before the first card is dealt.

The published rule sets differ in few points. `official` is the printed game as [Baffier2017,
appendix A] gives it; the others are described by what they change. Reading a rule set never
imports NumPy or Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from hanabi.deck import STANDARD_COPIES, DeckSpec
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game.actions import Action, Kind, hint_color, hint_rank
from hanabi.notation.record import PLAYER_COUNTS, cards_per_player
from hanabi.variants import Variant, find_variant

__all__ = [
    "HAND_SIZES",
    "MAX_KINDS",
    "MAX_SEATS",
    "MAX_SUITS",
    "PRESETS",
    "Rules",
]

MAX_SUITS = 30
"""Most colors, and most ranks: what is known of a card is kept as bits of one machine word."""

MAX_KINDS = 62
"""Most different cards of a variant: what is known of a card is a set of these in one word."""

HAND_SIZES: Mapping[int, int] = MappingProxyType(
    {1: 5} | {seats: cards_per_player(seats) for seats in PLAYER_COUNTS}
)
"""Cards in a hand by number of seats: 5, 5, 5, 4, 4, 3.

Two to five seats are the printed rules, six seats are hanab.live's. No source gives a hand to a
lone player: five is chosen, the hand of the smallest table.
"""

MAX_SEATS = max(HAND_SIZES)
"""Most seats at a table."""

_ONE_TURN_A_SEAT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one game, fixed before the deal. Defaults are the printed rules.

    `dataclasses.replace` makes a variation. It changes only what it is told: when changing
    `seats`, start from a preset so that `hand_size` and `final_round` follow.

    Attributes
    ----------
    spec
        The multiset of cards. A color is complete when its pile has as many ranks as its row;
        rows may differ in length, and a card may have no copy (its color is never complete then).
    seats
        Players, 1 to 6. Seat 0 starts and receives its whole hand first.
    hand_size
        Cards dealt to every seat, at least 1.
    hints
        Hint tokens at the start, also the most there ever are. At least 0.
    lives
        Errors that end the game, at least 1.
    completion_bonus
        Whether completing a color gives a hint token back (unless all are there).
    discard_at_full_hints
        Whether a card may be discarded while no hint token is spent.
    empty_hints
        Whether a hint may touch no card.
    bombed_scores_zero
        Whether the last error takes all points, or leaves those of the piles.
    open_hands
        Whether seats see their own cards.
    final_round
        Turns that remain once the last card has been drawn: the number of seats (the default), so
        that everyone has one more turn, including who drew it; any other number; or None: the game
        goes on until the piles are complete, the lives are spent or nobody can act.
    keep_slots
        Whether a new card takes the slot of the card that left. Otherwise, as on hanab.live, the
        newer cards move down one slot and the new card is the last.
    stop_when_stuck
        Whether the game ends as soon as no further point can be scored: every next card is gone or
        in the hand of a seat whose last turn is over (hanab.live).
    deck_plays
        Whether the last card of the deck may be played from there, unseen (hanab.live).
    half_tokens
        Whether a discard or a complete color gives back only half a hint token.
    all_or_nothing
        Whether only complete piles are worth anything: the game ends once they are impossible. A
        seat that has tokens, but no card and no legal hint, then waits for ever (hanab.live).
    speedrun
        Whether the game ends with 0 points once complete piles are impossible (hanab.live).
    variant
        Suits, clues and piles other than the plain ones, or None. The shape of `spec` is the
        variant's; its other attributes change nothing but what they name (`hanab_live` sets those
        that follow from a variant).

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
        """What a hint can say, as hints to seat 0: colors, then ranks."""
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
        """What a hint costs if a discard gives back 1."""
        return 2 if self.half_tokens else 1

    @property
    def max_score(self) -> int:
        """Points of the complete piles: one for each card of each pile."""
        return sum(len(self.orders(color)[0]) for color in range(self.colors))

    def orders(self, color: int) -> tuple[tuple[int, ...], ...]:
        """Return the orders of ranks in which a color can be played: upwards, if no variant.

        >>> Rules.official(2).orders(0)
        ((1, 2, 3, 4, 5),)
        """
        if self.variant is not None:
            return self.variant.orders(color)
        return (tuple(range(1, len(self.spec.copies[color]) + 1)),)

    @classmethod
    def official(cls, seats: int) -> Rules:
        """Return the printed rules for 1 to 6 seats [Baffier2017, appendix A].

        Five colors, eight hint tokens, three lives, a token back for a complete color, hints that
        touch no card allowed, no discarding while all tokens are there, no points after the third
        error, and one last turn each once the deck is empty. Six players get hanab.live's hands. A
        lone one has nobody to hint, so sees the hand of five cards and may always discard.

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

        The suit is a color of its own, hinted like the others; `copies` is its own multiset, ten
        cards like the others' in the box [Baffier2017, appendix A], often one of each.

        >>> Rules.multicolor(2).max_score, Rules.multicolor(2, copies=(1,) * 5).deck_size
        (30, 55)
        """
        rules = cls.official(seats)
        return replace(rules, spec=DeckSpec((*rules.spec.copies, tuple(copies))))

    @classmethod
    def bergh2016(cls, seats: int = 3) -> Rules:
        """Return the rules of [Bergh2016, section 2]: the printed ones without completion bonus.

        Its players keep their cards in place: a new card takes the slot of the one that left.

        >>> Rules.bergh2016().completion_bonus
        False
        """
        return replace(cls.official(seats), completion_bonus=False, keep_slots=True)

    @classmethod
    def hanab_live(
        cls, seats: int, colors: int = 5, *, variant: Variant | str | int | None = None
    ) -> Rules:
        """Return the site's rules, by default of its plain variants of 3 to 6 suits.

        A hint touches at least one card, and the game ends once no further point can be scored.
        With inverted suits, which nobody need know of, discarding is always allowed.

        Parameters
        ----------
        seats
            2 to 6.
        colors
            3 to 6, if there is no variant; 5 is "No Variant".
        variant
            A variant, or its name or number on the site. A plain one is None in the rules.

        Raises
        ------
        InvalidInputError
            If a number is out of range, or there is no such variant.

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

        The printed rules, but a hint touches at least one card.

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
"""Named rule sets: each takes the number of seats."""


def _check_range(name: str, value: int, low: int, high: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number")
    if value < low or (high is not None and value > high):
        limit = f"{low} or more" if high is None else f"{low} to {high}"
        raise InvalidInputError(f"{name} = {quote(value)} is not {limit}")
