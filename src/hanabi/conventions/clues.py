"""What a hint is about, and the conventions that say so without other cards: saves, stalls, moves.

A rule takes a `Clue`: a hint, with its target's hand just before it. Plays, which other cards may
lead to, are in `hanabi.conventions.reading`, which also asks these rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hanabi.conventions.conventions import (
    BURN,
    DOUBLE_DISCARD,
    FIVE_MOVE,
    FIVE_STALL,
    FIX,
    FOCUS_SHIFT,
    ORDER_OF_ONES,
    STALLS,
    TEMPO,
    TEMPO_STALL,
    TRASH_MOVE,
    Convention,
    named,
)
from hanabi.conventions.table import UNSEEN, Mind, Step, bits
from hanabi.rules import Action, Kind

__all__ = [
    "REFERENCES",
    "SAVES",
    "STALL_SAVES",
    "Clue",
    "Special",
    "clue_of",
    "distribution",
    "is_closest",
    "is_double",
    "seen_elsewhere",
]


class Clue(NamedTuple):
    """A hint, with what conventions need to know of its target's hand just before it.

    Attributes
    ----------
    giver, target, action
        The giver's seat, the target's seat and the hint.
    touched
        The cards that it touches, by deck number, oldest first.
    fresh
        The newly clued ones: those that were not clued, chop-moved or called to play before.
    focus
        The card that the hint is about.
    chop
        The target's chop.
    due
        The cards that the target would have played, the next one first.
    is_news
        Whether the rules alone let the target learn something.
    severity
        The giver's lack of other actions: 0 if it could discard, 1 in the early game, 2 after a
        scream or in a double discard situation, 3 with a locked hand, 4 with all hint tokens there.
    older
        The target's unclued cards that are older than all newly clued ones.
    is_again
        Whether the hint touches no new card, and its focus was clued before without being known to
        be playable, now or after others.
    coming
        The cards known to all to be played without another hint.
    prompts
        The kinds that a prompt would have played from the focus.
    """

    giver: int
    target: int
    action: Action
    touched: tuple[int, ...]
    fresh: tuple[int, ...]
    focus: int
    chop: int | None
    due: tuple[int, ...]
    is_news: bool
    severity: int
    older: int
    is_again: bool
    coming: int
    prompts: int

    @property
    def on_chop(self) -> bool:
        """Whether the focus was the chop."""
        return self.focus == self.chop

    @property
    def rank(self) -> int:
        """The rank that it names; 0 for a color."""
        return self.action.value if self.action.kind is Kind.HINT_RANK else 0


class Special(NamedTuple):
    """A meaning of a hint other than a play or a save of its focus.

    Attributes
    ----------
    kinds
        The kinds that the focus may be; 0 if the hint says nothing about it.
    moved
        The cards that are chop-moved.
    idle
        The cards that are declared useless.
    steps
        The cards to play blindly.
    """

    kinds: int = 0
    moved: int = 0
    idle: int = 0
    steps: tuple[Step, ...] = ()


def clue_of(mind: Mind, action: Action, touched: Sequence[int]) -> Clue | None:
    """Return a hint by the seat to act, before it is taken in; None if it touches nothing."""
    if not touched:
        return None
    marked = mind.marked
    target, deal, level = action.target, mind.deal, mind.level
    fresh = tuple(order for order in touched if not marked >> order & 1)
    mask, due = deal.touch[action.kind, action.value], tuple(mind.plays(target))
    severity, chop = _severity(mind), mind.chop(target)
    coming = mind.coming() if level >= TEMPO.level else 0
    hastened = _hastened(mind, touched, fresh, coming, mask) if level >= TEMPO.level else []
    if hastened:
        fresh = ()
    if fresh:
        focus = _fresh_focus(mind, action, fresh, severity)
    else:
        focus = _old_focus(mind, action, hastened or touched, coming)
    is_again = not fresh and bool(mind.touched & ~coming & 1 << focus)
    return Clue(
        giver=mind.seat,
        target=target,
        action=action,
        touched=tuple(touched),
        fresh=fresh,
        focus=focus,
        chop=chop,
        due=due,
        is_news=any(mind.allowed[order] & ~mask for order in touched),
        severity=severity,
        older=_unmarked_before(mind, target, fresh[0]) if fresh else 0,
        is_again=is_again,
        coming=coming,
        prompts=_prompts(mind, target, focus) if is_again else 0,
    )


def _fresh_focus(mind: Mind, action: Action, fresh: tuple[int, ...], severity: int) -> int:
    """Single Card Focus: return the chop if it is newly clued, else the newest newly clued card.

    Two kinds of hints choose otherwise off chop: number 1 (Playing Multiple 1s), and number 5 if it
    may be a 5's Chop Move or a 5 Stall, whose focus is the oldest.
    """
    chop = mind.chop(action.target)
    if chop is not None and chop in fresh:
        return chop
    rank = action.value if action.kind is Kind.HINT_RANK else 0
    if rank == 1 and mind.level >= ORDER_OF_ONES.level:
        return min(fresh, key=mind.place_of_one)
    if rank == 5 and severity:
        is_oldest = mind.level >= FIVE_STALL.level and bool(mind.deal.pink)
    else:
        is_oldest = (
            rank == 5
            and mind.level >= FIVE_MOVE.level
            and mind.deal.has_five_moves
            and not mind.is_end
            and _unmarked_before(mind, action.target, fresh[0]).bit_count() == 1
        )
    return fresh[0] if is_oldest else max(fresh)


def _old_focus(mind: Mind, action: Action, touched: Sequence[int], coming: int) -> int:
    """Return the focus of a hint without a newly clued card: the newest, unclued ones first.

    A chop-moved card is the focus before clued ones.
    """
    old = [order for order in touched if not mind.touched >> order & 1] or touched
    # Focus Shifting: a card known to be playable is not the focus beside one that is not.
    if mind.level >= FOCUS_SHIFT.level:
        old = [order for order in old if not coming >> order & 1] or old
    is_hidden = any(not mind.touched >> order & 1 for order in old)
    return max(old) if is_hidden else _again(mind, action, old)


def _again(mind: Mind, action: Action, touched: Sequence[int]) -> int:
    """Return the focus of a hint that touches only clued cards: the newest, with three exceptions.

    All are for colors.
    """
    deal = mind.deal
    mask = deal.touch[action.kind, action.value]
    if action.kind is not Kind.HINT_COLOR:
        return max(touched)
    # Brown Tempo Clue Inversion: of brown cards it is the oldest.
    # The Ambiguous Tempo Clue: so it is of cards that look alike, if no hint tells them apart.
    is_brown = not mask & ~(deal.brown & ~deal.rainbow)
    allowed = {mind.allowed[order] for order in touched}
    if is_brown or (len(allowed) == 1 and allowed.pop() & deal.twins):
        return min(touched)
    # Mud Clues: the last color means the oldest card, the one before it the next, and round again.
    alike = deal.rainbow & (deal.brown | deal.pink)
    left = {order: mind.allowed[order] & mask for order in sorted(touched)}
    if any(look & alike and not look & ~deal.rainbow for look in left.values()):
        may = [order for order, look in left.items() if look & alike & mind.playable]
        last = sum(kind is Kind.HINT_COLOR for kind, _ in deal.touch) - 1
        if may:
            return may[(last - action.value) % len(may)]
    return max(touched)


def _severity(mind: Mind) -> int:
    """Return how few actions besides a hint the seat to act has; see `Clue.severity`."""
    is_full = mind.tally.hints == mind.rules.hints
    if is_full and (mind.turn or not mind.is_early):
        return 4
    if mind.level >= TEMPO_STALL.level and _is_locked(mind, mind.seat):
        return 3
    if mind.alarm == mind.seat or is_double(mind, mind.seat):
        return 2
    return 1 if mind.is_early and (is_full or not mind.deal.is_hard) else 0


def _is_locked(mind: Mind, seat: int) -> bool:
    """Whether everybody knows that a seat has no chop, no card to play, and no useless card."""
    return (
        mind.chop(seat) is None
        and not mind.is_known_to_play(seat)
        and not any(
            mind.idle >> order & 1 or not mind.told(order) & ~mind.trash
            for order in mind.hands[seat]
        )
    )


def _hastened(
    mind: Mind, touched: Sequence[int], fresh: tuple[int, ...], coming: int, mask: int
) -> list[int]:
    """Return the clued cards that a hint may make playable, if its new ones are known trash."""
    old = [order for order in touched if order not in fresh and not coming >> order & 1]
    useless = mind.trash
    for order in old:
        left = mind.allowed[order] & mask
        useless |= 0 if left & left - 1 else left
    if any(mind.allowed[order] & mask & ~useless for order in fresh):
        return []
    return [order for order in old if mind.told(order) & mask & mind.playable]


def _prompts(mind: Mind, seat: int, order: int) -> int:
    """Return the kinds whose prompt would play a card, or a playable card before it."""
    found = 0
    for kind in bits(mind.told(order)):
        first = mind.prompt(seat, kind, is_public=True)
        if first == order or first is None or not mind.told(first) & ~mind.playable:
            found |= 1 << kind
    return found


def _unmarked_before(mind: Mind, seat: int, order: int) -> int:
    """Return a seat's unmarked cards that are older than one."""
    marked = mind.marked
    return sum(1 << each for each in mind.hands[seat] if each < order and not marked >> each & 1)


# Saves.


def five_save(mind: Mind, clue: Clue) -> int:
    """5 Save: return every 5 for number 5."""
    return mind.deal.ranks[5] if clue.rank == 5 and mind.deal.height >= 5 else 0


def two_save(mind: Mind, clue: Clue) -> int:
    """2 Save: return the 2s for number 2 whose other copy is not visible to giver and target."""
    return mind.deal.ranks[2] & ~seen_elsewhere(mind, clue) if clue.rank == 2 else 0


def seen_elsewhere(mind: Mind, clue: Clue) -> int:
    """Return the kinds off chop in the hands that both the giver and the target see."""
    seen = 0
    for seat, hand in enumerate(mind.hands):
        if seat in (clue.giver, clue.target):
            continue
        chop = mind.chop(seat)
        for order in hand:
            kind = mind.sees(clue.target, order)
            if kind != UNSEEN and order != chop:
                seen |= 1 << kind
    return seen


def critical_save(mind: Mind, _: Clue) -> int:
    """Critical Save: return the kinds whose other copies are all discarded."""
    return sum(1 << kind for kind in bits(mind.critical) if mind.deal.copies[kind] > 1)


SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (named("5 Save"), five_save),
    (named("2 Save"), two_save),
    (named("Critical Save"), critical_save),
)
"""The saves of a focus on chop, each with its rule. A hint may be a play as well."""


def locked_save(mind: Mind, clue: Clue) -> int:
    """Locked Hand Save: return all kinds, on chop, if the giver has no chop and the target has."""
    is_it = clue.severity == 3 and clue.on_chop and mind.chop(clue.target) is not None
    return mind.allowed[clue.focus] if is_it else 0


def full_save(mind: Mind, clue: Clue) -> int:
    """8 Clue Save: return all kinds, if all tokens are there and the focus is not the newest."""
    is_it = clue.severity == 4 and clue.fresh and clue.focus != mind.hands[clue.target][-1]
    return mind.allowed[clue.focus] if is_it else 0


STALL_SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (named("Locked Hand Save"), locked_save),
    (named("8 Clue Save"), full_save),
)
"""The saves by a giver that should not discard, of a focus on chop or off it."""


def fix(mind: Mind, clue: Clue) -> Special | None:
    """Fix Clue: a hint that shows a card about to be played to be an error says nothing else.

    A hint without any news about the card to be played next calls it useless.
    """
    hit = [order for order in clue.due if order in clue.touched]
    if any(
        mind.belief(order) & ~mind.playable
        or not mind.possible(order) & ~(mind.trash | mind.elsewhere(clue.target, order))
        for order in hit
    ):
        return Special()
    if not hit or clue.fresh or clue.is_news or hit[0] != clue.due[0]:
        return None
    # A card that cannot be useless is played: the hint repeats what its giver could not know.
    may_be = mind.trash | mind.elsewhere(clue.target, hit[0])
    is_about = mind.level < FOCUS_SHIFT.level or clue.focus in hit
    is_about &= not mind.is_end and hard_burn(mind, clue) is None
    return Special(idle=1 << hit[0]) if is_about and mind.possible(hit[0]) & may_be else None


def burn(mind: Mind, clue: Clue) -> Special | None:
    """Burning: in the endgame, a hint about a card known to be playable only passes the turn."""
    is_known = not clue.fresh and clue.coming >> clue.focus & 1
    return Special() if mind.is_end and is_known else None


def hard_burn(mind: Mind, clue: Clue) -> Special | None:
    """Allowable Stall Clues: such a hint from a giver that should not discard does so too."""
    is_known = not clue.fresh and clue.coming >> clue.focus & 1
    return Special() if mind.level >= STALLS.level and clue.severity > 1 and is_known else None


def is_double(mind: Mind, seat: int) -> bool:
    """Double Discard Avoidance: whether a chop may be the last copy of the card just discarded."""
    kind, chop = mind.dumped, mind.chop(seat)
    if mind.level < DOUBLE_DISCARD.level or kind < 0 or chop is None:
        return False
    others = (each for other, hand in enumerate(mind.hands) if other != seat for each in hand)
    return bool(mind.allowed[chop] >> kind & 1) and all(mind.card[each] != kind for each in others)


def is_closest(mind: Mind, clue: Clue) -> bool:
    """5 Stalls Closest to Chop: whether no visible hand has an unmarked 5 nearer to its chop."""
    least, marked = clue.older.bit_count(), mind.marked
    for seat, hand in enumerate(mind.hands):
        for order in hand:
            is_five = mind.card[order] >= 0 and mind.deal.ranks[5] >> mind.card[order] & 1
            if seat == clue.giver or not is_five or marked >> order & 1:
                continue
            if 0 < _unmarked_before(mind, seat, order).bit_count() < least:
                return False
    return True


def distribution(mind: Mind, clue: Clue) -> int:
    """Distribution Clue: return the kinds that seats with several cards to play hold."""
    found = 0
    if not mind.is_end:
        return 0
    coming = mind.coming()
    for seat, hand in enumerate(mind.hands):
        if seat in (clue.giver, clue.target):
            continue
        waiting = [mind.sees(clue.target, order) for order in hand if coming >> order & 1]
        if len(waiting) > 1:
            found |= sum({1 << kind for kind in waiting if kind != UNSEEN})
    return found


def five_stall(mind: Mind, clue: Clue) -> Special | None:
    """5 Stall: number 5 off chop, from a giver that should not discard, only saves the 5.

    The Full Finesse: not with three suits.
    """
    if clue.rank != 5 or clue.on_chop or not clue.fresh or not clue.severity:
        return None
    if not mind.deal.has_five_moves or mind.deal.null & ~mind.trash:
        return None
    return Special(kinds=mind.deal.ranks[5])


def trash_move(mind: Mind, clue: Clue) -> Special | None:
    """Trash Chop Move: if all newly clued cards are useless, the older ones are chop-moved."""
    if not clue.fresh:
        return None
    promise = mind.deal.promise[clue.action.kind, clue.action.value]
    for order in clue.fresh:
        elsewhere = mind.elsewhere(clue.target, order) & ~distribution(mind, clue)
        if mind.possible(order) & promise & ~mind.trash & ~elsewhere:
            return None
    moved = 0 if mind.is_end else clue.older
    return Special(moved=moved, idle=sum(1 << order for order in clue.fresh))


def five_move(mind: Mind, clue: Clue) -> Special | None:
    """5's Chop Move: number 5 on the card next to the chop chop-moves it."""
    if clue.rank != 5 or not clue.fresh or clue.focus != clue.fresh[0]:
        return None
    if clue.older.bit_count() != 1 or not mind.deal.has_five_moves or mind.is_end:
        return None
    return Special(kinds=mind.deal.ranks[5], moved=clue.older)


REFERENCES: tuple[tuple[Convention, Callable[[Mind, Clue], Special | None]], ...] = (
    (FIX, fix),
    (BURN, burn),
    (STALLS, hard_burn),
    (FIVE_STALL, five_stall),
    (TRASH_MOVE, trash_move),
    (FIVE_MOVE, five_move),
)
"""The hints that are neither plays nor saves. The first rule that applies is the meaning."""
