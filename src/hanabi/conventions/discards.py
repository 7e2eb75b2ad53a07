"""What discards and errors mean beyond the card: screams, named slots, and cards passed on."""

from __future__ import annotations

from hanabi.conventions.conventions import (
    ANXIETY,
    BATON,
    GENERATION,
    GENTLEMAN,
    LAYERED_GENTLEMAN,
    POSITIONAL_DISCARD,
    POSITIONAL_MISPLAY,
    SARCASTIC,
    SCREAM,
    SHOUT,
    TRASH_SCREAM,
    Convention,
)
from hanabi.conventions.table import UNSEEN, Mind, bits

__all__ = [
    "alarm",
    "can_name",
    "can_pass",
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
    """Return the convention by which a discard, not yet made, forbids the next seat to discard.

    Only what everybody knows counts. A card to play blindly is no reason for a scream.
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
        if mind.touched >> each & 1
        and (mind.idle >> each & 1 or not mind.told(each) & ~mind.trash or mind.is_spare(each))
    ]
    # Shout Discard Chop Move: known trash goes although there is a card to play.
    if order in idle:
        found = SHOUT if good else None
    elif order != mind.chop(seat) or mind.has_hint or bool(good) == bool(idle):
        found = None
    # Scream Discard Chop Move: the chop goes although there is a card to play, and no hint token.
    # Scream Discard Chop Move (With Known-Trash): so it does although there is known trash.
    else:
        found = SCREAM if good else TRASH_SCREAM
    if found is None or chop is None or mind.is_end or mind.is_known_to_play(follower):
        return None
    return GENERATION if is_generation(mind, follower) else found


def is_generation(mind: Mind, seat: int) -> bool:
    """Generation Discard: whether a scream asks a seat to save the next one's chop, not its own.

    The holder of that chop does not see it, but concludes so if the first chop needs no scream.
    """
    after = (seat + 1) % mind.rules.seats
    chop, other = mind.chop(seat), mind.chop(after)
    if mind.rules.seats < 3 or mind.has_hint:
        return False
    if chop is None or other is None or mind.is_known_to_play(after):
        return False
    if mind.me == after:
        return not is_urgent(mind, chop)
    return is_urgent(mind, other)


def is_urgent(mind: Mind, order: int) -> bool:
    """Whether a visible card is playable or critical, or a 2 whose copy nobody visibly holds."""
    kind = mind.card[order]
    bit = 1 << kind if kind >= 0 else 0
    if bit & (mind.playable | mind.critical):
        return True
    others = (mind.card[each] for hand in mind.hands for each in hand if each != order)
    return bool(bit & mind.deal.ranks[2] & ~mind.trash) and kind not in others


def positional(mind: Mind, seat: int, order: int, how: str) -> Convention | None:
    """Return the convention by which a discard or an error, not yet made, names a slot.

    Positional Discard: any unknown card except the chop does.
    """
    is_known = (mind.marked | mind.idle) >> order & 1
    if is_known or not mind.is_end or order not in mind.hands[seat]:
        return None
    # Positional Misplay: only the first error of a game does. A blind play that fails looks the
    # same to those who do not see why it was made, and they would follow it into the next error.
    if how == "misplay":
        return POSITIONAL_MISPLAY if mind.lives == mind.rules.lives else None
    return POSITIONAL_DISCARD if how == "discard" and order != mind.chop(seat) else None


def can_name(mind: Mind, order: int) -> bool:
    """Whether this seat may name a card's place: all cards still to be played are in other hands.

    And in that place is only one that is playable and unclued.
    """
    others = [hand for seat, hand in enumerate(mind.hands) if seat != mind.me]
    seen = sum({1 << mind.card[each] for hand in others for each in hand})
    place = mind.hands[mind.me][::-1].index(order)
    named = [hand[::-1][place] for hand in others if place < len(hand)]
    marked = mind.touched | mind.blind
    right = [each for each in named if mind.playable >> mind.card[each] & ~(marked >> each) & 1]
    return not mind.deal.full & ~mind.trash & ~seen and len(right) == 1


def alarm(mind: Mind, seat: int, order: int) -> Convention | None:
    """Take in whether a discard forbids the next seat to discard; return the convention, if so."""
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
    """Order Chop Move: chop-move the seat that is as many seats to the left as 1s are skipped."""
    ones = mind.ones(seat)
    left = mind.allowed[order] & mind.inferred[order]
    if order not in ones or not left & left - 1:
        return
    other = (seat + ones.index(order)) % mind.rules.seats
    chop = mind.chop(other)
    if other != seat and chop is not None:
        mind.moved |= 1 << chop


def name_slot(
    mind: Mind, seat: int, place: int, convention: Convention = POSITIONAL_DISCARD
) -> None:
    """Call the card in this place, counted from the newest, to be played blindly by its holder.

    Of several seats with a playable card there, the last one is meant. A seat does not see its own
    card, so it waits until the others have not played theirs.
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
        _let_play(mind, seat, right[-1][1], mind.playable, convention)
        if mine != UNSEEN and is_last:
            mind.spare = (*right[-1], mine)
    else:  # nothing is playable there in sight, so each of the others takes it for its own card
        for _, order in seen:
            _let_play(mind, seat, order, mind.playable, convention)
        if mine != UNSEEN:
            _let_play(mind, seat, mine, mind.playable, convention)


def _let_play(mind: Mind, seat: int, order: int, kinds: int, convention: Convention) -> None:
    """Call a card to be played blindly, as one of some kinds."""
    mind.blind |= 1 << order
    mind.ask(order, convention)
    mind.inferred[order] = kinds & mind.possible(order) or kinds
    mind.since[order], mind.by[order], mind.source[order] = mind.turn, seat, seat


def wait_for(mind: Mind, seat: int, order: int) -> None:
    """Take a named slot for this seat's own if the seat that seemed to be meant does not play."""
    if mind.spare is None or mind.spare[0] != seat:
        return
    _, other, mine = mind.spare
    if order != other:
        mind.blind &= ~(1 << other)
        mind.inferred[other] = mind.deal.full
        _let_play(mind, seat, mine, mind.playable, POSITIONAL_DISCARD)
    mind.spare = None


def leave(mind: Mind, seat: int) -> None:
    """Anxiety Play: note whether a seat leaves the next one with a locked hand and no token."""
    other, mind.anxious = (seat + 1) % mind.rules.seats, -1
    if mind.level < ANXIETY.level or mind.has_hint or mind.chop(other) is not None:
        return
    if not mind.plays(other) and not mind.useless(other):
        mind.anxious = other


def pass_on(mind: Mind, seat: int, kind: int, *, is_known: bool) -> None:
    """Sarcastic Discard: after a discard of a good card, tell the holder of its copy about it."""
    if mind.level < SARCASTIC.level:
        return
    holders = _holders(mind, seat, kind)
    mine = [] if mind.me == seat else _candidates(mind, mind.me, kind)
    if not holders and not mine and is_known and mind.level >= GENTLEMAN.level:
        found = _receiver(mind, seat, kind)
        if found is not None:
            _let_play(mind, seat, found[1], 1 << kind, found[0])
        elif mind.me == seat:  # each of the others takes it for its own card
            others = (mind.finesse(each) for each in range(mind.rules.seats) if each != seat)
            for order in others:
                if order is not None:
                    _let_play(mind, seat, order, 1 << kind, GENTLEMAN)
        return
    for holder in holders or {mind.me} - {seat}:
        may = _candidates(mind, holder, kind)
        if len(may) == 1:
            mind.inferred[may[0]] = 1 << kind
            mind.said |= 1 << may[0]


def _holders(mind: Mind, seat: int, kind: int) -> set[int]:
    """Return the other seats that visibly hold a card of a kind that is clued, or to be played."""
    marked = mind.touched | mind.blind
    return {
        mind.owner[order]
        for hand in mind.hands
        for order in hand
        if marked >> order & 1 and mind.card[order] == kind and mind.owner[order] != seat
    }


def _candidates(mind: Mind, seat: int, kind: int) -> list[int]:
    """Return the clued cards of a seat that could be of a kind, once its other copy is gone."""
    return [
        order
        for order in mind.hands[seat]
        if mind.touched >> order & 1
        and (mind.possible(order) & mind.inferred[order]) >> kind & 1
        and not mind.is_other_number(order, kind)
    ]


def passed_on(mind: Mind, order: int) -> Convention | None:
    """Return the convention by which this seat's discard of a known card passes it on."""
    told = mind.belief(order)
    if mind.level < GENTLEMAN.level or not mind.touched >> order & 1 or told & told - 1:
        return None
    found = _receiver(mind, mind.me, told.bit_length() - 1)
    return None if found is None else found[0]


def can_pass(mind: Mind, order: int) -> bool:
    """Whether this seat's discard of a card passes it on if it is one of the kinds it may be."""
    if mind.level < GENTLEMAN.level or not mind.touched >> order & 1:
        return False
    kinds = bits(mind.belief(order))
    return any(_holders(mind, mind.me, kind) or _receiver(mind, mind.me, kind) for kind in kinds)


def _receiver(mind: Mind, seat: int, kind: int) -> tuple[Convention, int] | None:
    """Return the convention by which a known card is passed on, and the unclued card that gets it.

    Without a visible receiver, a seat takes it for its own card on finesse position.
    """
    if _holders(mind, seat, kind):
        return None
    # Gentleman's Discard: the card is playable.
    # Baton Discard: it is not playable yet.
    is_playable = bool(mind.playable >> kind & 1)
    exact = GENTLEMAN if is_playable else BATON
    for away in range(1, mind.rules.seats):
        other = (seat + away) % mind.rules.seats
        order = mind.finesse(other)
        if _candidates(mind, other, kind):
            return None  # it takes the discard for a Sarcastic Discard
        if other == mind.me or order is None:
            continue
        if mind.card[order] == kind:
            return exact, order
        # Layered Gentleman's Discard: playable cards lie before the copy.
        layers = layers_over(mind, mind.me, other, kind, 0) if is_playable else ()
        if layers:
            return LAYERED_GENTLEMAN, layers[0]
    order = None if mind.me == seat else mind.finesse(mind.me)
    return None if order is None or not mind.possible(order) >> kind & 1 else (exact, order)


def layers_over(mind: Mind, viewer: int, seat: int, need: int, used: int) -> tuple[int, ...]:
    """Layered Finesse: return a seat's unmarked cards, newest first, down to the missing one.

    An empty tuple if the missing card is not among them, or one before it is not playable.
    """
    found: tuple[int, ...] = ()
    reach = mind.playable
    while (order := mind.finesse(seat, used)) is not None:
        seen = mind.sees(viewer, order)
        found += (order,)
        used |= 1 << order
        if seen == need:
            return found
        if seen == UNSEEN or not reach >> seen & 1:
            break
        reach ^= 1 << seen | 2 << seen & ~mind.deal.ranks[1]
    return ()
