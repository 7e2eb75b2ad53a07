"""The meaning of a hint for each seat."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.conventions.clues import REFERENCES, SAVES, STALL_SAVES, Clue, distribution
from hanabi.conventions.conventions import (
    BLUFF,
    DISTRIBUTION,
    DOUBLE,
    FILL_IN,
    FINESSE,
    HIDDEN_FINESSE,
    LAYERED_FINESSE,
    NO_MOVES,
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
    Convention,
)
from hanabi.conventions.discards import layers_over
from hanabi.conventions.table import UNSEEN, Mind, Step, bits
from hanabi.conventions.variants import (
    VARIANT_REFERENCES,
    VARIANT_SAVES,
    is_always_loaded,
    is_free_choice,
    is_loaded_play,
    is_prized,
)

__all__ = ["Reading", "meanings", "read"]


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


def meanings(mind: Mind, clue: Clue, viewer: int) -> list[Reading]:
    """Return the meanings for a seat of a hint that is not yet taken in."""
    after = mind.copy()
    after.mark(clue.action, list(clue.touched))
    after.veiled = sum(1 << order for order in clue.fresh)
    return read(after, clue, viewer)


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
    if found is not None and _is_idle(clue, found):
        found = None
    if not clue.fresh and mind.level >= TEMPO.level:
        for each in read(mind, clue, clue.target):
            if found is None or not each.kinds:
                return [each._replace(kinds=0, steps=(), path=())]
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
    plays = [each for each in plays if not _is_idle(clue, each)]
    plays = [
        each._replace(convention=DISTRIBUTION) if each.kinds & shared else each for each in plays
    ]
    least = min((_cost(each, viewer) for each in plays), default=0)
    if not (readings and least):
        readings += [each for each in plays if _cost(each, viewer) == least]
    if not clue.fresh and mind.level >= TEMPO.level:
        return _tempo(mind, clue, readings)
    return readings


def _is_idle(clue: Clue, reading: Reading) -> bool:
    """Whether a hint tells its target nothing, and so asks for no blind play of its own."""
    is_asked = any(step.is_blind and step.seat == clue.target for step in reading.steps)
    return is_asked and not clue.fresh and not clue.is_news


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
        readings = [each for each in readings if not each.steps]
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
            if mind.blind >> coming & 1 and mind.since[coming] == mind.turn:
                # It was called for this hint just now, by what this seat reads.
                is_bluff = bool(mind.inferred[coming] & ~(1 << need))
                path.append(Step(mind.owner[coming], coming, need, True, is_bluff=is_bluff))
            elif mind.touched >> coming & 1 and not is_seen and belief & belief - 1:
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
            is_it = mind.owner[order] != giver and (seen == need or belief >> need & 1)
            if belief == 1 << need or (is_it and not belief & ~mind.playable):
                return order
    return None


def _others(
    mind: Mind, clue: Clue, viewer: int, need: int, used: int, *, can_bluff: bool
) -> Step | None:
    """Return the prompt or finesse on another seat that gets a missing card played.

    Prompts come first, those on a reader who is not the target too, then finesses, bluffs and
    layered finesses. A seat whose prompt would get another card played is not finessed.
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
    order = mind.prompt(viewer, need, used) if viewer != clue.target else None
    if order is not None and not is_free_choice(mind, clue, viewer, order, need):
        return Step(viewer, order, need, is_blind=False)
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
            if seat in blocked or not (found := layers_over(mind, viewer, seat, need, used)):
                continue
            # A target that plays such a card of its own itself takes it for the missing one.
            seen, ranks = mind.sees(viewer, found[0]), mind.deal.ranks
            if not (seat == clue.target and clue.rank > 1 and ranks[clue.rank - 1] >> seen & 1):
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
