"""Reasons why a position cannot be won: the best one found in time, and its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import BudgetEndedError, Clock, SolverError, Status, Verdict, counted
from hanabi.rules import Card, Game, Rules, Said, Seat, joined, say
from hanabi.rules import layout as k
from hanabi.solvers.winnable.images import images
from hanabi.solvers.winnable.pace import (
    MOST_NAMED,
    MergedState,
    Refutation,
    Refuter,
    comes_late,
    last_of_deck,
    latest,
    refute,
)
from hanabi.solvers.winnable.position import (
    Goal,
    Line,
    Position,
    Types,
    buildable,
    cards_of,
    highest_goal,
)
from hanabi.solvers.winnable.solver import solve_game, without_deck_plays

if TYPE_CHECKING:
    from hanabi.solvers.winnable.sat import GameCertificate

__all__ = [
    "LabelledMove",
    "LabelledRelaxation",
    "LabelledState",
    "OutOfStepsError",
    "Reasons",
    "StateGroup",
    "explain",
    "reasons_of",
    "refute_distribution",
    "what_is_short",
    "why_lost",
]

# A relaxation that tracks the holders of a few cards, in plain Python, for readable proofs of loss.
#
# The merged hand of `hanabi.solvers.winnable.pace` forgets who holds a card, so it cannot see that
# the last cards come in an order, or into hands, in which nobody can play them in turn. The
# *labelled* types carry the seat that holds them, as in `hanabi.solvers.winnable.search`, which
# defines M (the secured types), s (the points), C and K. But this relaxation shares no code with
# that one, counts turns in the last round only, and does not limit the labelled cards in a hand. A
# labelled type that is secured and in no hand is on its pile. A second copy of a secured type that
# is not labelled, or that is on its pile, is trash.
#
# Until the last card is drawn, anyone may act at any time, and a move takes one card out of a hand
# and puts the next card of the deck into it. There are four:
#
# 1. play a labelled card, if C has all cards below it, and these, K and the card number at most
#    s + 1;
# 2. play another card, if s < |C|;
# 3. discard trash, if |M| - s is less than the number of slots;
# 4. drop a needed type that is not in K, if another copy is still to come and C without it is still
#    no smaller than s; if it is labelled, no hand has it any longer, and any seat may draw.
#
# In the last round the seats act in order, after the one that drew the last card. A turn plays one
# card, by 1 or 2, or none.
#
# Every line of the game that reaches the goal is one of these: leave out the hints, and forget
# whose turn it is before the last card is drawn, who holds the other cards and which of them have
# been played; if two hands have the same labelled type and one discards it, which is a discard
# of trash, forget that too. The four moves remain, since a mistake is a discard, and the last
# remaining copy of a needed card is never discarded.
#
# Of the moves 2, 3 and 4 only the first that is possible is ever tried. Proof. Let position X be
# *at least* position Y if both agree on the cards drawn, the labelled cards on the piles, and the
# turn, and X has at least the points, the secured types and, in each hand, the labelled cards of
# Y. Claim: X wins if Y does. X answers a move 1 by the same; it can, for its C is no smaller, its
# K equal and its points no fewer. In the last round it answers 2 by 2; if it cannot, its points
# are its whole C, so more than those of Y, and it plays nothing. Before, it answers 2, 3 or 4,
# with the same seat drawing, by the first that it has of: 2; 3; dropping a type that Y has not
# secured; the same drop as Y. In each case it is at least Y again. It has one of them: suppose
# that it has none of the first three. Then all of its C is played, and the types that it has
# secured and not played, U, fill all places. Each type of U is secured in Y: otherwise it comes
# again, for Y wins, and X could drop it. None of U is played in Y, for none is in the C of X. No
# position has more types secured and not played than places, so U fills the places of Y too,
# which has no trash and has played all of its C; its move drops a type of U, and X has that drop
# too. That proves the claim; and of two moves with the same seat drawing, the earlier of 2, 3, 4
# leads to a position that is at least the other's.
#
# A position is lost at once if the merged hand, which forgets even more, loses from it, or if a
# position that is at least it is lost. The numbering of the seats may start anywhere, since they
# act in a circle.

StateGroup = tuple[int, Types, int | None]
"""The values that two positions must share for one to be at least the other: cards drawn, labelled
cards on the piles, turn."""


class LabelledMove(NamedTuple):
    """A move before the last card is drawn."""

    seat: int | None  # the seat that draws; None if it does not matter
    verb: str
    card: Card | None = None  # None if it does not matter which
    draws: Card | None = None  # the card drawn, if labelled

    def told(self, spell: Callable[[Card], str] = str) -> str:
        """Return the move in words."""
        who = "anyone" if self.seat is None else f"seat {self.seat}"
        what = {"plays": "another card"}.get(self.verb, "trash")
        if self.card is not None:
            what = spell(self.card)
        then = "" if self.draws is None else f" and draws {spell(self.draws)}"
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
        """The position as a state of the merged hand."""
        return MergedState(self.drawn, self.secured, self.played)

    @property
    def in_hand(self) -> Types:
        """The labelled cards in the hands."""
        return frozenset().union(*self.held)

    def all_turned(self) -> Iterator[LabelledState]:
        """Yield the position with the seats numbered from each seat in turn."""
        for first in range(len(self.held)):
            turn = None if self.turn is None else (self.turn - first) % len(self.held)
            yield replace(self, held=self.held[first:] + self.held[:first], turn=turn)

    def is_at_least(self, other: LabelledState) -> bool:
        """Return whether this is at least `other`, which must be of the same group."""
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
        """Return K: the cards that must be on the piles, given the labelled cards there."""
        played = (state.secured & self.labelled) - state.in_hand
        return frozenset().union(*map(_with_below, played))

    def moves(self, state: LabelledState) -> list[tuple[LabelledMove, LabelledState]]:
        """Return every move before the last card is drawn, and the position after it."""
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
        # The best come first: if they are lost, others may be lost as a consequence.
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
        """Return a position that is at least `state`, with the seats numbered in any way."""
        for turned in state.all_turned():
            for other in among.get(self.group(turned), ()):
                if other.is_at_least(turned):
                    return other
        return None

    def is_lost(self, state: LabelledState) -> bool:
        """Decide a position.

        Raises OutOfStepsError if more than `most_steps` positions were searched; BudgetEndedError
        if the time of the merged hand is over first.
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
    """Return a card and all cards below it."""
    return frozenset(Card(card.color, rank) for rank in range(1, card.rank + 1))


# Named reasons why the last cards cannot be played in turn, with readable proofs.
#
# The argument is the relaxation above: a few cards are labelled by the seat that holds them, all
# others may be anywhere, hints are unlimited, and turns count in the last round only.
#
# bottom deck: with L turns in the last round, a copy of a labelled card is one of the last L + 1
#              cards of the deck;
# last round:  no labelled card comes that late, but they do not come into hands that can play them.
#
# A proof lists, numbered, the positions with more than one possible move, and below each all moves
# there, except those with an alternative proven at least as good. Forced moves are not listed. A
# branch ends where the merged hand of `hanabi.solvers.winnable.pace` loses, mostly by pace; where
# the last turns cannot play the missing cards; or at a position that is no better than one already
# shown to be lost.

MOST_LABELS = 10
FEW_STEPS, MOST_STEPS = 3_000, 60_000


class _Telling:
    """The readable proof that a relaxation is lost."""

    def __init__(
        self, relaxation: LabelledRelaxation, position: Position, goal: Goal, clock: Clock
    ) -> None:
        self.relaxation, self.position = relaxation, position
        self.merged = Refuter(position, goal, clock)
        self.numbers: dict[LabelledState, int] = {}
        self.shown: dict[StateGroup, list[LabelledState]] = {}

    def lines(self, state: LabelledState) -> list[str]:
        """Return the proof for a lost position."""
        self.merged.clock.check()
        game = self.relaxation
        while True:
            mark = len(self.merged.steps)
            if self.merged.is_lost(state.merged):
                return self.merged.steps[mark:]
            if state.turn is not None:
                return [self.last_turns(state)]
            moves = game.moves(state)
            if len(moves) > 1:
                break
            state = moves[0][1]
        better = game.at_least(state, self.shown)
        if better is not None:
            same = "as" if better in state.all_turned() else "no better than"
            return [f"{self.describe(state)}: {same} [{self.numbers[better]}]"]
        self.numbers[state] = len(self.numbers) + 1
        found = [f"[{self.numbers[state]}] {self.describe(state)}"]
        branches: dict[tuple[str, ...], list[str]] = {}
        for move, child in moves:
            branches.setdefault(tuple(self.lines(child)), []).append(move.told(self.position.spell))
        self.shown.setdefault(game.group(state), []).append(state)
        for proof, told in branches.items():
            head = f"- {' or '.join(told)}:"
            if len(proof) == 1:
                found.append(f"{head} {proof[0]}")
            else:
                found += [head, *(f"  {line}" for line in proof)]
        return found

    def describe(self, state: LabelledState) -> str:
        """Return the cards drawn and played, and those in each hand."""
        held = enumerate(map(self.position.names, state.held))
        hands = [f"seat {seat} has {cards}" for seat, cards in held if cards]
        return ", ".join([f"after {state.drawn} cards, {state.played} played", *hands])

    def last_turns(self, state: LabelledState) -> str:
        """Return the reason why a position of the last round is lost."""
        game, seats = self.relaxation, len(state.held)
        missing = len(game.cards) - state.played
        turns = [((state.turn or 0) + turn) % seats for turn in range(game.turns or 0)]
        held = {seat: self.position.names(state.held[seat]) or "none" for seat in turns}
        told = (f"seat {seat} ({held[seat]})" for seat in turns)
        return f"last round: {', '.join(told)} cannot play the {missing} missing cards in turn"


def refute_distribution(
    position: Position,
    goal: Goal,
    *,
    most_steps: int = MOST_STEPS,
    seconds: float | None = None,
) -> Refutation | None:
    """Return a proof, from the holders of the last cards, that `goal` is out of reach, or None.

    Parameters
    ----------
    position, goal
        The position, and the goal to refute.
    most_steps
        Most positions searched for one choice of cards to label. Each choice first gets 3,000
        positions (at most a second), and this many if these do not suffice. No proof seen so far
        needed 60,000.
    seconds
        Time after which the answer is None.

    Returns
    -------
    Refutation or None
        The name is "bottom deck" or "last round". None proves nothing:
        `hanabi.solvers.winnable.refute` handles losses of the merged hand, and a proof with more
        cards or steps may exist.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 1), (0, 3), (0, 2)])
    >>> found = refute_distribution(position, (3,))
    >>> print(found.name, "-", found.summary.split(":")[0])
    bottom deck - with 1 card to draw, the last red 2 is the bottom card of the deck, before red 3
    >>> found.steps[0]
    '[1] after 2 cards, 0 played'
    """
    clock = Clock(seconds)
    try:
        found = _fewest_labels(position, goal, most_steps, clock)
        return None if found is None else _told(found, position, goal, clock)
    except BudgetEndedError:
        return None


def _told(found: LabelledRelaxation, position: Position, goal: Goal, clock: Clock) -> Refutation:
    """Return the proof that a relaxation is lost."""
    telling = _Telling(found, position, goal, clock)
    steps = tuple(telling.lines(found.start))
    cards = found.labelled - found.on_piles
    late = comes_late(position, goal, cards)
    holders = (
        say("{} holds {}", Seat(seat), position.full_names(hand & cards))
        for seat, hand in enumerate(position.hand_types)
        if hand & cards
    )
    still = say("{} still in the deck", position.full_names(cards))
    what = joined("; ", filter(None, [say("{}", late), joined(" and ", holders)])) or still
    needed, draws = found.cards - found.on_piles, len(position.deck) - position.drawn
    names = f"all {len(needed)} needed cards"
    if len(needed) <= MOST_NAMED:
        left = counted(draws, "card") + " to draw"
        if not draws:
            left = counted(found.turns or 0, "turn") + " left"
        what, names = say("with {}, {}", left, what), position.full_names(needed)
    summary = say("{}: no order of turns plays {} in time", what, names)
    return Refutation("bottom deck" if late else "last round", summary, steps, len(telling.numbers))


def _fewest_labels(
    position: Position, goal: Goal, most_steps: int, clock: Clock
) -> LabelledRelaxation | None:
    """Return a lost relaxation with few labelled cards, or None."""
    merged = Refuter(position, goal, clock)

    def try_with(labels: Types, steps: int) -> LabelledRelaxation:
        """Return a relaxation, decided if `steps` suffice; only decided ones can be lost."""
        relaxation = LabelledRelaxation(position, labels, merged, steps)
        with suppress(OutOfStepsError):
            relaxation.is_lost(relaxation.start)
        return relaxation

    if try_with(frozenset(), most_steps).has_lost:
        return None
    # Few at first: the last cards of the deck, and those that wait longest.
    candidates = list(
        dict.fromkeys(
            frozenset(cards(position, goal, number))
            for number in range(1, MOST_LABELS + 1)
            for cards in (last_of_deck, latest)
        )
    )
    for steps in sorted({min(FEW_STEPS, most_steps), most_steps}):
        undecided = []
        for labels in candidates:
            found = try_with(labels, steps)
            if found.has_lost:
                # It may be just as lost without some of the cards.
                for card in sorted(labels, reverse=True):
                    fewer = try_with(labels - {card}, found.looked_at)
                    if fewer.has_lost:
                        labels, found = labels - {card}, fewer
                return found
            if found.looked_at > steps:
                undecided.append(labels)
        candidates = undecided
    return None


_MOST_SECONDS = 60.0
"""Limit for finding a readable reason if there is no time limit."""
_SHARE = 0.7
"""Share of the time left after a deck is found lost that a readable reason may take."""


def explain(
    position: Position, goal: Goal, *, most_steps: int = MOST_STEPS, seconds: float | None = None
) -> Refutation | None:
    """Return a readable proof that `goal` cannot be reached, or None if none was found.

    The shortest arguments are tried first: pace, then the merged hand, then the holders of the last
    cards. All are independent of the compiled solvers. None does not mean that the goal can be
    reached.

    `most_steps` and `seconds` are as for `hanabi.solvers.winnable.reasons.refute_distribution`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> for deck in [(1, 2, 3), (1, 3, 2)]:
    ...     position = Position.start(rules, [(0, rank) for rank in deck])
    ...     found = explain(position, (3,))
    ...     print(found and found.name)
    None
    bottom deck
    """
    clock = Clock(seconds)
    found = refute(position, goal, seconds=clock.left)
    if found is not None:
        return found
    return refute_distribution(position, goal, most_steps=most_steps, seconds=clock.left)


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons why a position is lost, if it is known to be."""

    refutation: Refutation | None
    """The readable reason."""
    certificate: GameCertificate | None = None
    """The proof by SAT, if it was requested and found."""
    no_proof: str | None = None
    """The reason why a requested proof is missing."""


def reasons_of(
    game: Game, verdict: Verdict[Line], *, proof: bool, left: Callable[[], float | None]
) -> Reasons:
    """Return the best readable reason found in time, and the proof if it was requested.

    If no readable argument is found, the reason is the position's formula, or failing that the
    search that decided. `verdict` is the verdict on the game, `proof` requests a proof by SAT, and
    `left` returns the seconds left (None: no limit).

    >>> from hanabi.rules import Rules
    >>> rules = Rules.hanab_live(seats=3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> won = Verdict(Status.WINNABLE, "greedy", "a line")
    >>> reasons_of(game, won, proof=True, left=lambda: None).no_proof
    'the answer is winnable'
    """
    if verdict.status is not Status.UNWINNABLE:
        return Reasons(None, None, f"the answer is {verdict.status}" if proof else None)
    if not game.can_act:
        summary = say("it ended with {} points", game.score)
        refutation = Refutation("game over", summary, (), 0)
        return Reasons(refutation, None, "the game is over" if proof else None)
    found, certificate, decided = why_lost(game, left()), None, verdict
    no_proof = None
    if proof or (found is None and verdict.method != "sat"):
        from hanabi.solvers.winnable.sat import certify

        try:
            certificate = certify(without_deck_plays(game), seconds=left())
        except SolverError as error:
            no_proof = str(error)
        else:
            if certificate.proof is not None:
                decided = certificate.verdict
    if found is None:
        name = "formula" if decided.method == "sat" else decided.method
        found = Refutation(name, say("{}", decided.reason), (), 0)
    if not proof or certificate is None:
        return Reasons(found, None, no_proof if proof else None)
    if certificate.proof is None:
        return Reasons(found, None, certificate.verdict.reason)
    return Reasons(found, certificate)


def why_lost(game: Game, seconds: float | None) -> Refutation | None:
    """Return a readable proof that a position cannot be won, if one is found in time.

    There is none if the last card may still be played from the deck, or if cards are missing.
    """
    if not game.can_act or game.missing or (game.rules.deck_plays and game.deck_left):
        return None
    game = without_deck_plays(game)
    clock = Clock(_MOST_SECONDS if seconds is None else seconds * _SHARE)
    found = []
    for image in images(game):
        position = image.position
        refutation = explain(position, highest_goal(position.rules), seconds=clock.left)
        if refutation is None:
            return None
        found.append(refutation)
    return found[0] if len(found) == 1 else _for_each(found)


def what_is_short(game: Game, points: int, seconds: float) -> Said | None:
    """Return what one more of would bring `points` back into reach, or None if nothing is found.

    It is a {hint} token, a turn after the last card, or both. That they suffice is shown by a line
    that is replayed by the rules with one more. The caller must know that `points` are out of reach
    as it is.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> print(what_is_short(Game.start(rules, [(0, 1), (0, 3), (0, 2)]), 3, 10.0))
    one more turn
    """
    clock, found = Clock(seconds), list[Said]()
    for what, richer in _with_one_more(without_deck_plays(game)):
        verdict = solve_game(richer, points=points, seconds=(clock.left or 0) / 2)
        if verdict.status is Status.WINNABLE:
            found.append(say("one more " + what))
    return joined(" or ", found) if found else None


def _with_one_more(game: Game) -> Iterator[tuple[str, Game]]:
    """Yield a position with one more hint token, and with one more turn, where there is room."""
    import numpy as np

    rules, state = game.rules, np.frombuffer(game.packed[2], np.int64)

    def changed(word: int, by: int, rules: Rules = rules) -> Game:
        richer = state.copy()
        richer[word] += by
        return Game(rules, game.deck, game.known_actions, richer.tobytes())

    if game.hints < rules.hints:
        yield "{hint} token", changed(k.HINTS, rules.hint_cost)
    if game.turns_left is not None:
        yield "turn", changed(k.TURNS_LEFT, 1)
    elif rules.final_round is not None:
        yield "turn", changed(k.TURNS_LEFT, 0, replace(rules, final_round=rules.final_round + 1))


def _for_each(found: Sequence[Refutation]) -> Refutation:
    """Combine the refutations of all ways to build the piles."""
    steps = [
        line
        for number, each in enumerate(found, start=1)
        for line in (f"({number}) {each.name}: {each.summary}", *(f"  {s}" for s in each.steps))
    ]
    name = Counter(each.name for each in found).most_common(1)[0][0]
    summaries = {str(each.summary): each.summary for each in found}
    summary: Said = found[0].summary
    if len(summaries) > 1:
        summary = say("whichever way the piles are built; for example, {}", summary)
    return Refutation(name, summary, tuple(steps), sum(each.choices for each in found))
