"""The fewest turns of random decks: ``python -m benchmarks.fewest [--decks N] [--plot FILE] ...``.

Deck i with p seats is `Rules.hanab_live(p).spec.shuffle(2026, i)`. One process solves one deck
after the other, each within a time limit, and keeps the results in a store, so that a rerun
continues there. The output is the tables of docs/fewest.md, and the picture.

`counting` is the bound by counting alone: of the cards that must leave hands before the last needed
ones are drawn, so many are not played. The bound of `hanabi.solvers.winnable.fewest` adds the turns
until the seat that drew them acts again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, stdev

from hanabi.lab.report.charts import COLORS, open_figure, save_figure
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position, fewest_turns, solve_game
from hanabi.solvers.winnable.fewest import least_schedule, merged_schedule
from hanabi.solvers.winnable.pace import waits
from hanabi.solvers.winnable.position import free_wastes, highest_goal
from hanabi.solvers.winnable.solver import warm_up

_SEED = 2026
_SEATS = (2, 3, 4, 5)


@dataclass(frozen=True)
class Deck:
    """A deck: bounds on its fewest turns, and the turns of the first line found (0: it is lost)."""

    seats: int
    number: int
    lower: int = 0
    upper: int = 0
    bound: int = 0
    counting: int = 0
    first: int = 0
    seconds: float = 0.0


def counting(position: Position) -> int:
    """Return the bound by counting, for rules that forbid discards with all tokens available."""
    waiting = sorted(waits(position, highest_goal(position.rules)).values(), reverse=True)
    wasted = max(
        0, *(late + when - position.drawn for late, when in enumerate(waiting, 1 - len(waiting)))
    )
    free = free_wastes(position) or 0
    return len(waiting) + wasted + max(-((free - wasted) // position.rules.hint_cost), 0)


def solved(seats: int, number: int, seconds: float) -> Deck:
    """Find the fewest turns of a deck."""
    rules = Rules.hanab_live(seats)
    game, started = Game.start(rules, rules.spec.shuffle(_SEED, number)), time.perf_counter()
    verdict = solve_game(game, seconds=seconds)
    if verdict.witness is None:
        return Deck(seats, number, seconds=time.perf_counter() - started)
    found = fewest_turns(
        game, points=rules.max_score, line=verdict.witness, seconds=seconds - verdict.seconds
    )
    return Deck(
        seats,
        number,
        lower=found.lower,
        upper=found.upper,
        bound=0 if found.bound is None else found.bound.turns,
        counting=counting(Position.of_game(game)),
        first=len(verdict.witness),
        seconds=time.perf_counter() - started,
    )


def kept(path: Path) -> list[Deck]:
    """Return the decks in a store."""
    if not path.exists():
        return []
    return [Deck(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def share(hits: int, decks: int) -> str:
    """Return a share in per cent with its standard error."""
    part = hits / decks
    return f"{100 * part:.1f} ± {100 * (part * (1 - part) / decks) ** 0.5:.1f}"


def mean_of(numbers: list[int]) -> str:
    """Return a mean with its standard error."""
    return f"{mean(numbers):.2f} ± {stdev(numbers) / len(numbers) ** 0.5:.2f}"


def tables(decks: Iterable[Deck]) -> Iterator[str]:
    """Yield the lines of the tables in Markdown."""
    by_seats = {seats: [each for each in decks if each.seats == seats] for seats in _SEATS}
    won = {
        seats: [each for each in group if each.upper]
        for seats, group in by_seats.items()
        if len(group) > 1
    }
    yield "| seats | decks | won | closed | open by 1 | by 2 | more | half within, s | mean, s |"
    yield "| --- " * 9 + "|"
    for seats, group in won.items():
        gaps = Counter(each.upper - each.lower for each in group)
        seconds = sorted(each.seconds for each in group)
        more = len(group) - sum(gaps[gap] for gap in range(3))
        yield (
            f"| {seats} | {len(by_seats[seats]):,} | {len(group):,}"
            f" | {gaps[0]:,} | {gaps[1]:,} | {gaps[2]:,} | {more:,}"
            f" | {seconds[len(seconds) // 2]:.2f} | {mean(seconds):.2f} |"
        )
    yield ""
    yield "| seats | fewest turns, mean | least | 5 % | half | 95 % | most | solve's first line |"
    yield "| --- " * 8 + "|"
    for seats, group in won.items():
        turns = sorted(each.upper for each in group)
        cuts = (turns[int(len(turns) * part)] for part in (0.05, 0.5, 0.95))
        yield (
            f"| {seats} | {mean(each.lower for each in group):.2f} to {mean_of(turns)}"
            f" | {turns[0]} | "
            + " | ".join(map(str, cuts))
            + f" | {turns[-1]} | {mean_of([each.first for each in group])} |"
        )
    yield ""
    yield "| seats | equal the bound, % | 0 | 1 | 2 | 3 | 4 | 5 | more | open | counting, % |"
    yield "| --- " * 11 + "|"
    for seats, group in won.items():
        above = Counter(each.upper - each.bound for each in group if each.lower == each.upper)
        more = sum(n for gap, n in above.items() if gap > 5)
        met = sum(each.upper == each.counting for each in group)
        yield (
            f"| {seats} | {share(above[0], len(group))} | "
            + " | ".join(f"{above[gap]:,}" for gap in range(6))
            + f" | {more:,} | {len(group) - above.total():,} | {share(met, len(group))} |"
        )


def bounds(decks: int) -> Iterator[str]:
    """Yield the lines of a table of the bounds alone, of all decks that they do not refute."""
    yield "| seats | decks | the bound, mean | counting, mean | one hand wastes more |"
    yield "| --- " * 5 + "|"
    for seats in _SEATS:
        rules, found = Rules.hanab_live(seats), list[tuple[int, int, bool]]()
        goal = highest_goal(rules)
        for number in range(decks):
            position = Position.start(rules, rules.spec.shuffle(_SEED, number))
            schedule = least_schedule(position, goal)
            one_hand = schedule and merged_schedule(position, goal, schedule)
            if schedule and one_hand:
                wastes_more = (
                    one_hand.discards + one_hand.errors > schedule.discards + schedule.errors
                )
                turns = max(schedule.turns, one_hand.turns)
                found.append((turns, counting(position), wastes_more))
        yield (
            f"| {seats} | {len(found):,} | {mean_of([turns for turns, _, _ in found])}"
            f" | {mean_of([counted for _, counted, _ in found])}"
            f" | {sum(wastes_more for _, _, wastes_more in found):,} |"
        )


def plot(decks: Iterable[Deck], path: str) -> None:
    """Draw the distribution functions of the fewest turns, and of the bound beside them."""
    figure = open_figure(path, width=6.4)
    axes = figure.add_subplot()
    won = [each for each in decks if each.upper]
    for seats, color in zip(_SEATS, COLORS, strict=False):
        group = [each for each in won if each.seats == seats]
        for name, style in (("upper", "-"), ("bound", ":")):
            turns = sorted(getattr(each, name) for each in group)
            shares = [100 * rank / len(turns) for rank in range(1, len(turns) + 1)]
            label = f"{seats} seats" if name == "upper" else None
            axes.step(turns, shares, style, where="post", color=color, linewidth=1.2, label=label)
    axes.set_xlabel("turns (dotted: the bound)")
    axes.set_ylabel("decks won in so many turns, %")
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, loc="lower right")
    save_figure(figure, path)


def main(arguments: list[str] | None = None) -> None:
    """Print the tables; by default for few decks, as a demonstration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=20.0, help="time limit a deck")
    parser.add_argument("--store", type=Path, help="file that keeps results; by default none")
    parser.add_argument("--bounds", action="store_true", help="print the bounds alone")
    parser.add_argument("--plot", help="file for the picture")
    options = parser.parse_args([] if arguments is None else arguments)
    warm_up()
    if options.bounds:
        for line in bounds(options.decks):
            print(line)
        return
    decks = [] if options.store is None else kept(options.store)
    done = {(each.seats, each.number) for each in decks}
    for number in range(options.decks):
        for seats in _SEATS:
            if (seats, number) not in done:
                decks.append(solved(seats, number, options.seconds))
                if options.store is not None:
                    with options.store.open("a", encoding="utf-8") as file:
                        print(json.dumps(asdict(decks[-1])), file=file)
    decks = [each for each in decks if each.number < options.decks]
    for line in tables(decks):
        print(line)
    if options.plot is not None:
        plot(decks, options.plot)


if __name__ == "__main__":
    main(sys.argv[1:])
