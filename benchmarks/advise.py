"""What `hanabi.advise` answers: its two means side by side, and how soon it answers.

``python -m benchmarks.advise agree [FILE [POSITIONS]]`` compares the two means: a late position of
each game in FILE (hanab.live's JSON, a game a line, .gz too; by default the games of the tests),
certified and by games. ``python -m benchmarks.advise first [FILE [GAMES]]`` prints how long the
first figures take in mid-game. ``python -m benchmarks.advise hands [FILE [GAMES]]`` prints how well
the default partners explain what the others did by then, and how likely the true cards are held.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from math import sqrt
from operator import eq, mul
from pathlib import Path
from statistics import mean, stdev

from benchmarks.chances import GAMES
from hanabi.ground import Stream
from hanabi.players import parse_player
from hanabi.players.partners import weigh_hands
from hanabi.reviews.advice import Advice, advise, partners_of
from hanabi.reviews.chances import FEW_CARDS, played_out
from hanabi.rules import posed
from hanabi.rules.notation import parse_input
from hanabi.solvers.draws import judge
from hanabi.worlds import Hidden

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


def hands(lines: Iterable[str], count: int) -> None:
    """Print how well the default partners explain 25 moves, and the chance of the true cards.

    The chances are means over the cards of the hand: by hints alone, and weighed by what the others
    did. Hands are as many as play-outs beside players without a policy draw.
    """
    gains, agreeing = list[float](), 0
    problems = (posed(parse_input(line)) for line in lines)  # type: ignore[arg-type]
    fit = (each for each in problems if len(each.moves) > 25 and not each.positions[0].missing)
    for number, problem in enumerate(islice(fit, count), start=1):
        game, partners = problem.after(25), partners_of(problem, 25)
        view = game.view(game.seat_to_act)
        found = weigh_hands(
            parse_player(partners.name), view, Stream(1), most=200, samples=200, tries=1, asks=20
        )
        true = [game.hands[view.seat][slot] for slot in Hidden.of(view).slots]
        right = [sum(map(eq, hand, true)) / len(true) for hand in found.hands]
        by_hints, weighed = mean(right), sum(map(mul, right, found.weights))
        agreeing += found.agrees
        gains.append(weighed - by_hints)
        told = f"{found.contradicted} of {found.decisions} decisions in no hand"
        print(f"{number:>3} {partners.name}: {told}, {by_hints:.3f}, {weighed:.3f}", flush=True)
    print(f"{agreeing} of {len(gains)} with hands that explain all decisions")
    error = stdev(gains) / sqrt(len(gains))
    more = sum(each > 0 for each in gains)
    print(f"the true cards are likelier by {mean(gains):.3f} ± {error:.3f}, in {more} positions")


def lines_of(path: str) -> list[str]:
    """Return games as text: those of a file, or the recorded ones of the tests."""
    if not path:
        return [each.read_text() for each in sorted(GAMES.glob("*.json"))]
    given = Path(path).read_bytes()
    return (gzip.decompress(given) if path.endswith(".gz") else given).decode().splitlines()


if __name__ == "__main__":
    what, path, number, *_ = [*sys.argv[1:], *["agree", "", "30"][len(sys.argv) - 1 :]]
    {"agree": agreement, "first": first_figures, "hands": hands}[what](lines_of(path), int(number))
