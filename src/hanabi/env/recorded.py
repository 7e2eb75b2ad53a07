"""Reconstruction of games from an environment's observations and actions, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout, check_seen
from hanabi.env.vector import VectorEnv
from hanabi.ground import IllegalActionError, InvalidInputError, counted, naming
from hanabi.rules import Action, Card, Deck, GameRecord, Hands, RecordedAction, Rules

__all__ = ["SEATS", "game_of_observations", "layout_of"]

SEATS = (2, 3, 4, 5)
"""Numbers of players of the full game in the Hanabi Learning Environment."""

_Rows = npt.NDArray[np.uint8]


@cache
def layout_of(seats: int) -> Layout:
    """Return the layout of the full game for a number of seats."""
    return Layout(Rules.hle(seats))


def game_of_observations(observations: npt.ArrayLike, actions: npt.ArrayLike) -> GameRecord:
    """Reconstruct a game from the observations and actions of the seats to act, from the deal on.

    The next seat to act sees a card that is drawn, so every card that was played or discarded is
    known. Cards that nobody saw, drawn last or not at all, fill the remaining places of the deck,
    sorted by color and rank; `unseen` in the record's `extra` is their number. The game is then
    observed again, and every entry is compared.

    Parameters
    ----------
    observations
        0 or 1, (turns, entries), with card knowledge, in the format of `Layout`. The number of
        entries determines the number of players, 2 to 5.
    actions
        The number of the action of each turn, (turns,).

    Raises
    ------
    InvalidInputError
        If the arrays do not fit, or no game leads to these observations; the message names the
        first wrong turn and entry.

    Notes
    -----
    About 4 milliseconds a game.

    >>> env = VectorEnv(1, seed=1)
    >>> first = env.reset().observations.copy()
    >>> record = game_of_observations(np.concatenate([first, env.step([10]).observations]), [10, 5])
    >>> record.actions[0], record.extra["unseen"], record.deck[:10] == env.game(0).deck[:10]
    (RecordedAction(type=2, target=1, value=0), 40, True)
    """
    try:
        seen, numbers = np.asarray(observations), np.asarray(actions)
    except ValueError:
        raise InvalidInputError("observations, actions: the rows are not equally long") from None
    sizes = {layout_of(seats).size: seats for seats in SEATS}
    if seen.ndim != 2 or seen.shape[1] not in sizes or not np.isin(seen, (0, 1)).all():
        known = ", ".join(map(str, sizes))
        raise InvalidInputError(f"observations {seen.shape} are not rows of {known} entries 0 or 1")
    layout = layout_of(sizes[seen.shape[1]])
    if numbers.shape != seen.shape[:1] or not np.issubdtype(numbers.dtype, np.integer):
        turns = counted(len(seen), "turn")
        raise InvalidInputError(f"actions: {numbers.dtype} {numbers.shape}, not those of {turns}")
    rows, given = seen.astype(np.uint8), [int(each) for each in numbers]
    cards, taken = _course(layout, rows, given)
    deck, unseen = _deck_of(layout.rules, cards)
    _compare(layout, deck, rows, given)
    return GameRecord(
        players=layout.rules.seats,
        deck=deck,
        actions=tuple(taken),
        extra={"unseen": unseen},
        rules="hle",
    )


def _course(
    layout: Layout, rows: _Rows, numbers: Sequence[int]
) -> tuple[dict[int, Card], list[RecordedAction]]:
    """Return the cards that somebody saw, by their deck indices, and the actions."""
    rules = layout.rules
    hands = Hands(rules.seats, rules.hand_size, rules.deck_size)
    others = layout.cards(rows, "cards of the others")
    used = layout.cards(rows, "last action: card played or discarded")
    cards: dict[int, Card] = {}
    actions: list[RecordedAction] = []
    taken = None
    for turn, number in enumerate(numbers):
        seat = turn % rules.seats
        seen: list[tuple[int, Card | None]] = []
        if taken is not None:
            seen.append((taken, used[turn][0]))
        for behind in range(1, rules.seats):
            first = (behind - 1) * rules.hand_size
            hand = hands.held((seat + behind) % rules.seats)
            seen += zip(hand, others[turn][first:], strict=False)
        for index, card in seen:
            if card is not None:
                cards.setdefault(index, card)
        with naming(f"turn {turn}"):
            action = _action(layout, number, seat)
            taken = None if action.is_hint else hands.take(seat, action.target)
        if taken is None:
            actions.append(RecordedAction(int(action.kind), action.target, action.value))
        else:
            actions.append(RecordedAction(int(action.kind), taken))
    if taken is not None and taken not in cards:
        raise InvalidInputError(f"turn {len(numbers) - 1}: nobody saw the card that is taken")
    return cards, actions


@cache
def _action(layout: Layout, number: int, seat: int) -> Action:
    return layout.action(number, seat)


def _deck_of(rules: Rules, cards: Mapping[int, Card]) -> tuple[Deck, int]:
    """Return the deck with `cards` in their places, and the number of cards filled in."""
    left = rules.spec.counts()
    left.subtract(cards.values())
    for card, copies in left.items():
        if copies < 0:
            raise InvalidInputError(f"{card} is seen {-copies} times too often")
    rest = iter(sorted(left.elements()))
    deck = Deck(cards[i] if i in cards else next(rest) for i in range(rules.deck_size))
    return deck, rules.deck_size - len(cards)


def _compare(layout: Layout, deck: Deck, rows: _Rows, numbers: Sequence[int]) -> None:
    """Play the game again, and raise an error where its observations differ from `rows`."""
    env = VectorEnv(1, layout.rules, autoreset="disabled")
    step = env.reset(decks=[deck])
    for turn, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        if step.dones[0]:
            raise InvalidInputError(f"turn {turn}: the game is over")
        check_seen(layout, row, step.observations[0], turn)
        try:
            step = env.step([number])
        except IllegalActionError as error:
            _, _, what = str(error).partition(": ")
            raise InvalidInputError(what) from None
