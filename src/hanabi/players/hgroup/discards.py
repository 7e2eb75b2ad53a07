"""What discards and errors mean beyond the card: screams, named slots, cards passed on."""

from __future__ import annotations

from hanabi.players.hgroup.conventions import (
    ANXIETY,
    BATON,
    GENERATION,
    GENTLEMAN,
    LAYERED_GENTLEMAN,
    NO_MOVES,
    POSITIONAL_DISCARD,
    POSITIONAL_MISPLAY,
    SARCASTIC,
    SCREAM,
    SHOUT,
    TRASH_SCREAM,
    Convention,
)
from hanabi.players.hgroup.table import UNSEEN, Mind

__all__ = [
    "alarm",
    "can_name",
    "is_urgent",
    "layers_over",
    "leave",
    "move_by_order",
    "name_slot",
    "pass_on",
    "passed_on",
    "positional",
    "scream",
    "wait_for",
]


def scream(mind: Mind, seat: int, order: int) -> Convention | None:
    """Return by which convention a discard forbids the next seat to discard, before it is made.

    Only what everybody knows counts. A card to be played blindly is no reason for a scream.
    """
    follower = (seat + 1) % mind.rules.seats
    chop, coming = mind.chop(follower), mind.coming()
    hand = mind.hands[seat]
    good = [
        each
        for each in hand
        if (mind.touched & coming) >> each & 1 and not mind.told(each) & ~mind.playable
    ]
    idle = [
        each
        for each in hand
        if mind.touched >> each & 1 and (mind.idle >> each & 1 or not mind.told(each) & ~mind.trash)
    ]
    if order in idle:
        found = SHOUT if good else None
    elif order != mind.chop(seat) or mind.clues >= mind.rules.hint_cost or bool(good) == bool(idle):
        found = None
    else:
        found = SCREAM if good else TRASH_SCREAM
    if found is None or chop is None or mind.is_end or mind.is_known_to_play(follower):
        return None
    return GENERATION if is_generation(mind, follower) else found


def is_generation(mind: Mind, seat: int) -> bool:
    """Whether a seat without hint tokens is to save the chop of the next one, not its own card.

    Its holder does not see that card: it concludes so if the chop of the first needs no scream.
    """
    after = (seat + 1) % mind.rules.seats
    chop, other = mind.chop(seat), mind.chop(after)
    if mind.rules.seats < 3 or mind.clues >= mind.rules.hint_cost:
        return False
    if chop is None or other is None or mind.is_known_to_play(after):
        return False
    if mind.me == after:
        return not is_urgent(mind, chop)
    return is_urgent(mind, other)


def is_urgent(mind: Mind, order: int) -> bool:
    """Whether a card in sight is playable or critical, or a 2 whose like nobody holds."""
    kind = mind.card[order]
    bit = 1 << kind if kind >= 0 else 0
    if bit & (mind.playable | mind.critical):
        return True
    others = (mind.card[each] for hand in mind.hands for each in hand if each != order)
    return bool(bit & mind.deal.ranks[2] & ~mind.trash) and kind not in others


def positional(mind: Mind, seat: int, order: int, how: str) -> Convention | None:
    """Return by which convention a discard or an error names a slot, before it is made.

    Only the first error of a game does: a blind play that fails looks the same to those who do not
    see why it was made, and they would follow it into the next error.
    """
    marked = mind.touched | mind.blind | mind.moved | mind.idle
    if mind.level < NO_MOVES.level or marked >> order & 1 or not mind.is_end:
        return None
    if order not in mind.hands[seat]:
        return None
    if how == "misplay":
        return POSITIONAL_MISPLAY if mind.lives == mind.rules.lives else None
    return POSITIONAL_DISCARD if how == "discard" and order != mind.chop(seat) else None


def can_name(mind: Mind, order: int) -> bool:
    """Whether this seat may name the place of a card: it then has nothing to look for itself.

    It sees all that is to be played in other hands, and one of these cards alone in that place.
    """
    others = [hand for seat, hand in enumerate(mind.hands) if seat != mind.me]
    seen = sum({1 << mind.card[each] for hand in others for each in hand})
    place = mind.hands[mind.me][::-1].index(order)
    named = [hand[::-1][place] for hand in others if place < len(hand)]
    marked = mind.touched | mind.blind
    right = [each for each in named if mind.playable >> mind.card[each] & ~(marked >> each) & 1]
    return not mind.deal.full & ~mind.trash & ~seen and len(right) == 1


def alarm(mind: Mind, seat: int, order: int) -> Convention | None:
    """Take in that a discard forbids the next seat to discard, and by which convention, if so."""
    mind.alarm = -1
    convention = scream(mind, seat, order) if mind.level >= SCREAM.level else None
    if convention is None:
        return None
    mind.alarm = (seat + 1) % mind.rules.seats
    chop = mind.chop(mind.alarm)
    if chop is not None and convention != GENERATION:
        mind.moved |= 1 << chop
    return convention


def move_by_order(mind: Mind, seat: int, order: int) -> None:
    """Move the chop of the seat as many seats on as 1s are skipped."""
    ones = mind.ones(seat)
    left = mind.allowed[order] & mind.inferred[order]
    if order not in ones or not left & left - 1:
        return
    other = (seat + ones.index(order)) % mind.rules.seats
    chop = mind.chop(other)
    if other != seat and chop is not None:
        mind.moved |= 1 << chop


def name_slot(mind: Mind, seat: int, place: int) -> None:
    """Let a card in this place from the newest be played blindly, if it is another seat's to play.

    It is the last one that is playable. A seat does not see its own card: it waits for the others.
    """
    seats, mine, seen = mind.rules.seats, UNSEEN, []
    marked = mind.touched | mind.blind
    for away in range(1, seats):
        other = (seat + away) % seats
        hand = mind.hands[other][::-1]
        if place >= len(hand) or marked >> hand[place] & 1:
            continue
        if other == mind.me:
            mine = hand[place] if mind.possible(hand[place]) & mind.playable else UNSEEN
            is_last = True
        elif seat == mind.me or mind.playable >> mind.card[hand[place]] & 1:
            seen.append((other, hand[place]))
            is_last = False
    right = [each for each in seen if mind.playable >> mind.card[each[1]] & 1]
    if right:
        _let_play(mind, seat, right[-1][1], mind.playable)
        if mine != UNSEEN and is_last:
            mind.spare = (*right[-1], mine)
    else:  # the seat itself has named nothing: all others take it for theirs
        for _, order in seen:
            _let_play(mind, seat, order, mind.playable)
        if mine != UNSEEN:
            _let_play(mind, seat, mine, mind.playable)


def _let_play(mind: Mind, seat: int, order: int, kinds: int) -> None:
    """Let a card be played blindly as one of some kinds, once it can be."""
    mind.blind |= 1 << order
    mind.inferred[order] = kinds & mind.possible(order) or kinds
    mind.since[order], mind.by[order], mind.source[order] = mind.turn, seat, seat


def wait_for(mind: Mind, seat: int, order: int) -> None:
    """Take over a slot that was named if the seat that seemed to be meant does not play it."""
    if mind.spare is None or mind.spare[0] != seat:
        return
    _, other, mine = mind.spare
    if order != other:
        mind.blind &= ~(1 << other)
        mind.inferred[other] = mind.deal.full
        _let_play(mind, seat, mine, mind.playable)
    mind.spare = None


def leave(mind: Mind, seat: int) -> None:
    """Note whether a seat has left the next one without a hint and without a chop."""
    other, mind.anxious = (seat + 1) % mind.rules.seats, -1
    is_left = mind.clues < mind.rules.hint_cost and mind.chop(other) is None
    if mind.level >= ANXIETY.level and is_left and not mind.plays(other):
        mind.anxious = -1 if mind.useless(other) else other


def pass_on(mind: Mind, seat: int, kind: int, *, is_known: bool) -> None:
    """Let the holder of the other copy know it, after a good card was discarded."""
    if mind.level < SARCASTIC.level:
        return
    holders = _holders(mind, seat, kind)
    mine = [] if mind.me == seat else _candidates(mind, mind.me, kind)
    if not holders and not mine and is_known and mind.level >= GENTLEMAN.level:
        found = _receiver(mind, seat, kind)
        if found is not None:
            _let_play(mind, seat, found[1], 1 << kind)
        elif mind.me == seat:  # each of the others takes it for the own card
            others = (mind.finesse(each) for each in range(mind.rules.seats) if each != seat)
            for order in others:
                if order is not None:
                    _let_play(mind, seat, order, 1 << kind)
        return
    for holder in holders or {mind.me} - {seat}:
        may = _candidates(mind, holder, kind)
        if len(may) == 1:
            mind.inferred[may[0]] = 1 << kind
            mind.said |= 1 << may[0]


def _holders(mind: Mind, seat: int, kind: int) -> set[int]:
    """Return the other seats that are seen to hold a touched card of a kind."""
    return {
        mind.owner[order]
        for hand in mind.hands
        for order in hand
        if mind.touched >> order & 1 and mind.card[order] == kind and mind.owner[order] != seat
    }


def _candidates(mind: Mind, seat: int, kind: int) -> list[int]:
    """Return the touched cards of a seat that it thinks could be of a kind."""
    return [
        order
        for order in mind.hands[seat]
        if mind.touched >> order & 1
        and mind.belief(order) >> kind & 1
        and not mind.is_other_number(order, kind)
    ]


def passed_on(mind: Mind, order: int) -> Convention | None:
    """Return by which convention a discard of this seat passes a known card on to another one."""
    told = mind.belief(order)
    if mind.level < GENTLEMAN.level or not mind.touched >> order & 1 or told & told - 1:
        return None
    found = _receiver(mind, mind.me, told.bit_length() - 1)
    return None if found is None else found[0]


def _receiver(mind: Mind, seat: int, kind: int) -> tuple[Convention, int] | None:
    """Return by which convention a known card that is discarded goes to which untouched card.

    A seat that sees nobody else who could be meant takes it for its own newest card without a mark.
    """
    if _holders(mind, seat, kind):
        return None
    is_playable = bool(mind.playable >> kind & 1)
    exact = GENTLEMAN if is_playable else BATON
    for away in range(1, mind.rules.seats):
        other = (seat + away) % mind.rules.seats
        order = mind.finesse(other)
        if other == mind.me or order is None or _candidates(mind, other, kind):
            continue
        if mind.card[order] == kind:
            return exact, order
        layers = layers_over(mind, mind.me, other, kind, 0) if is_playable else ()
        if layers:
            return LAYERED_GENTLEMAN, layers[0]
    order = None if mind.me == seat else mind.finesse(mind.me)
    return None if order is None or not mind.possible(order) >> kind & 1 else (exact, order)


def layers_over(mind: Mind, viewer: int, seat: int, need: int, used: int) -> tuple[int, ...]:
    """Return a seat's newest cards without a mark down to the missing one, if all are playable."""
    found: tuple[int, ...] = ()
    kinds = 0
    while (order := mind.finesse(seat, used)) is not None:
        seen = mind.sees(viewer, order)
        found += (order,)
        used |= 1 << order
        if seen == need:
            return found
        if seen == UNSEEN or not mind.playable & ~kinds & 1 << seen:
            break
        kinds |= 1 << seen
    return ()
