"""The meaning of each entry of an observation and of each action number.

The layout is that of the Hanabi Learning Environment's canonical encoder, used in [Bard2020] and by
published agents. For other rules it scales with their colors, ranks, hands and tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate, compress
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground.errors import IllegalActionError, InvalidInputError, naming, quote
from hanabi.rules.actions import Action, Kind
from hanabi.rules.cards import Card
from hanabi.rules.config import MAX_KINDS, Rules, choose_rules
from hanabi.rules.notation.record import Hands
from hanabi.rules.state import Game
from hanabi.rules.table import Knowledge
from hanabi.rules.understanding import RULES_OF_2026, Understanding
from hanabi.rules.view import View
from hanabi.worlds.hidden import complete_deck, fill_deck

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "KNOWLEDGE",
    "Layout",
    "ObservationKind",
    "RulesChoice",
    "Section",
    "check_seen",
    "entries_of",
    "rules_of",
]

RulesChoice: TypeAlias = Rules | str | Mapping[str, object] | None
"""A rule set, the name of a preset, an object as in JSON; None: the preset `hle`."""

_SEATS = 2

KNOWLEDGE = "knowledge: a card's possibilities, color named, rank named"
"""The name of the section that minimal observations lack."""

_MOVES = (Kind.PLAY, Kind.DISCARD, Kind.HINT_COLOR, Kind.HINT_RANK)
"""The kinds of actions in the order of the entries for the last one."""


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
    hanabi.ground.errors.InvalidInputError: seats = 2: the rules are for 3
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
            sizes[KNOWLEDGE] = seats * hand * (cards + rules.colors + rules.ranks)
        stops = accumulate(sizes.values())
        return tuple(
            Section(name, stop - size, stop)
            for (name, size), stop in zip(sizes.items(), stops, strict=True)
        )

    def section(self, name: str) -> Section:
        """Return the section with a name.

        Raises
        ------
        InvalidInputError
            If there is none.

        >>> Layout(Rules.hle(2)).section("piles").slice
        slice(167, 192, None)
        """
        for each in self.sections:
            if each.name == name:
                return each
        raise InvalidInputError(f"{quote(name)} is no section of these observations")

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
        from hanabi.rules.packing import pack_rules

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
        from hanabi.rules.packing import pack_rules

        return int(number_of(pack_rules(self.rules), seat, action.code))

    def cards(self, observations: npt.NDArray[np.uint8], name: str) -> list[list[Card | None]]:
        """Return the cards that a section of one-hot cards shows; None for an empty place.

        Parameters
        ----------
        observations
            0 or 1, (rows, entries).
        name
            The name of the section.

        >>> from hanabi.env import VectorEnv
        >>> env = VectorEnv(1, "hle", seed=1)
        >>> [seen] = env.layout.cards(env.reset().observations, "cards of the others")
        >>> [str(card) for card in seen] == [str(card) for card in env.game(0).hands[1]]
        True
        """
        ranks, kinds = self.rules.ranks, self.rules.colors * self.rules.ranks
        shown = observations[:, self.section(name).slice].reshape(len(observations), -1, kinds)
        known = [None, *(Card(kind // ranks, kind % ranks + 1) for kind in range(kinds))]
        numbers = (shown.argmax(2) + 1) * shown.any(2)
        return [[known[number] for number in row] for row in numbers.tolist()]

    def observe(self, view: View) -> npt.NDArray[np.uint8]:
        """Return the observation that a view's seat has, uint8 (size,), 0 or 1.

        Any view serves: of any seat, at any time, from any source.

        Parameters
        ----------
        view
            A view of a game of the same rules, with its actions.

        Raises
        ------
        InvalidInputError
            If the view has other rules or lacks its actions, or if the observation would show the
            seat its own cards (`SEER`).

        Notes
        -----
        About 0.2 milliseconds.

        >>> from hanabi.rules import Game
        >>> rules = Rules.hle(2)
        >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
        >>> layout = Layout(rules)
        >>> layout.cards(layout.observe(view)[None], "cards of the others")[0] == [*view.hands[1]]
        True
        """
        import numpy as np

        from hanabi.env import kernels as k
        from hanabi.env.rows.kernels import WORD_BITS
        from hanabi.rules.packing import pack_deck

        if view.rules != self.rules:
            raise InvalidInputError("view: its rules are not those of the layout")
        if self.kind is ObservationKind.SEER:
            raise InvalidInputError("kind = SEER: a view does not hold its seat's cards")
        if len(view.actions) != view.turn:
            raise InvalidInputError("view: it was made without its actions")
        # The hidden cards that are filled in agree with the hints; nothing else looks at them.
        position = view.packed._replace(deck=pack_deck(complete_deck(view)))
        past = position._replace(state=np.empty_like(position.state))
        last, named = np.empty(k.LAST_SIZE, np.int64), np.empty(len(position.deck), np.uint8)
        codes = np.array([action.code for action in view.actions], np.int64)
        k.take_all(past, view.first_seat, last, named, codes)
        row = np.empty(self.size // WORD_BITS + 2, np.int64)
        k.encode(position, last, named, view.seat, int(self.kind), row)
        return entries_of(row)[: self.size]

    def view(self, observations: npt.ArrayLike, *, seat: int | None = None) -> View:
        """Return the view of an observer, given its observation at every turn since the deal.

        A single observation does not suffice: it does not show the order of past actions. An
        environment with `all_seats=True` shows every seat every turn. Seat 0 must have begun.

        Parameters
        ----------
        observations
            0 or 1, (turns + 1, size), with card knowledge: first the one after the deal.
        seat
            The observer. It follows from the first action, so it is required only before that.

        Raises
        ------
        InvalidInputError
            If the array does not fit, or no game leads to these observations; the message names the
            first wrong turn, entry and section.

        Notes
        -----
        Every observation is made again and compared: about 10 milliseconds a game.

        >>> from hanabi.env import VectorEnv
        >>> env = VectorEnv(1, "hle", seed=1, all_seats=True)
        >>> rows = [env.reset().observations[0, 1].copy()]  # all that seat 1 sees
        >>> for _ in range(5):
        ...     rows.append(env.step(env.draw_actions()).observations[0, 1].copy())
        >>> env.layout.view(rows) == env.game(0).view(1)
        True
        """
        import numpy as np

        if self.kind is not ObservationKind.CARD_KNOWLEDGE:
            raise InvalidInputError(f"kind = {self.kind.name}: a view needs CARD_KNOWLEDGE")
        try:
            rows = np.asarray(observations)
        except ValueError:
            raise InvalidInputError("observations: the rows are not equally long") from None
        if rows.ndim != 2 or rows.shape[1] != self.size or not len(rows):
            raise InvalidInputError(f"observations: {rows.shape}, not (turns + 1, {self.size})")
        if not np.isin(rows, (0, 1)).all():
            raise InvalidInputError("observations: not all entries are 0 or 1")
        rows = rows.astype(np.uint8)
        if len(rows) > 1:
            first = -self._one(rows[1], "last action: who") % self.rules.seats
            if seat not in (None, first):
                raise InvalidInputError(f"seat = {quote(seat)}: the observations are of {first}")
            seat = first
        if seat is None or isinstance(seat, bool) or seat not in range(self.rules.seats):
            raise InvalidInputError(
                f"seat = {quote(seat)} is none of the {self.rules.seats} seats, and no action shows"
                " whose observations these are"
            )
        actions, deck, own = self._past(rows, int(seat))
        game = Game.start(self.rules, self._completed(deck, own, rows[-1]))
        for turn, row in enumerate(rows):
            if turn:
                try:
                    game = game.apply(actions[turn - 1])
                except IllegalActionError as error:
                    raise InvalidInputError(str(error)) from None
            check_seen(self, row, self.observe(game.view(seat)), turn)
        return game.view(seat)

    def _one(self, row: npt.NDArray[np.uint8], name: str) -> int:
        """Return the place of the first 1 in a section."""
        return int(row[self.section(name).slice].argmax())

    def _past(
        self, rows: npt.NDArray[np.uint8], observer: int
    ) -> tuple[list[Action], list[Card | None], Sequence[int]]:
        """Return the actions that an observer saw, the deck as far as it saw it, and its hand."""
        rules, actions = self.rules, list[Action]()
        deck: list[Card | None] = [None] * rules.deck_size
        size, seats = rules.hand_size, rules.seats
        hands = Hands(seats, size, rules.deck_size, keep_slots=rules.keep_slots)
        others = self.cards(rows, "cards of the others")
        used = self.cards(rows, "last action: card played or discarded")
        for turn, row in enumerate(rows):
            if turn:
                kind = _MOVES[self._one(row, "last action: play, discard, color hint or rank hint")]
                if kind in (Kind.PLAY, Kind.DISCARD):
                    slot = self._one(row, "last action: slot played or discarded")
                    with naming(f"turn {turn - 1}"):
                        deck[hands.take((turn - 1) % seats, slot)] = used[turn][0]
                    actions.append(Action(kind, slot))
                else:
                    target = (observer + self._one(row, "last action: whom it told")) % seats
                    value = self._one(row, "last action: color told")
                    if kind is Kind.HINT_RANK:
                        value = self._one(row, "last action: rank told") + 1
                    actions.append(Action(kind, target, value))
            for behind in range(1, seats):
                shown = others[turn][(behind - 1) * size :]
                held = hands.held((observer + behind) % seats)
                for index, card in zip(held, shown, strict=False):
                    deck[index] = card
        return actions, deck, hands.held(observer)

    def _completed(
        self, deck: list[Card | None], own: Sequence[int], row: npt.NDArray[np.uint8]
    ) -> list[Card]:
        """Return the deck with cards in place of the hidden ones, as the observer's hints allow.

        `own` are the places of the observer's cards in the deck.
        """
        left = self.rules.spec.counts()
        left.subtract(card for card in deck if card is not None)
        if wrong := [card for card, copies in left.items() if copies < 0]:
            raise InvalidInputError(f"observations: {wrong[0]} is seen too often")
        ranks, kinds = self.rules.ranks, self.rules.colors * self.rules.ranks
        size = kinds + self.rules.colors + ranks
        groups = row[self.section(KNOWLEDGE).slice].reshape(-1, size)[:, :kinds]
        cards = [Card(kind // ranks, kind % ranks + 1) for kind in range(kinds)]
        known = {
            index: Knowledge((), (), frozenset(compress(cards, group)))
            for index, group in zip(own, groups.tolist(), strict=False)
        }
        with naming("observations"):
            return fill_deck(deck, known, left)


def check_seen(
    layout: Layout, given: npt.NDArray[np.uint8], made: npt.NDArray[np.uint8], turn: int
) -> None:
    """Raise an error that names the first entry in which a given observation is not the made one.

    >>> import numpy as np
    >>> check_seen(Layout(Rules.hle(2)), np.zeros(658, np.uint8), np.ones(658, np.uint8), turn=3)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: turn 3: entry 0 (cards of the others) is 0, which
        cannot be
    """
    wrong = (given != made).nonzero()[0]
    if wrong.size:
        entry = int(wrong[0])
        name = next(each.name for each in layout.sections if entry < each.stop)
        raise InvalidInputError(
            f"turn {turn}: entry {entry} ({name}) is {given[entry]}, which cannot be"
        )


def entries_of(row: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return the bits of a row, as :mod:`hanabi.env.kernels` keeps them, as 0 and 1.

    >>> import numpy as np
    >>> entries_of(np.array([5]))[:4].tolist()
    [1, 0, 1, 0]
    """
    import numpy as np

    return np.unpackbits(row.astype("<u4").view(np.uint8), bitorder="little")
