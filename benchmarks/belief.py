"""What searching over beliefs gains and costs, beside the same players without it, deal by deal.

Run with ``python -m benchmarks.belief``; numbers after it are the deals of each row at two seats,
and at more.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.endgame import SEED, describe, play
from hanabi.game import Game, Rules
from hanabi.players import Belief, parse_player
from hanabi.players.belief.worlds import Agreement, draw_beliefs
from hanabi.rng import Stream

TWO = (
    "worlds=100",
    "worlds=100,seats=2",
    "worlds=50",
    "worlds=100,margin=0.1",
    "worlds=100,caution=0",
    "worlds=100,misread=yes",
    "worlds=100,seats=2,slack=0.03",
    "worlds=100,seats=2,slack=1",
)
MORE = ("worlds=50", "worlds=50,seats=5")


def print_rows(inner: str, searches: Sequence[str], seats: int, games: int) -> None:
    """Print the player without search, then with each."""
    rules = Rules.hanab_live(seats)
    before, cost = play(parse_player(inner), rules, games)
    mean, error = describe(before)
    perfect = before.count(rules.max_score) / games
    print(
        f"{f'{inner}, {seats} seats':<40}{mean:8.3f} +-{error:.3f}{'':16}{perfect:8.1%}{cost:9.2f}"
    )
    for text in searches:
        after, cost = play(parse_player(f"belief:{text}/{inner}"), rules, games)
        mean, _ = describe(after)
        gain, error = describe([b - a for a, b in zip(before, after, strict=True)])
        perfect = after.count(rules.max_score) / games
        print(
            f"  {text:<38}{mean:8.3f}{'':8}{gain:+7.3f} +-{error:.3f}{perfect:8.1%}{cost:9.0f}",
            flush=True,
        )


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


def main(games: int = 100, more: int = 50) -> None:
    """Print the table."""
    print(f"{games} and {more} deals of seed {SEED}, the same in every row\n")
    print(f"{'':<40}{'mean':>8}{'':8}{'gain':>7}{'':8}{'perfect':>8}{'ms/game':>9}")
    print_rows("convention", TWO, 2, games)
    for seats in (3, 4, 5):
        print_rows("information", MORE, seats, more)
    for text, seats in (
        ("belief/convention", 2),
        ("belief:seats=2/convention", 2),
        ("belief:worlds=50/information", 3),
    ):
        print_agreements(text, seats, 10)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
