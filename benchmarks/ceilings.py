"""The most that changes of the search over beliefs could bring, two seats.

Run with ``python -m benchmarks.ceilings LEVER [GAMES [DEPARTURES [OTHERS [FIRST]]]]``, for so many
of the recorded games (``benchmarks.recorded``) from the first one. At a decision the search chooses
again, without and with the lever:

- `again`: in other deals; what this brings is chance.
- `worlds`: in four times the deals.
- `searched`: where the player would discard, deals weigh by what a search with 20 deals would have
  done at the other seat's last three decisions, and not by what the player would have done.
- `searched-well`: the same with 100 deals, each used four times.
- `endgame`: in play-outs the player searches the endgame.
- `reply`: of the actions that may be best, by play-outs in which the other seat searches, too, at
  its next turn, with 20 deals.

Where the two choices differ, the player plays both on from the true hands, in 200 orders of the
cards left to draw, so that luck is removed; also as the lever does in its play-outs. Of the
decisions in which the search departed from the player, and of the others, every so many are tried,
none for 0, and count that often. The sums a game are of the first order: positions are those of the
recorded games.

For large changes these sums would count a gain again and again, so two levers play whole games of
the same deals, to be compared by their gains on the player:

- `known`: the search knows its hand, though not the order of the deck.
- `discards`: it knows its hand where the player would discard.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.believed import RECORD
from benchmarks.endgame import describe
from benchmarks.recorded import Played, read_games, read_table
from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.rng import shuffle
from hanabi.ground.rng import Stream
from hanabi.lab.recorded import gain_of
from hanabi.players import parse_player
from hanabi.players.belief import Belief, kernels
from hanabi.players.belief.kernels import BeliefPolicy
from hanabi.players.compiled import borrow, recall
from hanabi.players.endgame.kernels import EndgamePolicy
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.trials import (
    Trial,
    Worlds,
    begin,
    enter,
    open_believed,
    open_trial,
    play_out,
    try_action,
)
from hanabi.rules import Action, Game
from hanabi.rules import layout as k
from hanabi.rules.actions import Kind
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import score
from hanabi.worlds.kernels.deals import lay

ORDERS = 200
NESTED = 20  # deals of a search inside a search
WELL = 100, 4  # deals of a good one, and how often it may use each
LAST = 3  # decisions of the other seat that are weighed
DOUBT = 0.1  # how likely a search is to do anything else than the one inside
TRIED = 60  # deals in which replies are searched
CLOSE = 0.25  # points by which an action may fall short in these to be tried with replies
REPLIES, AFTER = 20, 10  # searches after each action from the true hands; orders after each


class Decision(NamedTuple):
    """A decision, as the kernels have it; `own` is what the player would do."""

    policy: BeliefPolicy
    game: Game
    position: Packed
    memory: Words
    scratch: Words
    own: int
    seed: int

    @property
    def learned(self) -> Words:
        """The memory of the player."""
        return self.memory[: policies.memory_size(self.policy.inner, self.position.rules)]

    @property
    def discards(self) -> bool:
        """Whether the player would discard."""
        return Action.from_code(self.own).kind is Kind.DISCARD

    def draws(self, policy: BeliefPolicy, seed: int) -> Believed:
        """Return deals from the seat's beliefs."""
        deals = self.deals
        with borrow(Stream(seed)) as rng:
            worlds, _ = kernels.open_beliefs(
                policy, self.position, rng, self.memory, self.scratch, deals
            )
        worlds = worlds._replace(seed=np.uint64(worlds.seed))  # a word, which Python forgets
        hands = worlds.cards.shape[0] // deals
        return Believed(worlds, hands, self.chosen(policy, worlds, hands))

    def chosen(self, policy: BeliefPolicy, worlds: Worlds, hands: int) -> int:
        """Return what the search chooses in some deals."""
        return int(kernels.choose(policy, worlds, self.own, hands)) if hands else self.own

    @property
    def deals(self) -> int:
        """How often each hand may be used."""
        return int(self.policy.limits[kernels.DEALS]) if self.game.deck_left > 1 else 1


class Believed(NamedTuple):
    """Believed deals, of which the first `hands` were drawn, and the search's choice."""

    worlds: Worlds
    hands: int
    choice: int


def open_decision(player: Belief, game: Game, seed: int) -> Decision:
    """Return the decision of the seat to act."""
    view, policy = game.view(game.seat_to_act), player.compiled(game.rules)
    position, memory = recall(view, policy)
    size = policies.scratch_size(_with_endgame(policy), position.rules)
    own = player.player.act(view, Stream(0)).code  # the player leaves nothing to chance
    return Decision(policy, game, position, memory, np.empty(size, np.int64), own, seed)


# Levers: what the search chooses, where it has drawn and chosen without the lever.


def again(at: Decision, _: Believed) -> int:
    """Choose in other deals."""
    return at.draws(at.policy, at.seed + 1).choice


def more_worlds(at: Decision, _: Believed) -> int:
    """Choose in four times the deals."""
    policy = _with_worlds(at.policy, 4 * at.policy.limits[kernels.WORLDS], at.deals)
    return at.draws(policy, at.seed).choice


def with_endgame(at: Decision, found: Believed) -> int:
    """Choose by play-outs that search the endgame."""
    return at.chosen(_with_endgame(at.policy), found.worlds, found.hands)


def weighed(at: Decision, found: Believed, nested: tuple[int, int] = (NESTED, 1)) -> int:
    """Choose in deals weighed by what a search would have done, if the player would discard."""
    if not at.discards:
        return found.choice
    masked, worlds = found.worlds.places.size - at.game.deck_left, found.worlds
    hands, numbers = np.unique(worlds.cards[: found.hands, :masked], axis=0, return_inverse=True)
    deck = at.position.deck.copy()
    lay(worlds.places, worlds.cards[0], deck)
    past = kernels.open_past(at.policy, at.position, deck, at.memory, at.scratch, False)
    last = np.argsort(past.states[:, k.TURN])[-LAST:].tolist()
    weights = []
    with borrow(Stream(at.seed)) as rng:
        for number in range(len(hands)):
            lay(worlds.places, worlds.cards[np.argmax(numbers == number)], deck)
            weights.append(np.prod([_weight(at, past, row, nested, rng) for row in last]))
        kernels.resample(worlds.cards, np.array(weights)[numbers.ravel()], masked, rng)
    return at.chosen(at.policy, worlds, found.hands)


def _weight(
    at: Decision, past: kernels.Past, row: int, nested: tuple[int, int], rng: RandomStream
) -> float:
    """Return how much likelier a search is to have decided so than beliefs have it."""
    slack = past.slack[kernels.EXACT, row] / kernels.SLACK_UNIT
    likely = kernels.chance_of(at.policy, past, row, rng, at.scratch)
    then = past.now._replace(state=past.states[row].copy())
    size, turn = at.learned.size, int(then.state[k.TURN])
    memory = np.zeros_like(at.memory)
    memory[:size] = past.memories[row]
    memory[size : size + turn] = at.memory[size : size + turn]
    policies.resume(at.policy, then, memory, at.scratch)
    search = _with_worlds(at.policy, *nested)
    is_same = policies.decide(search, then, rng, memory, at.scratch) == past.actions[row]
    return float((DOUBT + (1 - DOUBT) * is_same) / (slack + (1 - slack) * likely))


def with_reply(at: Decision, found: Believed) -> int:
    """Choose among close actions by play-outs in which the other seat searches its reply.

    It takes another action than the search if that is better by two standard errors.
    """
    legal = np.empty(at.position.rules[k.MAX_ACTIONS], np.int64)
    tried, means = range(min(found.hands, TRIED)), dict[int, float]()
    for action in map(int, legal[: legal_actions(at.position, legal)]):
        if action in (at.own, found.choice) or kernels.may_try(at.policy, found.worlds, action):
            plain = [try_action(at.policy.inner, found.worlds, each, action) for each in tried]
            means[action] = float(np.mean(plain))
    others = sorted(means, key=lambda action: means[action], reverse=True)
    close = [each for each in others if means[each] >= means[others[0]] - CLOSE][:3]
    best, most, scores_of = found.choice, 0.0, dict[int, list[float]]()
    with borrow(Stream(at.seed)) as rng:
        for action in {found.choice, *close} if {found.choice} != {*close} else ():
            scores_of[action] = []
            for each in tried:
                enter(at.policy.inner, found.worlds, each)
                scores_of[action].append(after_reply(at, found.worlds.trial, action, rng, 4))
    for action, scores in scores_of.items():
        gains = np.array(scores) - np.array(scores_of[found.choice])
        if gains.mean() > max(most, 2 * float(np.sqrt((gains**2).sum() + 1)) / len(tried)):
            best, most = action, float(gains.mean())
    return best


def known(at: Decision) -> int:
    """Choose in deals with the true hand."""
    hidden = open_believed(at.policy, at.position, at.memory)
    hands, masked = at.policy.limits[kernels.WORLDS], hidden.places.size - at.game.deck_left
    cards = np.empty((at.deals * hands, hidden.places.size), np.int64)
    cards[:hands] = at.game.packed.deck[hidden.places]
    with borrow(Stream(at.seed)) as rng:
        for row in range(hands):
            shuffle(rng, cards[row, masked:])
    trial = open_trial(at.position, at.learned, np.empty(1, np.uint64), at.scratch)
    worlds = Worlds(trial, hidden.places, cards, True, np.uint64(at.seed))
    return at.chosen(at.policy, worlds, hands)


def known_at_discards(at: Decision) -> int:
    """Choose with the true hand where the player would discard."""
    return known(at) if at.discards else at.draws(at.policy, at.seed).choice


def _with_worlds(policy: BeliefPolicy, worlds: int, deals: int) -> BeliefPolicy:
    limits = policy.limits.copy()
    limits[[kernels.WORLDS, kernels.DEALS]] = worlds, deals
    return policy._replace(limits=limits)


def _with_endgame(policy: BeliefPolicy) -> BeliefPolicy:
    return policy._replace(inner=EndgamePolicy(policy.inner, np.array([20, 20, 5, 200], np.int64)))


# How a play-out goes on after an action: as the player does, or as a lever does.


def plainly(at: Decision, trial: Trial, action: int, _: RandomStream) -> float:
    """Return the score if the player plays on."""
    return float(play_out(at.policy.inner, trial, action))


def with_endgames(at: Decision, trial: Trial, action: int, _: RandomStream) -> float:
    """Return the score if the player searches the endgame."""
    return float(play_out(_with_endgame(at.policy).inner, trial, action))


def after_reply(
    at: Decision, trial: Trial, action: int, rng: RandomStream, orders: int = AFTER
) -> float:
    """Return the mean score if the other seat searches its reply, then the player plays on.

    The card that the action draws is that of the trial; the mean is over orders of the others.
    """
    policy, now, memory = _with_worlds(at.policy, NESTED, 1), trial.now, at.memory.copy()
    begin(trial)
    memory[: trial.learned.size] = trial.learned
    policies.advance(policy, now, memory, action, at.scratch)
    is_over, drawn, scores = now.state[k.END] != k.IN_PROGRESS, now.state[k.DRAWN], []
    reply = -1 if is_over else policies.decide(policy, now, rng, memory.copy(), at.scratch)
    for _ in range(1 if is_over else orders):
        shuffle(rng, now.deck[drawn:])
        begin(trial)
        for each in (action, reply)[: 1 if is_over else 2]:
            policies.advance(policy.inner, now, trial.learned, each, trial.scratch)
        policies.play_on(policy.inner, now, trial.rng, trial.learned, trial.scratch)
        scores.append(score(now.rules, now.state))
    return float(np.mean(scores))


Going = Callable[[Decision, Trial, int, RandomStream], float]

LEVERS: dict[str, tuple[Callable[[Decision, Believed], int], Going, int]] = {
    "again": (again, plainly, ORDERS),
    "worlds": (more_worlds, plainly, ORDERS),
    "searched": (weighed, plainly, ORDERS),
    "searched-well": (partial(weighed, nested=WELL), plainly, ORDERS),
    "endgame": (with_endgame, with_endgames, ORDERS),
    "reply": (with_reply, after_reply, REPLIES),
}
KNOWING = {"known": known, "discards": known_at_discards}


def gained(at: Decision, goes_on: Going, orders: int, one: int, other: int) -> float:
    """Return the mean gain of an action on another one, from the true hands."""
    drawn, gains = at.game.rules.deck_size - at.game.deck_left, []
    stream, left = Stream(at.seed), at.game.packed.deck[drawn:].tolist()
    with borrow(Stream(at.seed + 2)) as rng:
        trial = open_trial(at.game.packed, at.learned, rng, at.scratch)
        for _ in range(orders):
            left, scores = stream.shuffled(left), []
            for action in (one, other):
                trial.start.deck[drawn:] = left
                policies.resume(at.policy.inner, trial.start, trial.memory, at.scratch)
                scores.append(goes_on(at, trial, action, rng))
            gains.append(scores[0] - scores[1])
    return float(np.mean(gains))


def look(player: Belief, end: Game, deal: int, lever: str, every: tuple[int, int]) -> list[float]:
    """Return how many decisions of a game differ, and their gains as the player and lever go on."""
    game, sums = Game.start(end.rules, end.deck), np.zeros(3)
    choose, goes_on, orders = LEVERS[lever]
    for action in end.actions:
        at = open_decision(player, game, 1000 * deal + game.turn)
        times = every[at.own == action.code]
        if times and (game.turn + deal) % times == 0:
            found = at.draws(at.policy, at.seed)
            base = found.choice
            chosen = choose(at, found) if found.hands else base
            if chosen != base:
                gain = gained(at, plainly, ORDERS, chosen, base)
                as_lever = gained(at, goes_on, orders, chosen, base) if goes_on != plainly else gain
                sums += times * np.array([1, gain, as_lever])
        game = game.apply(action)
    return [float(each) for each in sums]


def play(player: Belief, recorded: Played, deal: int, lever: str) -> list[float]:
    """Play a deal by a lever that knows the hand; return its gains on the recorded game."""
    game = Game.start(recorded.end.rules, recorded.end.deck)
    while not game.is_over:
        at = open_decision(player, game, 1000 * deal + game.turn)
        game = game.apply(Action.from_code(KNOWING[lever](at)))
    policy = player.compiled(game.rules).inner
    points, perfect, _ = gain_of(policy, game, ORDERS, Stream(2, deal))
    more = game.score - recorded.end.score
    return [more, points / ORDERS - recorded.points, perfect / ORDERS - recorded.perfect]


def main(lever: str, games: int = 10, departures: int = 1, others: int = 8, first: int = 0) -> None:
    """Print the sums of each game, and their means."""
    table = read_table(Path(RECORD))
    player: Any = parse_player(table.player)
    chosen = [*read_games(Path(RECORD), table).items()][first : first + games]
    names, sums = ("decisions that differ", "gain", "gain as the lever goes on"), []
    if lever in KNOWING:
        names = ("score", "gain", "gain of perfect games")
    print(f"{lever}, {games} games; " + ", ".join(names))
    for deal, each in chosen:
        if lever in KNOWING:
            sums.append(play(player, each, deal, lever))
        else:
            sums.append(look(player, each.end, deal, lever, (departures, others)))
        print(deal, *(f"{value:+.3f}" for value in sums[-1]), flush=True)
    for name, column in zip(names, zip(*sums, strict=True), strict=True):
        mean, error = describe(column)
        print(f"{name:26}{mean:+8.3f} +- {error:.3f}")


if __name__ == "__main__":
    lever, *numbers = sys.argv[1:]
    main(lever, *map(int, numbers))
