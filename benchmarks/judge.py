"""How often the judge decides which late action is best, and why not where it does not.

Run with ``python -m benchmarks.judge [-v] [seed=N] [POSITIONS [SECONDS [FILE ...]]]``: how many
positions, the seconds for each, and files of games (hanab.live's JSON, a game a line, compressed)
to draw them from. Without files our players play in 100 variants. Only positions count in which at
most five cards are to be drawn and all points have a chance by what the seat sees; elsewhere there
is nothing to decide. Seconds are those of one core, and all code is compiled before.

An action is decided to be the best one if no action that could be worth something else has a larger
upper end than its lower end.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from hanabi.ground import clock
from hanabi.ground.errors import HanabiError, InvalidInputError, SolverError
from hanabi.ground.rng import Stream
from hanabi.players import parse_player, play_game
from hanabi.reviews.chances import FEW_CARDS
from hanabi.rules import Game, Rules, find_variant, variant_names
from hanabi.rules.notation import parse_input
from hanabi.shell.session.problem import Question, pose_position
from hanabi.solvers.draws import Judgement, judge
from hanabi.solvers.draws.seat import Hands
from hanabi.solvers.draws.solver import is_plain

SEED, VARIANTS, DEALS = 2026, 100, 20
PLAYERS = ("hgroup:level=5", "rule-based")  # the second where the first does not play


def late(positions: Sequence[Game]) -> list[Game]:
    """Return the late positions of a game whose piles allow all points."""
    top = positions[0].rules.max_score
    return [g for g in positions if g.deck_left <= FEW_CARDS and g.can_act and g.most_points == top]


def is_open(game: Game) -> bool:
    """Whether all points have a chance by what the seat to act sees."""
    try:
        found = judge(game.view(game.seat_to_act), seconds=0.2, points=False, effort=0)
    except SolverError:
        return True  # it counts as not decided
    return found.perfect.high > 0


def recorded(files: Sequence[Path]) -> list[Game]:
    """Return the late positions of games in files."""
    found = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                found += late(pose_position(parse_input(line), Question()).positions)
    return found


def played(seed: int, number: int) -> Iterator[Game]:
    """Yield a number of positions that count of a game in each of many variants."""
    chance = Random(seed)
    names = [name for name in variant_names() if not find_variant(name).is_plain]
    for index, name in enumerate(chance.sample(names, len(names))):
        rules = Rules.hanab_live(2 + index % 4, variant=name)
        for deal in range(DEALS):
            found = late(positions_of(rules, seed, deal))
            open_ = list(islice(filter(is_open, chance.sample(found, len(found))), number))
            if open_:
                yield from open_
                break


def positions_of(rules: Rules, seed: int, deal: int) -> list[Game]:
    """Return the positions of a game that the first player plays that knows its rules."""
    positions = [Game.start(rules, rules.spec.shuffle(seed, deal))]
    for name in PLAYERS:
        try:
            team = [parse_player(name)] * rules.seats
            end = play_game(team, positions[0], Stream(seed, deal))
        except InvalidInputError:
            continue
        for action in end.actions:
            positions.append(positions[-1].apply(action))
        break
    return positions


def chosen(seed: int, number: int, files: Sequence[Path]) -> Iterator[Game]:
    """Yield some positions that count, drawn at random; of variants, as many of each game."""
    if files:
        found = recorded(files)
        return islice(filter(is_open, Random(seed).sample(found, len(found))), number)
    return islice(played(seed, -(-number // VARIANTS)), number)


def outcome(game: Game, found: Judgement, seconds: float) -> str:
    """Return that the best action is decided, or why it is not, as far as that is known."""
    hands = Hands(game.view(game.seat_to_act), {})
    best = max(found.actions, key=lambda each: each.perfect.low)
    alike = hands.alike(best.action)
    others = [each for each in found.actions if hands.alike(each.action) != alike]
    if all(each.perfect.high <= best.perfect.low for each in others):
        return "decided"
    sort = "" if is_plain(game.rules, game) else " (without the reductions)"
    open_ = [each for each in (best, *others) if not each.perfect.is_exact]
    if not all(each.above[0].is_exact for each in open_):
        return "no time for the upper ends" + sort
    if found.seconds >= seconds:
        return "no time for all plans" + sort
    return f"a wide bracket with {min(game.hints, 2)}{'+' * (game.hints > 1)} tokens" + sort


def main(number: int, seconds: float, files: Sequence[Path], *, seed: int, verbose: bool) -> None:
    """Print the table."""
    causes, times, widths = Counter[str](), list[float](), list[float]()
    for index, game in enumerate(chosen(seed, number, files)):
        view = game.view(game.seat_to_act)
        try:
            if index == 0:
                judge(view, points=False)  # compiles
                clock._now = time.process_time
            found = judge(view, seconds=seconds, points=False)
            cause = outcome(game, found, seconds)
            times.append(found.seconds)
            widths.append(float(found.perfect.high - found.perfect.low))
        except HanabiError as error:
            cause = f"refused: {error}"
        causes[cause] += 1
        if verbose:
            print(
                index, game.rules.variant and game.rules.variant.name, game.rules.seats, game.turn,
                game.deck_left, game.hints, cause, f"{times[-1]:.2f} s", found.perfect,
                found.cases, flush=True,
            )  # fmt: skip
    print(f"{causes.total()} positions; {sum(each <= seconds / 5 for each in times)} ", end="")
    print(f"answered within {seconds / 5:g} s; mean width {sum(widths) / len(widths):.3f}")
    for cause, count in causes.most_common():
        print(f"{count:>6} {100 * count / causes.total():5.1f} % {cause}")


if __name__ == "__main__":
    seeds = [int(each[5:]) for each in sys.argv[1:] if each.startswith("seed=")]
    given = [each for each in sys.argv[1:] if each != "-v" and not each.startswith("seed=")]
    number, seconds = *given[:2], *("200", "10")[len(given[:2]) :]
    paths = list(map(Path, given[2:]))
    main(int(number), float(seconds), paths, seed=[SEED, *seeds][-1], verbose="-v" in sys.argv)
