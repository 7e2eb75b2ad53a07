"""What `hanabi.advise` answers: its two means side by side, and how soon it answers.

``python -m benchmarks.advise agree [FILE [POSITIONS]]`` compares the two means: a late position of
each game in FILE (hanab.live's JSON, a game a line, .gz too; by default the games of the tests),
certified and by games. ``python -m benchmarks.advise first [FILE [GAMES]]`` prints how long the
first figures take in mid-game.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.chances import GAMES
from hanabi.reviews.advice import Advice, advise, partners_of
from hanabi.reviews.chances import FEW_CARDS, played_out
from hanabi.rules import posed
from hanabi.rules.notation import parse_input
from hanabi.solvers.draws import judge

EACH = 10.0  # seconds for each of two means


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
    what, path, number, *_ = [*sys.argv[1:], *["agree", "", "30"][len(sys.argv) - 1 :]]
    {"agree": agreement, "first": first_figures}[what](lines_of(path), int(number))
