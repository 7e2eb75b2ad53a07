"""Positions to practise: one action is right by the conventions of a level, and why.

A position is judged only by what its seat sees. Only the choice of positions looks at hidden cards:
it leaves out those where the right action would turn out badly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hanabi.conventions.choice import options
from hanabi.conventions.clues import Clue, clue_of
from hanabi.conventions.conventions import CHOP, CONVENTIONS, LEVELS, SCREAM, Convention
from hanabi.conventions.discards import can_name, passed_on, positional, scream
from hanabi.conventions.explain import SAVING, slips, tell_hint, why_playable
from hanabi.conventions.player import mind_of
from hanabi.conventions.reading import Reading, meanings
from hanabi.conventions.table import Mind
from hanabi.conventions.variants import refuse_variant
from hanabi.ground import InvalidInputError, Stream, quote
from hanabi.rules import Action, Game, Kind, Rules, Said, Seat, View, heard, joined, say, slot_of

__all__ = [
    "MARGIN", "Exercise", "Marked", "convention_named", "draw_exercise", "exercise_of", "exercises",
    "mark", "practised",
]  # fmt: skip

MARGIN = 1.0
"""The margin, in points, by which the right action must be worth more than any other."""

_MOST_DEALS = 20
_OWN_OF = 4  # one draw in four is of any level
_OPENINGS, _ROUNDS = 5, 2  # the first numbers of level 1 are of the first rounds of a deal


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position with one right action.

    Attributes
    ----------
    view
        What the seat to act sees.
    level
        The level whose conventions are practised.
    action
        The right action.
    convention
        The convention that makes it right.
    hints
        Clues to the solution, each of which says more than the previous one.
    solution
        Why it is right, in one or two sentences.
    also
        The other answers that are as good: hints that get another copy of the same card, and no
        fewer playable cards.
    """

    view: View
    level: int
    action: Action
    convention: Convention
    hints: tuple[Said, ...]
    solution: Said
    also: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Marked:
    """Whether an answer to an exercise is right, and a sentence that says why."""

    is_right: bool
    says: Said


def exercise_of(view: View, level: int) -> Exercise | None:
    """Return the exercise of a position, or None if no action is clearly and explicably right.

    An action is right if it is worth at least `MARGIN` points more than any other, keeps all
    conventions of the level, and one of these is its reason: the readings of the hints show the
    card to be playable; it is the chop, or known to be useless; or the hint tells its target the
    truth, and no other correct hint says the same about that card. Correct hints that say the same
    about another copy are as good.

    Raises
    ------
    InvalidInputError
        If the conventions do not cover the rules.

    >>> from hanabi.rules import hint_rank
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=6)).apply(hint_rank(1, 5))
    >>> exercise_of(game.view(1), level=1) is None
    True
    """
    refuse_variant(view.rules)
    if len({len(hand) for hand in view.hands}) > 1:
        return None  # in the last round: slots of a hand then have other names than before
    mind = mind_of(view, level)
    slots = list(view.hand_indices[view.seat])
    best, *others = options(mind, slots, view.legal_actions)
    is_clear = bool(others) and best.worth - others[0].worth >= MARGIN
    if not is_clear or best.action.is_from_deck or slips(view, best.action, level):
        return None
    if best.action.is_hint:
        return _of_hint(view, mind, best.action, level)
    order = slots[best.action.target]
    if best.action.kind is Kind.PLAY:
        return _of_play(view, mind, best.action, order, level)
    return _of_discard(view, mind, best.action, order, level)


def mark(exercise: Exercise, action: Action) -> Marked:
    """Judge an answer: whether it is right, and why.

    Raises
    ------
    InvalidInputError
        If the action is not legal in the position.
    """
    if action not in exercise.view.legal_actions:
        raise InvalidInputError(f"{quote(str(action))} is not legal here")
    if action == exercise.action:
        return Marked(True, exercise.solution)
    view, level = exercise.view, exercise.level
    if action in exercise.also:
        told = tell_hint(mind_of(view, level), action, [list(hand) for hand in view.hand_indices])
        return Marked(True, say("{}; this copy is as good as the other one", told))
    said = [say("{} ({})", each.says, each.convention.name) for each in slips(view, action, level)]
    if not said:
        said = [say("this keeps the conventions, but something else matters more")]
        if action.is_hint:
            told = tell_hint(
                mind_of(view, level), action, [list(hand) for hand in view.hand_indices]
            )
            said = [told, say("that keeps the conventions, but something else matters more")]
    return Marked(False, say("{}. Think again: {}", joined("; ", said), exercise.hints[0]))


def exercises(positions: Sequence[Game], level: int) -> Iterator[tuple[int, Exercise]]:
    """Yield the exercises of a game, each with the number of its position.

    Skips positions where the right action would turn out badly because of hidden cards.
    """
    for at, game in enumerate(positions):
        if not game.can_act:
            continue
        found = exercise_of(game.view(game.seat_to_act), level)
        if found is not None and _turns_out_well(game, found.action):
            yield at, found


def practised(level: int) -> tuple[Convention, ...]:
    """Return the conventions up to a level that can be the reason for an action."""
    return tuple(each for each in CONVENTIONS if each.level <= level and each.kind == "action")


def convention_named(text: str, level: int) -> Convention:
    """Return the convention with a name, if exercises up to this level practise it.

    Raises
    ------
    InvalidInputError
        If there is none with this name; the message lists them all.

    >>> convention_named("5 save", level=1).name
    '5 Save'
    """
    known = {each.name.lower(): each for each in practised(level)}
    if text.strip().lower() not in known:
        names = ", ".join(each.name for each in known.values())
        raise InvalidInputError(f"convention: {quote(text)} is none of {names}")
    return known[text.strip().lower()]


def draw_exercise(
    level: int, seed: int, number: int = 0, seats: int = 3, convention: str = ""
) -> tuple[tuple[Game, ...], Exercise]:
    """Return an exercise from a random deal, with the positions up to it; always the same one.

    The player plays the deal with itself, at this level. Each convention that the deal has
    exercises for is equally likely, except that three draws in four are of this level, if possible.
    A discard of the chop without a hint token is drawn only if the deal has no other discard to
    practise. The first five numbers of level 1 are openings. This takes about a second. With the
    name of a convention, only its positions are drawn, which takes longer for a rare one.

    Raises
    ------
    InvalidInputError
        If there is no such level or convention, the table has another number of seats than 2 to 6,
        or no deal of this number has such a position.

    >>> positions, found = draw_exercise(1, seed=1)
    >>> positions[-1].view(found.view.seat) == found.view
    True
    """
    if not 1 <= level <= LEVELS:
        raise InvalidInputError(f"level: {quote(level)} is not one of 1 to {LEVELS}")
    if not 2 <= seats <= 6:
        raise InvalidInputError(f"seats: {quote(seats)} is not one of 2 to 6")
    name = convention_named(convention, level).name if convention else ""
    return _drawn(level, seed, number, seats, name)


@lru_cache(maxsize=64)
def _drawn(
    level: int, seed: int, number: int, seats: int, wanted: str
) -> tuple[tuple[Game, ...], Exercise]:
    rules = Rules.hanab_live(seats)
    is_opening = level == 1 and number < _OPENINGS and not wanted
    most = _ROUNDS * seats if is_opening else None
    for again in range(_MOST_DEALS):
        deal = number * _MOST_DEALS + again
        positions = _played(Game.start(rules, rules.spec.shuffle(seed, deal)), level, most)
        by_name: dict[str, list[tuple[int, Exercise]]] = {}
        for at, found in exercises(positions, level):
            if wanted in ("", found.convention.name):
                by_name.setdefault(found.convention.name, []).append((at, found))
        if by_name:
            stream = Stream(seed, deal)
            own = [name for name in by_name if by_name[name][0][1].convention.level == level]
            names = sorted(own if own and stream.below(_OWN_OF) else by_name)
            alike = by_name[names[stream.below(len(names))]]
            alike = [each for each in alike if not _is_forced(each[1])] or alike
            at, found = alike[stream.below(len(alike))]
            return positions[: at + 1], found
    what = wanted or "exercise"
    raise InvalidInputError(f"number {number} of seed {seed} has no {what}: try the next one")


def _is_forced(found: Exercise) -> bool:
    """Whether a discard is right only because no hint token is left."""
    can_hint = any(each.is_hint for each in found.view.legal_actions)
    return found.action.kind is Kind.DISCARD and not can_hint


def _played(game: Game, level: int, most: int | None = None) -> tuple[Game, ...]:
    """Return the positions of a game that the player plays with itself: all, or the first ones."""
    positions = [game]
    while game.can_act and len(positions) != most:
        view = game.view(game.seat_to_act)
        mind = mind_of(view, level)
        best = options(mind, list(view.hand_indices[view.seat]), view.legal_actions)[0]
        game = game.apply(best.action)
        positions.append(game)
    return tuple(positions)


def _turns_out_well(game: Game, action: Action) -> bool:
    """Whether an action costs neither a life nor a point that could still be scored."""
    after = game.apply(action)
    return after.lives == game.lives and after.most_points == game.most_points


# What makes an action right, in words.


def _of_hint(view: View, mind: Mind, action: Action, level: int) -> Exercise | None:
    true, clue = _true_meanings(mind, action), clue_of(mind, action, mind.touches(action))
    if not true or clue is None:
        return None
    also: tuple[Action, ...] = ()
    for other in view.legal_actions:
        rival = clue_of(mind, other, mind.touches(other)) if other.is_hint else None
        if rival is None or other == action or mind.card[rival.focus] != mind.card[clue.focus]:
            continue
        found = _true_meanings(mind, other)
        if not found or slips(view, other, level):
            continue
        if rival.focus == clue.focus:
            return None
        is_alike = found[0].convention == true[0].convention
        if is_alike and _n_playable(mind, rival) >= _n_playable(mind, clue):
            also += (other,)
    convention = true[0].convention
    slot = slot_of(clue.target, view.hand_indices[clue.target].index(clue.focus))
    card = mind.deal.names(1 << mind.card[clue.focus])
    aim = "to be saved" if convention in SAVING else "to be told something"
    told = tell_hint(mind, action, [list(hand) for hand in view.hand_indices])
    return Exercise(
        view,
        level,
        action,
        convention,
        (
            say("somebody needs {}: look at the hands of the others", aim),
            _rule_of(convention),
            say("the card is the {} in {} of {}", card, slot, Seat(clue.target)),
        ),
        say("{}; {} is {}, and no other {hint} says so without a slip", told, slot, card),
        also,
    )


def _n_playable(mind: Mind, clue: Clue) -> int:
    """Return the number of playable cards, without duplicates, that a hint newly clues."""
    return len({mind.card[each] for each in clue.fresh if mind.playable >> mind.card[each] & 1})


def _true_meanings(mind: Mind, action: Action) -> list[Reading]:
    """Return the meanings of a hint for its target that are true."""
    clue = clue_of(mind, action, mind.touches(action))
    if clue is None:
        return []
    bit = 1 << mind.card[clue.focus]
    return [each for each in meanings(mind, clue, clue.target) if each.kinds & bit]


def _of_play(view: View, mind: Mind, action: Action, order: int, level: int) -> Exercise | None:
    if not (mind.touched | mind.blind) >> order & 1:
        return None  # known by counting alone
    first = say("look at what the {hints} have said of your own hand")
    if not mind.touched >> order & 1:
        first = say("look at what the others have done: it asks something of your own hand")
    names, slot = mind.deal.names(mind.belief(order)), slot_of(view.seat, action.target)
    convention, why = why_playable(view, order, action.target, level)
    return Exercise(
        view,
        level,
        action,
        convention,
        (
            first,
            _rule_of(convention),
            say("{} is {}", slot, names),
        ),
        say("{} is {}, and playable: {}", slot, names, why),
    )


def _of_discard(view: View, mind: Mind, action: Action, order: int, level: int) -> Exercise | None:
    slot = slot_of(view.seat, action.target)
    convention = scream(mind, mind.me, order) if level >= SCREAM.level else None
    if convention is not None:
        seat = Seat((mind.me + 1) % mind.rules.seats)
        first = say("something must not be discarded after you, and {} can prevent it", seat)
        last = say("discard {}, so that {} gives a {hint}", slot, seat)
        rule = heard(convention.says)
        why = say("after the discard of {} {} gives a {hint}: {}", slot, seat, rule)
        hints = first, _rule_of(convention), last
        return Exercise(view, level, action, convention, hints, why)
    named = positional(mind, mind.me, order, "discard") if can_name(mind, order) else None
    convention = named or passed_on(mind, order)
    if convention is not None:
        what = "names the place of a card to be played" if named else "passes its card on"
        first = say("somebody else can play a card if you tell it by a discard")
        hints = first, _rule_of(convention), say("discard {}", slot)
        why = say("the discard of {} {}: {}", slot, what, heard(convention.says))
        return Exercise(view, level, action, convention, hints, why)
    if order in mind.useless(mind.me):
        first = say("one card of your own hand is useless")
        last = say("{} is useless", slot)
        why = say("{} is known to be useless, and no {hint} is urgent", slot)
    elif order == mind.chop(mind.me) and not mind.plays(mind.me):
        what = "is urgent" if mind.has_hint else "is left"
        first = say("nothing is known to be playable, and no {hint} {}", what)
        last = say("discard the chop")
        why = say("{} is the chop; {}", slot, first)
    else:
        return None
    return Exercise(view, level, action, CHOP, (first, _rule_of(CHOP), last), why)


def _rule_of(convention: Convention) -> Said:
    """Return a convention with its rule; these texts are data, without parts."""
    return say("{}: {}", convention.name, heard(convention.says))
