"""What a seat can conclude if it knows how its partners play.

:func:`weigh_hands` returns the seat's possible hands, weighed by the probability of what the others
did, for any player. :func:`seat_chances` returns the value of each action if everybody follows a
deterministic player: the seat's possible deals agree with the hints, with the player's conventions,
and with the others' decisions. All are equally likely. Each action is tried in each deal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import factorial, prod
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from hanabi.cards import Card
from hanabi.clock import NO_LIMIT, Clock
from hanabi.deck import Deck
from hanabi.draws import ActionChances, Chances, Range
from hanabi.errors import BudgetEndedError, InvalidInputError, PlayerError, quote
from hanabi.game import Action, Game
from hanabi.game.view import View
from hanabi.players.belief import Belief
from hanabi.players.compiled import borrow, check_turn, complete_view, recall
from hanabi.players.own import Own
from hanabi.players.parameters import refuse_kinds
from hanabi.players.protocol import (
    CompiledPlayer,
    Player,
    Policy,
    Seated,
    blaming,
    blaming_policy,
    decision,
    name_of,
    seated,
    shown,
)
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.compiled import Words
    from hanabi.game.config import Rules
    from hanabi.game.kernels.packed import Packed
    from hanabi.players.belief.kernels import BeliefPolicy
    from hanabi.players.endgame.kernels import Worlds

__all__ = [
    "ASKS",
    "MOST_DEALS",
    "MOST_HANDS",
    "Beside",
    "Chancy",
    "SeatChances",
    "WeighedHands",
    "seat_chances",
    "weigh_hands",
]

ASKS = 100
"""How often a player is asked for a decision by unknown chances."""

MOST_HANDS = 20_000
"""Most hands of a seat to list; of more, a sample is drawn."""

_MOST_KINDS = 62  # sets of cards are bits of a word
_CHUNK = 256  # hands between two checks of the clock
_MOST_COUNTED = 200  # hands in which contradictions are counted
_UNIT = 1 << 53
_ROUNDING = 1e-9  # by which probabilities may differ from 1 in sum


@runtime_checkable
class Chancy(Protocol):
    """A player that knows by which chances it decides."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def chances(self, view: View, /) -> Mapping[Action, Real]:
        """Return the probability of each action that `act` may return; they add up to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Beside:
    """A player for the first seat, and another one for the rest of the table.

    Around it, a search with one searching seat is an approximate best response to the partner: it
    knows how all others decide, and continues by `player` itself. Only the whole team is compiled.

    Attributes
    ----------
    player
        The player of the first seat.
    partner
        The player of all other seats.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RandomLegal, RuleBased, simulate
    >>> team = Belief(Beside(RuleBased(), RandomLegal()), worlds=10, seats=1, deals=1)
    >>> simulate(team, Rules.hanab_live(2), 1, seed=1).games
    1
    """

    player: Player
    partner: Player

    @property
    def draws_nothing(self) -> bool:
        """Whether both are deterministic."""
        return all(getattr(each, "draws_nothing", False) for each in (self.player, self.partner))

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action of the player or, at another seat, of the partner."""
        return (self.player if view.seat == 0 else self.partner).act(view, rng)

    def compiled(self, rules: Rules, /) -> Policy | None:
        """Return the policy of the whole table, or None if one of them has none."""
        if not isinstance(self.player, CompiledPlayer):
            return None
        if not isinstance(self.partner, CompiledPlayer):
            return None
        first, rest = self.player.compiled(rules), self.partner.compiled(rules)
        if first is None or rest is None:
            return None
        from hanabi.players.kernels.games import Mixed

        return Mixed(1, first, rest)


# A seat's possible hands, weighed by what its partners did.


@dataclass(frozen=True, slots=True)
class WeighedHands:
    """The hands that a seat may hold, and their probabilities given what the others did.

    The cards still to be drawn are the others that the seat has not seen, in any order.

    Attributes
    ----------
    view
        The seat's view.
    hands, weights
        The cards that the seat does not see in its hand, in slot order, and the probability of
        each such hand. A drawn hand may occur several times.
    is_sample
        Whether they were drawn, because there are more or the time was over.
    agrees
        Whether the partner may have done, in some of these hands, all that the others did. If not,
        the weights are those by hints alone.
    decisions
        Number of decisions that the others have made.
    contradicted
        How many of them the partner would not have made, 0 if it may have made all of them in one
        of the hands. If no hand agrees, up to 200 of the hands are looked at: if all hands are
        listed, this is the number in the hand with the fewest; of a sample, it is the number of
        decisions that the partner makes in none of them.
    """

    view: View
    hands: tuple[tuple[Card, ...], ...]
    weights: tuple[float, ...]
    is_sample: bool
    agrees: bool
    decisions: int
    contradicted: int

    @property
    def effective(self) -> float:
        """The number of equally likely hands that would be as precise in estimates."""
        return 1 / sum(weight * weight for weight in self.weights)

    def draw(self, rng: Stream, n: int) -> list[Deck]:
        """Return independent draws of the whole deck, with all that the seat has seen in place."""
        reached = list(accumulate(self.weights))
        places = _hidden(self.view)
        decks = []
        for _ in range(n):
            at = bisect_right(reached, rng.below(_UNIT) / _UNIT * reached[-1])
            hand = self.hands[min(at, len(self.hands) - 1)]
            rest = rng.shuffled(sorted((self.view.unseen - Counter(hand)).elements()))
            decks.append(_dealt(self.view, places, [*hand, *rest]))
        return decks


def weigh_hands(
    partner: Player,
    view: View,
    rng: Stream,
    *,
    known: Mapping[int, Collection[Card]] | None = None,
    most: int = MOST_HANDS,
    samples: int = 1_000,
    tries: int = 100,
    asks: int = ASKS,
    seconds: float | None = None,
) -> WeighedHands:
    """Return the hands that a seat may hold, weighed by what its partners would have done.

    By Bayes: a hand that agrees with the hints counts with the number of ways to deal it, times the
    probability of every decision that the others made after the oldest of its cards was drawn, if
    all of them play as `partner`. Earlier decisions depend on no hidden card.

    Parameters
    ----------
    partner
        Any player. Its probabilities are exact if it has `chances` (`Chancy`) or a compiled policy
        with `chance`. If a decision draws nothing from the stream, it is certain. Otherwise it is
        asked `asks` times: the estimate is (hits + 1/n) / (asks + 1), with n legal actions.
    view
        The view of the seat to act.
    rng
        For draws and asks.
    known
        By slot, the cards that it can hold, in addition to what hints leave.
    most
        Most hands to list. If there are more, hands are drawn with equal chances.
    samples, tries
        How many drawn hands to find in which the partner may have acted so, and how many to try for
        each.
    asks
        How often to ask, at least 1. With 1, the only answer counts as certain, which suits a
        deterministic program: programs receive a random number each turn.
    seconds
        Limit of wall-clock time; None for no limit. What is weighed by then is returned; if that is
        nothing, one hand that agrees with the hints. A search (`endgame/...`, `belief/...`) is then
        asked decision by decision, as players without a policy are.

    Raises
    ------
    InvalidInputError
        If the game is over, another seat is to act, a slot of `known` has no hidden card, no hand
        is possible, or the rules have more than 62 different cards.
    PlayerError
        If a player of your own fails, or its chances are none.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RuleBased
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> for _ in range(2):
    ...     game = game.apply(RuleBased(hint=1).act(game.view(game.seat_to_act), Stream(1)))
    >>> found = weigh_hands(RuleBased(hint=1), game.view(0), Stream(2), samples=50)
    >>> found.agrees, found.is_sample, len(found.hands), found.decisions, found.contradicted
    (True, True, 50, 1, 0)
    """
    check_turn(view)
    refuse_kinds(view.rules, "weighing", _MOST_KINDS)
    if asks < 1 or samples < 1 or tries < 1:
        raise InvalidInputError(
            f"asks, samples and tries are at least 1, not {asks}, {samples} and {tries}"
        )
    clock, allowed = Clock(seconds), _allowed(view, known or {})
    weigher = _weigher(partner, view, asks, Stream(rng.word()), clock)
    listed = _list_hands(allowed, view.unseen, most)
    if listed is not None and not listed:
        raise InvalidInputError("no hand agrees with what the seat knows")
    if listed is None:
        found, is_sample = _drawn(weigher, allowed, rng, (samples, tries), clock), True
    else:
        order = list(range(len(listed))) if seconds is None else rng.shuffled(range(len(listed)))
        found = list[tuple[tuple[Card, ...], int, float]]()
        while len(found) < len(order) and not (found and clock.is_over):
            chunk = [listed[each] for each in order[len(found) : len(found) + weigher.chunk]]
            likely = weigher.weigh([hand for hand, _ in chunk])
            found += [(hand, ways, p) for (hand, ways), p in zip(chunk, likely, strict=False)]
            if len(likely) < len(chunk):
                break
        is_sample = len(found) < len(order)
        found.sort()
        found = found or [(*listed[order[0]], 0.0)]
    return _weighed(weigher, found, is_sample)


def _weighed(
    weigher: _Weigher, found: list[tuple[tuple[Card, ...], int, float]], is_sample: bool
) -> WeighedHands:
    """Return the probabilities of hands, given the ways to deal each and its likelihood."""
    agreeing = [each for each in found if each[2] > 0]
    if agreeing:
        largest = max(likely for _, _, likely in agreeing)
        counted = [max(agreeing, key=lambda each: each[2])[0]]
        weights = [ways * (likely / largest) for _, ways, likely in agreeing]
    else:
        counted = [hand for hand, _, _ in found[:_MOST_COUNTED]]
        weights = [float(ways) for _, ways, _ in found]
    total = sum(weights)
    decisions, fewest, never = weigher.contradictions(counted)
    return WeighedHands(
        weigher.view,
        tuple(hand for hand, _, _ in agreeing or found),
        tuple(weight / total for weight in weights),
        is_sample,
        bool(agreeing),
        decisions,
        never if is_sample else fewest,
    )


def _drawn(
    weigher: _Weigher,
    allowed: Sequence[frozenset[Card]],
    rng: Stream,
    limits: tuple[int, int],
    clock: Clock,
) -> list[tuple[tuple[Card, ...], int, float]]:
    """Return drawn hands with their likelihoods, as many as are wanted if enough of them agree."""
    samples, tries = limits
    agreeing = list[tuple[tuple[Card, ...], int, float]]()
    others, tried = list[tuple[tuple[Card, ...], int, float]](), 0
    while len(agreeing) < samples and tried < tries * samples:
        n = min(weigher.chunk, tries * samples - tried)
        hands = _sample_hands(weigher.view, allowed, rng, n)
        tried += n
        for hand, likely in zip(hands, weigher.weigh(hands), strict=False):
            if likely > 0:
                agreeing.append((hand, 1, likely))
            elif len(others) < samples:
                others.append((hand, 1, likely))
        if clock.is_over:
            others = others or [(hands[0], 1, 0.0)]
            break
    return agreeing[:samples] or others


def _allowed(view: View, known: Mapping[int, Collection[Card]]) -> list[frozenset[Card]]:
    """Return the possible cards of each hidden card in the seat's hand."""
    unseen, allowed = view.unseen, []
    for slot, told in enumerate(view.knowledge[view.seat]):
        if view.hands[view.seat][slot] is None:
            cards = {card for card in unseen if told.is_possible(card)}
            allowed.append(frozenset(cards & set(known.get(slot, cards))))
    hidden = [slot for slot, card in enumerate(view.hands[view.seat]) if card is None]
    for slot in known:
        if slot not in hidden:
            raise InvalidInputError(f"slot {quote(slot)} holds no hidden card")
    return allowed


def _list_hands(
    allowed: Sequence[frozenset[Card]], unseen: Counter[Card], most: int
) -> list[tuple[tuple[Card, ...], int]] | None:
    """Return all hands in order, with the number of ways to deal each; None if more than `most`."""
    found, left = list[tuple[tuple[Card, ...], int]](), Counter(unseen)

    def extend(hand: tuple[Card, ...], ways: int) -> bool:
        if len(hand) == len(allowed):
            found.append((hand, ways))
            return len(found) <= most
        for card in sorted(allowed[len(hand)]):
            if left[card]:
                left[card] -= 1
                is_listed = extend((*hand, card), ways * (left[card] + 1))
                left[card] += 1
                if not is_listed:
                    return False
        return True

    return found if extend((), 1) else None


def _sample_hands(
    view: View, allowed: Sequence[frozenset[Card]], rng: Stream, n: int
) -> list[tuple[Card, ...]]:
    """Return independent draws of the hand, each way to deal it with the same probability."""
    import numpy as np

    from hanabi.game.packing import pack_deck, unpack_deck
    from hanabi.players.endgame.kernels import ANY_CARD, sample_worlds

    position, ranks, places = complete_view(view), view.rules.ranks, _hidden(view)
    position.deck[places] = pack_deck(sorted(view.unseen.elements()))
    masks = np.full(len(places), ANY_CARD, np.int64)
    for slot, cards in enumerate(allowed):
        masks[slot] = sum(1 << card.color * ranks + card.rank - 1 for card in cards)
    worlds = np.empty((n, len(places)), np.int64)
    with borrow(rng) as words:
        words_places = np.array(places, np.int64)
        if not sample_worlds(position, words_places, masks, len(allowed), words, worlds):
            raise InvalidInputError("no hand was found that agrees with what the seat knows")
    return [tuple(unpack_deck(world[: len(allowed)])) for world in worlds]


def _hidden(view: View) -> list[int]:
    """Return the deck's hidden places: those of the seat's hand in slot order, then the others."""
    own = [index for index in view.hand_indices[view.seat] if view.deck[index] is None]
    return own + list(range(view.rules.deck_size - view.deck_left, view.rules.deck_size))


def _dealt(view: View, places: Sequence[int], cards: Sequence[Card]) -> Deck:
    deck = dict(enumerate(view.deck)) | dict(zip(places, cards, strict=True))
    return Deck(card for card in deck.values() if card is not None)


class _Weigher(ABC):
    """The likelihoods of a seat's hands, given what the others did, if they play as a player."""

    chunk = 1
    """How many hands to weigh between two looks at the clock."""

    def __init__(self, view: View) -> None:
        self.view, self.places = view, _hidden(view)

    @abstractmethod
    def weigh(self, hands: Sequence[tuple[Card, ...]]) -> list[float]:
        """Return the likelihood of each hand, or of the first ones for which there is time."""

    @abstractmethod
    def contradictions(self, hands: Sequence[tuple[Card, ...]]) -> tuple[int, int, int]:
        """Return the number of the others' decisions, and of those that are impossible.

        The second number is that of the hand with the fewest, and the third one counts the
        decisions that are impossible in every hand. Hands for which there is no time are left out;
        without any, both are 0.
        """

    def deck_of(self, hand: tuple[Card, ...]) -> list[Card]:
        """Return the hidden cards: those of a hand, and the others in any order."""
        return [*hand, *sorted((self.view.unseen - Counter(hand)).elements())]


def _weigher(
    partner: Player, view: View, asks: int, rng: Stream, clock: Clock = NO_LIMIT
) -> _Weigher:
    """Return a compiled weigher if the player has a policy that is not less exact.

    Neither asks whether the game would have ended before with another hand. It never depends on
    that: the rules ask who holds a card only once the deck is empty (`stop_when_stuck`), and then
    the seat knows all of its cards, though not their order.
    """
    if isinstance(partner, CompiledPlayer):
        policy = partner.compiled(view.rules)
        if policy is not None and (clock.left is None or not is_search(policy)):
            from hanabi.players.kernels.policy import chance

            is_known = chance.dispatch(type(policy)) is not chance.dispatch(object)
            if is_known or not isinstance(_unwrapped(partner), Chancy):
                return _CompiledWeigher(partner, view, asks, rng)
    return _PlainWeigher(partner, view, asks, rng, clock)


class _CompiledWeigher(_Weigher):
    """Likelihoods by a compiled policy, which remembers what it would at each seat."""

    chunk = _CHUNK

    def __init__(self, partner: CompiledPlayer, view: View, asks: int, rng: Stream) -> None:
        super().__init__(view)
        self._rng, self._partner = rng, partner
        self.policy = recalling(Belief(partner, seats=0, slack=0.0, asks=asks).compiled(view.rules))
        self.position, self.memory = recall(view, self.policy)

    def _worlds(self, hands: Sequence[tuple[Card, ...]]) -> tuple[Words, Words]:
        import numpy as np

        from hanabi.game.packing import pack_deck

        worlds = [pack_deck(self.deck_of(hand)) for hand in hands]
        return np.array(self.places, np.int64), np.array(worlds, np.int64)

    def weigh(self, hands: Sequence[tuple[Card, ...]]) -> list[float]:
        import numpy as np

        from hanabi.players.partners.kernels import weigh_worlds

        weights: npt.NDArray[np.float64] = np.empty(len(hands), np.float64)
        places, worlds = self._worlds(hands)
        with borrow(self._rng) as words, blaming_policy([self._partner]):
            weigh_worlds(self.policy, self.position, self.memory, places, worlds, words, weights)
        return list(map(float, weights))

    def contradictions(self, hands: Sequence[tuple[Card, ...]]) -> tuple[int, int, int]:
        from hanabi.players.partners.kernels import count_contradictions

        places, worlds = self._worlds(hands)
        with borrow(self._rng) as words, blaming_policy([self._partner]):
            decisions, fewest, never = count_contradictions(
                self.policy, self.position, self.memory, places, worlds, words
            )
        return int(decisions), int(fewest), int(never)


def recalling(policy: BeliefPolicy) -> BeliefPolicy:
    """Return a policy that knows what each seat remembers, in every deal that hints allow.

    A policy may have one memory for all seats, which is right as long as all actions are truthful.
    Then, in deals in which they are not, it is asked as each seat sees the game.
    """
    from hanabi.players.partners.kernels import Recalling

    return policy._replace(inner=Recalling(policy.inner)) if is_private(policy.inner) else policy


def is_search(policy: object) -> bool:
    """Whether a policy searches with another one, so that a decision may take seconds."""
    return hasattr(policy, "inner")


def is_private(policy: object) -> bool:
    """Whether a policy's memory may differ from seat to seat, as after an untruthful action.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import Convention, Information
    >>> from hanabi.players.endgame import Endgame
    >>> rules = Rules.hanab_live(3)
    >>> is_private(Endgame(Information()).compiled(rules)), is_private(Convention().compiled(rules))
    (True, False)
    """
    from hanabi.players.kernels.policy import advance_seen

    while hasattr(policy, "inner"):
        policy = policy.inner
    return advance_seen.dispatch(type(policy)) is not advance_seen.dispatch(object)


class _PlainWeigher(_Weigher):
    """Likelihoods by asking any player, turn by turn."""

    def __init__(self, partner: Player, view: View, asks: int, rng: Stream, clock: Clock) -> None:
        super().__init__(view)
        self._partner, self._asks, self._seed, self._clock = partner, asks, rng.word(), clock
        self._held = self.places[: len(self.places) - view.deck_left]
        # A decision depends on nothing but the turn and the cards of the hand drawn by then.
        self._known = dict[tuple[int, tuple[Card, ...]], float]()

    def weigh(self, hands: Sequence[tuple[Card, ...]]) -> list[float]:
        with suppress(BudgetEndedError):
            return [self._likelihood(hand) for hand in hands]
        return []

    def _likelihood(self, hand: tuple[Card, ...]) -> float:
        likely = 1.0
        for is_early, probability in self._probabilities(hand):
            if not is_early:
                likely *= probability
            if likely == 0:
                break
        return likely

    def contradictions(self, hands: Sequence[tuple[Card, ...]]) -> tuple[int, int, int]:
        first, seats = self.view.first_seat, self.view.rules.seats
        decisions = sum((first + turn) % seats != self.view.seat for turn in range(self.view.turn))
        rows = list[list[bool]]()
        with suppress(BudgetEndedError):
            for hand in hands:
                rows.append([chance == 0 for _, chance in self._probabilities(hand)])
        never = sum(map(all, zip(*rows, strict=True)))
        return decisions, min(map(sum, rows), default=0), never

    def _probabilities(self, hand: tuple[Card, ...]) -> Iterator[tuple[bool, float]]:
        """Yield the probability of each of the others' decisions, and whether no card matters."""
        view = self.view
        deck = _dealt(view, self.places, self.deck_of(hand))
        game = Game.start(view.rules, deck, first_seat=view.first_seat)
        players = [seated(self._partner) for _ in range(view.rules.seats)]
        for action in view.actions:
            seat = game.seat_to_act
            if seat != view.seat:
                drawn = view.rules.deck_size - game.deck_left
                cards = tuple(card for card, at in zip(hand, self._held, strict=True) if at < drawn)
                key = game.turn, cards
                if key not in self._known:
                    self._known[key] = self._probability(players[seat], game, action)
                yield not cards, self._known[key]
            game = game.apply(action)

    def _probability(self, player: Player, game: Game, action: Action) -> float:
        """Return the probability that a player takes an action."""
        self._clock.check()
        view = game.view(game.seat_to_act)
        when = f"turn {view.turn}, seat {view.seat}: "
        with blaming(player, when=when):
            asked = player.follow(view) if isinstance(player, Seated) else _unwrapped(player)
            if isinstance(asked, Chancy):
                return _checked(asked.chances(view), action, f"{when}{name_of(player)}")
        hits = 0
        for ask in range(self._asks):
            self._clock.check()
            stream = Stream(self._seed + view.turn, ask)
            before = stream.state
            one = player if ask == 0 else seated(self._partner)
            hits += decision(one, game, stream) == action
            if stream.state == before or self._asks == 1:
                return float(hits)
        return (hits + 1 / len(view.legal_actions)) / (self._asks + 1)


def _unwrapped(player: Player) -> Player:
    return player.player if isinstance(player, Own) else player


def _checked(chances: object, action: Action, who: str) -> float:
    """Return the chance of an action, if all are probabilities."""
    if isinstance(chances, Mapping) and all(isinstance(each, Real) for each in chances.values()):
        values = {each: float(value) for each, value in chances.items()}
        if min(values.values(), default=0) >= 0 and abs(sum(values.values()) - 1) < _ROUNDING:
            return values.get(action, 0.0)
    raise PlayerError(f"{who}: chances returned {shown(chances)}, which are no probabilities")


# The value of each action.

MOST_DEALS = 1_000_000
"""Most deals of a seat to examine."""

_AT_ONCE = 500  # games between two checks of the clock, some milliseconds


@dataclass(frozen=True, slots=True, repr=False)
class SeatChances(Chances):
    """The value of each action to a seat, as `Chances` over the seat's possible deals.

    Attributes
    ----------
    is_believed
        Whether the others would have acted as they did in these deals. If there is no such deal,
        the deals are those that agree with hints and conventions.
    decisions, contradicted
        Number of decisions that the others have made, and how many of them the player would not
        have made; 0 if it would have made all of them in one of the deals. If no deal agrees, the
        least number among up to 200 of the deals.
    misread
        Legal actions without a value, because the others would misread them and the player could
        not continue.
    hands
        The hidden cards of the seat's hand in slot order, in each of these deals.
    """

    is_believed: bool
    decisions: int
    contradicted: int
    misread: tuple[Action, ...]
    hands: frozenset[tuple[Card, ...]]


def seat_chances(
    player: Player, view: View, *, seconds: float | None = None, most: int = MOST_DEALS
) -> SeatChances:
    """Return the value of each action to the seat to act if everybody follows a player.

    If the seat itself has given the others false information, conventions no longer bound its hand:
    all deals are tried that agree with the hints, and each seat remembers what it saw. The same
    holds if no deal by conventions explains what the others did.

    Parameters
    ----------
    player
        The player that all seats follow: the others in the past and the future, the seat itself
        from now on. It must have a compiled policy and be deterministic, as the convention and
        information players are.
    view
        The view of the seat to act.
    seconds
        Limit of wall-clock time; None for no limit. Deals not played by then may have any possible
        result, so the values become bounds.
    most
        Most deals to examine, 1 to 1,000,000.

    Raises
    ------
    InvalidInputError
        If the game is over, another seat is to act, the player may decide at random or does not
        support these rules, or more deals are possible.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention, play_game
    >>> from hanabi.rng import Stream
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([Convention()] * 2, game, Stream(1))
    >>> for action in end.actions[:-3]:
    ...     game = game.apply(action)
    >>> found = seat_chances(Convention(), game.view(game.seat_to_act))
    >>> found.is_exact, found.is_believed, found.cases > 0
    (True, True, True)
    """
    import numpy as np

    from hanabi.game.packing import unpack_deck
    from hanabi.players.partners import kernels

    clock, deals = Clock(seconds), _deals(player, view, most)
    policy, position, memory = deals.policy, deals.position, deals.memory
    counted = deals.cards[: 1 if deals.is_believed else _MOST_COUNTED]
    decisions, contradicted, _ = kernels.count_contradictions(
        policy, position, memory, deals.places, counted, np.zeros(1, np.uint64)
    )
    own = deals.cards[:, : len(deals.places) - view.deck_left]
    worlds = kernels.open_deals(policy, position, memory, deals.places, deals.cards)
    found, misread = [], []
    for action in view.legal_actions:
        if getattr(player, "needs_same_partners", False) and not kernels.is_told_truly(
            policy, worlds, action.code
        ):
            misread.append(action)
            continue
        found.append(_tried(policy, worlds, action, view, clock))
    return SeatChances(
        tuple(found),
        len(deals.cards),
        clock.elapsed,
        is_believed=deals.is_believed,
        decisions=int(decisions),
        contradicted=int(contradicted),
        misread=tuple(misread),
        hands=frozenset(map(tuple, map(unpack_deck, np.unique(own, axis=0)))),
    )


class _Deals(NamedTuple):
    """A seat's deals, the places of their cards, and the policy with its memory in all of them."""

    policy: BeliefPolicy
    position: Packed
    memory: Words
    places: Words
    cards: Words
    is_believed: bool


def _deals(player: Player, view: View, most: int) -> _Deals:
    """Return the deals in which the others act as they did, or else those by conventions."""
    check_turn(view)
    if not isinstance(player, CompiledPlayer) or not getattr(player, "draws_nothing", False):
        raise InvalidInputError(
            f"chances with partners need a compiled, deterministic player, not"
            f" {quote(name_of(player))}"
        )
    policy, deals = Belief(player, seats=0, slack=0.0).compiled(view.rules), None
    is_misled = misleads(policy.inner, view)
    if not is_misled:
        deals = _deals_by_conventions(policy, view, most)
        if deals is not None and deals.is_believed:
            return deals
    weigher = _CompiledWeigher(player, view, 1, Stream(0))
    try:
        found = _deals_by_hints(weigher, most)
    except InvalidInputError:
        if deals is None:
            raise
        return deals
    if found is None and is_misled:
        deals = _deals_by_conventions(policy, view, most)
        if deals is not None:
            deals = deals._replace(policy=weigher.policy, memory=weigher.memory)
    found = found or deals
    if found is None:
        raise InvalidInputError("no deal agrees with what the seat knows by the conventions")
    return found


def misleads(policy: Policy, view: View) -> bool:
    """Whether the seat to act has given the others false information, if all follow a policy."""
    import numpy as np

    from hanabi.players.partners.kernels import has_misled

    actions = np.array([action.code for action in view.actions], np.int64)
    return bool(has_misled(policy, complete_view(view), actions))


def _deals_by_conventions(policy: BeliefPolicy, view: View, most: int) -> _Deals | None:
    """Return the deals that conventions leave: those in which the others act so, or else all."""
    import numpy as np

    from hanabi.players.kernels.policy import scratch_size
    from hanabi.players.partners.kernels import list_deals

    position, memory = recall(view, policy)
    n_hidden = sum(card is None for card in view.deck)
    places = np.empty(n_hidden, np.int64)
    scratch = np.empty(scratch_size(policy, position.rules), np.int64)
    room = 1 << 10
    while True:
        cards = np.empty((min(room, most), n_hidden), np.int64)
        n, believed = list_deals(policy, position, memory, places, scratch, cards)
        if n >= 0:
            break
        if room >= most:
            raise InvalidInputError(f"more than {most:,} deals agree with what the seat knows")
        room *= 8
    # The rows after the first n are not written.
    cards = cards[: believed or n]
    return _Deals(policy, position, memory, places, cards, believed > 0) if n else None


def _deals_by_hints(weigher: _CompiledWeigher, most: int) -> _Deals | None:
    """Return the deals that hints leave in which the others act as they did; None if none does."""
    import numpy as np

    from hanabi.players.endgame.kernels import ANY_CARD, list_worlds

    view, ranks = weigher.view, weigher.view.rules.ranks
    hands = _list_hands(_allowed(view, {}), view.unseen, MOST_HANDS)
    if hands is None:
        raise InvalidInputError(f"more than {MOST_HANDS:,} hands agree with the hints")
    places = np.array(weigher.places, np.int64)
    masks, tables, left = np.full(places.size, ANY_CARD, np.int64), [], most
    for first in range(0, len(hands), weigher.chunk):
        chunk = [hand for hand, _ in hands[first : first + weigher.chunk]]
        for hand, likely in zip(chunk, weigher.weigh(chunk), strict=True):
            if not likely:
                continue
            rest = view.unseen - Counter(hand)
            orders = factorial(view.deck_left) // prod(map(factorial, rest.values()))
            if orders > left:
                raise InvalidInputError(f"more than {most:,} deals agree with what the seat knows")
            left -= orders
            masks[: len(hand)] = [1 << card.color * ranks + card.rank - 1 for card in hand]
            table = np.empty((orders, places.size), np.int64)
            tables.append(table[: list_worlds(weigher.position, places, masks, table)])
    if not tables:
        return None
    cards = np.concatenate(tables)
    return _Deals(weigher.policy, weigher.position, weigher.memory, places, cards, True)


def _tried(
    policy: BeliefPolicy, worlds: Worlds, action: Action, view: View, clock: Clock
) -> ActionChances:
    from hanabi.players.partners.kernels import try_action

    cases, perfect, points, done = len(worlds.cards), 0, 0, 0
    while done < cases and not clock.is_over:
        last = min(done + _AT_ONCE, cases)
        counts = try_action(policy, worlds, action.code, done, last)
        perfect, points, done = perfect + counts[0], points + counts[1], last
    left, most = cases - done, view.most_points
    return ActionChances(
        action,
        Range(Fraction(perfect, cases), Fraction(perfect + left, cases)),
        Range(Fraction(points, cases), Fraction(points + most * left, cases)),
    )
