"""A seat's possible hands, weighed by what its partners would have done."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from numbers import Real
from statistics import mean
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, InvalidInputError, PlayerError, Stream
from hanabi.players.belief import Belief
from hanabi.players.compiled import borrow, recall
from hanabi.players.own import Own
from hanabi.players.protocol import (
    CompiledPlayer,
    Player,
    Seated,
    blaming,
    blaming_policy,
    decision,
    name_of,
    seated,
    shown,
)
from hanabi.rules import Action, Card, Deck, Game, View, check_turn, refuse_kinds
from hanabi.worlds import Hidden

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.ground import Words
    from hanabi.players.belief.kernels import BeliefPolicy

__all__ = ["ASKS", "MOST_HANDS", "Chancy", "WeighedHands", "weigh_hands"]

ASKS = 100
"""How often a player is asked for a decision by unknown chances."""

MOST_HANDS = 20_000
"""Most hands of a seat to list; of more, a sample is drawn."""

_MOST_KINDS = 62  # sets of cards are bits of a word
_CHUNK = 256  # hands between two checks of the clock
MOST_COUNTED = 200  # hands in which contradictions are counted
_UNIT = 1 << 53
_ROUNDING = 1e-9  # by which probabilities may differ from 1 in sum
_DOUBT = 0.3  # by what a decision that the partner would not have made multiplies a weight

_Hand: TypeAlias = tuple[Card, ...]
_Weighed: TypeAlias = tuple[_Hand, int, float]
"""A hand, the number of ways to deal it, and its likelihood."""


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
        a hand weighs by hints, and 0.3 times as much for each decision that contradicts it. Of more
        than 200 hands, or if there is no time, the others weigh as much as these on average.
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
        hidden, decks = Hidden.of(self.view), []
        for _ in range(n):
            at = bisect_right(reached, rng.below(_UNIT) / _UNIT * reached[-1])
            hand = self.hands[min(at, len(self.hands) - 1)]
            rest = rng.shuffled(hidden.filled(hand)[len(hand) :])
            decks.append(hidden.deck([*hand, *rest]))
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
        If the game is over, another seat is to act, `known` names a slot that is not there, no
        hand is possible, or the rules have more than 62 different cards.
    PlayerError
        If a player of your own fails, or its chances are none.

    >>> from hanabi.rules import Rules
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
    clock, hidden = Clock(seconds), Hidden.of(view, known)
    weigher = _weigher(partner, hidden, asks, Stream(rng.word()), clock)
    listed = hidden.hands(most)
    if listed is not None and not listed:
        raise InvalidInputError("no hand agrees with what the seat knows")
    if listed is None:
        found, is_sample = _drawn(weigher, rng, (samples, tries), clock), True
    else:
        order = list(range(len(listed))) if seconds is None else rng.shuffled(range(len(listed)))
        found = list[_Weighed]()
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


def _weighed(weigher: _Weigher, found: list[_Weighed], is_sample: bool) -> WeighedHands:
    """Return the probabilities of hands, given the ways to deal each and its likelihood."""
    agreeing = [each for each in found if each[2] > 0]
    if agreeing:
        largest = max(likely for _, _, likely in agreeing)
        counted = [max(agreeing, key=lambda each: each[2])[0]]
        weights = [ways * (likely / largest) for _, ways, likely in agreeing]
    else:
        counted = [hand for hand, _, _ in found[:MOST_COUNTED]]
    decisions, wrong, never = weigher.contradictions(counted)
    if not agreeing:
        doubts = [_DOUBT**each for each in wrong]
        doubts += [mean(doubts or [1])] * (len(found) - len(doubts))
        weights = [ways * doubt for (_, ways, _), doubt in zip(found, doubts, strict=True)]
    total = sum(weights)
    return WeighedHands(
        weigher.hidden.view,
        tuple(hand for hand, _, _ in agreeing or found),
        tuple(weight / total for weight in weights),
        is_sample,
        bool(agreeing),
        decisions,
        never if is_sample else min(wrong, default=0),
    )


def _drawn(weigher: _Weigher, rng: Stream, limits: tuple[int, int], clock: Clock) -> list[_Weighed]:
    """Return drawn hands with their likelihoods, as many as are wanted if enough of them agree."""
    samples, tries = limits
    agreeing = list[_Weighed]()
    others, tried = list[_Weighed](), 0
    while len(agreeing) < samples and tried < tries * samples:
        n = min(weigher.chunk, tries * samples - tried)
        hands = _sampled(weigher.hidden, rng, n)
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


def _sampled(hidden: Hidden, rng: Stream, n: int) -> list[_Hand]:
    """Return independent draws of the hand, each way to deal it with the same probability."""
    import numpy as np

    from hanabi.rules import unpack_deck
    from hanabi.worlds import sample_worlds

    worlds = np.empty((n, len(hidden.places)), np.int64)
    with borrow(rng) as words:
        if not sample_worlds(hidden.packed(), words, worlds):
            raise InvalidInputError("no hand was found that agrees with what the seat knows")
    return [tuple(unpack_deck(world[: len(hidden.slots)])) for world in worlds]


class _Weigher(ABC):
    """The likelihoods of a seat's hands, given what the others did, if they play as a player."""

    chunk = 1
    """How many hands to weigh between two looks at the clock."""

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden

    @abstractmethod
    def weigh(self, hands: Sequence[_Hand]) -> list[float]:
        """Return the likelihood of each hand, or of the first ones for which there is time."""

    @abstractmethod
    def contradictions(self, hands: Sequence[_Hand]) -> tuple[int, list[int], int]:
        """Return the number of the others' decisions, and for each hand of those impossible in it.

        The last number counts the decisions that are impossible in every hand. Hands for which
        there is no time are left out; without any, it is 0.
        """


def _weigher(
    partner: Player, hidden: Hidden, asks: int, rng: Stream, clock: Clock = NO_LIMIT
) -> _Weigher:
    """Return a compiled weigher if the player has a policy that is not less exact.

    Neither asks whether the game would have ended before with another hand. It never depends on
    that: the rules ask who holds a card only once the deck is empty (`stop_when_stuck`), and then
    the seat knows all of its cards, though not their order.
    """
    if isinstance(partner, CompiledPlayer):
        policy = partner.compiled(hidden.view.rules)
        if policy is not None and (clock.left is None or not is_search(policy)):
            from hanabi.players.kernels.policy import chance

            is_known = chance.dispatch(type(policy)) is not chance.dispatch(object)
            if is_known or not isinstance(_unwrapped(partner), Chancy):
                return CompiledWeigher(partner, hidden, asks, rng)
    return _PlainWeigher(partner, hidden, asks, rng, clock)


class CompiledWeigher(_Weigher):
    """Likelihoods by a compiled policy, which remembers what it would at each seat."""

    chunk = _CHUNK

    def __init__(self, partner: CompiledPlayer, hidden: Hidden, asks: int, rng: Stream) -> None:
        super().__init__(hidden)
        self._rng, self._partner = rng, partner
        belief = Belief(partner, seats=0, slack=0.0, asks=asks)
        self.policy = recalling(belief.compiled(hidden.view.rules))
        self.position, self.memory = recall(hidden.view, self.policy)

    def _worlds(self, hands: Sequence[_Hand]) -> tuple[Words, Words]:
        import numpy as np

        from hanabi.rules import pack_deck

        worlds = [pack_deck(self.hidden.filled(hand)) for hand in hands]
        return np.array(self.hidden.places, np.int64), np.array(worlds, np.int64)

    def weigh(self, hands: Sequence[_Hand]) -> list[float]:
        import numpy as np

        from hanabi.players.partners.kernels import weigh_worlds

        weights: npt.NDArray[np.float64] = np.empty(len(hands), np.float64)
        places, worlds = self._worlds(hands)
        with borrow(self._rng) as words, blaming_policy([self._partner]):
            weigh_worlds(self.policy, self.position, self.memory, places, worlds, words, weights)
        return list(map(float, weights))

    def contradictions(self, hands: Sequence[_Hand]) -> tuple[int, list[int], int]:
        from hanabi.players.partners.kernels import count_contradictions

        places, worlds = self._worlds(hands)
        with borrow(self._rng) as words, blaming_policy([self._partner]):
            wrong, never = count_contradictions(
                self.policy, self.position, self.memory, places, worlds, words
            )
        return never.size, wrong.tolist(), int(never.sum())


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

    >>> from hanabi.rules import Rules
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

    def __init__(
        self, partner: Player, hidden: Hidden, asks: int, rng: Stream, clock: Clock
    ) -> None:
        super().__init__(hidden)
        self._partner, self._asks, self._seed, self._clock = partner, asks, rng.word(), clock
        self._held = hidden.places[: len(hidden.slots)]
        # A decision depends on nothing but the turn and the cards of the hand drawn by then.
        self._known = dict[tuple[int, _Hand], float]()

    def weigh(self, hands: Sequence[_Hand]) -> list[float]:
        with suppress(BudgetEndedError):
            return [self._likelihood(hand) for hand in hands]
        return []

    def _likelihood(self, hand: _Hand) -> float:
        likely = 1.0
        for is_early, probability in self._probabilities(hand):
            if not is_early:
                likely *= probability
            if likely == 0:
                break
        return likely

    def contradictions(self, hands: Sequence[_Hand]) -> tuple[int, list[int], int]:
        view, seats = self.hidden.view, self.hidden.view.rules.seats
        decisions = sum((view.first_seat + t) % seats != view.seat for t in range(view.turn))
        rows = list[list[bool]]()
        with suppress(BudgetEndedError):
            for hand in hands:
                rows.append([chance == 0 for _, chance in self._probabilities(hand)])
        never = sum(map(all, zip(*rows, strict=True)))
        return decisions, [sum(row) for row in rows], never

    def _probabilities(self, hand: _Hand) -> Iterator[tuple[bool, float]]:
        """Yield the probability of each of the others' decisions, and whether no card matters."""
        view, deck = self.hidden.view, self.hidden.deck(self.hidden.filled(hand))
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
        when = f"turn {view.turn + 1}, seat {view.seat}: "
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
