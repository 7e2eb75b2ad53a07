"""The meaning of each entry of an observation and of each action number.

The layout is that of the Hanabi Learning Environment's canonical encoder, used in [Bard2020] and by
published agents. For other rules it scales with their colors, ranks, hands and tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from hanabi.errors import InvalidInputError, quote
from hanabi.game import Action, Rules
from hanabi.game.config import MAX_KINDS, choose_rules
from hanabi.game.understanding import RULES_OF_2026, Understanding

__all__ = ["Layout", "ObservationKind", "RulesChoice", "Section", "rules_of"]

RulesChoice: TypeAlias = Rules | str | Mapping[str, object] | None
"""A rule set, the name of a preset, an object as in JSON; None: the preset `hle`."""

_SEATS = 2


def rules_of(rules: RulesChoice, seats: int | None = None) -> Rules:
    """Return the rule set that the arguments `rules` and `seats` of an environment mean.

    Parameters
    ----------
    rules
        A rule set; a preset's name, as `hle` or `hanab_live`; or an object with the entry `preset`
        and entries that change attributes of `Rules`.
    seats
        The number of seats, by default 2, or that of the given rule set.

    Raises
    ------
    InvalidInputError
        If there are no such rules; the message names the argument.

    >>> rules_of("hanab_live").seats, rules_of({"preset": "hle", "hints": 3}, seats=4).hand_size
    (2, 4)
    >>> rules_of(Rules.hle(3), seats=2)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: seats = 2: the rules are for 3
    """
    if seats is not None and (isinstance(seats, bool) or not hasattr(seats, "__index__")):
        raise InvalidInputError(f"seats = {quote(seats)} is not a whole number")
    if isinstance(rules, Rules):
        if seats is not None and int(seats) != rules.seats:
            raise InvalidInputError(f"seats = {quote(seats)}: the rules are for {rules.seats}")
        return rules
    if rules is not None and not isinstance(rules, str | Mapping):
        raise InvalidInputError(f"rules = {quote(rules)} is no rule set")
    return choose_rules("hle" if rules is None else rules, _SEATS if seats is None else int(seats))


_UNDERSTOOD = Understanding(
    "rules: an observation",
    RULES_OF_2026 - {"open_hands", "deck_plays", "half_tokens", "variant"},
)
"""The rules that observations support: an observer sees their effects, or can infer them."""


class ObservationKind(IntEnum):
    """The information about cards in observations; numbers as in the Hanabi Learning Environment.

    MINIMAL shows the table and, of all hints, only the last. CARD_KNOWLEDGE, the default, adds what
    all hints so far say about each card in hand. SEER shows the identity of each card.
    """

    MINIMAL = 0
    CARD_KNOWLEDGE = 1
    SEER = 2

    @classmethod
    def parse(cls, value: int) -> ObservationKind:
        """Return the kind with a number.

        Raises
        ------
        InvalidInputError
            If no kind has this number.
        """
        if not isinstance(value, int | float) or value not in set(cls):
            raise InvalidInputError(f"kind = {quote(value)} is not 0, 1 or 2")
        return cls(value)


@dataclass(frozen=True, slots=True)
class Section:
    """A group of entries that belong together: `vector[section.slice]`.

    Attributes
    ----------
    name
        The meaning of the entries.
    start, stop
        The first entry, and the entry after the last one.
    """

    name: str
    start: int
    stop: int

    @property
    def slice(self) -> slice:
        """The slice of a vector that holds the entries."""
        return slice(self.start, self.stop)


@dataclass(frozen=True)
class Layout:
    """The layout of the observations and actions of a rule set.

    Parameters
    ----------
    rules
        The rule set: 2 to 6 seats, no variant, no half tokens, no open hands, no plays from the
        deck, at most 62 different cards, and at most 62 cards in a hand.
    kind
        The information about cards in observations.

    Raises
    ------
    InvalidInputError
        If the encoding does not support a rule; the message names it.

    >>> layout = Layout(Rules.hle(2))
    >>> layout.size, layout.actions
    (658, 20)
    >>> [(each.name, each.start, each.stop) for each in layout.sections][2:4]
    [('cards to draw', 127, 167), ('piles', 167, 192)]
    """

    rules: Rules
    kind: ObservationKind = ObservationKind.CARD_KNOWLEDGE

    def __post_init__(self) -> None:
        rules = self.rules
        kinds = rules.colors * rules.ranks
        refused = {
            f"the variant {rules.variant.name}" if rules.variant else "": rules.variant is not None,
            "a single seat": rules.seats == 1,
            f"{kinds} different cards (at most {MAX_KINDS})": kinds > MAX_KINDS,
            f"hands of {rules.hand_size} (at most {MAX_KINDS})": rules.hand_size > MAX_KINDS,
        }
        for name, is_refused in refused.items():
            if is_refused:
                raise InvalidInputError(f"rules: observations cannot show {name}")
        _UNDERSTOOD.check(rules)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The sections in order. Seats count from the observer, slots from the oldest card."""
        rules = self.rules
        seats, hand, cards = rules.seats, rules.hand_size, rules.colors * rules.ranks
        sizes = {
            "cards of the others": (seats - 1) * hand * cards,
            "hands that miss a card": seats,
            "cards to draw": rules.deck_size - seats * hand,
            "piles": cards,
            "hint tokens": rules.hints,
            "lives": rules.lives,
            "discards": rules.deck_size,
            "last action: who": seats,
            "last action: play, discard, color hint or rank hint": 4,
            "last action: whom it told": seats,
            "last action: color told": rules.colors,
            "last action: rank told": rules.ranks,
            "last action: slots touched": hand,
            "last action: slot played or discarded": hand,
            "last action: card played or discarded": cards,
            "last action: play scored, play gave a token back": 2,
        }
        if self.kind is not ObservationKind.MINIMAL:
            sizes["knowledge: a card's possibilities, color named, rank named"] = (
                seats * hand * (cards + rules.colors + rules.ranks)
            )
        stops = accumulate(sizes.values())
        return tuple(
            Section(name, stop - size, stop)
            for (name, size), stop in zip(sizes.items(), stops, strict=True)
        )

    @property
    def size(self) -> int:
        """Number of entries of an observation."""
        return self.sections[-1].stop

    @property
    def packed_size(self) -> int:
        """Number of bytes of an observation with eight entries to a byte."""
        return -(-self.size // 8)

    @property
    def actions(self) -> int:
        """Number of actions, whether legal now or not."""
        rules = self.rules
        return 2 * rules.hand_size + (rules.seats - 1) * (rules.colors + rules.ranks)

    def action(self, number: int, seat: int) -> Action:
        """Return the action that `number` means for `seat`.

        Raises
        ------
        InvalidInputError
            If no action has this number.

        >>> [str(Layout(Rules.hle(3)).action(number, seat=2)) for number in (0, 5, 10, 29)]
        ['discard slot 0', 'play slot 0', 'hint red to seat 0', 'hint 5 to seat 1']
        """
        from hanabi.env.kernels import action_of
        from hanabi.game.packing import pack_rules

        if not 0 <= number < self.actions:
            raise InvalidInputError(f"action {quote(number)} is not in 0 .. {self.actions - 1}")
        return Action.from_code(int(action_of(pack_rules(self.rules), seat, number)))

    def number(self, action: Action, seat: int) -> int:
        """Return the number of an action of `seat`; it must be an action of these rules.

        >>> layout = Layout(Rules.hle(3))
        >>> layout.number(layout.action(29, seat=2), seat=2)
        29
        """
        from hanabi.env.kernels import number_of
        from hanabi.game.packing import pack_rules

        return int(number_of(pack_rules(self.rules), seat, action.code))
