"""Time for the exact chances of late positions, in all available games.

Run with ``python -m benchmarks.chances [GAMES [CARDS]]``: games to play with each player beside the
recorded ones, and the most cards left to draw. All code is compiled before.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import parse_player, play_game
from hanabi.rules import Game, Rules
from hanabi.rules.notation import parse_input
from hanabi.shell.session.problem import Question, pose_position
from hanabi.solvers.draws import open_chances

GAMES = Path(__file__).parents[1] / "tests/data/hanab_live/games"
PLAYERS = (("convention", 2), ("information", 3), ("information", 4), ("information", 5))
SEED, SECONDS = 2026, 60.0


def recorded() -> Iterator[tuple[Game, ...]]:
    """Yield the positions of real games, most of them of variants."""
    for path in sorted(GAMES.glob("*.json")):
        try:
            yield pose_position(parse_input(path.read_text()), Question()).positions
        except InvalidInputError:
            continue  # a game whose deck is not whole


def played(name: str, seats: int, games: int) -> Iterator[tuple[Game, ...]]:
    """Yield the positions of games that a player plays."""
    rules, player = Rules.hanab_live(seats), parse_player(name)
    for index in range(games):
        start = Game.start(rules, rules.spec.shuffle(SEED, index))
        end = play_game([player] * seats, start, Stream(SEED, index))
        positions = [start]
        for action in end.actions:
            positions.append(positions[-1].apply(action))
        yield tuple(positions)


def print_rows(name: str, courses: Iterator[tuple[Game, ...]], most: int) -> None:
    """Print a row for each number of cards to draw, and one for all."""
    times: dict[int, list[tuple[float, float, bool]]] = {}
    for course in courses:
        for game in course:
            if game.deck_left > most or game.is_over:
                continue
            start = time.perf_counter()
            open_chances(game, seconds=SECONDS, points=False)
            perfect = time.perf_counter() - start
            found = open_chances(game, seconds=SECONDS)
            row = perfect, time.perf_counter() - start - perfect, found.is_exact
            times.setdefault(game.deck_left, []).append(row)
    together = [row for rows in times.values() for row in rows]
    for cards, rows in [*sorted(times.items()), ("all", together)]:
        chance, both = (described([row[column] for row in rows]) for column in (0, 1))
        unknown = sum(not row[2] for row in rows)
        print(f"{name:<22}{cards:>5}{len(rows):>8}   {chance}   {both}{unknown:>8}", flush=True)


def described(seconds: Sequence[float]) -> str:
    """Return the median, the 99th percentile and the maximum."""
    ranked = sorted(seconds)
    last = ranked[min(len(ranked) - 1, 99 * len(ranked) // 100)]
    return f"{ranked[len(ranked) // 2]:7.3f}{last:8.3f}{ranked[-1]:8.3f}"


def main(games: int = 20, most: int = 5) -> None:
    """Print the table."""
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=SEED))
    while game.deck_left > 1:
        game = game.apply(game.legal_actions[game.rules.hand_size if game.hints < 8 else -1])
    open_chances(game)  # compiles
    print(f"seconds a position: median, 99th percentile, maximum; limit {SECONDS:.0f} s\n")
    head = f"{'median':>7}{'99 %':>8}{'most':>8}"
    print(f"{'':<22}{'cards':>5}{'':8}   {'perfect score':>23}   {'and expected score':>23}")
    print(f"{'':<22}{'left':>5}{'number':>8}   {head}   {head}{'bounds':>8}")
    print_rows("recorded games", recorded(), most)
    for name, seats in PLAYERS:
        print_rows(f"{name}, {seats} seats", played(name, seats, games), most)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
