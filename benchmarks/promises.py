"""What a searching seat expects of its decisions, and what they give.

Run with ``python -m benchmarks.promises [DEALS [SEED]]``, two seats. Wherever a search over beliefs
departs from its inner player, that player plays both actions on: in fresh draws from the seat's
beliefs, and from the true hands in 200 orders of the cards left to draw. The draws are not those of
the decision, so with correct beliefs both would have the same mean.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from benchmarks.endgame import describe
from hanabi.ground.rng import Stream
from hanabi.players import parse_player
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.belief import Belief, draw_beliefs
from hanabi.players.compiled import borrow, recall
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.trials import open_trial, play_out
from hanabi.players.protocol import CompiledPlayer
from hanabi.rules import Action, Game, Rules

SEED = 31_338
PLAYER = "belief/convention"
ORDERS = 200


def promised(player: Belief, game: Game, own: Action, action: Action, draws: Stream) -> float:
    """Return the gain of an action on the player's own, in draws from the seat's beliefs."""
    inner = player.player
    assert isinstance(inner, CompiledPlayer)
    view, policy = game.view(game.seat_to_act), inner.compiled(game.rules)
    assert policy is not None
    position, memory = recall(view, policy)
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    gains = []
    with borrow(Stream(0)) as rng:  # the inner player leaves nothing to chance
        for deck in draw_beliefs(player, view, draws).decks:
            trial = open_trial(position, memory, rng, scratch)
            trial.start.deck[:] = Game.start(game.rules, deck).packed.deck
            policies.resume(policy, trial.start, trial.memory, scratch)
            before, after = (int(play_out(policy, trial, each.code)) for each in (own, action))
            gains.append(after - before)
    return float(np.mean(gains)) if gains else 0.0


def values_of(
    player: CompiledPlayer, game: Game, actions: Sequence[Action], stream: Stream
) -> list[list[int]]:
    """Return the scores after each action, in the same orders of the cards left to draw."""
    policy = player.compiled(game.rules)
    assert policy is not None
    _, memory = recall(game.view(game.seat_to_act), policy)
    position = game.packed
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    values: list[list[int]] = [[] for _ in actions]
    with borrow(Stream(stream.word())) as rng:
        trial = open_trial(position, memory, rng, scratch)
        drawn = game.rules.deck_size - game.deck_left
        for _ in range(ORDERS):
            trial.start.deck[drawn:] = stream.shuffled(position.deck[drawn:].tolist())
            policies.resume(policy, trial.start, trial.memory, scratch)
            for scores, action in zip(values, actions, strict=True):
                scores.append(int(play_out(policy, trial, action.code)))
    return values


def play(player: Belief, rules: Rules, seed: int, index: int) -> list[tuple[str, float, float]]:
    """Play a deal; return each departure from the player, its promised and its given gain."""
    game, inner = Game.start(rules, rules.spec.shuffle(seed, index)), player.player
    assert isinstance(inner, CompiledPlayer)
    stream, orders = Stream(decision_seed(seed), index), Stream(seed + 1, index)
    differing = []
    while not game.is_over:
        view = game.view(game.seat_to_act)
        action, own = player.act(view, stream), inner.act(view, Stream(0))
        if action != own:
            before, after = np.array(values_of(inner, game, (own, action), orders))
            kinds = ("hint" if each.is_hint else str(each.kind) for each in (own, action))
            given = float((after - before).mean())
            promise = promised(player, game, own, action, Stream(index, game.turn))
            differing.append((" to ".join(kinds), promise, given))
        game = game.apply(action)
    return differing


def main(deals: int = 5, seed: int = SEED) -> None:
    """Print the means a game, in all and by the kinds of the two actions."""
    player, rules = parse_player(PLAYER), Rules.hanab_live(2)
    assert isinstance(player, Belief)
    outcomes(player, rules, 1, seed=seed)  # compiles
    games = [play(player, rules, seed, index) for index in range(deals)]
    rows = defaultdict[str, list[tuple[int, float, float]]](lambda: [(0, 0.0, 0.0)] * deals)
    for place, differing in enumerate(games):
        for kinds, *values in differing:
            for name in ("all", kinds):
                sums = rows[name][place]
                rows[name][place] = sums[0] + 1, sums[1] + values[0], sums[2] + values[1]
    print(f"{PLAYER}, {deals} deals of seed {seed}; means a game\n")
    print(f"{'':20}{'decisions':>10}{'promised':>10}{'given':>8}")
    for name in sorted(rows):
        number, promise, given = (describe(column) for column in zip(*rows[name], strict=True))
        print(f"{name:20}{number[0]:10.2f}{promise[0]:+10.3f}{given[0]:+8.3f} +- {given[1]:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
