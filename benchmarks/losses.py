"""Why games lose points: the first event that put the full score out of reach.

Run with ``python -m benchmarks.losses PLAYER [DEALS [SEATS [SEED]]]``, at hanab.live's rules. Only
games that lost points are played again from views. Each counts once, for the first of these causes
that applies: its deck cannot be won with all cards face up (`hanabi.solvers.winnable` decides); a
needed card was discarded, or lost by a strike; the third strike ended it; the turns ran out, with
or without hint tokens at the start of the last round. The table also has the points lost.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from hanabi.players import parse_player
from hanabi.players.arena import outcomes, play_deal
from hanabi.players.protocol import Player
from hanabi.rules import Game, Rules
from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card
from hanabi.rules.table import EndReason
from hanabi.solvers.winnable import solve

DEALS, SEATS = 40, 2
SEED = 20_261_122
SECONDS = 20.0  # for a deck; an undecided deck counts as winnable


def cause_of(end: Game) -> str | None:
    """Return why a finished game lost points; None for a perfect game."""
    rules = end.rules
    if end.score == rules.max_score:
        return None
    if solve(end.deck, rules, seconds=SECONDS).is_winnable is False:
        return "deck that cannot be won"
    game, hints = Game.start(rules, end.deck), 0
    for action in end.actions:
        after = game.apply(action)
        seat = game.seat_to_act
        if after.most_points < rules.max_score:
            card = game.hands[seat][action.target]
            what = "discarded" if action.kind is Kind.DISCARD else "lost by a strike"
            return f"needed card {what}, {_copies(rules, card)}"
        if game.deck_left and not after.deck_left:
            hints = after.hints
        game = after
    if end.end_reason is EndReason.BOMBED:
        return "third strike"
    return "turns ran out, no clue left" if hints == 0 else "turns ran out, clues left"


def _copies(rules: Rules, card: Card | None) -> str:
    assert card is not None
    copies = list(rules.spec.cards()).count(card)
    return "only copy" if copies == 1 else "last copy"


def lost_games(player: Player, rules: Rules, deals: int, seed: int) -> Iterator[Game]:
    """Yield the ends of a player's games that lost points."""
    scores = outcomes(player, rules, deals, seed=seed)
    for index, outcome in enumerate(scores):
        if outcome >> 1 < rules.max_score:
            end = play_deal([player] * rules.seats, rules, index, seed=seed)
            assert sum(end.piles) == outcome >> 1
            yield end


def print_causes(ends: Iterable[Game]) -> None:
    """Print the games and points lost by each cause."""
    games, points = Counter[str](), Counter[str]()
    for end in ends:
        cause = cause_of(end)
        if cause is not None:
            games[cause] += 1
            points[cause] += end.rules.max_score - end.score
    print(f"{games.total()} games lost {points.total()} points\n")
    print("| cause | games | points |\n| --- | --- | --- |")
    for cause, number in games.most_common():
        print(f"| {cause} | {number} | {points[cause]} |")


def main(text: str = "convention", *numbers: str) -> None:
    """Play, and print the table."""
    deals, seats, seed = (*map(int, numbers), *(DEALS, SEATS, SEED)[len(numbers) :])
    rules, player = Rules.hanab_live(seats), parse_player(text)
    print(f"{text}, {seats} seats, {deals:,} deals of seed {seed}: ", end="", flush=True)
    print_causes(lost_games(player, rules, deals, seed))


if __name__ == "__main__":
    main(*sys.argv[1:5])
