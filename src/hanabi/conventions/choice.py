"""The choice of an action: each is judged by what the others will read in it, and do next.

All weights are in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hanabi.conventions.clues import Clue, clue_of, is_closest, is_double
from hanabi.conventions.conventions import (
    CLOSEST_FIVE,
    FIVE_STALL,
    GENTLEMAN,
    SARCASTIC,
    VALUABLE_TEMPO,
)
from hanabi.conventions.discards import alarm, can_name, name_slot, passed_on, positional
from hanabi.conventions.following import act_out, give, pass_by, resolve
from hanabi.conventions.reading import Reading, meanings
from hanabi.conventions.table import Mind, bits
from hanabi.ground import Stream
from hanabi.rules import Action, Kind, Seat, say, slot_of

__all__ = ["Option", "expected_loss", "loss_of", "options"]

TOKENS = (0.0, 0.85, 1.55, 2.1, 2.5, 2.85, 3.15, 3.35, 3.5)
"""Value of the hint tokens, by their number."""

STRIKES = (0.0, 20.0, 6.0, 3.0)
"""Cost of an error, by lives left."""

DOOM = (0.0, 10.0, 3.0, 1.5)
"""Cost of a card that its holder will play by mistake, by lives left."""

NEVER = 1000.0
"""Cost of a play that is ruled out: more than any errors that others may make."""

BAD, FURTHER = 1.0, 0.8
"""Cost of the first card of a hand that is not what its holder thinks, and of each further one."""

DEEP = 0.04
"""Value of a card for each card of its color above it."""

SOON = 0.6
"""Value of a play in the next round, besides the point."""

NOTHING, USELESS = 1.5, 1.2
"""Cost of a hint that touches no card, and of one that gets none played or saved."""

STALE = 0.5
"""Cost of a hint without a newly clued card."""

SPENT = (0.0, 0.0, 3.0, 1.0)
"""Cost of an error on purpose, by lives left."""

ALARM = 1.5
"""Cost of a discard after a scream, or in a double discard situation."""

FORCED = 0.9
"""Cost of forcing the next seat to give a hint."""

CLUED, OFF_CHOP = 3.5, 1.0
"""Cost of discarding a clued card that may be good, and an unclued one that is not the chop."""

PASSED = 1.0
"""Cost of passing a card on instead of playing it."""

TWICE = 2.5
"""Cost of playing a card that is clued in another hand, too."""

JUNK = 0.5
"""Cost of a hint whose newly clued cards are all useless, if it says so."""

FAR = 0.3
"""Cost of a 5 Stall if another 5 is closer to its chop."""

UNCLEAR = 0.7
"""Cost of a hint that its target may find false by what only it sees."""

TIED, GOOD = 0.6, 0.3
"""Cost of chop-moving a card whose discard would lose less than GOOD."""

CALM = 2
"""Above this pace, saving hints is free."""

URGENT = 2.5
"""Value of playing blindly at once."""

PACE = (2.0, 1.5, 1.0, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.0)
"""Cost of a discard, by pace."""

HORIZON = 12
"""With this many cards to draw or fewer, the rest of the game is played out for each action."""

DEALS = 4
"""The number of sampled deals for that."""

PLAYED = 2.2
"""Value of a play."""

LOST = 0.5
"""Cost of losing the last copy of a card, besides the points that need it."""

SHARE, HELPED = 0.85, 0.6
"""Share of a chop's value that is lost if its holder is to discard next; if others may help."""

LAST, LAST_HELPED, LATER = 1.6, 1.2, 0.8
"""The same for the last copy of a card, and if its holder has something else to do first."""


class Option(NamedTuple):
    """An action, its worth in points, and the reason for it, which is empty for hints."""

    worth: float
    action: Action
    reason: str


def options(mind: Mind, slots: list[int], legal: tuple[Action, ...]) -> list[Option]:
    """Return every legal action with its worth, best first.

    Parameters
    ----------
    mind
        The state, with the seat `mind.me` to act.
    slots
        The deck numbers of its cards, by slot.
    legal
        The legal actions.
    """
    worlds = _worlds(mind) if mind.deck_left <= HORIZON else []
    plays, useless = mind.plays(mind.me), mind.useless(mind.me)
    chop = mind.chop(mind.me)
    found = [_hint(mind, action, worlds) for action in legal if action.is_hint]
    for action in legal:
        if action.is_hint:
            continue
        if action.is_from_deck:
            found.append(Option(-50.0, action, "leaves the card to chance"))
        elif action.kind is Kind.PLAY:
            found.append(_play(mind, action, slots[action.target], plays, worlds))
        else:
            found.append(_discard(mind, action, slots[action.target], useless, chop, worlds))
    found.sort(key=lambda option: -option.worth)
    return found


def _play(mind: Mind, action: Action, order: int, plays: list[int], worlds: list[World]) -> Option:
    belief, slot = mind.belief(order), slot_of(mind.me, action.target)
    if order not in plays or not mind.possible(order) & mind.playable:
        return _misplay(mind, action, order, worlds)
    if not mind.dares(order):
        reason = say("{} is playable only by conventions, which may fail at this table", slot)
        return Option(-NEVER, action, reason)
    after = mind.copy()
    good = belief & mind.playable or belief
    # A blind play is the card that the hint was about, if it can be: else it was a bluff.
    meant = (w for w in mind.waits if w.steps[0].order == order and mind.card[w.order] == w.kind)
    good = sum({1 << wait.steps[0].kind for wait in meant}) & good or good
    kind = (good & -good).bit_length() - 1
    worth = PLAYED + DEEP * _above(mind, kind)
    if mind.blind >> order & 1:
        worth += URGENT
    # Who knows that a card is clued twice passes it on by a Sarcastic Discard.
    if mind.level >= SARCASTIC.level and order in mind.useless(mind.me) and not mind.is_late:
        worth -= TWICE
    act_out(after, mind.me, order, kind, "play")
    _next(after)
    reason = say("{} is {}, and playable", slot, mind.deal.names(belief))
    return Option(worth + _outlook(after, worlds), action, reason)


def _misplay(mind: Mind, action: Action, order: int, worlds: list[World]) -> Option:
    """Return an error, and its worth as a Positional Misplay if it is one."""
    named = positional(mind, mind.me, order, "misplay")
    if not named or mind.lives == 1 or not can_name(mind, order):
        slot = slot_of(mind.me, action.target)
        if not mind.possible(order) & mind.playable:
            reason = say("{} cannot be playable, by the {hints} alone", slot)
            return Option(-3 * NEVER, action, reason)
        return Option(-2 * NEVER, action, say("{} is not known to be playable", slot))
    after = mind.copy()
    name_slot(after, mind.me, mind.hands[mind.me][::-1].index(order))
    after.drop(order, is_play=True)
    _next(after)
    where = "a slot in which another seat has a playable card"
    reason = say("the misplay names {} ({})", where, named.name)
    return Option(_outlook(after, worlds) - SPENT[min(mind.lives, 3)], action, reason)


def _discard(
    mind: Mind,
    action: Action,
    order: int,
    useless: list[int],
    chop: int | None,
    worlds: list[World],
) -> Option:
    after = mind.copy()
    possible, slot = mind.belief(order), slot_of(mind.me, action.target)
    if order in useless:
        loss, reason = 0.0, say("{} is known to be useless", slot)
    elif order == chop:
        loss = 0.25 * expected_loss(mind, possible)
        reason = say("{} is the chop, and nothing is urgent", slot)
    else:
        loss = CLUED if mind.touched >> order & 1 else OFF_CHOP
        loss += expected_loss(mind, possible)
        reason = say("{} is the least valuable discard", slot)
    loss += PACE[min(max(mind.pace, 0), len(PACE) - 1)]
    is_told = mind.touched >> order & 1 and not possible & possible - 1
    if mind.level >= GENTLEMAN.level and order not in useless and is_told:
        return _pass(mind, action, order, loss, worlds)
    if mind.alarm == mind.me or (order == chop and is_double(mind, mind.me)):
        loss += ALARM
    convention = alarm(after, mind.me, order)
    if convention is not None:
        seat = Seat(after.alarm)
        reason = say("the discard asks {} for a {hint} ({})", seat, convention.name)
    named = positional(mind, mind.me, order, "discard")
    if named:
        loss += 0.0 if can_name(mind, order) else UNCLEAR
        name_slot(after, mind.me, mind.hands[mind.me][::-1].index(order))
        where = "a slot in which another seat has a playable card"
        reason = say("the discard names {} ({})", where, named.name)
    after.drop(order, is_play=False)
    pass_by(after, None)
    _next(after)
    return Option(_outlook(after, worlds) - loss, action, reason)


def _pass(mind: Mind, action: Action, order: int, loss: float, worlds: list[World]) -> Option:
    """Return the discard of a known good card, which another seat may take for its own."""
    kind, after = mind.belief(order).bit_length() - 1, mind.copy()
    convention = passed_on(mind, order)
    slot = slot_of(mind.me, action.target)
    reason = say("{} is known, but the least valuable discard", slot)
    if convention is not None:
        loss = PACE[min(max(mind.pace, 0), len(PACE) - 1)] + PASSED
        card = mind.deal.names(1 << kind)
        reason = say("the discard passes {} to another seat ({})", card, convention.name)
    act_out(after, mind.me, order, kind, "discard")
    _next(after)
    return Option(_outlook(after, worlds) - loss, action, reason)


def _hint(mind: Mind, action: Action, worlds: list[World]) -> Option:
    after = mind.copy()
    touched = mind.touches(action)
    clue = clue_of(after, action, touched)
    if clue is None:
        after.mark(action, [])
        worth = -NOTHING
    else:
        readings = give(after, clue)
        # Minimum Clue Value Principle: a hint that gets no card played or saved costs points.
        worth = -_risk(readings, clue, mind.card[clue.focus]) if readings else -USELESS
        if clue.fresh and readings and readings[0].idle:
            worth -= JUNK
        is_valuable = bool(readings) and readings[0].convention == VALUABLE_TEMPO
        if not clue.fresh and mind.pace > CALM and not is_valuable:
            worth -= STALE
        if clue.is_again and any(each.moved for each in readings):
            chop = clue.chop
            is_good = chop is not None and loss_of(mind, mind.card[chop], clue.target) >= GOOD
            worth -= 0.0 if is_good else TIED * min(max(mind.pace, 0), 6) / 6
        if readings and readings[0].convention == FIVE_STALL and mind.level >= CLOSEST_FIVE.level:
            worth -= 0.0 if is_closest(mind, clue) else FAR
        if clue.is_again and not _is_clear(mind, clue):
            worth -= UNCLEAR
    pass_by(after, clue)
    _next(after)
    return Option(worth + _outlook(after, worlds), action, "")


def _is_clear(mind: Mind, clue: Clue) -> bool:
    """Whether a hint without a newly clued card stays true if its target knows more than this seat.

    By this seat's hand, the target may know the focus to be playable, and so read another card as
    the focus.
    """
    rest = [each for each in clue.touched if each != clue.focus and not clue.coming >> each & 1]
    if not rest:
        return True
    other = clue._replace(focus=max(rest))
    told, kind = meanings(mind, other, clue.target), mind.card[other.focus]
    return not told or any(not each.kinds or each.kinds >> kind & 1 for each in told)


def _risk(readings: list[Reading], clue: Clue, kind: int) -> float:
    """Return the cost of a hint that is false, or whose steps others may not find."""
    if not any(not each.kinds or each.kinds >> kind & 1 for each in readings):
        return 2.5
    return max(
        sum(1.5 if step.seat == clue.target and step.is_blind else 0.2 for step in each.steps)
        for each in readings
    )


def _next(mind: Mind) -> None:
    """Pass the turn to the next seat."""
    mind.turn += 1
    mind.seat = (mind.seat + 1) % mind.rules.seats


def _outlook(mind: Mind, worlds: list[World]) -> float:
    """Return the worth of the state after an action, with the next round of the other seats.

    A seat that expects a playable card plays it, right or wrong; so others may learn to expect
    one wrongly, as by a bluff that they take for a finesse, or by a card that is not played.
    Another one that knows no useless card may discard its chop, unless it has to give a hint.
    """
    me, seats = mind.me, mind.rules.seats
    worth = TOKENS[min(mind.tally.hints, 8)]
    worth += _marks(mind) + _end(mind, worlds)
    weight, waits = 1.0, mind.waits
    wrong = _wrong(mind) if waits else set[int]()
    for away in range(1, seats):
        seat = (me + away) % seats
        played = False
        for order in filter(mind.dares, mind.plays(seat)):
            kind = mind.card[order]
            is_right = bool(mind.playable >> kind & 1)
            worth += SOON + DEEP * _above(mind, kind) if is_right else -STRIKES[min(mind.lives, 3)]
            act_out(mind, seat, order, kind, "play" if is_right else "misplay")
            played = True
            break
        if not played and mind.waits:
            resolve(mind, seat, None, mind.playable)
        chop = mind.chop(seat)
        loss = 0.0 if chop is None else loss_of(mind, mind.card[chop], seat)
        is_last = chop is not None and bool(mind.critical >> mind.card[chop] & 1)
        if played or mind.useless(seat):
            worth -= LATER * loss if is_last else 0.0
            continue
        if seat == mind.alarm:  # it gives a hint, and saves the next chop if need be
            worth -= FORCED
            weight *= 0.3
            continue
        share, helped = (LAST, LAST_HELPED) if is_last else (SHARE, HELPED)
        worth -= weight * (helped if mind.has_hint and away > 1 else share) * loss
        weight *= 0.6
    if mind.waits != waits:  # what was played may confirm another reading than the true one
        worth -= DOOM[min(mind.lives, 3)] * len(_wrong(mind) - wrong)
    return worth


def _wrong(mind: Mind) -> set[int]:
    """Return the cards that others take to be playable, and are not."""
    others = (seat for seat in range(mind.rules.seats) if seat != mind.me)
    found = (order for seat in others for order in mind.plays(seat))
    return {order for order in found if not mind.playable >> mind.card[order] & 1}


def _marks(mind: Mind) -> float:
    """Return the worth of what the others know of their hands.

    Cards that are clued rightly have value, more if they are known or playable. Useless and
    duplicate cards cost little, cards that will be played by mistake much.
    """
    worth, own = 0.0, 0
    marked = mind.touched | mind.blind
    seen: set[int] = set()
    for order in mind.hands[mind.me]:
        if marked >> order & 1:
            own |= mind.belief(order)
    for seat, hand in enumerate(mind.hands):
        if seat == mind.me:
            continue
        wrong = 0
        for order in hand:
            kind = mind.card[order]
            if not marked >> order & 1:
                if mind.moved >> order & 1:
                    worth += 0.5 * min(loss_of(mind, kind, seat), 1.0) - 0.1
                continue
            if mind.idle >> order & 1:
                worth -= 0.1 + max(loss_of(mind, kind, seat), 0.0)
                continue
            belief = mind.belief(order)
            if not belief >> kind & 1 or mind.trash >> kind & 1 or kind in seen:
                if not belief & ~mind.trash:
                    worth -= 0.1
                elif mind.blind >> order & 1 or not belief & ~mind.playable:
                    worth -= DOOM[min(mind.lives, 3)]
                else:
                    wrong += 1
            elif own & 1 << kind:
                worth += 0.1
            else:
                worth += 0.6 if belief & belief - 1 else 0.8
                if not belief & ~mind.playable:
                    worth += 0.3
                worth += DEEP * _above(mind, kind)
            seen.add(kind)
        if wrong:  # one more hint may put all of them right
            worth -= BAD + FURTHER * (wrong - 1)
    return worth


def _above(mind: Mind, kind: int) -> int:
    """Return the number of cards above one in its color."""
    color, rank = divmod(kind, mind.deal.height)
    return mind.deal.last[color] - rank - 1


def loss_of(mind: Mind, kind: int, seat: int) -> float:
    """Return the cost of a card's discard by a seat."""
    bit = 1 << kind
    if mind.trash & bit:
        return -0.1
    color, rank = divmod(kind, mind.deal.height)
    if mind.critical & bit:
        points, at = 0, kind
        while at < color * mind.deal.height + mind.deal.last[color] and not mind.dead >> at & 1:
            points, at = points + 1, at + 1
        return LOST + points
    for other, hand in enumerate(mind.hands):
        for order in hand:
            if mind.card[order] == kind and (other != seat or mind.touched >> order & 1):
                return 0.05
    if mind.playable & bit:
        return 0.8
    if rank == 1:
        return 0.9
    return 0.4 if rank - mind.piles[color] == 1 else 0.2


def expected_loss(mind: Mind, possible: int) -> float:
    """Return the mean cost of a discard over the kinds that a card can be."""
    weights = {kind: mind.deal.copies[kind] - mind.out[kind] for kind in bits(possible)}
    total = sum(max(n, 0) for n in weights.values()) or 1
    return sum(max(n, 0) * loss_of(mind, kind, mind.me) for kind, n in weights.items()) / total


# The rest of the game, played out.


class World(NamedTuple):
    """A possible deal of the hidden cards: own kinds by deck number, and the deck, its top last."""

    own: dict[int, int]
    deck: list[int]


def _worlds(mind: Mind) -> list[World]:
    """Return possible deals of the hidden cards, drawn at random but the same for each state."""
    left = [copies - out for copies, out in zip(mind.deal.copies, mind.out, strict=True)]
    for seat, hand in enumerate(mind.hands):
        for order in hand if seat != mind.me else ():
            left[mind.card[order]] -= 1
    pool = [kind for kind, copies in enumerate(left) for _ in range(copies)]
    own = [
        (order, mind.belief(order), mind.possible(order), mind.deal.full)
        for order in mind.hands[mind.me]
    ]
    own.sort(key=lambda each: each[1].bit_count())
    found = []
    for at in range(DEALS):
        deck, kinds = Stream(mind.turn, at).shuffled(pool), {}
        for order, *masks in own:
            here = next(i for may in masks for i, kind in enumerate(deck) if may >> kind & 1)
            kinds[order] = deck.pop(here)
        found.append(World(kinds, deck))
    return found


def _end(mind: Mind, worlds: list[World]) -> float:
    """Return the mean final score over possible deals; 0 without any."""
    if not worlds:
        return 0.0
    want, points = mind.deal.full & ~mind.trash, 0
    known = [set(_known(mind, seat)) for seat in range(mind.rules.seats)]
    left = None if mind.end is None else mind.end - mind.turn
    told, asked, junk = (
        list(row)
        for row in zip(
            *(
                (0, 0, 0) if seat == mind.me else _split(mind.card, hand, known[seat], want)
                for seat, hand in enumerate(mind.hands)
            ),
            strict=True,
        )
    )
    for own, deck in worlds:
        mine = _split(own, mind.hands[mind.me], known[mind.me], want)
        told[mind.me], asked[mind.me], junk[mind.me] = mine
        points += _race(mind, told[:], asked[:], junk[:], deck[:], left)
    return mind.score + points / len(worlds)


def _known(mind: Mind, seat: int) -> Iterator[int]:
    """Yield the cards that a seat knows or would play now, unless it is wrong about them."""
    plays = mind.plays(seat)
    for order in mind.hands[seat]:
        belief, kind = mind.belief(order), mind.card[order]
        if (order in plays or not belief & belief - 1) and (kind < 0 or belief >> kind & 1):
            yield order


def _split(
    kinds: Sequence[int] | Mapping[int, int], hand: list[int], known: set[int], want: int
) -> tuple[int, int, int]:
    """Return a hand's wanted kinds that are known, the other wanted ones, and the other cards."""
    told = asked = 0
    for order in hand:
        if order in known:
            told |= 1 << kinds[order]
        else:
            asked |= 1 << kinds[order]
    told, asked = told & want, asked & want & ~told
    return told, asked, len(hand) - told.bit_count() - asked.bit_count()


def _race(
    mind: Mind,
    told: list[int],
    asked: list[int],
    junk: list[int],
    deck: list[int],
    left: int | None,
) -> int:
    """Return the points still made if each unknown card needs a hint of its own.

    A seat plays if it can, else gives such a hint, else discards; once no card may be discarded it
    passes the turn by a hint. By seat, `told` are the wanted kinds that it knows, `asked` the other
    ones, and `junk` the number of other cards. If this seat's hand lacks a card, it draws first.
    The race ends after a round without any action, as some rules set no other end.
    """
    deal, seats, seat, points = mind.deal, mind.rules.seats, mind.seat, 0
    tokens, want, later = mind.clues, deal.full & ~mind.trash, ~deal.ranks[1]
    need = mind.playable
    drawer = mind.me if len(mind.hands[mind.me]) < mind.rules.hand_size else -1
    idle = 0
    while want and idle < seats:
        idle += 1
        if drawer >= 0 and deck:
            bit = 1 << deck.pop()
            if bit & want & ~(told[drawer] | asked[drawer]):
                asked[drawer] |= bit
            else:
                junk[drawer] += 1
            if not deck:
                left = deal.last_round
        if left is not None:
            if not left:
                break
            left -= 1
        drawer = seat
        if can := told[seat] & need:
            if can & can - 1:
                can &= next(mask for mask in deal.ranks if mask & can)
            bit = can & -can
            points, idle = points + 1, 0
            want ^= bit
            need = need & ~bit | bit << 1 & want & later
            if not bit << 1 & deal.full & later:
                tokens = deal.balances(tokens)[2]
            for other in range(seats):
                if (told[other] | asked[other]) & bit:
                    told[other] &= ~bit
                    asked[other] &= ~bit
                    junk[other] += other != seat
        elif (hinted := deal.balances(tokens)[0]) >= 0 and (
            _asks(told, asked, seat, need, want & later)
            or left is not None
            or len(deck) + seats <= want.bit_count()
        ):
            tokens, idle = hinted, 0
            drawer = -1
        elif junk[seat] or asked[seat]:
            tokens, idle = deal.balances(tokens)[1], 0
            if junk[seat]:
                junk[seat] -= 1
            else:
                asked[seat] &= ~(1 << asked[seat].bit_length() - 1)
        else:
            drawer = -1
        seat = (seat + 1) % seats
    return points


def _asks(told: list[int], asked: list[int], seat: int, need: int, later: int) -> bool:
    """Tell the next seat that has one about a card that it can play soon; False if none has."""
    known = 0
    for each in told:
        known |= each
    while done := need & known:
        need = need & ~done | done << 1 & later
    for other in (*range(seat + 1, len(told)), *range(seat)):
        if can := asked[other] & need:
            bit = can & -can
            told[other] |= bit
            asked[other] ^= bit
            return True
    return False
