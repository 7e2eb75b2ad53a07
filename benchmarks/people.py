"""How often players choose what people did: at hanab.live, and beside bots without conventions.

Run with ``python -m benchmarks.people [FOLDER|FILE.jsonl.gz ...]``, by default with the games of
the tests. For each, prints how often a person's action was the first choice of `hgroup` at each
level, and how often one of its first three; for `rule-based` how often it was the choice; and what
a random choice would get. In games with a player called You, only the actions of this one count.
Games of variants that `hgroup` does not play are left out and counted.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from hanabi.conventions import HGroup
from hanabi.conventions.conventions import LEVELS
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import RuleBased
from hanabi.rules import Action, View
from hanabi.rules.notation import GameRecord, parse_input
from hanabi.rules.replay import replay

DATA = Path(__file__).parents[1] / "tests" / "data"
GAMES = (DATA / "hanab_live" / "games", DATA / "hanabi_data" / "people.jsonl.gz")
PERSON = "You"


def texts(source: Path) -> Iterator[str]:
    """Yield the games of a folder, or of a file with one in each line."""
    if source.is_dir():
        yield from (path.read_text("utf-8") for path in sorted(source.glob("*.json")))
        return
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        yield from lines


def decisions(source: Path) -> tuple[list[tuple[View, Action]], int, int]:
    """Return what people saw and did, the number of games, and of those left out."""
    found, games, refused = list[tuple[View, Action]](), 0, 0
    for text in texts(source):
        record = parse_input(text)
        assert isinstance(record, GameRecord)
        positions, names = replay(record), list(record.names)
        people = {names.index(PERSON)} if PERSON in names else {*range(record.players)}
        try:
            HGroup().act(positions[0].view(positions[0].seat_to_act), Stream(1))
        except InvalidInputError:
            refused += 1
            continue
        games += 1
        found += [
            (before.view(before.seat_to_act), after.actions[-1])
            for before, after in pairwise(positions)
            if before.seat_to_act in people
        ]
    return found, games, refused


def main(source: Path) -> None:
    """Print the table of a folder or file."""
    found, games, refused = decisions(source)
    left_out = f"; {refused} games of other variants left out" if refused else ""
    print(f"\n{source.name}: {len(found)} actions in {games} games{left_out}\n")
    print("| player | first choice | one of the first three |")
    print("| --- | --- | --- |")
    for level in range(1, LEVELS + 1):
        player = HGroup(level)
        places = [player.ranked(view).index(act) for view, act in found]
        one, three = (sum(place < most for place in places) for most in (1, 3))
        print(f"| `hgroup:level={level}` | {one / len(found):.1%} | {three / len(found):.1%} |")
    same = sum(RuleBased().act(view, Stream(at)) == act for at, (view, act) in enumerate(found))
    print(f"| `rule-based` | {same / len(found):.1%} | |")
    counts = [len(view.legal_actions) for view, _ in found]
    chances = [sum(min(most / n, 1) for n in counts) / len(counts) for most in (1, 3)]
    print(f"| a legal action at random | {chances[0]:.1%} | {chances[1]:.1%} |")


if __name__ == "__main__":
    for each in [*map(Path, sys.argv[1:])] or GAMES:
        main(each)
