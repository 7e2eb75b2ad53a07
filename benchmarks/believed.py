"""What a seat believes of its cards where its player would discard, and what they are.

Run with ``python -m benchmarks.believed [GAMES [FILE]]``, for that many recorded games. Wherever
the inner player would discard, deals are drawn from the seat's beliefs. With correct beliefs, cards
would be of each kind as often as believed. Standard errors are of the differences, over games.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.recorded import RECORDS, read_games, read_table
from hanabi.ground.errors import InvalidInputError, quote
from hanabi.ground.rng import Stream
from hanabi.players import parse_player
from hanabi.players.belief import Belief, draw_beliefs
from hanabi.rules import Game
from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card

RECORD = str(RECORDS / "belief_two_seats.jsonl")
KINDS = ("of no use", "playable", "last copy, for later", "others left, for later")

Shares = list[float]  # of the kinds


def kind_of(game: Game, card: Card) -> str:
    """Return the kind of a card: what losing it would mean now."""
    if game.is_dead(card):
        return KINDS[0]
    if game.is_playable(card):
        return KINDS[1]
    return KINDS[2] if game.copies_left(card) == 1 else KINDS[3]


def _shares(game: Game, cards: Sequence[Card | None]) -> Shares:
    kinds = [kind_of(game, card) for card in cards if card is not None]
    return [kinds.count(kind) / len(kinds) for kind in KINDS]


def look(player: Belief, end: Game, deal: int) -> Iterator[tuple[bool, Shares, Shares]]:
    """Yield, before each discard of the inner player, the beliefs and the truth of every card.

    The first item is whether it is the card that the inner player would discard.
    """
    game = Game.start(end.rules, end.deck)
    for action in end.actions:
        seat = game.seat_to_act
        view = game.view(seat)
        own = player.player.act(view, Stream(0))
        if own.kind is Kind.DISCARD:
            decks = draw_beliefs(player, view, Stream(deal, game.turn)).decks
            for slot, place in enumerate(game.hand_indices[seat] if decks else ()):
                believed = _shares(game, [deck[place] for deck in decks])
                yield slot == own.target, believed, _shares(game, [game.deck[place]])
        game = game.apply(action)


def print_table(title: str, games: Sequence[Sequence[tuple[Shares, Shares]]]) -> None:
    """Print the means over the cards of all games."""
    sums = np.array([np.sum(cards, axis=0) for cards in games if cards])
    number = sum(map(len, games))
    believed, true = sums.sum(axis=0) / number
    errors = (sums[:, 0] - sums[:, 1]).std(axis=0) * np.sqrt(len(sums)) / number
    print(f"\n{f'{title}: {number:,}':36}{'believed':>9}{'true':>8}")
    for kind, *row in zip(KINDS, believed, true, errors, strict=True):
        print(f"{kind:36}{row[0]:9.1%}{row[1]:8.1%} +- {row[2]:.1%}")


def main(games: int = 10, file: str = RECORD) -> None:
    """Print the believed and the true share of each kind of cards."""
    table = read_table(Path(file))
    player = parse_player(table.player)
    if not isinstance(player, Belief):
        raise InvalidInputError(f"{quote(table.player)} does not search over beliefs")
    chosen = [*read_games(Path(file), table).items()][:games]
    found = [[*look(player, each.end, deal)] for deal, each in chosen]
    print(f"{table.player}, {len(chosen):,} games, where the player would discard")
    for title, is_own in (("what it would discard", True), ("the rest of the hand", False)):
        print_table(title, [[each[1:] for each in cards if each[0] == is_own] for cards in found])


if __name__ == "__main__":
    count, *files = sys.argv[1:] or ["10"]
    main(int(count), *files)
