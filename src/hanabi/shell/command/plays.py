"""Answers of Solitaire Hanabi as text and as JSON, with plays as tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from hanabi.ground import Status, counted
from hanabi.rules import COLOR_LETTERS
from hanabi.shell.command.terminal import VERDICT_STYLES, Piece, Screen, color_style, plain_width
from hanabi.shell.session.answer import Answer
from hanabi.shell.session.problem import SolitaireProblem
from hanabi.solitaire import DrawAction, Instance, Play

if TYPE_CHECKING:
    from hanabi.solitaire import Reading

__all__ = [
    "card_name",
    "described",
    "document",
    "json_pieces",
    "print_answer",
    "reading_document",
    "reading_facts",
    "show_play",
]

_HEAD = "dim"
_HAND_LINES = 2
_PILES_WIDTH = 16
_VERB_WIDTH = len("discard")


def card_name(instance: Instance, color: int, value: int) -> str:
    """Return the text of a card: `r1`, `12:7`, or `7` if there is one color."""
    return str(value) if instance.c == 1 else instance.card_name(color, value)


def _style(instance: Instance, color: int) -> str:
    return "" if instance.c == 1 else color_style(color)


def show_play(screen: Screen, instance: Instance, play: Play) -> None:
    """Write a legal play as a table, one line a run of like moves. O(N (h + c)) at most.

    Cards marked `+` come from the hand. With more than six colors or values above nine the last
    column shows only the piles that grew.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show_play(Screen(), Instance(1, [(0, 2), (0, 1)]), play)
    moves           cards                        hand after                     pile
        1  store    2                            2                              .
      2-3  play     1 +2                                                        2
           + from the hand
    """
    table = _Table(screen, instance, len(play))
    drawn, has_hand_moves = 0, False
    for position, action in play:
        table.add(position, action, is_held=position <= drawn)
        has_hand_moves = has_hand_moves or position <= drawn
        drawn = max(drawn, position)
    table.write_row()
    if has_hand_moves:
        screen.line((f"{'':{table.moves}}  + from the hand", _HEAD))


class _Table:
    """The state after the moves so far; the last moves of one kind are still to be written."""

    def __init__(self, screen: Screen, instance: Instance, moves: int) -> None:
        self.screen, self.instance = screen, instance
        self.has_all_piles = instance.n <= 9 and instance.c <= len(COLOR_LETTERS)
        self.moves = max(5, 2 * len(str(moves)) + 1)
        piles = max(4, 2 * instance.c) if self.has_all_piles else _PILES_WIDTH
        left = screen.width - self.moves - piles - _VERB_WIDTH - 8
        self.cards_width = left // 2 - 1
        self.hand_width = left - self.cards_width
        self.hand: dict[int, tuple[int, int]] = {}
        self.piles: dict[int, int] = {}
        self.n_written = 0
        self.action = DrawAction.PLAY
        self.cards: list[Piece] = []
        self.grown: dict[int, int] = {}
        self.write_head()

    def write_head(self) -> None:
        c = self.instance.c
        text = f"{'moves':>{self.moves}}  {'':{_VERB_WIDTH}}  {'cards':{self.cards_width}}"
        text += f"  {'hand after':{self.hand_width}}  "
        piles: list[Piece] = []
        if self.has_all_piles and c > 1:
            piles = [(f"{COLOR_LETTERS[color]} ", color_style(color)) for color in range(c)]
        else:
            text += "pile" if c == 1 else "piles grown"
        self.screen.line((text, _HEAD), *piles)

    def add(self, position: int, action: DrawAction, *, is_held: bool) -> None:
        """Make a move; one that does not fit into the row begins the next."""
        value, color = self.instance.values[position - 1], self.instance.colors[position - 1]
        card = ("+" if is_held else "") + card_name(self.instance, color, value)
        width = plain_width(self.cards) + len(self.cards) + len(card)
        if action is not self.action or width > self.cards_width:
            self.write_row()
        self.action = action
        self.cards.append((card, _style(self.instance, color)))
        if action is DrawAction.STORE:
            self.hand[position] = color, value
            return
        self.hand.pop(position, None)
        if action is DrawAction.PLAY:
            self.piles[color] = self.grown[color] = value

    def write_row(self) -> None:
        """Write the moves of one kind; only the hand may need more than one line."""
        if not self.cards:
            return
        first, last = self.n_written + 1, self.n_written + len(self.cards)
        numbers = str(first) if last == first else f"{first}-{last}"
        cards = [piece for card in self.cards for piece in (card, (" ", ""))]
        hands = _spaced(_hand_pieces(self.instance, self.hand.values()), self.hand_width)
        if len(hands) > _HAND_LINES:
            hands = [[(counted(len(self.hand), "card"), "")]]
        self.screen.line(
            (f"{numbers:>{self.moves}}  ", _HEAD),
            (f"{self.action!s:{_VERB_WIDTH}}  ", "bold" if self.action is DrawAction.PLAY else ""),
            *cards,
            (" " * (self.cards_width + 2 - plain_width(cards)), ""),
            *hands[0],
            (" " * (self.hand_width + 2 - plain_width(hands[0])), ""),
            *(self.all_piles() if self.has_all_piles else self.grown_piles()),
        )
        for hand in hands[1:]:
            self.screen.line(" " * (self.moves + _VERB_WIDTH + self.cards_width + 6), *hand)
        self.n_written, self.cards, self.grown = last, [], {}

    def all_piles(self) -> list[Piece]:
        pieces: list[Piece] = []
        for color in range(self.instance.c):
            value = self.piles.get(color, 0)
            is_complete = value == self.instance.n
            style = f"{_style(self.instance, color)} {'bold' if is_complete else ''}".strip()
            pieces += [(str(value) if value else ".", style if value else _HEAD), (" ", "")]
        return pieces

    def grown_piles(self) -> list[Piece]:
        grown = [
            (card_name(self.instance, color, value), _style(self.instance, color))
            for color, value in sorted(self.grown.items())
        ]
        lines = _spaced(grown, _PILES_WIDTH)
        return lines[0] if len(lines) == 1 else [(counted(len(grown), "pile"), "")]


def _hand_pieces(instance: Instance, cards: Iterable[tuple[int, int]]) -> list[Piece]:
    """Return the hand, sorted and grouped by color as in `r124`, one piece a group."""
    if instance.c == 1:
        return [(str(value), "") for _, value in sorted(cards)]
    separator = "" if instance.n <= 9 else ","
    pieces = []
    for color, group in groupby(sorted(cards), itemgetter(0)):
        first, *rest = (value for _, value in group)
        name = separator.join((instance.card_name(color, first), *map(str, rest)))
        pieces.append((name, color_style(color)))
    return pieces


def _spaced(pieces: list[Piece], width: int) -> list[list[Piece]]:
    """Lay pieces out, with blanks between them, in lines of at most `width` where possible."""
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if lines[-1] and plain_width(lines[-1]) + len(piece[0]) > width:
            lines.append([])
        lines[-1] += [piece, (" ", "")]
    return lines


# The answer of `hanabi solve` on Solitaire Hanabi, as JSON and as text.

_MOST_NAMED = 10
_LONG_PLAY = 20_000  # moves


def document(problem: SolitaireProblem, answer: Answer) -> dict[str, object]:
    """Return the documented JSON document."""
    head, tail = _document_parts(problem, answer)
    play = answer.play
    return {**head, "play": None if play is None else play.to_json(), **tail}


def json_pieces(problem: SolitaireProblem, answer: Answer) -> Iterator[str]:
    """Yield the text of the JSON document; a long play is written in bulk."""
    play = answer.play
    if play is None or len(play) < _LONG_PLAY:
        yield json.dumps(document(problem, answer))
        return
    from hanabi.rules import move_pieces

    head, tail = (json.dumps(part) for part in _document_parts(problem, answer))
    yield head[:-1] + ', "play": '
    names = tuple(str(action) for action in sorted(DrawAction))
    yield from move_pieces(play.positions, play.actions, names)
    yield ", " + tail[1:]


def _document_parts(
    problem: SolitaireProblem, answer: Answer
) -> tuple[dict[str, object], dict[str, object]]:
    """Return the text before the play and after it."""
    verdict, least = answer.verdict, answer.least
    head: dict[str, object] = {
        "status": str(verdict.status),
        "method": verdict.method,
        "reason": verdict.reason,
    }
    if least is not None:
        head["least_hand"] = least.upper if least.is_exact else None
    if (fewest := answer.fewest_cards) is not None:
        head["fewest_cards"] = fewest.upper if fewest.is_exact else None
    tail: dict[str, object] = {
        "most_cards": answer.most_cards,
        "seconds": round(answer.seconds, 6),
        "states": verdict.states,
    }
    lower, upper = answer.bounds
    if problem.hand_is_given and lower != upper:
        tail["bounds"] = {"lower": lower, "upper": upper}
    if least is not None and not least.is_exact:
        tail["least_hand_bounds"] = {"lower": least.lower, "upper": least.upper}
    if fewest is not None and not fewest.is_exact:
        tail["fewest_cards_bounds"] = {"lower": fewest.lower, "upper": fewest.upper}
    tail |= reading_document(answer.reading)
    return head, tail


def print_answer(screen: Screen, problem: SolitaireProblem, answer: Answer, *, show: bool) -> None:
    """Write the answer; with `show` also the winning play, or the best one known."""
    verdict = answer.verdict
    for text in (*problem.remarks, described(problem)):
        screen.entry("", text)
    screen.line()
    screen.entry(str(verdict.status), verdict.reason, VERDICT_STYLES[verdict.status])
    for label, text in _facts(problem, answer):
        screen.entry(label, text)
    play = answer.best_play
    if show and play is not None:
        screen.line()
        show_play(screen, problem.instance, play)


def described(problem: SolitaireProblem) -> str:
    """Return the sizes of an instance in words."""
    instance = problem.instance
    parts = [
        counted(instance.N, "card"),
        f"{counted(instance.c, 'color')} of {counted(instance.n, 'value')}",
        f"at most {instance.r} alike",
    ]
    if problem.hand_is_given:
        parts.append(f"hand {instance.hand_size}")
    return ", ".join(parts) + "."


def _facts(problem: SolitaireProblem, answer: Answer) -> Iterator[tuple[str, str]]:
    verdict, least, goal = answer.verdict, answer.least, problem.instance.goal
    if least is not None:
        yield "least hand", _least_hand(least.lower, least.upper, is_exact=least.is_exact)
        if least.lower and least.upper is not None and not least.is_exact:
            yield "guarantee", f"at most {_factor(least.lower, least.upper)} times the least"
    if (fewest := answer.fewest_cards) is not None and fewest.upper is not None:
        cards = str(fewest.lower) if fewest.is_exact else f"{fewest.lower} to {fewest.upper}"
        yield "fewest", f"the first {cards} of {counted(problem.instance.N, 'card')}"
    lower, upper = answer.bounds
    is_told = verdict.status is Status.UNKNOWN or lower == upper or answer.question.most_cards
    if verdict.status is not Status.WINNABLE and problem.hand_is_given and is_told:
        reached = f"{lower:,}" if lower == upper else f"between {lower:,} and {upper:,}"
        yield "most cards", f"{reached} of {goal:,}{_left_out(problem.instance, answer)}"
        if answer.most is not None and 0 < lower < upper:
            yield "guarantee", f"no play has more than {_factor(lower, upper)} times as many"
    yield from reading_facts(answer.reading)
    states = f", {counted(verdict.states, 'state')}" if verdict.states else ""
    yield "method", f"{verdict.method}, {answer.seconds:.2f} s{states}"
    if answer.proof is not None:
        yield "proof", counted(len(answer.proof.splitlines()), "step") + " of DRAT written"
    if answer.weights is not None:
        steps = counted(len(answer.weights.steps), "step")
        yield "certificate", f"{steps} of weights and cases written"
    if verdict.trail:
        yield "tried", "; ".join(verdict.trail)


def reading_document(reading: Reading | None) -> dict[str, object]:
    """Return the entries of a JSON document: the literals, and the first clause without one.

    For a graph, the vertices, and whether they are a clique; or an independent set.
    """
    if reading is None:
        return {}
    if reading.independent is not None:
        return {"independent_set": reading.independent}
    if reading.clique is not None:
        return {"clique": reading.clique, "is_clique": reading.missed is None}
    entries: dict[str, object] = {"assignment": reading.literals}
    return entries if reading.missed is None else entries | {"missed_clause": reading.missed}


def reading_facts(reading: Reading | None) -> Iterator[tuple[str, str]]:
    """Yield the solution of a formula or graph that a play of its cards shows."""
    if reading is None:
        return
    if reading.independent is not None:
        vertices = counted(len(reading.independent), "vertex", "vertices")
        found = " ".join([f"{vertices}:", *map(str, reading.independent)])
        yield "independent", found if reading.independent else "no vertex"
        return
    if reading.clique is not None:
        found = " ".join(map(str, reading.clique))
        wrong = ": no clique, so the cards are no sound reduction of the graph"
        yield "clique", found if reading.missed is None else found + wrong
        return
    found = " ".join(map(str, reading.literals)) or "any values do"
    if reading.missed is None:
        yield "assignment", found
    else:
        told = f"none of these literals is in clause {reading.missed}"
        yield "assignment", f"{found}: {told}, so the cards are no sound reduction of the formula"


def _factor(lower: int, upper: int) -> str:
    """Return a quotient, rounded up, with its parts."""
    return f"{-(-1000 * upper // lower) / 1000:.3f} ({upper:,} / {lower:,})"


def _least_hand(lower: int, upper: int | None, *, is_exact: bool) -> str:
    if upper is None:
        return "none: no hand is large enough"
    return str(upper) if is_exact else f"between {lower} and {upper}"


def _left_out(instance: Instance, answer: Answer) -> str:
    """Name the cards that the best known play leaves out, if they are few."""
    play = answer.best_play
    if play is None or instance.goal - answer.bounds[0] > _MOST_NAMED:
        return ""
    cards = _unplayed(instance, play)
    return f", without {' '.join(cards)}" if 0 < len(cards) <= _MOST_NAMED else ""


def _unplayed(instance: Instance, play: Play) -> list[str]:
    piles = [0] * instance.c
    for position, action in play:
        if action is DrawAction.PLAY:
            piles[instance.colors[position - 1]] = instance.values[position - 1]
    return [
        card_name(instance, color, value)
        for color, pile in enumerate(piles)
        for value in range(pile + 1, instance.n + 1)
    ]
