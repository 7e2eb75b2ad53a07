"""What a search gains on its inner player, with much of the luck of the deck removed.

Run with ``python -m benchmarks.gains [PLAYER [DEALS [SEATS [SEED]]]]``, with a wrapper such as
`belief/convention`. ``--first`` is the first deal, ``--workers`` the number of processes.
``--causes`` adds why games lost points, as ``benchmarks.losses`` does. ``--record`` names a file
that keeps the games (``benchmarks.recorded``); deals in it are not played again.

The gain is `hanabi.lab.recorded.gain_of` with 200 orders: wherever the wrapper departs from its
inner player, the inner player plays both actions on. ``hanabi simulate --gain-over`` measures any
players in this way, stores the games, and combines the gain with the scores on the same deals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.losses import print_causes
from benchmarks.recorded import Played, read_games, summarize, table_of, write_line
from hanabi.ground.rng import Stream
from hanabi.lab.recorded import gain_of
from hanabi.players import parse_player
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.belief import Belief
from hanabi.players.endgame import Endgame
from hanabi.players.protocol import CompiledPlayer
from hanabi.rules import Game, Rules

SEED = 77
ORDERS = 200


def play(player: Belief | Endgame, rules: Rules, seed: int, index: int) -> Played:
    """Play a deal."""
    game, inner = Game.start(rules, rules.spec.shuffle(seed, index)), player.player
    assert isinstance(inner, CompiledPlayer)
    policy = inner.compiled(rules)
    assert policy is not None
    stream, seconds = Stream(decision_seed(seed), index), 0.0
    while not game.is_over:
        view = game.view(game.seat_to_act)
        start = time.process_time()
        action = player.act(view, stream)
        seconds += time.process_time() - start
        game = game.apply(action)
    points, perfect, differing = gain_of(policy, game, ORDERS, Stream(seed + 1, index))
    return Played(game, points / ORDERS, perfect / ORDERS, differing, seconds)


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
