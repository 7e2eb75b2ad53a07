"""How hints, plays and discards change what each seat believes, and confirm or refute readings."""

from __future__ import annotations

from hanabi.conventions.clues import Clue, clue_of
from hanabi.conventions.conventions import (
    AMBIGUOUS_FINESSE,
    HIDDEN_FINESSE,
    LAYERED_FINESSE,
    ORDER_MOVE,
    PROMPT,
    SELF_FINESSE,
    WRONG_PROMPT,
    Convention,
)
from hanabi.conventions.discards import (
    alarm,
    leave,
    move_by_order,
    name_slot,
    pass_on,
    positional,
    wait_for,
)
from hanabi.conventions.reading import Reading, read
from hanabi.conventions.table import UNSEEN, Mind, Step, Wait, bits
from hanabi.conventions.variants import refuse_variant
from hanabi.rules import Event, View

__all__ = ["Follower", "act_out", "give", "pass_by", "resolve"]


def give(mind: Mind, clue: Clue) -> list[Reading]:
    """Take in a hint as each seat reads it, and return its meanings for the target.

    This seat reads first, so that others are taken to see what it has found out about its cards.
    """
    mind.mark(clue.action, list(clue.touched))
    _uncover(mind, clue)
    if clue.rank == 1 and clue.fresh:
        mind.front &= ~sum(1 << order for order in mind.hands[clue.target])
        mind.front |= 1 << clue.focus if clue.on_chop else 0
    mind.veiled = sum(1 << order for order in clue.fresh)
    seats = [seat for seat in range(mind.rules.seats) if seat != clue.giver]
    found = list[tuple[int, list[Reading]]]()
    if mind.me in seats:
        seats.remove(mind.me)
        found.append((mind.me, read(mind, clue, mind.me)))
        _adopt(mind, clue, *found[0])
        mind.forget()
    others = [(seat, read(mind, clue, seat)) for seat in seats]
    for seat, readings in others:
        if seat == clue.target and mind.me != clue.giver and not _is_told(mind, clue, readings):
            readings = [*readings, *found[0][1]]  # it sees what this seat concludes of its hand
            if not _is_told(mind, clue, readings):
                continue
        _adopt(mind, clue, seat, readings)
    if clue.rank == 1 and mind.deal.pink:
        _assume_ones(mind, clue)
    mind.veiled = 0
    _doubt(mind)
    _tidy(mind)
    return next(readings for seat, readings in [*found, *others] if seat == clue.target)


def _uncover(mind: Mind, clue: Clue) -> None:
    """Promise the next card of a finesse, if a hint shows one to be only a layer over it."""
    fresh = sum(1 << order for order in clue.fresh)
    mind.touched &= ~fresh  # the next card may be one of these
    for order in mind.hands[clue.target][::-1]:
        promised, is_blind = mind.inferred[order], mind.level >= LAYERED_FINESSE.level
        is_blind &= bool(mind.blind >> order & 1)
        if is_blind and not promised & mind.allowed[order]:
            mind.inferred[order] = mind.playable
            _dig(mind, clue.target, order, promised, LAYERED_FINESSE, is_blind=True)
            mind.blind &= ~(1 << order if order in clue.touched else 0)
    mind.touched |= fresh


def _assume_ones(mind: Mind, clue: Clue) -> None:
    """The 1's Assumption: take all newly clued cards that number 1 touches for 1s."""
    ones = mind.deal.ranks[1]
    for order in clue.fresh:
        if order != clue.focus and mind.inferred[order] == mind.deal.full:
            mind.inferred[order] = ones
            mind.assumed |= 1 << order


def _is_told(mind: Mind, clue: Clue, readings: list[Reading]) -> bool:
    """Whether some meaning of a hint is true, or says nothing about the focus."""
    kind = mind.card[clue.focus]
    return any(not each.kinds or each.kinds >> kind & 1 for each in readings)


def _adopt(mind: Mind, clue: Clue, seat: int, readings: list[Reading]) -> None:
    """Let a seat believe its readings of a hint.

    The target narrows the focus to their kinds, and plays its own steps if every reading has some.
    Readings with steps become waits, which later actions confirm or refute.
    """
    for each in readings:
        mind.moved |= each.moved
        mind.idle |= each.idle
    if seat != clue.target:
        for each in readings:
            _call(mind, [step for step in each.steps if step.seat == seat], each.convention)
        return
    kinds = 0
    for each in readings:
        kinds |= each.kinds
    if not kinds:
        return
    focus = clue.focus
    if not mind.said >> focus & 1 or mind.inferred[focus] & ~kinds:
        mind.source[focus] = clue.giver  # else it only repeats an earlier hint
    mind.inferred[focus] = kinds & mind.inferred[focus] or kinds
    mind.said |= 1 << focus
    mind.blind &= ~(1 << focus)
    steps = [step for each in readings for step in each.steps]
    if all(any(step.seat == seat for step in each.steps) for each in readings):
        _call(mind, [step for step in steps if step.seat == seat], readings[0].convention)
    later = -1 << mind.rules.deck_size - mind.deck_left
    mind.waits += tuple(
        Wait(clue.giver, seat, focus, each.kinds.bit_length() - 1, each.path, later)
        for each in readings
        if each.path and not each.kinds & each.kinds - 1
    )
    if seat == mind.me:
        _call(mind, [step for step in steps if step.seat != seat], readings[0].convention)


def _call(mind: Mind, steps: list[Step], convention: Convention) -> None:
    """Call the cards of steps to be played, each as the kinds that it is promised to be."""
    kinds: dict[int, int] = {}
    for step in steps:
        mind.ask(step.order, convention)
        may_be = mind.playable & mind.possible(step.order) if step.is_bluff else 1 << step.kind
        kinds[step.order] = kinds.get(step.order, 0) | may_be
        mind.said |= 1 << step.order
        mind.source[step.order] = mind.seat
        if not step.is_blind:
            mind.called |= 1 << step.order
        elif not (mind.touched | mind.blind) >> step.order & 1:
            mind.blind |= 1 << step.order
            mind.since[step.order], mind.by[step.order] = mind.turn, mind.seat
    for order, mask in kinds.items():
        mind.inferred[order] = mask


def act_out(mind: Mind, seat: int, order: int, kind: int, how: str) -> None:
    """Take in a play (`play`), an error (`misplay`) or a discard of a card that was in a hand.

    What the action means is read from the state before it: a named slot, a scream, an Order Chop
    Move. Then the card leaves the hand. Then promises change: the card may be passed on, be another
    one than was promised, and confirm or refute readings that wait.
    """
    named = positional(mind, seat, order, how)
    place = mind.hands[seat][::-1].index(order) if named else -1
    wait_for(mind, seat, order)
    if how == "discard":
        alarm(mind, seat, order)
    elif mind.alarm == seat:
        mind.alarm = -1
    before, promised = mind.playable, mind.inferred[order]
    is_blind, is_called = bool(mind.blind >> order & 1), bool(mind.called >> order & 1)
    told, is_guess = mind.told(order), bool(mind.belief(order) & ~mind.playable)
    was_touched, is_idle = bool(mind.touched >> order & 1), bool(mind.idle >> order & 1)
    if how == "discard" and order == mind.chop(seat):
        mind.is_early = False
    if how != "discard" and not named and not mind.is_sure(order):
        mind.judge(seat, order, is_right=how == "play")
    if how == "play" and mind.level >= ORDER_MOVE.level and not mind.is_end:
        move_by_order(mind, seat, order)
    mind.take(seat, order, kind, is_play=how != "discard")
    if named:
        name_slot(mind, seat, place, named)
    elif how == "misplay":
        _reset(mind, seat if is_guess or is_blind or is_called else None)
    if how == "discard" and was_touched and not is_idle and not mind.trash >> kind & 1:
        pass_on(mind, seat, kind, is_known=not told & told - 1 or not told & ~before)
    dug = None
    if (is_blind or is_called) and how != "discard" and not promised >> kind & 1:
        dug = _prompt_next(mind, seat, promised) if is_called and how == "play" else None
        dug = _exchange(mind, seat, kind, promised) if is_blind and how == "play" else dug
        level = WRONG_PROMPT.level if is_called and how == "misplay" else LAYERED_FINESSE.level
        if dug is None and mind.level >= level and (how == "play" or is_called):
            hidden = WRONG_PROMPT if how == "misplay" else HIDDEN_FINESSE
            convention = LAYERED_FINESSE if is_blind else hidden
            dug = _dig(mind, seat, order, promised, convention, is_blind=is_blind)
    resolve(mind, seat, order if how == "play" else None, before, is_queued=is_blind, dug=dug)
    _tidy(mind)
    mind.dumped = kind if how != "play" and mind.critical >> kind & 1 else -1
    leave(mind, seat)


def _exchange(mind: Mind, seat: int, kind: int, promised: int) -> int | None:
    """Give the promise of a layer to the card that was to be the kind that it proved to be."""
    for each in bits(mind.blind & ~mind.touched):
        if mind.owner[each] == seat and mind.inferred[each] == 1 << kind:
            mind.inferred[each] = promised
            return each
    return None


def _prompt_next(mind: Mind, seat: int, promised: int) -> int | None:
    """Prompt a seat's next clued card, if it played another one than the promised."""
    for kind in bits(promised & ~mind.trash):
        if (order := mind.prompt(seat, kind)) is not None:
            _call(mind, [Step(seat, order, kind, is_blind=False)], PROMPT)
            return order
    return None


def _dig(
    mind: Mind, seat: int, order: int, promised: int, convention: Convention, *, is_blind: bool
) -> int | None:
    """Wrong Prompt: call a seat's card on finesse position, if it played another than the promised.

    So goes a finesse through its layers, too: the next card is then called. The promises of cards
    that the same hint called after it move along.
    """
    if not promised & ~mind.trash:
        return None
    marked, since = mind.marked, mind.since[order] if is_blind else mind.turn
    line = [each for each in bits(mind.blind & ~mind.touched) if mind.owner[each] == seat]
    line = [each for each in line if is_blind and each < order and mind.since[each] == since]
    for each in reversed(mind.hands[seat]):
        if not marked >> each & 1 and (each < order or not is_blind):
            promises = [promised, *(mind.inferred[other] for other in reversed(line))]
            line = sorted([*line, each])
            for other, kinds in zip(reversed(line), promises, strict=True):
                mind.inferred[other] = kinds
            mind.blind |= 1 << each
            mind.ask(each, convention)
            mind.since[each], mind.by[each] = since, mind.seat
            mind.source[each] = mind.source[order]
            return line[-1]
    return None


def pass_by(mind: Mind, clue: Clue | None) -> None:
    """Take in that a seat gave a hint instead of playing the card that others waited for.

    From level 5, a hint to a card on chop is reason enough to wait. Nobody clues a card that is to
    be played blindly, so readings are dropped of which a hint is about such a card.
    """
    if mind.alarm == mind.seat:
        mind.alarm = -1
    wait_for(mind, mind.seat, UNSEEN)
    if clue is not None:
        mind.waits = tuple(_over_layers(mind, wait, clue) for wait in mind.waits)
        stomped = [
            wait
            for wait in mind.waits
            if any(s.is_blind and s.order == clue.focus and not s.under for s in wait.steps)
        ]
        mind.waits = tuple(_no_bluff(mind, wait) for wait in mind.waits if wait not in stomped)
        for wait in stomped:
            _drop(mind, wait)
    if clue is None or mind.level < AMBIGUOUS_FINESSE.level or not clue.on_chop:
        resolve(mind, mind.seat, None, mind.playable)
    mind.dumped = -1
    leave(mind, mind.seat)


def _no_bluff(mind: Mind, wait: Wait) -> Wait:
    """Return a reading, no bluff any more if its next seat gave a hint instead of playing."""
    first = wait.steps[0]
    if not first.is_bluff or first.seat != mind.seat:
        return wait
    steps = [each.steps[0] for each in mind.waits]
    if mind.blind >> first.order & 1:
        kinds = {1 << step.kind for step in steps if step.order == first.order}
        mind.inferred[first.order] = sum(kinds)
    return wait._replace(steps=(first._replace(is_bluff=False), *wait.steps[1:]))


def _over_layers(mind: Mind, wait: Wait, clue: Clue) -> Wait:
    """Return a reading after a hint, which may show that its next card is only a layer."""
    first = wait.steps[0]
    may_be = mind.allowed[first.order] >> first.kind & 1
    if may_be or not first.under or first.order not in clue.touched:
        return wait
    below = first._replace(order=first.under[0], under=first.under[1:])
    return _over_layers(mind, wait._replace(steps=(below, *wait.steps[1:])), clue)


def resolve(
    mind: Mind,
    seat: int,
    played: int | None,
    before: int,
    *,
    is_queued: bool = False,
    dug: int | None = None,
) -> None:
    """Drop the readings that a seat's action refutes, and go on with those that it confirms.

    A reading is confirmed if the card played is its next step, and refuted if its next seat could
    have played that and did not. A blind play refutes nothing about the cards queued behind it, and
    a card that was due anyway confirms nothing. `dug` is the card that was called instead of it.

    Cathy's Connecting Principle: if the card played leads to the focus, it was no bluff.
    """
    shown: dict[int, int] = {}
    kept: list[Wait] = []
    failed: list[Wait] = []
    playing = [wait for wait in mind.waits if wait.steps[0].order == played]
    connected = {
        wait.order
        for wait in playing
        if len(wait.steps) == 1 and mind.card[wait.steps[0].order] == wait.steps[0].kind
    }
    bluffed = {wait.order for wait in playing if wait.steps[0].is_bluff} - connected
    for wait in mind.waits:
        if wait.order not in mind.hands[wait.seat]:
            continue
        first, rest = wait.steps[0], wait.steps[1:]
        if first.order == played:
            if mind.card[first.order] != first.kind:
                is_layer = first.is_bluff or wait.order not in bluffed
                below = _step_below(mind, wait, dug) if is_layer else None
                if below is not None:
                    rest = (below, *rest)
                elif first.is_due and _is_in_sight(mind, wait):
                    continue
                elif not first.is_bluff or wait.order in connected:
                    failed.append(wait)
                    continue
                else:
                    rest = ()
            if not first.is_due:
                shown[wait.order] = shown.get(wait.order, 0) | 1 << wait.kind
            kept += [wait._replace(steps=rest)] if rest else []
        elif mind.played >> first.kind & 1:
            kept += [wait._replace(steps=rest)] if rest else []
        elif first.order not in mind.hands[first.seat] or (
            seat == first.seat
            and before >> first.kind & 1
            and seat != wait.seat
            and not first.is_due
            and not (played is not None and is_queued)
        ):
            other = _suspect_next(mind, wait) if played is None else None
            if other is None:
                failed.append(wait)
            else:
                kept.append(wait._replace(steps=(other, *rest)))
        else:
            kept.append(wait)
    mind.waits = tuple(kept)
    for wait in failed:
        _drop(mind, wait)
    for order, kinds in shown.items():
        mind.inferred[order] = mind.inferred[order] & kinds or mind.inferred[order]
        mind.waits = tuple(
            wait for wait in mind.waits if wait.order != order or kinds >> wait.kind & 1
        )
        left = [wait.steps[0] for wait in mind.waits if wait.order == order]
        for step in left if not any(each.is_bluff for each in left) else ():
            may_be = sum({1 << each.kind for each in left if each.order == step.order})
            mind.inferred[step.order] = mind.inferred[step.order] & may_be or may_be
    _doubt(mind)
    mind.forget()


def _step_below(mind: Mind, wait: Wait, dug: int | None) -> Step | None:
    """Return the step that follows in place of a reading's next one, which was another card."""
    first, order = wait.steps[0], None
    if first.under:
        order = first.under[0]
    elif dug is not None and mind.inferred[dug] >> first.kind & 1:
        order = dug
    elif first.is_due and mind.me == first.seat and mind.sees(mind.me, wait.order) == wait.kind:
        order = _own(mind, first.kind, wait.later)
    if order is None:
        return None
    is_blind = not mind.touched >> order & 1
    is_due = not is_blind and not mind.belief(order) & ~mind.playable
    below = Step(first.seat, order, first.kind, is_blind, first.under[1:], is_due=is_due)
    if first.is_due and not is_due:
        _call(mind, [below], HIDDEN_FINESSE if is_blind else PROMPT)
    return below


def _own(mind: Mind, kind: int, later: int) -> int | None:
    """Return this seat's own card that is to be a missing one: prompted first, else finessed."""
    order = mind.prompt(mind.me, kind)
    if order is None and mind.level >= HIDDEN_FINESSE.level:
        order = mind.finesse(mind.me, later)
    return order if order is not None and mind.possible(order) >> kind & 1 else None


def _is_in_sight(mind: Mind, wait: Wait) -> bool:
    """Whether the target sees the next card of a reading where it may be played soon."""
    return any(
        mind.sees(wait.seat, order) == wait.steps[0].kind
        and (mind.touched >> order & 1 or order == mind.finesse(seat))
        for seat, hand in enumerate(mind.hands)
        for order in hand
    )


def _doubt(mind: Mind) -> None:
    """Note the cards that others are to play by only one of several meanings for this seat."""
    mind.unsure = 0
    for wait in mind.waits:
        if wait.seat == mind.me and mind.inferred[wait.order] & ~(1 << wait.kind):
            mind.unsure |= sum(1 << step.order for step in wait.steps)


def _drop(mind: Mind, wait: Wait) -> None:
    """Forget a reading: its kind of the focus, and the blind plays that it called for."""
    for step in wait.steps:
        if step.seat not in (mind.me, wait.seat):
            _release(mind, step)
    left = mind.inferred[wait.order] & ~(1 << wait.kind)
    mind.inferred[wait.order] = left or mind.inferred[wait.order]
    if not left and mind.level >= SELF_FINESSE.level:
        _fall_back(mind, wait)


def _release(mind: Mind, step: Step) -> None:
    """Forget that a card is to be played blindly."""
    if mind.blind >> step.order & 1:
        mind.blind &= ~(1 << step.order)
        if not mind.touched >> step.order & 1:
            mind.inferred[step.order] = mind.deal.full
        mind.forget()


def _fall_back(mind: Mind, wait: Wait) -> None:
    """Take a hint for a Self-Finesse after all others had their chance to play what it needs.

    Only one card may be missing.
    """
    seat, focus = wait.seat, wait.order
    steps = list[Step]()
    good = mind.possible(focus) & ~mind.elsewhere(seat, focus)
    for kind in bits(good & mind.playable << 1 & ~mind.deal.ranks[1]):
        order = mind.prompt(seat, kind - 1, 1 << focus)
        is_blind = order is None
        order = mind.finesse(seat, 1 << focus) if order is None else order
        if order is not None and mind.possible(order) >> kind - 1 & 1:
            steps.append(Step(seat, order, kind - 1, is_blind))
    if steps:
        mind.inferred[focus] = sum(1 << step.kind + 1 for step in steps)
        _call(mind, steps, SELF_FINESSE)
        mind.waits += tuple(wait._replace(kind=step.kind + 1, steps=(step,)) for step in steps)


def _suspect_next(mind: Mind, wait: Wait) -> Step | None:
    """Ambiguous Finesse: take a finesse that a seat did not play as one on the next with the card.

    Of this seat, which does not see its hand, if no seat to come has it; a prompt comes first.
    """
    first, me, seats = wait.steps[0], mind.me, mind.rules.seats
    if mind.level < AMBIGUOUS_FINESSE.level or not first.is_blind:
        return None
    if first.seat != me:
        _release(mind, first)
    around = [(first.seat + away) % seats for away in range(1, seats)]
    turn = around.index(wait.giver)  # the seats after it have had their turn
    order: int | None = None
    for seat in sorted(around, key=lambda each: turn if each == me else around.index(each)):
        if seat == me != wait.giver and mind.sees(me, wait.order) == wait.kind:
            order = _own(mind, first.kind, wait.later)
        elif seat not in (me, wait.giver, wait.seat):
            found = mind.finesse(seat, wait.later)
            order = found if found is not None and mind.card[found] == first.kind else None
        if order is not None:
            break
    else:
        return None
    step = Step(mind.owner[order], order, first.kind, is_blind=not mind.touched >> order & 1)
    _call(mind, [step], AMBIGUOUS_FINESSE)
    return step


def _reset(mind: Mind, guesser: int | None) -> None:
    """After an error, forget all blind plays.

    If a hint since the holder's last turn had its unknown card played, forget what that hint says
    of its focus, too.
    """
    mind.waits = ()
    for order in bits(mind.blind & ~mind.touched):
        mind.inferred[order] = mind.deal.full
    mind.blind = 0
    for order in bits(mind.said) if guesser is not None else ():
        if mind.owner[order] != guesser and mind.since[order] > mind.turn - mind.rules.seats:
            mind.inferred[order] = mind.deal.full


def _tidy(mind: Mind) -> None:
    """Unmark the cards to play blindly whose promised kind has been played or lost."""
    for order in bits(mind.blind & ~mind.touched):
        if not mind.inferred[order] & mind.possible(order) & ~mind.trash:
            mind.blind &= ~(1 << order)
            mind.inferred[order] = mind.deal.full
    for order in bits(mind.assumed):  # it can be no 1 any more, or is known to be pink
        left = mind.possible(order)
        if not left & mind.inferred[order] & ~mind.trash or not left & ~mind.deal.pink:
            mind.assumed &= ~(1 << order)
            if mind.inferred[order] == mind.deal.ranks[1]:
                mind.inferred[order] = mind.deal.full
    mind.forget()


class Follower:
    """A seat's mind, kept up with the events of its view."""

    def __init__(self, view: View, level: int) -> None:
        refuse_variant(view.rules)
        self.mind = mind = Mind(view.rules, view.seat, view.first_seat, level)
        self.events: list[Event] = []
        self.places = [hand[:] for hand in mind.hands]
        for order in range(view.rules.seats * view.rules.hand_size):
            card = view.deck[order]
            if card is not None and mind.owner[order] != view.seat:
                mind.card[order] = mind.deal.kind(card)
        mind.forget()

    def follow(self, view: View, until: int | None = None) -> Mind:
        """Take in the events that a later view of the same seat adds, and return the mind.

        With `until`, those before that turn.
        """
        for event in view.events[len(self.events) : until]:
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
            pass_by(mind, clue)
        elif event.card is not None and event.card_index is not None and event.outcome is not None:
            kind, order = mind.deal.kind(event.card), event.card_index
            if action.is_from_deck:
                mind.draw_unseen()
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
