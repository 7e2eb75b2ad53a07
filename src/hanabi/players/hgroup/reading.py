"""What a hint means to each seat, and what plays and discards change in it."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.game.events import Event
from hanabi.game.view import View
from hanabi.players.hgroup.conventions import (
    FINESSE,
    PLAY,
    PROMPT,
    SAVES,
    Clue,
    Convention,
    clue_of,
)
from hanabi.players.hgroup.table import UNSEEN, Mind, Step, Wait, bits

__all__ = ["Follower", "Own", "Reading", "act_out", "give", "read"]


class Own(NamedTuple):
    """A card of the reader that a reading speaks of: which, what it is, and why."""

    order: int
    kind: int
    how: Convention


class Reading(NamedTuple):
    """One meaning that a hint may have.

    Attributes
    ----------
    convention
        The convention by which it has this meaning.
    kinds
        What the focus is then.
    steps
        What others then have to play first.
    own
        What the reader itself then has to play first.
    """

    convention: Convention
    kinds: int
    steps: tuple[Step, ...] = ()
    own: tuple[Own, ...] = ()


def read(mind: Mind, clue: Clue, viewer: int) -> list[Reading]:
    """Return all meanings that a hint, already taken in by the rules, may have for a seat.

    The target does not see the focus. Other seats do, and so look for the cards that lead to it.
    """
    focus = clue.focus
    saves = _saves(mind, clue)
    if viewer != clue.target:
        kind = mind.sees(viewer, focus)
        if kind == UNSEEN:
            return []
        for each in saves:
            if each.kinds >> kind & 1:
                return [each]
        if mind.trash >> kind & 1:
            return []
        found = _chain(mind, clue, viewer, kind)
        return [found] if found else []
    good = mind.possible(focus) & mind.inf[focus] & ~mind.trash
    readings = [each._replace(kinds=each.kinds & good) for each in saves if each.kinds & good]
    good &= ~mind.elsewhere(viewer, focus)
    plays = [found for kind in bits(good) if (found := _chain(mind, clue, viewer, kind))]
    least = min((_cost(each) for each in plays), default=0)
    if not (readings and least):
        readings += [each for each in plays if _cost(each) == least]
    return readings


def _cost(reading: Reading) -> int:
    """Return how much a reading asks of the reader's own unknown cards."""
    return sum(1 if own.how is PROMPT else 10 for own in reading.own)


def _saves(mind: Mind, clue: Clue) -> list[Reading]:
    if not clue.on_chop:
        return []
    return [
        Reading(convention, kinds)
        for convention, rule in SAVES
        if convention.level <= mind.level and (kinds := rule(mind, clue))
    ]


def _chain(mind: Mind, clue: Clue, viewer: int, kind: int) -> Reading | None:
    """Return how a card can be played after cards on their way, prompted or finessed."""
    color = kind // mind.deal.height
    steps: list[Step] = []
    own: list[Own] = []
    used = sum(1 << order for order in {clue.focus, *clue.fresh})
    for need in range(color * mind.deal.height + mind.piles[color], kind):
        coming = _coming(mind, viewer, need, used)
        if coming is not None:
            used |= 1 << coming
            continue
        step = _others(mind, clue, viewer, need, used)
        if step is not None:
            steps.append(step)
            used |= 1 << step.order
            continue
        mine = _mine(mind, clue, viewer, need, used)
        if mine is None:
            return None
        own.append(mine)
        used |= 1 << mine.order
    if mind.level < 2 and len(steps) + len(own) > 1:
        return None
    how = PLAY
    names = {each.how for each in steps} | {each.how.name for each in own}
    for convention in (PROMPT, FINESSE):
        if convention.name in names:
            how = convention
    return Reading(how, 1 << kind, tuple(steps), tuple(own))


def _coming(mind: Mind, viewer: int, need: int, used: int) -> int | None:
    """Return a card of a kind that its holder will play without being asked."""
    marked = (mind.touched | mind.blind) & ~used & ~mind.idle
    for hand in mind.hands:
        for order in hand:
            if not marked >> order & 1:
                continue
            seen = mind.sees(viewer, order)
            if seen not in (UNSEEN, need) or not mind.poss[order] >> need & 1:
                continue
            belief = mind.belief(order)
            if belief == 1 << need or (seen == need and not belief & ~mind.playable):
                return order
    return None


def _others(mind: Mind, clue: Clue, viewer: int, need: int, used: int) -> Step | None:
    """Return the prompt or finesse on another seat that a missing card is promised by."""
    seats = mind.rules.seats
    blocked = set()
    around = [(clue.giver + away) % seats for away in range(1, seats)]
    for seat in around:
        if seat == viewer:
            continue
        order = _prompted(mind, seat, need, used)
        if order is not None:
            if mind.sees(viewer, order) == need:
                return Step(seat, order, need, PROMPT.name)
            blocked.add(seat)
    for seat in around:
        if seat == viewer or seat in blocked or not _can_finesse(mind, clue, seat):
            continue
        order = mind.finesse(seat, used)
        if order is not None and mind.sees(viewer, order) == need:
            return Step(seat, order, need, FINESSE.name)
    return None


def _mine(mind: Mind, clue: Clue, viewer: int, need: int, used: int) -> Own | None:
    """Return the reader's own card that a missing card must be, if it is nowhere in sight."""
    order = _prompted(mind, viewer, need, used)
    if order is not None:
        return Own(order, need, PROMPT)
    if not _can_finesse(mind, clue, viewer):
        return None
    order = mind.finesse(viewer, used)
    if order is not None and mind.possible(order) >> need & 1:
        return Own(order, need, FINESSE)
    return None


def _prompted(mind: Mind, seat: int, need: int, used: int) -> int | None:
    """Return the newest touched card of a seat that it thinks could be of a kind."""
    for order in reversed(mind.hands[seat]):
        if mind.touched >> order & 1 and not (used | mind.idle) >> order & 1:
            belief = mind.belief(order)
            if belief >> need & 1 and belief & belief - 1:
                return order
    return None


def _can_finesse(mind: Mind, clue: Clue, seat: int) -> bool:
    """Whether a seat may be finessed: at first only those that act before the target."""
    seats = mind.rules.seats
    if mind.level >= 2:
        return True
    return (seat - clue.giver) % seats < (clue.target - clue.giver) % seats


def give(mind: Mind, clue: Clue) -> bool:
    """Take a hint in, as each seat reads it; whether it has a meaning for its target."""
    mind.mark(clue.action, list(clue.touched))
    seats = [seat for seat in range(mind.rules.seats) if seat != clue.giver]
    if mind.me in seats:  # first, so that others are taken to see what it has found
        seats.remove(mind.me)
        _adopt(mind, clue, mind.me, read(mind, clue, mind.me))
        mind.forget()
    found = [(seat, read(mind, clue, seat)) for seat in seats]
    for seat, readings in found:
        _adopt(mind, clue, seat, readings)
    mind.forget()
    has_meaning = mind.me == clue.target
    for seat, readings in found:
        has_meaning |= seat == clue.target and bool(readings)
    _tidy(mind)
    return has_meaning


def _adopt(mind: Mind, clue: Clue, seat: int, readings: list[Reading]) -> None:
    """Let a seat believe what it reads."""
    if seat != clue.target:
        for each in readings:
            _call(mind, each.own)
        return
    if not readings:
        return
    focus = clue.focus
    kinds = 0
    for each in readings:
        kinds |= each.kinds
    mind.inf[focus] = kinds & mind.inf[focus] or kinds
    mind.said |= 1 << focus
    if all(each.own for each in readings):
        _call(mind, readings[0].own)
    waits = [
        Wait(seat, focus, each.kinds.bit_length() - 1, each.steps, clue.turn)
        for each in readings
        if each.steps
    ]
    mind.waits += tuple(waits)
    if seat == mind.me and len(readings) == 1:
        _call(
            mind,
            tuple(
                Own(step.order, step.kind, FINESSE if step.how == FINESSE.name else PROMPT)
                for step in readings[0].steps
            ),
        )


def _call(mind: Mind, own: tuple[Own, ...]) -> None:
    for order, kind, how in own:
        mind.inf[order] = 1 << kind
        mind.said |= 1 << order
        if how is FINESSE:
            mind.blind |= 1 << order


def act_out(mind: Mind, seat: int, order: int, kind: int, how: str) -> None:
    """Take in a play (`play`), an error (`misplay`) or a discard of a card that was in a hand."""
    before = mind.playable
    if how == "discard" and order == mind.chop(seat):
        mind.is_early = False
    mind.take(seat, order, kind, is_played=how == "play", is_error=how == "misplay")
    if how == "misplay":
        _reset(mind)
    _resolve(mind, seat, order if how == "play" else None, before)
    _tidy(mind)


def pass_by(mind: Mind, seat: int) -> None:
    """Take in that a seat has given a hint, instead of playing what others waited for."""
    _resolve(mind, seat, None, mind.playable)


def _resolve(mind: Mind, seat: int, played: int | None, before: int) -> None:
    """Drop the readings that a seat's action refutes, and go on with those that it confirms."""
    shown: dict[int, int] = {}
    kept: list[Wait] = []
    for wait in mind.waits:
        if wait.order not in mind.hands[wait.seat]:
            continue
        first = wait.steps[0]
        if first.order == played:
            if mind.card[first.order] == first.kind:
                shown[wait.order] = shown.get(wait.order, 0) | 1 << wait.kind
                if wait.steps[1:]:
                    kept.append(wait._replace(steps=wait.steps[1:]))
            else:
                _drop(mind, wait)
        elif mind.played >> first.kind & 1:
            if wait.steps[1:]:
                kept.append(wait._replace(steps=wait.steps[1:]))
        elif first.order not in mind.hands[first.seat] or (
            seat == first.seat and before >> first.kind & 1
        ):
            _drop(mind, wait)
        else:
            kept.append(wait)
    for order, kinds in shown.items():
        mind.inf[order] = mind.inf[order] & kinds or mind.inf[order]
        kept = [wait for wait in kept if wait.order != order or kinds >> wait.kind & 1]
    mind.waits = tuple(kept)
    mind.forget()


def _drop(mind: Mind, wait: Wait) -> None:
    left = mind.inf[wait.order] & ~(1 << wait.kind)
    mind.inf[wait.order] = left or mind.inf[wait.order]


def _reset(mind: Mind) -> None:
    """Forget, after an error, what was to be played without a hint."""
    mind.waits = ()
    for order in bits(mind.blind):
        mind.inf[order] = mind.deal.full
    mind.blind = 0


def _tidy(mind: Mind) -> None:
    """Take the mark from untouched cards whose promised kind has been played or lost."""
    for order in bits(mind.blind & ~mind.touched):
        if not mind.inf[order] & mind.possible(order) & ~mind.trash:
            mind.blind &= ~(1 << order)
            mind.inf[order] = mind.deal.full
    mind.forget()


class Follower:
    """Follows a game by the events of a view, one seat's mind kept up with them."""

    def __init__(self, view: View, level: int) -> None:
        self.mind = mind = Mind(view.rules, view.seat, view.first_seat, level)
        self.events: list[Event] = []
        self.places = [hand[:] for hand in mind.hands]
        for order in range(mind.next):
            card = view.deck[order]
            if card is not None and mind.owner[order] != view.seat:
                mind.card[order] = mind.deal.kind(card)
        mind.forget()

    def follow(self, view: View) -> Mind:
        """Take in the events that a later view of the same seat adds, and return the mind."""
        for event in view.events[len(self.events) :]:
            self._take(event)
            self.events.append(event)
        return self.mind

    def _take(self, event: Event) -> None:
        mind, action = self.mind, event.action
        mind.turn, mind.seat = event.turn, event.seat
        if action.is_hint:
            hand = self.places[action.target]
            clue = clue_of(mind, action, sorted(hand[slot] for slot in event.touched))
            if clue is None:
                mind.mark(action, [])
            else:
                give(mind, clue)
            pass_by(mind, event.seat)
        elif event.card is not None and event.card_index is not None and event.outcome is not None:
            kind, order = mind.deal.kind(event.card), event.card_index
            if action.is_from_deck:
                mind.next = order + 1
            act_out(mind, event.seat, order, kind, event.outcome)
            places = self.places[event.seat]
            drawn = event.drawn_index
            if drawn is not None:
                seen = None if event.seat == mind.me else event.drawn_card
                mind.draw(event.seat, drawn, UNSEEN if seen is None else mind.deal.kind(seen))
            if order in places:
                slot = places.index(order)
                if drawn is not None and mind.rules.keep_slots:
                    places[slot] = drawn
                else:
                    del places[slot]
                    places += [] if drawn is None else [drawn]
        mind.turn += 1
        mind.seat = (event.seat + 1) % mind.rules.seats
