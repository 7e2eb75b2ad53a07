"""The meaning of a hint for each seat, and how later plays and discards confirm or refute it."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.conventions.clues import REFERENCES, SAVES, STALL_SAVES, Clue, clue_of, distribution
from hanabi.conventions.conventions import (
    AMBIGUOUS_FINESSE,
    BLUFF,
    DISTRIBUTION,
    DOUBLE,
    FILL_IN,
    FINESSE,
    HIDDEN_FINESSE,
    LAYERED_FINESSE,
    NO_MOVES,
    ORDER_MOVE,
    PLAY,
    PROMPT,
    REVERSE_FINESSE,
    SCREAM,
    SELF_FINESSE,
    TEMPO,
    TEMPO_MOVE,
    TEMPO_STALL,
    TRASH_MOVE,
    VALUABLE_TEMPO,
    WRONG_PROMPT,
    Convention,
)
from hanabi.conventions.discards import (
    alarm,
    layers_over,
    leave,
    move_by_order,
    name_slot,
    pass_on,
    positional,
    wait_for,
)
from hanabi.conventions.table import UNSEEN, Mind, Step, Wait, bits
from hanabi.conventions.variants import (
    VARIANT_REFERENCES,
    VARIANT_SAVES,
    is_always_loaded,
    is_free_choice,
    is_loaded_play,
    is_prized,
    refuse_variant,
)
from hanabi.rules import Event, View

__all__ = [
    "Follower",
    "Reading",
    "act_out",
    "give",
    "meanings",
    "pass_by",
    "read",
]


_OTHERS = (*REFERENCES, *VARIANT_REFERENCES)


class Reading(NamedTuple):
    """One meaning that a hint may have.

    Attributes
    ----------
    convention
        The convention by which it has this meaning.
    kinds
        The kinds that the focus may then be; 0 if the hint says nothing about it.
    steps
        The cards to play before it, in order, the reader's own included.
    moved, idle
        The cards that are chop-moved, and those that are declared useless.
    path
        The steps, and between them the unknown cards that are to be played anyway.
    """

    convention: Convention
    kinds: int
    steps: tuple[Step, ...] = ()
    moved: int = 0
    idle: int = 0
    path: tuple[Step, ...] = ()


def read(mind: Mind, clue: Clue, viewer: int) -> list[Reading]:
    """Return all meanings that a hint, already marked, may have for a seat."""
    promise = _promise(mind, clue)
    for convention, rule in _OTHERS:
        if convention.level <= mind.level and (special := rule(mind, clue)):
            if convention == TRASH_MOVE and mind.is_end:
                convention = NO_MOVES
            kinds = special.kinds & promise
            return [Reading(convention, kinds, special.steps, special.moved, special.idle)]
    if viewer == clue.target:
        return _read_hidden(mind, clue, promise)
    return _read_seen(mind, clue, viewer, promise)


def _read_seen(mind: Mind, clue: Clue, viewer: int, promise: int) -> list[Reading]:
    """Return the meaning of a play or save for a seat that sees the focus: there is one at most.

    Such a seat looks for the cards that lead to the focus. All seats see whether a hint without a
    newly clued card is a stall or a chop move for its target, and so read it alike.
    """
    kind = mind.sees(viewer, clue.focus)
    if kind == UNSEEN:
        return []
    for each in _saves(mind, clue, promise):
        if each.kinds >> kind & 1:
            return [each]
    if (mind.trash | ~promise) >> kind & 1:
        return []
    found = _chain(mind, clue, viewer, kind)
    if found is not None and not clue.fresh and not clue.is_news and _has_blind(found):
        found = None  # like its target, which reads nothing in what it knew
    if not clue.fresh and mind.level >= TEMPO.level:
        for each in read(mind, clue, clue.target):
            if found is None or not each.kinds:
                return [each._replace(kinds=0, steps=())]
            return [found._replace(convention=each.convention, moved=each.moved)]
    return [found] if found else []


def _read_hidden(mind: Mind, clue: Clue, promise: int) -> list[Reading]:
    """Return the meanings of a play or save for its target, which does not see the focus.

    They are all saves, and of the plays those that ask least of its own unknown cards: none that
    ask for any if the hint may be a save.
    """
    viewer, focus = clue.target, clue.focus
    good = mind.possible(focus) & ~_held(mind, viewer, focus)
    good = (good & mind.inferred[focus] or good) & ~mind.trash
    saves = _saves(mind, clue, promise)
    readings = [each._replace(kinds=each.kinds & good) for each in saves if each.kinds & good]
    shared = distribution(mind, clue)
    good &= promise & (~mind.elsewhere(viewer, focus) | shared)
    plays = [found for kind in bits(good) if (found := _chain(mind, clue, viewer, kind))]
    # A save asks nobody to act, so nobody's inaction refutes it.
    saved = sum({1 << kind for each in readings for kind in bits(each.kinds)})
    plays = [each for each in plays if not (each.path and each.kinds & saved)]
    if not clue.fresh and not clue.is_news:
        plays = [each for each in plays if not _has_blind(each)]
    plays = [
        each._replace(convention=DISTRIBUTION) if each.kinds & shared else each for each in plays
    ]
    least = min((_cost(each, viewer) for each in plays), default=0)
    if not (readings and least):
        readings += [each for each in plays if _cost(each, viewer) == least]
    if not clue.fresh and mind.level >= TEMPO.level:
        return _tempo(mind, clue, readings)
    return readings


def _has_blind(reading: Reading) -> bool:
    """Whether a reading asks for a blind play."""
    return any(step.is_blind for step in reading.steps)


def _tempo(mind: Mind, clue: Clue, readings: list[Reading]) -> list[Reading]:
    """Tempo Clue: return the meanings of a hint without a newly clued card, which hastens a play.

    If it finesses, it gets a new card, and so is no Tempo Clue.
    """
    # Fill-In Clue: a giver that should not discard asks for no finesse, so it may say nothing, and
    # asks nothing of a card that is only chop-moved.
    is_moved = mind.moved >> clue.focus & 1 and not clue.is_again
    if clue.severity > 1 and mind.level >= FILL_IN.level and is_moved:
        return [Reading(FILL_IN, 0)]
    if clue.severity > 1 and (mind.level >= FILL_IN.level or clue.severity == 2):
        readings = [each for each in readings if not _has_blind(each)]
        readings = readings or [Reading(FILL_IN if mind.level >= FILL_IN.level else SCREAM, 0)]
        if not readings[0].kinds:
            return readings
    if not readings or any(map(_has_blind, readings)) or not clue.is_again:
        return readings
    kinds = sum({1 << kind for each in readings for kind in bits(each.kinds)})
    led = sum({1 << step.order for each in readings for step in each.steps})
    moved = 0
    if clue.chop is None or is_prized(mind, clue) or _is_valuable(mind, clue, kinds, led):
        convention = VALUABLE_TEMPO
    # Tempo Clue Stall: the giver should not discard, or nobody needs to (in the endgame).
    elif clue.severity > 1 or mind.is_late:
        convention = TEMPO_STALL
    # Tempo Clue Chop Move: any other one.
    else:
        convention, moved = TEMPO_MOVE, 1 << clue.chop
    return [each._replace(convention=convention, moved=moved) for each in readings]


def _is_valuable(mind: Mind, clue: Clue, kinds: int, led: int) -> bool:
    """Valuable Tempo Clue: whether a hint gets two cards played, or one that no prompt can reach.

    A card that leads to the focus counts even if only its holder knew it before.
    """
    if not kinds & clue.prompts and kinds & ~mind.deal.ranks[5]:
        return True
    for kind in bits(kinds):
        color = kind // mind.deal.height
        for need in range(color * mind.deal.height + mind.piles[color], kind):
            order = _coming(mind, clue.giver, clue.target, need, 1 << clue.focus)
            led |= 0 if order is None else 1 << order
    after = mind.copy()
    after.inferred[clue.focus] = kinds
    coming = after.coming() | led | 1 << clue.focus
    return (coming & ~clue.coming).bit_count() > 1


def _held(mind: Mind, seat: int, order: int) -> int:
    """Return the critical kinds that a seat's other cards are known to be, by hints alone."""
    held = 0
    for each in mind.hands[seat]:
        known = mind.allowed[each]
        if each != order and not known & known - 1:
            held |= known
    return held & mind.critical


def _cost(reading: Reading, viewer: int) -> int:
    """Return how much a reading asks of the reader's own cards; blind plays count tenfold."""
    return sum(10 if step.is_blind else 1 for step in reading.steps if step.seat == viewer)


def _saves(mind: Mind, clue: Clue, promise: int) -> list[Reading]:
    """Return the saves that a hint may be, with the kinds that its focus may then be."""
    if clue.on_chop and is_loaded_play(mind, clue):
        return []
    found = [
        Reading(convention, kinds)
        for convention, rule in ((*SAVES, *STALL_SAVES) if clue.on_chop else STALL_SAVES)
        if convention.level <= mind.level and (kinds := rule(mind, clue) & promise)
    ]
    if not clue.on_chop or not mind.deal.is_special:
        return found
    if is_always_loaded(mind, clue):
        return []
    found += [
        Reading(convention, kinds)
        for convention, rule in VARIANT_SAVES
        if (kinds := rule(mind, clue))
    ]
    return found


def _promise(mind: Mind, clue: Clue) -> int:
    """Return the kinds that the focus may be by Pink or Color Promise, or by a deceptive rank."""
    mask, variant = mind.deal.promise[clue.action.kind, clue.action.value], mind.rules.variant
    if variant is not None and variant.special_rank_deceptive and clue.rank and clue.on_chop:
        mask &= mind.deal.ranks[clue.rank] | mind.deal.ranks[1]
    return mask


# Plays: cards that lead to the focus.


def _chain(mind: Mind, clue: Clue, viewer: int, kind: int) -> Reading | None:
    """Play Clue: return how the focus, of a kind, can be played; None if it cannot.

    For each card before it that is not on its way, one must be prompted or finessed.
    """
    color = kind // mind.deal.height
    steps: list[Step] = []
    path: list[Step] = []
    used = sum(1 << order for order in {clue.focus, *clue.fresh})
    for need in range(color * mind.deal.height + mind.piles[color], kind):
        coming = _coming(mind, clue.giver, viewer, need, used)
        if coming is not None:
            used |= 1 << coming
            belief, is_seen = mind.belief(coming), mind.sees(viewer, coming) != UNSEEN
            if mind.touched >> coming & 1 and not is_seen and belief & belief - 1:
                path.append(Step(mind.owner[coming], coming, need, is_blind=False, is_due=True))
            continue
        # Bob's Truth Principle: a finesse on another seat, if it can be true, comes before a bluff
        # on the reader.
        can_bluff = need + 1 == kind and _can_bluff(mind, clue, need)
        step = _others(mind, clue, viewer, need, used, can_bluff=can_bluff) or _mine(
            mind, clue, viewer, need, used, can_bluff=can_bluff
        )
        # Double Prompt or Finesse: more than one card is missing.
        if step is None or (steps and mind.level < DOUBLE.level):
            return None
        steps.append(step)
        path.append(step)
        used |= sum(1 << order for order in (step.order, *step.under))
    return Reading(_name(mind, clue, steps), 1 << kind, tuple(steps), path=tuple(path))


def _can_bluff(mind: Mind, clue: Clue, need: int) -> bool:
    """Bluff: whether a hint may have the next seat play any playable card, as one is missing.

    A seat that has a card to play blindly is not bluffed. Self-Bluff: with a number, the next seat
    may be the target.
    """
    bob = (clue.giver + 1) % mind.rules.seats
    is_waiting = any(mind.blind >> order & 1 for order in mind.hands[bob])
    is_news = mind.playable >> need & 1 and not is_waiting and (clue.rank or bob != clue.target)
    return mind.level >= BLUFF.level and bool(is_news)


def _name(mind: Mind, clue: Clue, steps: list[Step]) -> Convention:
    """Return the convention of a chain of steps."""
    if not steps:
        return PLAY
    if any(step.under for step in steps):
        return LAYERED_FINESSE if all(step.is_blind for step in steps) else HIDDEN_FINESSE
    if len(steps) > 1:
        return DOUBLE
    step = steps[0]
    if not step.is_blind:
        return PROMPT
    if step.is_bluff and mind.sees(clue.target, step.order) not in (UNSEEN, step.kind):
        return BLUFF
    if step.seat == clue.target:
        return SELF_FINESSE
    return FINESSE if _is_before(mind, clue, step.seat) else REVERSE_FINESSE


def _is_before(mind: Mind, clue: Clue, seat: int) -> bool:
    """Whether a seat acts between the giver and the target."""
    seats = mind.rules.seats
    return (seat - clue.giver) % seats < (clue.target - clue.giver) % seats


def _coming(mind: Mind, giver: int, viewer: int, need: int, used: int) -> int | None:
    """Return a card of a kind that its holder will play without another hint."""
    marked = (mind.touched | mind.blind) & ~used & ~mind.idle
    for hand in mind.hands:
        for order in hand:
            if not marked >> order & 1:
                continue
            seen = mind.sees(viewer, order)
            if seen not in (UNSEEN, need) or not mind.allowed[order] >> need & 1:
                continue
            belief = mind.belief(order)
            may_be = seen == UNSEEN and mind.owner[order] != giver and belief >> need & 1
            is_it = seen == need or may_be
            if belief == 1 << need or (is_it and not belief & ~mind.playable):
                return order
    return None


def _others(
    mind: Mind, clue: Clue, viewer: int, need: int, used: int, *, can_bluff: bool
) -> Step | None:
    """Return the prompt or finesse on another seat that gets a missing card played.

    Prompts come first, then finesses, bluffs and layered finesses. A seat whose prompt would get
    another card played is not finessed.
    """
    seats = mind.rules.seats
    around = [(clue.giver + away) % seats for away in range(1, seats)]
    blocked = {viewer}
    for seat in around:
        order = None if seat == viewer else mind.prompt(seat, need, used)
        if order is None or is_free_choice(mind, clue, viewer, order, need):
            continue
        seen = mind.sees(viewer, order)
        if seen == need:
            return Step(seat, order, need, is_blind=False)
        blocked.add(seat)
        if under := _under_prompt(mind, viewer, order, need, used):
            is_due = not mind.belief(order) & ~mind.playable
            return Step(seat, order, need, is_blind=False, under=under, is_due=is_due)
    for seat in around:
        if seat not in blocked and _can_finesse(mind, clue, seat):
            order = mind.finesse(seat, used)
            if order is not None and mind.sees(viewer, order) == need:
                is_bluff = can_bluff and seat == around[0] and seat != clue.target
                return Step(seat, order, need, is_blind=True, is_bluff=is_bluff)
    bob = around[0]
    if can_bluff and bob not in (viewer, clue.target) and bob not in blocked:
        order = mind.finesse(bob, used)
        seen = UNSEEN if order is None else mind.sees(viewer, order)
        if order is not None and seen != UNSEEN and mind.playable >> seen & 1:
            return Step(bob, order, need, is_blind=True, is_bluff=True)
    if mind.level >= LAYERED_FINESSE.level:
        for seat in around:
            if seat not in blocked and (found := layers_over(mind, viewer, seat, need, used)):
                return Step(seat, found[0], need, is_blind=True, under=found[1:])
    return None


def _under_prompt(mind: Mind, viewer: int, order: int, need: int, used: int) -> tuple[int, ...]:
    """Return the cards down to the missing one, if a prompted one is another playable card.

    The prompt goes on to the next clued card that could be the missing one. An empty tuple if none
    of these is it, or one before it is not playable.
    """
    seat, found, reach = mind.owner[order], tuple[int, ...](), mind.playable
    while mind.touched >> order & 1:
        seen = mind.sees(viewer, order)
        if seen == UNSEEN or not reach >> seen & 1:
            break
        reach, used = reach & ~(1 << seen), used | 1 << order
        below = mind.prompt(seat, need, used)
        # Hidden Finesse: the missing card is on finesse position.
        if below is None and mind.level >= HIDDEN_FINESSE.level:
            below = mind.finesse(seat, used)
        if below is None:
            break
        order, found = below, (*found, below)
        if mind.sees(viewer, order) == need:
            return found
    return ()


def _mine(
    mind: Mind, clue: Clue, viewer: int, need: int, used: int, *, can_bluff: bool
) -> Step | None:
    """Self-Finesse: return the reader's own card, prompted or finessed, that is the missing one."""
    order = mind.prompt(viewer, need, used)
    if order is not None and not is_free_choice(mind, clue, viewer, order, need):
        return Step(viewer, order, need, is_blind=False)
    if not _can_finesse(mind, clue, viewer) or _is_touched(mind, viewer, need):
        return None
    order = mind.finesse(viewer, used)
    is_bluff = can_bluff and viewer == (clue.giver + 1) % mind.rules.seats
    may_be = mind.playable if is_bluff else 1 << need
    if order is not None and mind.possible(order) & may_be:
        return Step(viewer, order, need, is_blind=True, is_bluff=is_bluff)
    return None


def _is_touched(mind: Mind, viewer: int, kind: int) -> bool:
    """Whether a seat sees a clued card of a kind, so that a finesse cannot promise another one."""
    return any(
        mind.touched >> order & 1 and mind.sees(viewer, order) == kind
        for hand in mind.hands
        for order in hand
    )


def _can_finesse(mind: Mind, clue: Clue, seat: int) -> bool:
    """Reverse Finesse: whether a seat may be finessed that does not act before the target."""
    return mind.level >= REVERSE_FINESSE.level or _is_before(mind, clue, seat)


# What hints, plays and discards change.


def give(mind: Mind, clue: Clue) -> list[Reading]:
    """Take in a hint as each seat reads it, and return its meanings for the target.

    This seat reads first, so that others are taken to see what it has found out about its cards.
    """
    mind.mark(clue.action, list(clue.touched))
    _uncover(mind, clue)
    if clue.rank == 1 and clue.on_chop:
        mind.front |= 1 << clue.focus
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
            continue  # it sees in this seat's hand what explains the hint otherwise
        _adopt(mind, clue, seat, readings)
    if clue.rank == 1 and mind.deal.pink:
        _assume_ones(mind, clue)
    mind.veiled = 0
    _doubt(mind)
    _tidy(mind)
    return next(readings for seat, readings in [*found, *others] if seat == clue.target)


def _uncover(mind: Mind, clue: Clue) -> None:
    """Promise the next card of a finesse, if a hint shows one to be only a layer over it."""
    for order in clue.touched:
        promised, is_blind = mind.inferred[order], mind.level >= LAYERED_FINESSE.level
        is_blind &= bool(mind.blind >> order & 1)
        if is_blind and not promised & mind.allowed[order]:
            mind.inferred[order] = mind.deal.full
            _dig(mind, clue.target, order, promised, LAYERED_FINESSE, is_blind=True)
            mind.blind &= ~(1 << order)


def meanings(mind: Mind, clue: Clue, viewer: int) -> list[Reading]:
    """Return the meanings for a seat of a hint that is not yet taken in."""
    after = mind.copy()
    after.mark(clue.action, list(clue.touched))
    after.veiled = sum(1 << order for order in clue.fresh)
    return read(after, clue, viewer)


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
    mind.waits += tuple(
        Wait(clue.giver, seat, focus, each.kinds.bit_length() - 1, each.path)
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
    told = mind.told(order)
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
        _reset(mind)
    if how == "discard" and was_touched and not is_idle and not mind.trash >> kind & 1:
        pass_on(mind, seat, kind, is_known=not told & told - 1 or not told & ~before)
    dug = None
    if (is_blind or is_called) and how != "discard" and not promised >> kind & 1:
        dug = _prompt_next(mind, seat, promised) if is_called and how == "play" else None
        level = WRONG_PROMPT.level if is_called and how == "misplay" else LAYERED_FINESSE.level
        if dug is None and mind.level >= level and (how == "play" or is_called):
            hidden = WRONG_PROMPT if how == "misplay" else HIDDEN_FINESSE
            convention = LAYERED_FINESSE if is_blind else hidden
            dug = _dig(mind, seat, order, promised, convention, is_blind=is_blind)
    _resolve(mind, seat, order if how == "play" else None, before, is_queued=is_blind, dug=dug)
    _tidy(mind)
    mind.dumped = kind if how != "play" and mind.critical >> kind & 1 else -1
    leave(mind, seat)


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
    be played blindly, so readings are dropped whose next step a hint touches.
    """
    if mind.alarm == mind.seat:
        mind.alarm = -1
    wait_for(mind, mind.seat, UNSEEN)
    if clue is not None:
        mind.waits = tuple(_over_layers(mind, wait, clue) for wait in mind.waits)
        stomped = [
            wait
            for wait in mind.waits
            if wait.steps[0].is_blind
            and wait.steps[0].order in clue.touched
            and not wait.steps[0].under
        ]
        mind.waits = tuple(wait for wait in mind.waits if wait not in stomped)
        for wait in stomped:
            _drop(mind, wait)
    if clue is None or mind.level < AMBIGUOUS_FINESSE.level or not clue.on_chop:
        _resolve(mind, mind.seat, None, mind.playable)
    mind.dumped = -1
    leave(mind, mind.seat)


def _over_layers(mind: Mind, wait: Wait, clue: Clue) -> Wait:
    """Return a reading after a hint, which may show that its next card is only a layer."""
    first = wait.steps[0]
    may_be = mind.allowed[first.order] >> first.kind & 1
    if may_be or not first.under or first.order not in clue.touched:
        return wait
    below = first._replace(order=first.under[0], under=first.under[1:])
    return _over_layers(mind, wait._replace(steps=(below, *wait.steps[1:])), clue)


def _resolve(
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
    connected = {
        wait.order
        for wait in mind.waits
        if wait.steps[0].order == played and mind.card[wait.steps[0].order] == wait.steps[0].kind
    }
    for wait in mind.waits:
        if wait.order not in mind.hands[wait.seat]:
            continue
        first, rest = wait.steps[0], wait.steps[1:]
        if first.order == played:
            if mind.card[first.order] != first.kind:
                below = _step_below(mind, wait, dug)
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
        elif first.order not in mind.hands[first.seat]:
            failed.append(wait)
        elif (
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
        order = _own(mind, first.kind)
    if order is None:
        return None
    is_blind = not mind.touched >> order & 1
    is_due = not is_blind and not mind.belief(order) & ~mind.playable
    below = Step(first.seat, order, first.kind, is_blind, first.under[1:], is_due=is_due)
    if first.is_due and not is_due:
        _call(mind, [below], HIDDEN_FINESSE if is_blind else PROMPT)
    return below


def _own(mind: Mind, kind: int) -> int | None:
    """Return this seat's own card that is to be a missing one: prompted first, else finessed."""
    order = mind.prompt(mind.me, kind)
    if order is None and mind.level >= HIDDEN_FINESSE.level:
        order = mind.finesse(mind.me)
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
        mind.waits += tuple(Wait(wait.giver, seat, focus, step.kind + 1, (step,)) for step in steps)


def _suspect_next(mind: Mind, wait: Wait) -> Step | None:
    """Ambiguous Finesse: take a finesse that a seat did not play as one on the next with the card.

    Of this seat, which does not see its hand, if no other has it; a prompt of its own comes first.
    """
    first, me, seats = wait.steps[0], mind.me, mind.rules.seats
    if mind.level < AMBIGUOUS_FINESSE.level or not first.is_blind:
        return None
    if first.seat != me:
        _release(mind, first)
    around = [(first.seat + away) % seats for away in range(1, seats)]
    after = [seat for seat in around if seat not in (wait.giver, wait.seat)]
    for seat in after:
        order = mind.finesse(seat)
        if order is not None and seat != me and mind.card[order] == first.kind:
            break
    else:
        is_mine = me in after and mind.sees(me, wait.order) == wait.kind
        order = _own(mind, first.kind) if is_mine else None
        if order is None:
            return None
    step = Step(mind.owner[order], order, first.kind, is_blind=not mind.touched >> order & 1)
    _call(mind, [step], AMBIGUOUS_FINESSE)
    return step


def _reset(mind: Mind) -> None:
    """After an error, forget all blind plays."""
    mind.waits = ()
    for order in bits(mind.blind & ~mind.touched):
        mind.inferred[order] = mind.deal.full
    mind.blind = 0


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
