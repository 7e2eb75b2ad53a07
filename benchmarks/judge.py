"""Time and width of the judge's brackets in late positions of real games and of our players.

Run with ``python -m benchmarks.judge [GAMES [CARDS [EVERY]]]``: games to play with each player
beside the recorded ones, the most cards left to draw, and which share of the positions to take (1
in EVERY). Seconds are those of one core. All code is compiled before.

``python -m benchmarks.judge agree [FILE [POSITIONS]]`` compares the two means of `hanabi.advise`: a
late position of each game in FILE (hanab.live's JSON, a game a line, .gz too; by default the games
of the tests), certified and by games. ``python -m benchmarks.judge first FILE [POSITIONS]`` prints
the seconds until each action after 25 moves has its first game, beside three players.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from pathlib import Path

from benchmarks.chances import GAMES, PLAYERS, played, recorded
from hanabi.ground.errors import HanabiError
from hanabi.reviews.advice import Advice, advise, partners_of
from hanabi.reviews.chances import FEW_CARDS, played_out
from hanabi.rules import Game, posed
from hanabi.rules.notation import parse_input
from hanabi.solvers.draws import Judgement, judge

LIMIT = 60.0
EACH = 10.0  # seconds for each of two means


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


def both(lines: Iterable[str], count: int) -> Iterator[Advice]:
    """Yield advice by both means on a late position of each game, for so many games.

    It is the first one with at most five cards to draw, and later by one in each game in turn, in
    which all points are possible and bounds do not leave all actions equal.
    """
    found = 0
    for number, line in enumerate(lines):
        problem = posed(parse_input(line))  # type: ignore[arg-type]
        late = [
            at
            for at, game in enumerate(problem.by_rules)
            if game.can_act
            and game.deck_left <= FEW_CARDS
            and game.most_points == game.rules.max_score
        ]
        if found == count or not late or problem.positions[0].missing:
            continue
        at = late[number % min(5, len(late))]
        game = problem.after(at)
        certain = judge(game.view(game.seat_to_act), seconds=EACH)
        if len({(each.perfect, each.points) for each in certain.actions}) == 1:
            continue
        partners = partners_of(problem, at)
        by_games = played_out(problem, partners.name, at=at, seconds=EACH)
        if by_games.actions:
            found += 1
            yield Advice(problem, at, partners, certain, by_games)


def agreement(lines: Iterable[str], count: int) -> None:
    """Print how often the best action by games is one that no other certainly beats."""
    counts: Counter[str] = Counter()
    for advice in both(lines, count):
        assert advice.games is not None
        assert advice.certified is not None
        bounds = {each.action: each.perfect for each in advice.certified.actions}
        best, perfect = advice.games.actions[0].action, advice.certified.perfect
        counts["positions"] += 1
        kept = bounds[best].high >= perfect.low
        counts["best by games among the best"] += kept
        is_decided = all(each.is_exact or each.high < perfect.low for each in bounds.values())
        counts["positions in which bounds decide"] += is_decided
        counts["best by games among the best there"] += is_decided and kept
        gave = max(0.0, float(perfect.low - bounds[best].high))
        counts["per cent of chance given away, in all"] += round(100 * gave)
        for each in advice.games.actions:
            errors = 2 * (each.perfect.error or 0)
            counts["means"] += 1
            counts["means at most the upper end, by two errors"] += (
                each.perfect.mean - errors <= bounds[each.action].high
            )
            counts["means within both ends, by two errors"] += (
                each.perfect.mean - errors <= bounds[each.action].high
                and each.perfect.mean + errors >= bounds[each.action].low
            )
        print(
            advice.at,
            advice.game.deck_left,
            advice.partners,
            kept,
            is_decided,
            f"{gave:.2f}",
            flush=True,
        )
    for what, number in counts.items():
        print(f"{number:>6} {what}")


def first_figures(lines: Iterable[str], count: int) -> None:
    """Print the seconds of one core until each action has its first game, after 25 moves."""
    problems = [posed(parse_input(line)) for line, _ in zip(lines, range(count + 1), strict=False)]  # type: ignore[arg-type]

    def stop(_: Advice) -> None:
        raise KeyboardInterrupt

    for name in ("smart", "information", "hgroup:level=5"):
        seconds = []
        for problem in problems:
            start = time.process_time()
            with suppress(KeyboardInterrupt):
                advise(problem, at=25, partners=name, tell=stop)
            seconds.append(time.process_time() - start)
        ranked = sorted(seconds[1:])  # the first one compiles
        print(f"{name:<16} median {ranked[len(ranked) // 2]:.2f} s, most {ranked[-1]:.2f} s")


def lines_of(path: str) -> list[str]:
    """Return games as text: those of a file, or the recorded ones of the tests."""
    if not path:
        return [each.read_text() for each in sorted(GAMES.glob("*.json"))]
    given = Path(path).read_bytes()
    return (gzip.decompress(given) if path.endswith(".gz") else given).decode().splitlines()


if __name__ == "__main__":
    compared = {"agree": agreement, "first": first_figures}
    if sys.argv[1:] and sys.argv[1] in compared:
        path, number, *_ = [*sys.argv[2:], *["", "30"][len(sys.argv) - 2 :]]
        compared[sys.argv[1]](lines_of(path), int(number))
    else:
        main(*map(int, [each for each in sys.argv[1:] if each != "-v"][:3]))
