"""Calls of compiled policies from Python, for one decision and for whole deals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from hanabi.ground import InvalidInputError, Stream
from hanabi.rules import Action, Slots, View, check_action
from hanabi.worlds import complete_deck

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.ground import Words
    from hanabi.players.kernels.games import Record
    from hanabi.players.protocol import Policy
    from hanabi.rules import Deals, Deck, Game, Packed, Rules

__all__ = [
    "PolicyPlayer",
    "Thinking",
    "borrow",
    "complete_view",
    "deals_of",
    "decide",
    "keep_game",
    "new_record",
    "play_deals",
    "play_decks",
    "recall",
    "record_deals",
    "slots_in",
]

_MOST_CARDS = 1 << 15

# Conversion of a view to the arrays of the kernels. These need whole decks, so hidden cards are
# filled in as hints allow (`complete_deck`); the choice does not affect decisions.


def complete_view(view: View) -> Packed:
    """Return the arrays of the kernels for the position of a view; the game must not be over.

    Do not read the hidden cards that were filled in. Takes O(deck size), some tens of
    microseconds.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> (complete_view(game.view(0)).state == game.packed.state).all()
    np.True_
    """
    from hanabi.rules import pack_deck

    if not view.can_act:
        raise InvalidInputError(f"the game is over: {view.end_reason}")
    return view.packed._replace(deck=pack_deck(complete_deck(view)))


def recall(view: View, policy: Policy) -> tuple[Packed, Words]:
    """Return the position of a view for the kernels, and the memory of a policy there.

    The game is replayed as if every seat followed the policy. Takes O(history), some tens of
    microseconds per action.

    Raises
    ------
    InvalidInputError
        If the game is over, or the policy has a memory and the view was made without its history.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import Information
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> position, memory = recall(view, Information().compiled(rules))
    >>> int(memory[0]) == 2**25 - 1
    True
    """
    import numpy as np

    from hanabi.players.kernels import policy as policies
    from hanabi.rules import deal_from

    position = complete_view(view)
    past = position._replace(state=np.empty_like(position.state))
    memory = np.empty(policies.memory_size(policy, position.rules), np.int64)
    if memory.size:
        scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
        deal_from(past, view.first_seat)
        actions = np.array([action.code for action in view.actions], np.int64)
        policies.replay(policy, past, memory, actions, scratch, view.seat)
    return position, memory


@contextmanager
def borrow(rng: Stream) -> Iterator[npt.NDArray[np.uint64]]:
    """Lend a random stream to kernels, which continue from its state.

    >>> from hanabi.ground.compiled.rng import word
    >>> rng = Stream(1)
    >>> with borrow(rng) as words:
    ...     first = int(word(words))
    >>> first == Stream(1).word(), rng.word() == first
    (True, False)
    """
    import numpy as np

    words = np.array([rng.state], np.uint64)
    yield words
    rng.state = int(words[0])


# Decisions and whole games.


class PolicyPlayer(ABC):
    """The base class of players whose decisions are those of their compiled policy."""

    __slots__ = ()

    @abstractmethod
    def compiled(self, rules: Rules, /) -> Policy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the player does not support these rules.
        """

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the policy's action for the viewing seat.

        Raises
        ------
        InvalidInputError
            If the game is over, or the player does not support the rules.
        """
        return decide(self.compiled(view.rules), view, rng)

    def why(self, view: View, action: Action, /) -> str:
        """Return why the player takes an action, in one sentence.

        It depends on nothing but the view and the action. A player that draws deals at random draws
        others than for its decision, always the same ones. Takes about as long as a decision.

        Raises
        ------
        InvalidInputError
            If another seat is to act, or the player does not support the rules.
        IllegalActionError
            If the action is not legal.
        """
        import numpy as np

        from hanabi.players.kernels import policy as policies

        check_action(view, action)
        policy = self.compiled(view.rules)
        position, memory = recall(view, policy)
        scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
        return self._explain(Thinking(policy, view, position, memory, scratch), action)

    @abstractmethod
    def _explain(self, at: Thinking, action: Action) -> str:
        """Return the sentence for a legal action; `hanabi.rules.words.say` makes it."""


class Thinking(NamedTuple):
    """A policy, and what it decides by; see `hanabi.players.kernels.policy`."""

    policy: Any
    view: View
    position: Packed
    memory: Words
    scratch: Words


def slots_in(seat: int, bits: int) -> Slots:
    """Return slots of a seat's hand that are given as bits.

    >>> slots_in(1, 0b1011)
    Slots(seat=1, numbers=(0, 1, 3))
    """
    return Slots(seat, tuple(slot for slot in range(bits.bit_length()) if bits >> slot & 1))


def decide(policy: Policy, view: View, rng: Stream) -> Action:
    """Return a policy's action for the viewing seat, the same as in whole deals.

    The game is replayed to restore the policy's memory. Takes O(history), some tens of microseconds
    per action.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import Convention
    >>> rules = Rules.hanab_live(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> decide(Convention().compiled(rules), view, Stream(1)).is_hint
    True
    """
    import numpy as np

    from hanabi.players.kernels import policy as policies

    position, memory = recall(view, policy)
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    with borrow(rng) as words:
        code = policies.decide(policy, position, words, memory, scratch)
    return Action.from_code(int(code))


def play_deals(
    policy: Policy, rules: Rules, seeds: tuple[int, int], first: int, games: int
) -> npt.NDArray[np.int64]:
    """Play deals with a policy at every seat, and return one outcome per deal.

    Parameters
    ----------
    policy
        The policy for these rules, from `CompiledPlayer.compiled` or `compile_team`.
    rules
        The rules, seats included.
    seeds
        Deal `index` is `rules.spec.shuffle(seeds[0], index)`, and its decisions are drawn from
        `Stream(seeds[1], index)`.
    first, games
        The first index, and the number of games.

    Returns
    -------
    ndarray
        Shape (games,): `points << 1 | is_bombed`. Points are the cards on the piles, even in a
        bombed game; 0 if another end takes them. -1 means that the seats' memories differ, as after
        an information player had no truthful action; play that game from views.

    Raises
    ------
    InvalidInputError
        If the deck has 32,768 cards or more, because counts of cards share words.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import RandomLegal
    >>> rules = Rules.official(2)
    >>> play_deals(RandomLegal().compiled(rules), rules, (1, 2), 0, 3).shape
    (3,)
    """
    return _play(policy, rules, seeds, first, games, new_record(rules, 1))


def _play(
    policy: Policy,
    rules: Rules,
    seeds: tuple[int, int],
    first: int,
    games: int,
    record: Record,
) -> npt.NDArray[np.int64]:
    """Play deals, and return their outcomes; the record has those for which it has rows."""
    import numpy as np

    from hanabi.players.kernels.games import play_games

    outcomes = np.empty(games, np.int64)
    play_games(policy, deals_of(rules, seeds), first, record, outcomes)
    return outcomes


def deals_of(rules: Rules, seeds: tuple[int, int]) -> Deals:
    """Return the deals of two seeds, as `play_deals` takes them, for the kernels.

    Raises
    ------
    InvalidInputError
        If the deck has 32,768 cards or more.

    >>> from hanabi.rules import Rules
    >>> deals_of(Rules.official(2), (1, 2)).cards.size
    50
    """
    import numpy as np

    from hanabi.rules import Deals, pack_deck, pack_rules

    if rules.deck_size >= _MOST_CARDS:
        raise InvalidInputError(f"a deck of {rules.deck_size:,} cards is too large to simulate")
    words = np.array([seed & (1 << 64) - 1 for seed in seeds], np.uint64)
    return Deals(pack_rules(rules), pack_deck(list(rules.spec.cards())), words)


def new_record(rules: Rules, games: int) -> Record:
    """Return the arrays for the decks and actions of games, each of which has no turn yet.

    A game needs about 2 kB.

    >>> from hanabi.rules import Rules
    >>> new_record(Rules.official(2), 3).decks.shape
    (3, 50)
    """
    import numpy as np

    from hanabi.players.kernels.games import Record
    from hanabi.rules import most_turns, pack_rules

    return Record(
        np.zeros((games, rules.deck_size), np.int64),
        np.zeros((games, most_turns(pack_rules(rules))), np.int64),
        np.zeros(games, np.int64),
    )


def keep_game(record: Record, row: int, end: Game) -> None:
    """Write the deck and the actions of a game to a row of a record.

    >>> from hanabi.rules import Game, Rules, play
    >>> rules = Rules.official(2)
    >>> record = new_record(rules, 1)
    >>> keep_game(record, 0, Game.start(rules, rules.spec.shuffle(seed=1)).apply(play(0)))
    >>> record.turns.tolist()
    [1]
    """
    codes = [action.code for action in end.actions]
    record.decks[row] = end.packed.deck
    record.taken[row, : len(codes)] = codes
    record.turns[row] = len(codes)


def record_deals(
    policy: Policy, rules: Rules, seeds: tuple[int, int], first: int, record: Record
) -> npt.NDArray[np.int64]:
    """Play deals as `play_deals` does, as many as the record has rows, and record them.

    Raises
    ------
    InvalidInputError
        As `play_deals`.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import RandomLegal
    >>> rules = Rules.official(2)
    >>> policy, record = RandomLegal().compiled(rules), new_record(rules, 3)
    >>> outcomes = record_deals(policy, rules, (1, 2), 0, record)
    >>> bool((outcomes == play_deals(policy, rules, (1, 2), 0, 3)).all()), record.turns.min() > 0
    (True, np.True_)
    """
    return _play(policy, rules, seeds, first, record.turns.size, record)


def play_decks(
    policy: Policy, rules: Rules, decks: Sequence[Deck], seed: int, *, first: int = 0
) -> npt.NDArray[np.int64]:
    """Play decks of the rules with a policy at every seat, and return one outcome per deck.

    Game i draws its decisions from `Stream(seed, first + i)`; outcomes are those of `play_deals`.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import RandomLegal
    >>> rules = Rules.official(2)
    >>> decks = [rules.spec.shuffle(1, index) for index in range(3)]
    >>> policy = RandomLegal().compiled(rules)
    >>> bool((play_decks(policy, rules, decks, 2) == play_deals(policy, rules, (1, 2), 0, 3)).all())
    True
    """
    import numpy as np

    from hanabi.players.kernels import games
    from hanabi.rules import pack_deck, pack_rules

    packed = np.array([pack_deck(deck) for deck in decks], np.int64)
    packed = packed.reshape(len(decks), rules.deck_size)
    outcomes = np.empty(len(decks), np.int64)
    word = np.uint64(seed & (1 << 64) - 1)
    games.play_decks(policy, pack_rules(rules), packed, word, first, outcomes)
    return outcomes
