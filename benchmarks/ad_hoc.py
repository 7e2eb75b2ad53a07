"""How well players do beside partners that they were not made for: docs/ad-hoc.md is the protocol.

Run with ``python -m benchmarks.ad_hoc [PLAYER ...] [--players N ...] [--deals N]``. A player takes
each seat in turn on the same deals, and one of `PARTNERS` all the others. Each mean has its
standard error over deals; that of all partners, too, as the partners play the same deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from hanabi.ground.errors import HanabiError, InvalidInputError, quote
from hanabi.ground.tables import markdown_table
from hanabi.lab.stats import summarize
from hanabi.players import Player, format_player, parse_player
from hanabi.players.arena import outcomes
from hanabi.rules import Rules

PARTNERS = ("piers", "outer", "van-den-bergh", "smart", "convention")
"""The partners: to be kept out of all that a player learns from."""

BASELINES = ("information", "rule-based", "iggi", "random")
SEATS, DEALS, SEED = (2, 3, 4, 5), 1000, 20_260_101


def seated(player: Player, partner: Player, seats: int, deals: int) -> Iterator[list[int]]:
    """Yield the outcomes of the deals, once for each seat of the player."""
    for seat in range(seats):
        team = [partner] * seats
        team[seat] = player
        yield outcomes(team, Rules.hle(seats), deals, seed=SEED)


def measured(text: str, seats: int, deals: int) -> list[str]:
    """Return a row: the mean scores of a player beside each partner, and beside all."""
    player = parse_player(text)
    row, runs = [text, str(seats)], []
    for name in PARTNERS:
        partner = parse_player(name)
        if format_player(partner) == format_player(player):
            raise InvalidInputError(f"{quote(text)} is one of the partners")
        beside = [*seated(player, partner, seats, deals)]
        runs += beside
        row.append(told(beside, seats))
    return [*row, told(runs, seats)]


def told(runs: Sequence[Sequence[int]], seats: int) -> str:
    """Return a mean score with its standard error; a bombed game scores 0."""
    mean = summarize(runs, Rules.hle(seats)).score
    return f"{mean.value:.2f} ± {mean.standard_error:.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", nargs="*", default=BASELINES)
    parser.add_argument("--players", type=int, nargs="+", choices=SEATS, default=SEATS)
    parser.add_argument("--deals", type=int, default=DEALS)
    asked = parser.parse_args()
    try:
        rows = [measured(each, n, asked.deals) for n in asked.players for each in asked.player]
    except HanabiError as error:
        parser.exit(2, f"{error}\n")
    print(markdown_table(["player", "seats", *PARTNERS, "all"], rows))


if __name__ == "__main__":
    main()
