"""Speed of the rules: uniformly random play, choosing among all legal actions.

Run with ``python -m benchmarks.game``. If the Hanabi Learning Environment is installed, it is
measured too, its own loop driven from Python.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import jit
from hanabi.ground.compiled.rng import below, seed_stream, shuffle
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Rules, perft
from hanabi.rules import layout as k
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import deal, step
from hanabi.rules.packing import pack_deck, pack_rules

PEER = "hanabi_learning_environment"


@jit
def play_randomly(
    rules: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], seed: int, games: int
) -> int:
    """Shuffle, deal and play `games` games; return the number of actions."""
    rng = np.empty(1, np.uint64)
    position = Packed(rules, deck, np.empty(rules[k.STATE_SIZE], np.int64))
    actions = np.empty(rules[k.MAX_ACTIONS], np.int64)
    steps = 0
    for game in range(games):
        seed_stream(rng, np.uint64(seed), np.uint64(game))
        shuffle(rng, deck)
        deal(position)
        n = legal_actions(position, actions)
        while n > 0:
            step(position, actions[below(rng, n)])
            steps += 1
            n = legal_actions(position, actions)
    return steps


def kernel(seats: int, games: int) -> int:
    rules = Rules.hle(seats)
    return int(play_randomly(pack_rules(rules), pack_deck(list(rules.spec.cards())), 1, games))


def face(seats: int, games: int) -> int:
    rules = Rules.hle(seats)
    steps = 0
    for index in range(games):
        stream = Stream(1, index)
        game = Game.start(rules, stream.shuffled(rules.spec.cards()))
        while actions := game.legal_actions:
            game = game.apply(actions[stream.below(len(actions))])
            steps += 1
    return steps


def peer(seats: int, games: int) -> int:
    from hanabi_learning_environment import pyhanabi

    chance = pyhanabi.CHANCE_PLAYER_ID
    table = pyhanabi.HanabiGame({"players": seats, "seed": 1})
    steps = 0
    for _ in range(games):
        state = table.new_initial_state()
        while not state.is_terminal():
            if state.cur_player() == chance:
                state.deal_random_card()
            else:
                state.apply_move(random.choice(state.legal_moves()))
                steps += 1
    return steps


def rate(play: Callable[[int, int], int], seats: int, games: int) -> tuple[float, float]:
    """Return steps and games a second, the best of three runs."""
    play(seats, 1)  # compiles
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        steps = play(seats, games)
        best = min(best, time.perf_counter() - start)
    return steps / best, games / best


def main() -> None:
    random.seed(1)
    has_peer = importlib.util.find_spec(PEER) is not None
    print("Random play to the end, legal actions listed at every turn; one core\n")
    print(f"{'seats':>5}  {'':<28}{'steps/s':>12}{'games/s':>12}{'ratio':>10}")
    for seats in range(2, 6):
        rows = [("compiled loop", kernel, 20_000), ("from Python (Game)", face, 100)]
        if has_peer:
            rows.append(("Hanabi Learning Env., Python", peer, 50))
        rates = [(name, *rate(play, seats, games)) for name, play, games in rows]
        for name, steps, games in rates:
            ratio = steps / rates[-1][1]
            print(f"{seats:>5}  {name:<28}{steps:>12,.0f}{games:>12,.0f}{ratio:>10,.1f}")
    if not has_peer:
        print(f"\n{PEER} is not installed: not measured")
    rules = Rules.official(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    start = time.perf_counter()
    count = perft(game, 6)
    print(f"\nperft(6), two seats: {count:,} sequences in {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
