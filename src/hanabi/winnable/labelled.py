"""Who holds a few cards, in plain Python, to prove losses that can be read.

The merged hand of `hanabi.winnable.merged` forgets who holds a card, so it cannot see that the last
cards come in an order, or into hands, in which nobody can play them in turn. The *labelled* types
carry the seat that holds them, as in `hanabi.winnable.relaxation`, whose words M (the secured
types), s (the points), C and K are used here; but this relaxation shares no code with that one,
counts turns in the last round only, and does not know how many labelled cards a hand has room for.
A labelled type that is secured and in no hand is on its pile. A second copy of a secured type that
is not labelled, or that is on its pile, is trash.

Until the last card is drawn, anyone may act at any time, and a move takes one card out of a hand
and puts the next card of the deck into it. There are four:

1. play a labelled card, if C has all cards below it, and these, K and the card are at most s + 1;
2. play another card, if s < |C|;
3. discard trash, if |M| - s is less than the number of slots;
4. drop a needed type that is not in K, if it comes again and C without it is still no smaller than
   s; if it is labelled, no hand has it any longer, and any seat may draw.

In the last round the seats act in order, after the one that drew the last card. A turn plays one
card, by 1 or 2, or none.

Every line of the game that reaches the goal is one of these: leave out the hints, and forget whose
turn it is before the last card is drawn, who holds the other cards and which of them have been
played; if two hands have the same labelled type and one throws it away, which is a discard of
trash, forget that too. The four moves remain, for a mistake is a discard, and the last copy that is
left of a needed card is never thrown away.

Of the moves 2, 3 and 4 only the first that is possible is ever tried. For let position X be *at
least* position Y if both agree on the cards drawn, the labelled cards on the piles, and the turn,
and X has at least the points, the secured types and, in each hand, the labelled cards of Y. Claim:
X wins if Y does. X answers a move 1 by the same; it can, for its C is no smaller, its K equal and
its points no fewer. In the last round it answers 2 by 2; if it cannot, its points are its whole C,
so more than those of Y, and it plays nothing. Before, it answers 2, 3 or 4, with the same seat
drawing, by the first that it has of: 2; 3; dropping a type that Y has not secured; the same drop as
Y. In each case it is at least Y again. It has one of them: suppose that it has none of the first
three. Then all of its C is played, and the types that it has secured and not played, U, fill all
places. Each type of U is secured in Y: otherwise it comes again, for Y wins, and X could drop it.
None of U is played in Y, for none is in the C of X. No position has more types secured and not
played than places, so U fills the places of Y too, which has no trash and has played all of its C;
its move drops a type of U, and X has that drop too. That proves the claim; and of two moves with
the same seat drawing, the earlier of 2, 3, 4 leads to a position that is at least the other's.

A position is lost at once if the merged hand loses from it, which forgets yet more, or if one that
is at least it is lost. Which seat is called the first does not matter, for the seats act in a
circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from hanabi.cards import Card
from hanabi.winnable.merged import MergedState, Refuter
from hanabi.winnable.position import Position, Types, buildable, cards_of

__all__ = ["LabelledMove", "LabelledRelaxation", "LabelledState", "OutOfStepsError", "StateGroup"]

StateGroup = tuple[int, Types, int | None]
"""What positions must agree on for one to be at least the other: cards drawn, labelled cards on
the piles, turn."""


class LabelledMove(NamedTuple):
    """What is done before the last card is drawn."""

    seat: int | None  # who draws; None where it does not matter
    verb: str
    card: Card | None = None  # None where it does not matter which one it is
    draws: Card | None = None  # if labelled

    def __str__(self) -> str:
        who = "anyone" if self.seat is None else f"seat {self.seat}"
        what = str(self.card) if self.card else {"plays": "another card"}.get(self.verb, "trash")
        then = "" if self.draws is None else f" and draws {self.draws}"
        return f"{who} {self.verb} {what}{then}"


@dataclass(frozen=True, slots=True)
class LabelledState:
    """A position of the relaxation; `turn` is None until the last card is drawn."""

    drawn: int
    secured: Types
    played: int
    held: tuple[Types, ...]
    turn: int | None = None

    @property
    def merged(self) -> MergedState:
        """What the merged hand knows of the position."""
        return MergedState(self.drawn, self.secured, self.played)

    @property
    def in_hand(self) -> Types:
        """The labelled cards in the hands."""
        return frozenset().union(*self.held)

    def all_turned(self) -> Iterator[LabelledState]:
        """Yield the same position for all seats from which they can be counted."""
        for first in range(len(self.held)):
            turn = None if self.turn is None else (self.turn - first) % len(self.held)
            yield replace(self, held=self.held[first:] + self.held[:first], turn=turn)

    def is_at_least(self, other: LabelledState) -> bool:
        """Return whether this wins if `other` does, for equal cards drawn, played and turn."""
        return (
            self.played >= other.played
            and self.secured >= other.secured
            and all(mine >= theirs for mine, theirs in zip(self.held, other.held, strict=True))
        )


class OutOfStepsError(Exception):
    """More positions than allowed; never leaves this package."""


class LabelledRelaxation:
    """The relaxation of one position with some labelled cards, and its search."""

    def __init__(self, position: Position, labels: Types, merged: Refuter, most_steps: int) -> None:
        self.deck, self.turns = position.deck, position.last_turns
        self.merged, self.cards = merged, merged.cards
        self.on_piles = on_piles = cards_of(position.piles)
        self.labelled = (labels | on_piles) & self.cards
        start = merged.start
        self.start = LabelledState(
            drawn=start.drawn,
            secured=start.secured,
            played=start.played,
            held=tuple((hand & self.labelled) - on_piles for hand in position.hand_types),
            turn=position.seat if position.drawn == len(position.deck) else None,
        )
        self.lost: dict[StateGroup, list[LabelledState]] = {}
        self.won: set[LabelledState] = set()
        self.looked_at, self.most_steps = 0, most_steps

    @property
    def has_lost(self) -> bool:
        """Whether the first position is known to be lost."""
        return self.at_least(self.start, self.lost) is not None

    def committed(self, state: LabelledState) -> Types:
        """Return K: what must be on the piles because of the labelled cards there."""
        played = (state.secured & self.labelled) - state.in_hand
        return frozenset().union(*map(_with_below, played))

    def moves(self, state: LabelledState) -> list[tuple[LabelledMove, LabelledState]]:
        """Return every move before the last card is drawn, and where it leads."""
        usable, later = state.secured - state.in_hand, self.merged.needed_later[state.drawn]
        possible = buildable(usable)
        found = [
            LabelledMove(seat, "plays", card)
            for seat, hand in enumerate(state.held)
            for card in sorted(hand)
            if self.can_play(state, card, possible)
        ]
        if state.played < len(possible):
            others: list[tuple[str, Card | None]] = [("plays", None)]
        elif len(state.secured) - state.played < self.merged.slots:
            others = [("discards", None)]
        else:
            others = [
                ("drops", card)
                for card in sorted((state.secured - self.committed(state)) & later)
                if len(buildable(usable - {card})) >= state.played
            ]
        matters = state.drawn + 1 == len(self.deck) or self.tracks(state, self.deck[state.drawn])
        seats = range(len(state.held)) if matters else (None,)
        found += [LabelledMove(seat, verb, card) for verb, card in others for seat in seats]
        children = [self.after(state, move) for move in found]
        # The best come first: others may then be lost because these are.
        return sorted(children, key=lambda pair: -sum(map(len, pair[1].held)))

    def tracks(self, state: LabelledState, card: Card) -> bool:
        """Return whether a card to be drawn is labelled and not on its pile."""
        return card in self.labelled and card not in state.secured - state.in_hand

    def can_play(self, state: LabelledState, card: Card, possible: Types) -> bool:
        """Return whether a labelled card in hand can be played."""
        below = _with_below(card)
        if not below - {card} <= possible:
            return False
        return len(self.committed(state) | below) <= state.played + 1

    def after(self, state: LabelledState, move: LabelledMove) -> tuple[LabelledMove, LabelledState]:
        """Return a move with the card drawn, if labelled, and the position after it."""
        seat, verb, card, _ = move
        held, secured = list(state.held), state.secured
        if card is not None:
            held = [hand - {card} for hand in held]
        if verb == "drops":
            secured -= {card}
        new, draws, turn = self.deck[state.drawn], None, None
        if seat is not None:
            if self.tracks(state, new) and not (verb == "plays" and new == card):
                held[seat] |= {new}
                draws = new
            if state.drawn + 1 == len(self.deck):
                turn = (seat + 1) % len(held)
        child = LabelledState(
            drawn=state.drawn + 1,
            secured=secured | ({new} & self.cards),
            played=state.played + (verb == "plays"),
            held=tuple(held),
            turn=turn,
        )
        return move._replace(draws=draws), child

    def group(self, state: LabelledState) -> StateGroup:
        """Return the group of a position."""
        return state.drawn, (state.secured & self.labelled) - state.in_hand, state.turn

    def at_least(
        self, state: LabelledState, among: dict[StateGroup, list[LabelledState]]
    ) -> LabelledState | None:
        """Return a position, seats counted in any way, that is at least `state`."""
        for turned in state.all_turned():
            for other in among.get(self.group(turned), ()):
                if other.is_at_least(turned):
                    return other
        return None

    def is_lost(self, state: LabelledState) -> bool:
        """Decide a position.

        Raises
        ------
        OutOfStepsError
            If more than `most_steps` positions were looked at.
        BudgetEndedError
            If the time of the merged hand ends first.
        """
        if self.at_least(state, self.lost):
            return True
        if state in self.won:
            return False
        self.looked_at += 1
        if self.looked_at > self.most_steps:
            raise OutOfStepsError
        self.merged.clock.check()
        lost = self.merged.is_lost(state.merged) or (
            self.is_lost_in_turn(state, self.turns)
            if state.turn is not None
            else all(self.is_lost(child) for _, child in self.moves(state))
        )
        if lost:
            self.lost.setdefault(self.group(state), []).append(state)
        else:
            self.won.add(state)
        return lost

    def is_lost_in_turn(self, state: LabelledState, turns: int | None) -> bool:
        """Decide a position of the last round."""
        missing = len(self.cards) - state.played
        if state.turn is None or turns is None or missing == 0:
            return False
        if missing > turns:
            return True
        seat, after = state.turn, replace(state, turn=(state.turn + 1) % len(state.held))
        possible = buildable(state.secured - state.in_hand)
        children = [after]
        for card in state.held[seat]:
            if self.can_play(state, card, possible):
                held = tuple(hand - {card} for hand in state.held)
                children.append(replace(after, played=state.played + 1, held=held))
        if state.played < len(possible):
            children.append(replace(after, played=state.played + 1))
        return all(self.is_lost_in_turn(child, turns - 1) for child in children)


def _with_below(card: Card) -> Types:
    """Return a card with all below it."""
    return frozenset(Card(card.color, rank) for rank in range(1, card.rank + 1))
