"""Time and width of the judge's brackets in late positions of real games and of our players.

Run with ``python -m benchmarks.judge [GAMES [CARDS [EVERY]]]``: games to play with each player
beside the recorded ones, the most cards left to draw, and which share of the positions to take (1
in EVERY). Seconds are those of one core. All code is compiled before.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from benchmarks.chances import PLAYERS, played, recorded
from hanabi.ground.errors import HanabiError
from hanabi.rules import Game
from hanabi.solvers.draws import Judgement, judge

LIMIT = 60.0


def positions(games: int, most: int, every: int) -> Iterator[tuple[str, Game]]:
    """Yield late positions, with the name of their kind."""
    sources = [("recorded", recorded())]
    sources += [(f"{name}, {seats}", played(name, seats, games)) for name, seats in PLAYERS]
    number = 0
    for name, courses in sources:
        for game in chain.from_iterable(courses):
            if game.deck_left <= most and game.can_act:
                number += 1
                if number % every == 0:
                    yield name, game


def judged(game: Game, effort: int, *, points: bool) -> tuple[float, Judgement]:
    """Return the seconds of one core that an answer takes, and the answer."""
    start = time.process_time()
    found = judge(game.view(game.seat_to_act), seconds=LIMIT, effort=effort, points=points)
    return time.process_time() - start, found


def share(seconds: list[float], limit: float) -> str:
    """Return the share of times within a limit."""
    return f"{100 * sum(each <= limit for each in seconds) / max(1, len(seconds)):5.1f} %"


def main(games: int = 2, most: int = 6, every: int = 1) -> None:
    """Print the tables."""
    for _, game in positions(1, 1, 1):
        judged(game, 2, points=True)  # compiles
        break
    times: dict[str, list[float]] = {}
    widths: dict[str, list[Fraction]] = {}
    why: Counter[str] = Counter()
    for name, game in positions(games, most, every):
        try:
            above, _ = judged(game, 0, points=False)
            both, _ = judged(game, 0, points=True)
            thumb, _ = judged(game, 1, points=True)
            all_, found = judged(game, 2, points=True)
        except HanabiError as error:
            why[f"refused: {error}"] += 1
            continue
        for what, taken in (
            ("above, chance", above),
            ("above, and score", both),
            ("and below, thumb", thumb),
            ("and below, effort 2", all_),
        ):
            times.setdefault(what, []).append(taken)
        widths.setdefault(name, []).append(found.perfect.high - found.perfect.low)
        widths.setdefault("all", []).append(found.perfect.high - found.perfect.low)
        kind = "exact" if found.perfect.is_exact else "wide: " + reason(found, game)
        why[kind] += 1
        if "-v" in sys.argv:
            print(
                name, game.turn, game.deck_left, f"{above:.2f} {both:.2f} {thumb:.2f} {all_:.2f}",
                found.perfect, found.points, found.cases, flush=True,
            )  # fmt: skip
    for what, seconds in times.items():
        middle, most_ = sorted(seconds)[len(seconds) // 2], max(seconds)
        shares = f"within 2 s {share(seconds, 2)}, within 10 s {share(seconds, 10)}"
        print(
            f"{what:<20}{len(seconds):>6} positions, median {middle:.3f} s, {shares}, {most_:.1f} s"
        )
    print()
    for name, each in widths.items():
        exact, width = sum(not width for width in each), float(sum(each) / len(each))
        print(f"{name:<18}{len(each):>6} best chances, {exact} exact, mean width {width:.3f}")
    print()
    for reason_, number in why.most_common():
        print(f"{number:>6} {reason_}")


def reason(found: Judgement, game: Game) -> str:
    """Return why a bracket is wide, as far as it is known."""
    if any(not end.is_exact for each in found.actions for end in each.above):
        return "time was over for the upper end"
    if found.is_cut:
        return "time was over for the lower end"
    if game.deck_left:
        return "cards to draw"
    return "the deck is empty, and the seat was not told enough"


if __name__ == "__main__":
    main(*map(int, [each for each in sys.argv[1:] if each != "-v"][:3]))
