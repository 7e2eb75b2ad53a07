"""Readings, expectations and slips in words, for people who learn or review the conventions.

Slots count from the oldest card, from 0, as everywhere in this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hanabi.cards import Card
from hanabi.errors import InvalidInputError, quote
from hanabi.game.actions import Action, Kind
from hanabi.game.view import View
from hanabi.players.hgroup.conventions import (
    CHOP,
    FINESSE,
    FOCUS,
    GOOD_TOUCH,
    MINIMUM_VALUE,
    PLAY,
    Clue,
    Convention,
    clue_of,
)
from hanabi.players.hgroup.reading import Follower, Reading, meanings
from hanabi.players.hgroup.table import Mind, Step, bits
from hanabi.players.hgroup.variants import COLOR_PROMISE, PINK_PROMISE

__all__ = ["Expected", "Meaning", "Slip", "Told", "expected", "readings", "slips"]


class Meaning(NamedTuple):
    """One meaning of a hint.

    Attributes
    ----------
    convention
        The convention by which it has this meaning.
    cards
        What the focus may then be; empty if the hint says nothing of it.
    says
        The same in one sentence, without a full stop.
    """

    convention: Convention
    cards: tuple[Card, ...]
    says: str


class Told(NamedTuple):
    """A hint and its meanings for its target.

    Attributes
    ----------
    turn, giver, target, hint
        The turn of the hint, who gave it to whom, and the hint.
    slot
        The slot of the focus in the target's hand at that time; None if no card was touched.
    focus
        Why this card is the focus, in words.
    meanings
        All meanings that the target can see; empty if the conventions of the level give it none.
    asks
        What it means to the viewing seat itself, if the hint is neither its own nor for it, and
        asks for a card of its hand first; otherwise empty.
    """

    turn: int
    giver: int
    target: int
    hint: Action
    slot: int | None
    focus: str
    meanings: tuple[Meaning, ...]
    asks: tuple[Meaning, ...] = ()


class Expected(NamedTuple):
    """What a seat is to do next, as far as the viewing seat can say: an action and a sentence."""

    seat: int
    kind: Kind
    slot: int | None
    says: str


class Slip(NamedTuple):
    """A convention that an action does not keep, and how."""

    convention: Convention
    says: str


def readings(view: View, turn: int, level: int) -> Told:
    """Return what the hint of a turn means to its target, as the viewing seat can tell.

    For the target's own reading, pass the target's view. The other seats cannot see what the target
    sees in their own hands.

    Raises
    ------
    InvalidInputError
        If the turn is not one of the game's hints, or the view has no history.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 1))
    >>> for meaning in readings(game.view(1), 0, level=1).meanings:
    ...     print(meaning.says)
    slot 2 is r1, y1, g1, b1 or p1 (Play Clue)
    """
    events = view.events
    if not 0 <= turn < len(events) or not events[turn].action.is_hint:
        raise InvalidInputError(f"turn {quote(turn)} is not a hint of the game")
    follower = Follower(view, level)
    follower.follow(view, until=turn)
    event, mind = events[turn], follower.mind
    hand = follower.places[event.action.target]
    clue = clue_of(mind, event.action, sorted(hand[slot] for slot in event.touched))
    if clue is None:
        return Told(
            turn, event.seat, event.action.target, event.action, None, "touches nothing", ()
        )
    slot = hand.index(clue.focus)
    found = tuple(
        _meaning(mind, each, slot, follower.places)
        for each in _merged(meanings(mind, clue, clue.target))
    )
    asks: tuple[Meaning, ...] = ()
    if view.seat not in (event.seat, clue.target):
        asks = tuple(
            _meaning(mind, each, slot, follower.places)
            for each in meanings(mind, clue, view.seat)
            if any(step.seat == view.seat for step in each.steps)
        )
    return Told(turn, event.seat, clue.target, clue.action, slot, _focus(clue, slot), found, asks)


def expected(view: View, level: int) -> tuple[Expected, ...]:
    """Return what the other seats are to do next, in the order of their turns.

    In the last round, seats without another turn are left out.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [each.says for each in expected(game.view(0), level=1)]
    ['discards slot 0, the chop, unless there is a hint to give', 'discards ...']
    """
    follower = Follower(view, level)
    mind = follower.follow(view)
    n_turns, seats = view.rules.seats, view.rules.seats
    if view.turns_left is not None:
        n_turns = min(n_turns, view.turns_left)
    turns = [(view.seat_to_act + away) % seats for away in range(n_turns)]
    return tuple(_expect(mind, seat, follower.places[seat]) for seat in turns if seat != view.seat)


def slips(view: View, action: Action, level: int) -> tuple[Slip, ...]:
    """Return the conventions that an action of the viewing seat, which is to act, does not keep.

    The seat is judged by what it could know.

    >>> from hanabi.game import Game, Rules, discard
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [each.says for each in slips(game.view(0), discard(3), level=1)]
    ['slot 3 is not the chop, which is slot 0']
    """
    follower = Follower(view, level)
    mind = follower.follow(view).copy()
    mind.seat = view.seat
    hand = follower.places[view.seat]
    if action.is_hint:
        return tuple(_slips_of_hint(mind, action, follower.places))
    found = []
    if action.is_from_deck:
        return ()
    order = hand[action.target]
    plays = mind.plays(mind.me)
    blind = [each for each in plays if mind.blind >> each & 1]
    if blind and order not in blind:
        found.append(Slip(FINESSE, f"slot {hand.index(blind[0])} was to be played blindly"))
    if action.kind is Kind.PLAY:
        if order not in plays:
            found.append(Slip(PLAY, f"slot {action.target} was not known to be playable"))
        return tuple(found)
    chop = mind.chop(mind.me)
    if order not in mind.useless(mind.me) and order != chop:
        which = "there is none" if chop is None else f"which is slot {hand.index(chop)}"
        found.append(Slip(CHOP, f"slot {action.target} is not the chop, {which}"))
    return tuple(found)


def tell_hint(mind: Mind, action: Action, places: list[list[int]]) -> str:
    """Return why a hint is given: what its target will read, from what the giver sees."""
    clue = clue_of(mind, action, mind.touches(action))
    found = _merged(meanings(mind, clue, clue.target)) if clue is not None else []
    if clue is None or not found:
        return "passes the turn, as nothing better is left"
    slot = places[clue.target].index(clue.focus)
    said = [_says(mind, each, slot, places) for each in found]
    return f"seat {clue.target} reads: " + ", or ".join(said)


def _merged(found: list[Reading]) -> list[Reading]:
    """Return meanings, those by the same convention in one if nothing else is to happen first."""
    merged: list[Reading] = []
    for each in found:
        same = [at for at, other in enumerate(merged) if other._replace(kinds=each.kinds) == each]
        if same and not each.steps:
            merged[same[0]] = each._replace(kinds=merged[same[0]].kinds | each.kinds)
        else:
            merged.append(each)
    return merged


def _slips_of_hint(mind: Mind, action: Action, places: list[list[int]]) -> list[Slip]:
    found = []
    touched = mind.touches(action)
    clue = clue_of(mind, action, touched)
    if clue is None:
        return [Slip(MINIMUM_VALUE, "the hint touches no card")]
    hand, focus = places[clue.target], clue.focus
    kind = mind.card[focus]
    told = meanings(mind, clue, clue.target)
    deal, hint = mind.deal, (action.kind, action.value)
    is_true = any(not each.kinds or each.kinds >> kind & 1 for each in told)
    if (deal.touch[hint] & ~deal.promise[hint]) >> kind & 1 and not is_true:
        by, what = (PINK_PROMISE, "number") if clue.rank else (COLOR_PROMISE, "color")
        names = deal.names(1 << kind)
        found.append(Slip(by, f"slot {hand.index(focus)} is {names}, not of the {what} named"))
    elif not told:
        found.append(
            Slip(MINIMUM_VALUE, f"the hint neither plays nor saves slot {hand.index(focus)}")
        )
    elif not is_true:
        names = mind.deal.names(sum({1 << k for each in told for k in bits(each.kinds)}))
        card = mind.deal.names(1 << kind)
        found.append(Slip(FOCUS, f"slot {hand.index(focus)} reads as {names}, and is {card}"))
    if not any(each.idle for each in told):
        found += [
            Slip(GOOD_TOUCH, f"touches {mind.deal.names(1 << mind.card[order])}, which is useless")
            for order in clue.fresh
            if mind.trash >> mind.card[order] & 1
        ]
    return found


def _focus(clue: Clue, slot: int) -> str:
    if clue.on_chop:
        return f"focus is slot {slot}, the chop"
    if not clue.fresh:
        return f"focus is slot {slot}, as no fresh card is touched"
    if len(clue.fresh) == 1:
        return f"focus is slot {slot}, the only fresh card"
    return f"focus is slot {slot}, the first of the fresh cards"


def _meaning(mind: Mind, reading: Reading, slot: int, places: list[list[int]]) -> Meaning:
    cards = tuple(mind.deal.cards[kind] for kind in bits(reading.kinds))
    return Meaning(reading.convention, cards, _says(mind, reading, slot, places))


def _says(mind: Mind, reading: Reading, slot: int, places: list[list[int]]) -> str:
    """Return a meaning in words."""
    by = reading.convention.name
    what = f"is {mind.deal.names(reading.kinds)}" if reading.kinds else "may be anything"
    text = f"slot {slot} {what} ({by})"
    moved = list(bits(reading.moved))
    if reading.steps:
        text += " after " + " and ".join(_steps(mind, reading.steps, places))
    if moved:
        hand = places[mind.owner[moved[0]]]
        text += ", and keep " + " and ".join(f"slot {hand.index(order)}" for order in moved)
    return text


def _steps(mind: Mind, steps: Sequence[Step], places: list[list[int]]) -> Iterator[str]:
    """Yield the plays that come first, those of a seat in a row as one."""
    for (seat, is_blind), alike in groupby(steps, key=lambda each: (each.seat, each.is_blind)):
        row = list(alike)
        cards = _listed([mind.deal.names(1 << each.kind) for each in row])
        slots = _listed([str(places[seat].index(each.order)) for each in row])
        how = "blindly " if is_blind else ""
        yield f"seat {seat} plays {cards} {how}from slot{'s' * (len(row) > 1)} {slots}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _expect(mind: Mind, seat: int, hand: list[int]) -> Expected:
    plays = mind.plays(seat)
    if plays:
        order = plays[0]
        slot, what = hand.index(order), mind.deal.names(mind.belief(order))
        return Expected(seat, Kind.PLAY, slot, f"plays slot {slot} as {what}")
    is_next, rules = seat == mind.seat, mind.rules
    is_full = mind.clues >= rules.hints * rules.hint_cost and not rules.discard_at_full_hints
    if is_next and is_full:
        return Expected(seat, Kind.DISCARD, None, "gives a hint, as it may not discard")
    useless = mind.useless(seat)
    if useless:
        slot = hand.index(useless[0])
        return Expected(seat, Kind.DISCARD, slot, f"discards slot {slot}, which is useless")
    chop = mind.chop(seat)
    if chop is None:
        return Expected(seat, Kind.DISCARD, None, "has no chop, and so gives a hint")
    slot = hand.index(chop)
    says = f"discards slot {slot}, the chop"
    if not is_next or mind.clues >= rules.hint_cost:
        says += ", unless there is a hint to give"
    return Expected(seat, Kind.DISCARD, slot, says)
