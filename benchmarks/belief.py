"""Gains of the search over beliefs, and of each of its parts.

Run with ``python -m benchmarks.belief [DEALS [DEALS AT MORE SEATS]]``. A row of 30 deals takes
minutes. All rows have the same deals. Gains are estimated as in ``benchmarks.gains``, which prints
a single row deal by deal, with any parameters.
"""

from __future__ import annotations

import sys
from collections import Counter

from benchmarks.gains import SEED, play
from benchmarks.recorded import summarize
from hanabi.ground.rng import Stream
from hanabi.players import Belief, parse_player
from hanabi.players.arena import outcomes
from hanabi.players.belief import Agreement, draw_beliefs
from hanabi.rules import Game, Rules

ROWS = (
    (2, "convention", ("", "seats=1", "seats=1,misread=yes", "slack=1", "slack=0", "margin=0.05")),
    (2, "convention", ("misread=yes", "deals=2", "worlds=100,deals=1", "caution=0")),
    (3, "information", ("worlds=50,margin=0.05", "worlds=50,margin=0.05,seats=1")),
    (4, "information", ("worlds=50,margin=0.05",)),
    (5, "information", ("worlds=50,margin=0.05",)),
)


def print_row(text: str, seats: int, games: int) -> None:
    """Print what a search gains on the player that it improves."""
    player, rules = parse_player(text), Rules.hanab_live(seats)
    assert isinstance(player, Belief)
    outcomes(player, rules, 1, seed=SEED)  # compiles
    played = [play(player, rules, SEED, index) for index in range(games)]
    print(f"{text}, {seats} seats: {summarize(played, rules)}", flush=True)


def print_agreements(text: str, seats: int, games: int) -> None:
    """Print how far the deals of decisions agree with what the others did."""
    player, rules, found = parse_player(text), Rules.hanab_live(seats), Counter[str]()
    assert isinstance(player, Belief)
    for index in range(games):
        game = Game.start(rules, rules.spec.shuffle(SEED, index))
        while not game.is_over:
            view, stream = game.view(game.seat_to_act), (SEED, 1000 * index + game.turn)
            if view.seat < player.seats:
                found[draw_beliefs(player, view, Stream(*stream)).agreement.name] += 1
            game = game.apply(player.act(view, Stream(*stream)))
    shares = ", ".join(
        f"{each.name.lower()} {found[each.name] / found.total():.2%}" for each in Agreement
    )
    print(f"{text}, {seats} seats, {games} games, {found.total()} decisions: {shares}", flush=True)


def main(games: int = 10, more: int = 10) -> None:
    """Print the rows."""
    print(f"{games} and {more} deals of seed {SEED}, the same in every row\n")
    for seats, inner, searches in ROWS:
        for search in searches:
            name = f"belief:{search}/{inner}" if search else f"belief/{inner}"
            print_row(name, seats, games if seats == 2 else more)
    for text, seats in (
        ("belief/convention", 2),
        ("belief:seats=1/convention", 2),
        ("belief:worlds=50/information", 3),
    ):
        print_agreements(text, seats, 4)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
