"""What a search gains on its inner player, with much of the luck of the deck removed.

Run with ``python -m benchmarks.gains [PLAYER [DEALS [SEATS [SEED]]]]``, with a wrapper such as
`belief/convention`. ``--first`` is the first deal, ``--workers`` the number of processes.
``--causes`` adds why games lost points, as ``benchmarks.losses`` does. ``--record`` names a file
that keeps the games (``benchmarks.recorded``); deals in it are not played again.

Wherever the wrapper departs from its inner player, the inner player plays both actions on from the
true hands, with the cards left to draw in 200 other orders. The differences of a game add up, by
telescoping, to an unbiased estimate of the wrapper's gain on the inner player: nobody has seen the
deck, and in between all seats follow the inner player. That holds whatever the wrapper believes.
The spread is about half that of differences of scores.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.losses import print_causes
from benchmarks.recorded import Played, read_games, summarize, table_of, write_line
from hanabi.game import Action, Game, Rules
from hanabi.players import parse_player
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.belief import Belief
from hanabi.players.compiled import borrow, recall
from hanabi.players.endgame import Endgame
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import open_trial, play_out
from hanabi.players.protocol import CompiledPlayer
from hanabi.rng import Stream

SEED = 77
ORDERS = 200


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


def play(player: Belief | Endgame, rules: Rules, seed: int, index: int) -> Played:
    """Play a deal."""
    game, inner = Game.start(rules, rules.spec.shuffle(seed, index)), player.player
    assert isinstance(inner, CompiledPlayer)
    stream, orders = Stream(decision_seed(seed), index), Stream(seed + 1, index)
    points, perfect, differing, seconds = 0.0, 0.0, 0, 0.0
    while not game.is_over:
        view = game.view(game.seat_to_act)
        start = time.process_time()
        action = player.act(view, stream)
        seconds += time.process_time() - start
        own = inner.act(view, Stream(0))
        if action != own:
            before, after = np.array(values_of(inner, game, (own, action), orders))
            points += float((after - before).mean())
            perfect += float((after == rules.max_score).mean() - (before == rules.max_score).mean())
            differing += 1
        game = game.apply(action)
    return Played(game, points, perfect, differing, seconds)


def play_all(
    player: Belief | Endgame, rules: Rules, seed: int, indices: Sequence[int], workers: int
) -> Iterator[Played]:
    """Yield the deals as they are played, in their order."""
    outcomes(player, rules, 1, seed=seed)  # compiles
    play_one = partial(play, player, rules, seed)
    if workers == 1:
        yield from map(play_one, indices)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(play_one, indices)


def main() -> None:
    """Print a line for every deal, then the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", nargs="?", default="belief/convention")
    parser.add_argument("deals", type=int, nargs="?", default=20)
    parser.add_argument("seats", type=int, nargs="?", default=2)
    parser.add_argument("seed", type=int, nargs="?", default=SEED)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--causes", action="store_true")
    parser.add_argument("--record", type=Path, metavar="FILE")
    given = parser.parse_args()
    player, rules = parse_player(given.player), Rules.hanab_live(given.seats)
    assert isinstance(player, Belief | Endgame)
    deals = range(given.first, given.first + given.deals)
    kept: dict[int, Played] = {}
    if given.record is not None:
        kept = read_games(given.record, table_of(given.player, given.seats, given.seed))
    missing = [index for index in deals if index not in kept]
    print(f"{given.player}, {given.seats} seats, seed {given.seed}")
    print(f"{'deal':>6}{'score':>7}{'gain':>9}{'perfect':>9}{'differ':>8}{'seconds':>9}")
    for index, each in zip(
        missing, play_all(player, rules, given.seed, missing, given.workers), strict=True
    ):
        kept[index] = each
        if given.record is not None:
            with given.record.open("a") as file:
                file.write(write_line(index, each) + "\n")
        print(
            f"{index:6}{each.end.score:7}{each.points:+9.3f}{each.perfect:+9.3f}"
            f"{each.differing:8}{each.seconds:9.2f}",
            flush=True,
        )
    played = [kept[index] for index in deals]
    print(summarize(played, rules))
    if given.causes:
        print_causes(each.end for each in played)


if __name__ == "__main__":
    main()
