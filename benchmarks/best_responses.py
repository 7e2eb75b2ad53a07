"""How well could anybody do beside a player? Lower bounds, achieved by a partner that searches.

`python -m benchmarks.best_responses [PLAYER ...] [--games N] [--seats N] [--deals N]` plays each
player with its like, and beside one seat that knows its policy: `Belief` around `Beside`. It prints
the mean of each with its standard error. Hanab.live's rules: a bombed game scores 0.

The searching seat continues by the player itself, or by `piers`. Which of the two is chosen by a
few games of another seed, so the printed games decided nothing. This proves nothing about the best
response but that its mean is at least the one that was achieved, as far as chance goes.
"""

from __future__ import annotations

import argparse
import time

from hanabi.players import Belief, Player, parse_player, simulate
from hanabi.players.partners import Beside
from hanabi.rules import Rules

PLAYERS = (
    "random",
    "flawed",
    "outer",
    "iggi",
    "piers",
    "van-den-bergh",
    "smart",
    "rule-based:hint=1,discard=1",
    "rule-based:hint=2",
    "rule-based",
    "rule-based:hint=4",
    "convention",
)
SEED, OTHER_SEED = 1, 77


def main() -> None:
    """Print the table as lines of Markdown, one as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=20_000, help="deals of the player alone")
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--trial", type=int, default=10, help="games that choose how to continue")
    given = parser.parse_args()
    rules = Rules.hanab_live(given.seats)
    print("| partner | seats | self-play | beside a search | games | continues by | s a game |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in given.players:
        partner = parse_player(name)
        alone = simulate(partner, rules, given.deals, seed=SEED).scored(rules)
        own = best_own(partner, rules, given.worlds, given.trial)
        team = searching(own, partner, given.worlds)
        simulate(team, rules, 1, seed=SEED)  # compiles
        start = time.process_time()
        found = simulate(team, rules, given.games, seed=SEED).scored(rules)
        seconds = (time.process_time() - start) / given.games
        by = "itself" if own == partner else "`piers`"
        print(
            f"| `{name}` | {given.seats} | {alone.mean:.2f} ± {alone.standard_error:.2f} |"
            f" {found.mean:.2f} ± {found.standard_error:.2f} | {given.games} | {by} |"
            f" {seconds:.1f} |",
            flush=True,
        )


def best_own(partner: Player, rules: Rules, worlds: int, games: int) -> Player:
    """Return the player by which to continue, by a few games of another seed."""
    candidates = [partner, parse_player("piers")]
    scores = [
        simulate(searching(own, partner, worlds), rules, games, seed=OTHER_SEED).scored(rules).mean
        for own in candidates
    ]
    return candidates[scores.index(max(scores))]


def searching(own: Player, partner: Player, worlds: int) -> Player:
    """Return a team whose first seat searches, while the others follow the partner."""
    inner = partner if own == partner else Beside(own, partner)
    return Belief(inner, worlds=worlds, seats=1, margin=0, caution=1, deals=2, tries=300)


if __name__ == "__main__":
    main()
