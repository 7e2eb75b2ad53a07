"""How often players choose what people did, in the games of hanab.live that the tests keep.

Run with ``python -m benchmarks.people [FOLDER]``, by default the folder of the tests. Prints, for
`hgroup` at each level, how often a person's action was its first choice, and how often one of its
first three; for `rule-based` how often it was the choice; and what a random choice would get. Games
of variants that `hgroup` does not play are left out and counted.
"""

from __future__ import annotations

import sys
from pathlib import Path

import hanabi
from hanabi.errors import InvalidInputError
from hanabi.game import Game
from hanabi.game.replay import replay
from hanabi.players import HGroup, RuleBased
from hanabi.players.hgroup.conventions import LEVELS
from hanabi.rng import Stream

GAMES = Path(__file__).parents[1] / "tests" / "data" / "hanab_live" / "games"


def positions(folder: Path) -> tuple[list[Game], int, int]:
    """Return the positions after each action, the number of games, and of those left out."""
    found, games, refused = list[Game](), 0, 0
    for path in sorted(folder.glob("*.json")):
        record = hanabi.read(str(path))
        assert isinstance(record, hanabi.GameRecord)
        ends = replay(record)
        try:
            HGroup().act(ends[0].view(ends[0].seat_to_act), Stream(1))
        except InvalidInputError:
            refused += 1
            continue
        games += 1
        found += ends[1:]
    return found, games, refused


def main(folder: Path) -> None:
    """Print the table."""
    ends, games, refused = positions(folder)
    print(f"{len(ends)} actions in {games} games; {refused} games of other variants left out\n")
    before = [Game.start(end.rules, end.deck, first_seat=end.first_seat) for end in ends]
    for at, end in enumerate(ends):
        for action in end.actions[:-1]:
            before[at] = before[at].apply(action)
    acts = [end.actions[-1] for end in ends]
    views = [game.view(game.seat_to_act) for game in before]
    print("| player | first choice | one of the first three |")
    print("| --- | --- | --- |")
    for level in range(1, LEVELS + 1):
        ranked = [HGroup(level).ranked(view) for view in views]
        one, three = (
            sum(act in order[:most] for act, order in zip(acts, ranked, strict=True))
            for most in (1, 3)
        )
        print(f"| `hgroup:level={level}` | {one / len(acts):.1%} | {three / len(acts):.1%} |")
    same = sum(
        RuleBased().act(view, Stream(at)) == act
        for at, (view, act) in enumerate(zip(views, acts, strict=True))
    )
    print(f"| `rule-based` | {same / len(acts):.1%} | |")
    counts = [len(view.legal_actions) for view in views]
    chances = [sum(min(most / n, 1) for n in counts) / len(counts) for most in (1, 3)]
    print(f"| a legal action at random | {chances[0]:.1%} | {chances[1]:.1%} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else GAMES)
