"""The sentences of a review, for the terminal and for pages alike.

They are made from the typed document of a review (`hanabi.reviews.document`). Those that name
hints keep to that word; a page replaces it by hanab.live's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from hanabi.ground import BudgetEndedError, Clock, SolverError, counted
from hanabi.reviews.chances import Chance
from hanabi.reviews.decisions import DecisionKind, DecisionRemark
from hanabi.reviews.document import Best, Buried, Judged, ReviewDocument, ReviewedMove
from hanabi.rules import (
    Action,
    Ended,
    Game,
    Kind,
    card_name,
    clue_colors,
    ending,
    hinted,
    looks_of_rules,
)
from hanabi.solvers import Prospect, Range, Refutation, explain, images, why_lost

__all__ = [
    "NOTHING_TO_JUDGE",
    "Emphasis",
    "Finding",
    "action_words",
    "chance_words",
    "counts_of",
    "decision_words",
    "findings",
    "given_up_words",
    "kept_words",
    "losses_words",
    "percent",
    "played_words",
    "reason_of_loss",
    "remarks",
    "score_words",
    "story",
    "undecided_words",
]

NOTHING_TO_JUDGE = "There is no late move to judge a decision of."
"""What a review says if there is none."""

_NOTHING_LOST = "no move lost a point"
_PERFECT = "the chance of a perfect score"
_MOST_GOALS = 12
"""The most goals, worth as many points, that are refuted one by one for a readable reason."""
_REASON_SECONDS = 2.0
"""Limit for the reason of each loss."""
_MOST_KEPT = 3
"""The most actions that are named of those that kept the points."""


def percent(chance: Fraction | Range) -> str:
    """Return a chance, or its bounds, in per cent.

    >>> percent(Fraction(1, 3)), percent(Range(Fraction(1, 2), Fraction(1)))
    ('33.3 %', '50 % to 100 %')
    """
    if isinstance(chance, Fraction):
        return f"{float(100 * chance):.3g} %"
    if chance.is_exact:
        return percent(chance.low)
    return f"{percent(chance.low)} to {percent(chance.high)}"


def _rounded(number: Fraction | float | None) -> str:
    return "" if number is None else f"{float(number):.2f}"


# Sentences on a move.


def losses_words(lost: Sequence[int]) -> str:
    """Return how many moves lost how many points, given the points that each one lost.

    >>> losses_words([]), losses_words([2, 1])
    ('no move lost a point', '2 moves lost 3 points')
    """
    moves = counted(len(lost), "move")
    return f"{moves} lost {counted(sum(lost), 'point')}" if lost else _NOTHING_LOST


def chance_words(chance: Chance) -> str:
    """Return what a late move gave up with all hands open and the deck unseen, or "".

    >>> half, none = Range(Fraction(1, 2), Fraction(1, 2)), Range(Fraction(0), Fraction(0))
    >>> chance_words(Chance(half, none, Fraction(1, 2)))
    'judged without seeing the deck, this move gave up 50 % of the chance of a perfect score'
    """
    if not chance.cost:
        return ""
    return f"judged without seeing the deck, this move gave up {percent(chance.cost)} of {_PERFECT}"


def decision_words(decision: DecisionRemark) -> str:
    """Return what a late move was by what its player knew, and why.

    >>> half, none = Range(Fraction(1, 2), Fraction(1, 2)), Range(Fraction(0), Fraction(0))
    >>> decision_words(DecisionRemark(half, half, none, True, DecisionKind.BAD_LUCK))
    'bad luck: right by what was known, but with this deck a perfect score was lost'
    """
    gave = f"by what was known, this move gave up {percent(decision.lost)} of {_PERFECT}"
    return {
        DecisionKind.MISTAKE: f"a mistake: {gave}",
        DecisionKind.GOOD_LUCK: f"good luck: {gave}, but with this deck it is still possible",
        DecisionKind.RIGHT: "right: by what was known, this move gave up nothing",
        DecisionKind.BAD_LUCK: "bad luck: right by what was known, but with this deck a perfect"
        " score was lost",
        DecisionKind.NOT_DECIDED: f"not decided: {gave}",
    }[decision.kind]


def given_up_words(move: ReviewedMove) -> list[str]:
    """Return what a move gave up, as for a list of blunders: points, or else a chance."""
    what = [counted(move.lost, "point")] if move.lost else []
    if move.lost != move.lost_without_bomb:
        what.append(f"{move.lost_without_bomb} without the bomb")
    if move.decision is not None and move.decision.lost.low:
        what.append(f"{percent(move.decision.lost.low)} of the chance by the seat's view")
    elif move.chance is not None and not what:
        what.append(f"{percent(move.chance.cost)} of the chance with open hands")
    return what


def remarks(move: ReviewedMove) -> Iterator[str]:
    """Yield the sentences on a move beside its score: why points were lost, chances, its decision.

    A decision that was right needs no word.
    """
    if move.reason is not None:
        yield f"why: {move.reason}"
    if move.chance is not None and (words := chance_words(move.chance)):
        yield words
    if move.decision is not None and move.decision.kind is not DecisionKind.RIGHT:
        yield decision_words(move.decision)


def score_words(found: Prospect, before: Prospect | None, game: Game) -> str:
    """Return what can still be scored from a position, and what the last move is known to cost.

    >>> from hanabi import deal
    >>> score_words(Prospect(24, 24, None), Prospect(25, 25, None), deal(2))
    'At most 24 of 25 points: this move lost 1 point.'
    """
    top = game.rules.max_score
    cost = 0 if before is None else max(0, before.lower - found.upper)
    lost = f": this move lost {counted(cost, 'point')}" if cost else ""
    if not game.can_act:
        return f"Over with {game.score} of {top}{lost}."
    if found.lower == top:
        return f"All {top} points can still be scored."
    if found.is_exact:
        return f"At most {found.upper} of {top} points{lost}."
    return f"At least {found.lower}, at most {found.upper} of {top} points{lost}."


def action_words(kept: Best, perfect: Range | None) -> str:
    """Return what an action keeps, and its chance of a perfect score with the deck unseen."""
    words = f"keeps {kept}"
    if perfect is None:
        return words
    return f"{words}; {percent(perfect)} for a perfect score, judged without seeing the deck"


class Emphasis(str):
    """Words that a page emphasizes."""

    __slots__ = ()


def kept_words(
    game: Game, judged: Sequence[Judged], names: Sequence[str], had: int
) -> tuple[str, ...]:
    """Return a sentence, in parts, that names the actions that kept the best score, `had`.

    It has hanab.live's words, as pages show it. It is empty if no action is known to keep it.
    """
    keepers = [each for each in judged if each.kept.lower >= had]
    is_all_known = all(each.kept.upper < had for each in judged if each not in keepers)
    named: list[str] = [Emphasis(_named(game, each.actions, names)) for each in keepers]
    if not named:
        return ()
    if len(named) == 1:
        return ("Only " if is_all_known else "", *named, f" kept {had}.")
    if len(named) > _MOST_KEPT:
        named[_MOST_KEPT - 1 :] = [f"{len(named) - _MOST_KEPT + 1} others"]
    parts = [part for name in named[:-1] for part in (name, ", ")][:-1]
    return (*parts, " and ", named[-1], f" kept {had}.")


def _named(game: Game, actions: Sequence[Action], names: Sequence[str]) -> str:
    """Return actions of equal value in words, all cards face up; hints of one kind are any clue."""
    action = actions[0]
    if action.is_hint and len(actions) > 1:
        given = {each.kind for each in actions}
        if given == {each.kind for each in game.legal_actions if each.is_hint}:
            return "any clue"
        return "any color clue" if given == {Kind.HINT_COLOR} else "any rank clue"
    if action.is_hint:
        return f"clue {names[action.target]} {hinted(action, clue_colors(game.rules))}"
    if action.is_from_deck:
        return str(action)
    card = game.hands[game.seat_to_act][action.target]
    return f"{action.kind} {card_name(card, game.rules)}"


# Why points are out of reach after a move.


def reason_of_loss(before: Game, after: Game, points: int, seconds: float | None = None) -> str:
    """Return a sentence that explains why `points` are out of reach after a move.

    The caller must know that they are: if no readable argument is found in time, the sentence
    refers to the search. It takes at most two seconds.

    >>> from hanabi.rules import discard
    >>> from hanabi.rules.notation import parse_input
    >>> from hanabi.rules.problem import pose_deck
    >>> game = pose_deck(parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")).game
    >>> for _ in range(2):
    ...     game = game.apply(game.legal_actions[-1])
    >>> reason_of_loss(game, game.apply(discard(2)), 6)
    'the last r3 is gone, so red ends with 2 cards'
    """
    if not after.can_act:
        return ending(after)
    if after.most_points < points:
        gone = [
            card
            for card in sorted({*after.discards})
            if after.is_dead(card) and not before.is_dead(card) and not after.copies_left(card)
        ]
        looks, piles = looks_of_rules(after.rules), after.most_piles
        ends = "; ".join(
            f"the last {card_name(card, after.rules)} is gone,"
            f" so {looks[card.color].name.lower()} ends with {counted(piles[card.color], 'card')}"
            for card in gone
        )
        return ends or f"the cards that are left allow only {counted(after.most_points, 'point')}"
    found = None
    with suppress(BudgetEndedError, SolverError):
        left = _REASON_SECONDS if seconds is None else min(seconds, _REASON_SECONDS)
        found = _refuted(after, points, left)
    return found or f"no line reaches {points} points any more (all of them were searched)"


def _refuted(game: Game, points: int, seconds: float) -> str | None:
    """Return why each goal worth these points is out of reach, or None if one has no argument."""
    if points == game.rules.max_score:
        found = why_lost(game, seconds)
        return None if found is None else found.summary
    if game.missing or (game.rules.deck_plays and game.deck_left):
        return None
    first, *others = images(game)
    position = first.position
    goals = list(position.goals(points))
    if others or len(goals) > _MOST_GOALS:
        return None
    clock, reasons = Clock(seconds), list[Refutation]()
    for goal in goals:
        refutation = explain(position, goal, seconds=clock.left)
        if refutation is None:
            return None
        reasons.append(refutation)
    # Goals that need a card with no copy left are not what somebody would try.
    tried = [each for each in reasons if each.name != "missing card"] or reasons
    summaries = list(dict.fromkeys(each.summary for each in tried))
    if len(summaries) == 1:
        return summaries[0]
    return f"none of {len(summaries)} ways to {points} points is left; in one, {summaries[0]}"


# Sentences on a whole game.


def played_words(game: Ended) -> str:
    """Return how many moves a game had, and how it ended."""
    return f"{counted(len(game.positions) - 1, 'move')}, {game.ending}"


def undecided_words(game: Game) -> str:
    """Return why the best score from a position is not known exactly."""
    if game.missing:
        return "the missing cards decide"
    if game.rules.deck_plays and game.deck_left:
        return (
            "with the option deckPlays the deck's last card may be played unseen, which the solvers"
            " do not look at"
        )
    return "the time or the memory was used up: --time and --memory give more"


def counts_of(kinds: Iterable[DecisionKind]) -> str:
    """Return how many decisions are of each kind.

    >>> counts_of([DecisionKind.RIGHT, DecisionKind.MISTAKE, DecisionKind.RIGHT])
    '1 mistake, 2 right'
    """
    found = Counter(kinds)
    return ", ".join(f"{found[kind]} {kind}" for kind in DecisionKind if found[kind])


Tone: TypeAlias = Literal["", "good", "bad", "perfect"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a review found: a label, a sentence, and whether it is good or bad news.

    `move` is the number of the move that it is about, or 0.
    """

    label: str
    text: str
    tone: Tone = ""
    move: int = 0


def findings(
    document: ReviewDocument, notes: Mapping[int, Sequence[str]], hint: str = "hint"
) -> Iterator[Finding]:
    """Yield what a review found about the whole game, and about the moves that gave something up.

    `notes` are sentences by conventions, by the number of the move; `hint` is the word for hints.
    """
    best, top, lost = document.best, document.most, document.losing_moves
    is_winnable = best.lower == top
    allowed = f"{best} of {counted(top, 'point')} at best, all cards face up"
    yield Finding(
        "the deck",
        f"all {counted(top, 'point')} could be scored" if is_winnable else allowed,
        "bad" if best.upper < top else "",
    )
    if document.undecided is not None:
        yield Finding("undecided", document.undecided)
    for move in lost:
        yield _about(move, f"{counted(move.lost, 'point')} lost, {move.best} at best", "bad")
    if not lost and is_winnable and document.undecided is None:
        yield Finding("lost", _NOTHING_LOST, "good")
    if document.because is not None:
        yield Finding("because", f"{document.because.name}: {document.because.sentence}")
    yield from _of_chances(document)
    yield from _of_decisions(document)
    if notes:
        kept = counted(len(notes) - document.n_slips, "move")
        told = f"kept in {kept}, perhaps not in {document.n_slips}; slot 0 is the oldest card"
        yield Finding("conventions", told)
        for move in document.moves:
            told = "; ".join([move.said, *notes[move.move]])
            yield Finding(f"move {move.move}", told, move=move.move)
    if document.errors:
        yield Finding("errors", ", ".join(f"move {move}" for move in document.errors))
    if document.bottom_decked:
        yield Finding("bottom deck", ", ".join(map(_buried_words, document.bottom_decked)))
    if document.moves and (ratio := document.moves[-1].efficiency) is not None:
        needed = document.minimum_efficiency
        least = "" if needed is None else f"; all points need {_rounded(needed)} from the deal"
        yield Finding("efficiency", f"{_rounded(ratio)} cards a {hint}{least}")


def _about(move: ReviewedMove, words: str, tone: Tone) -> Finding:
    return Finding(f"move {move.move}", f"{move.said}: {words}", tone, move.move)


def _of_chances(document: ReviewDocument) -> Iterator[Finding]:
    """Yield the late moves that gave up a chance with open hands, the costliest as bad news."""
    late = [(move, move.chance) for move in document.moves if move.chance]
    if not late:
        return
    costliest, most = max(late, key=lambda each: each[1].cost)
    if not most.cost:
        yield Finding("chances", "no late move gave up a chance of a perfect score", "good")
        return
    yield Finding("chances", f"the costliest late move is {costliest.move}")
    for move, chance in late:
        if chance.cost:
            yield _about(move, chance_words(chance), "bad" if move is costliest else "")


def _of_decisions(document: ReviewDocument) -> Iterator[Finding]:
    """Yield how many decisions of each player were of which kind, and those that were not right."""
    made = [(move, move.decision) for move in document.moves if move.decision]
    if not made:
        return
    kinds: dict[int, list[DecisionKind]] = {}
    for move, decision in made:
        kinds.setdefault(move.seat, []).append(decision.kind)
    names = {move.seat: move.player for move, _ in made}
    told = "; ".join(f"{names[seat]}: {counts_of(kinds[seat])}" for seat in sorted(kinds))
    late = counted(len(made), "late move")
    yield Finding("decisions", f"{late}, by what their players knew: {told}")
    for move, decision in made:
        if decision.kind not in (DecisionKind.RIGHT, DecisionKind.NOT_DECIDED):
            is_bad = decision.kind is DecisionKind.MISTAKE
            yield _about(move, decision_words(decision), "bad" if is_bad else "")


def _buried_words(buried: Buried) -> str:
    """Return a card, its place at the bottom of the deck, and since which move it is the last."""
    nth = {2: "second", 3: "third"}.get(buried.place, f"{buried.place}th")
    place = "last" if buried.place == 1 else f"{nth} to last"
    since = f"since move {buried.move}" if buried.move else "from the deal"
    return f"{buried.card} ({place}, {since})"


def story(document: ReviewDocument) -> Finding | None:
    """Return what a game comes to, as a head and a sentence, and the move to look at first.

    It is None while that is not known.
    """
    top, best, lost = document.most, document.best, document.losing_moves
    if lost:
        first = lost[0]
        told = [f": {first.said}."]
        if first.reason is not None:
            told.append(f"Why: {first.reason}.")
        if len(lost) > 1:
            told.append(f"In all, {losses_words([move.lost for move in lost])}.")
        if best.lower == best.upper < top:
            told.append(f"The deck allowed {best} of {top}.")
        return Finding(f"Lost at move {first.move}", " ".join(told), "bad", first.move)
    if document.undecided is not None:
        return None
    head = _sentence(_NOTHING_LOST)
    if best.upper < top:
        because = document.because
        why = "" if because is None else f" Why: {because.sentence}."
        return Finding(head, f": the deck allowed only {best.upper} of {top}.{why}", "good")
    if document.score == top:
        last = len(document.moves)
        return Finding(f"{top} of {top}!", f" {head}.", "perfect", last)
    return Finding(head, f": all {top} could still be scored at the end.", "good")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
