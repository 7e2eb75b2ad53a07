"""Readings, expectations and slips in words, for people who learn or review the conventions.

Each record holds what its sentence says as fields; no code reads a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hanabi.conventions.clues import SAVES, Clue, clue_of, is_closest, is_double
from hanabi.conventions.conventions import (
    AMBIGUOUS_FINESSE,
    BURN,
    CHOP,
    CLOSEST_FIVE,
    COLOR_PROMISE,
    DOUBLE_DISCARD,
    FILL_IN,
    FINESSE,
    FIVE_STALL,
    FIX,
    FOCUS,
    GOOD_TOUCH,
    MINIMUM_VALUE,
    NO_MOVES,
    PINK_PROMISE,
    PLAY,
    SARCASTIC,
    SCREAM,
    SELF_FINESSE,
    STALLS,
    TRASH_MOVE,
    TRASH_SCREAM,
    Convention,
)
from hanabi.conventions.discards import can_name, can_pass, is_urgent, positional, scream
from hanabi.conventions.following import Follower
from hanabi.conventions.reading import Reading, meanings
from hanabi.conventions.table import Mind, Step, bits
from hanabi.conventions.variants import VARIANT_SAVES
from hanabi.ground import InvalidInputError, quote
from hanabi.rules import (
    Action,
    Card,
    Kind,
    Said,
    Seat,
    Slots,
    View,
    card_name,
    clue_colors,
    hinted,
    joined,
    listed,
    say,
    slot_of,
)

__all__ = ["Expected", "Meaning", "Slip", "Told", "expected", "readings", "slips"]


SAVING = frozenset(convention for convention, _ in (*SAVES, *VARIANT_SAVES))
"""The conventions that save the focus."""

_UNSAID = {
    FIX: "is clued only to prevent a misplay",
    TRASH_MOVE: "is useless, like all newly clued cards",
    NO_MOVES: "is useless, like all newly clued cards",
    BURN: "is known, and clued again to pass the turn",
    STALLS: "is known, and clued again to pass the turn",
    FILL_IN: "is better known, but not called to be played",
    SCREAM: "is better known, but not called to be played",
}
"""What a hint says about its focus, by conventions that leave its identity open."""


class Meaning(NamedTuple):
    """One meaning of a hint.

    Attributes
    ----------
    convention
        The convention by which it has this meaning.
    cards
        The possible identities of the focus; empty if the hint leaves them open.
    focus
        The slot of the focus.
    about
        The rest of the sentence about the focus.
    steps
        The cards that must be played before the focus, in order, each with its holder.
    """

    convention: Convention
    cards: tuple[Card, ...]
    focus: Slots
    about: Said
    steps: tuple[Step, ...] = ()

    @property
    def says(self) -> Said:
        """The meaning in one sentence, without a full stop."""
        return say("{} {}", self.focus, self.about)


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
        The meanings that call a card of the viewing seat to be played first, if the seat neither
        gave nor received the hint.
    is_news_only
        Whether it touches only cards that were clued before, and tells the target something new.
    """

    turn: int
    giver: int
    target: int
    hint: Action
    slot: int | None
    focus: Said
    meanings: tuple[Meaning, ...]
    asks: tuple[Meaning, ...] = ()
    is_news_only: bool = False

    @property
    def unsaid(self) -> str:
        """The sentence about a hint that has no meaning for its target."""
        if self.is_news_only:
            return "it only adds to what is known of clued cards"
        return "no convention gives it a meaning"


class Expected(NamedTuple):
    """The next action of a seat, as far as the viewing seat can tell, and a sentence about it."""

    seat: int
    kind: Kind
    slot: int | None
    says: Said


class Slip(NamedTuple):
    """A convention that an action breaks, and a sentence that says how."""

    convention: Convention
    says: Said


def readings(view: View, turn: int, level: int) -> Told:
    """Return the meanings of a turn's hint for its target, as far as the viewing seat can tell.

    For the target's own reading, pass the target's view: it sees the hands of all others.

    Raises
    ------
    InvalidInputError
        If the turn is not one of the game's hints, or the view has no history.

    >>> from hanabi.rules import Game, Rules, hint_rank
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
            turn, event.seat, event.action.target, event.action, None, say("touches no card"), ()
        )
    focus = slot_of(clue.target, hand.index(clue.focus))
    found = tuple(
        _meaning(mind, each, focus, follower.places)
        for each in _merged(meanings(mind, clue, clue.target))
    )
    asks: tuple[Meaning, ...] = ()
    if view.seat not in (event.seat, clue.target):
        asks = tuple(
            _meaning(mind, each, focus, follower.places)
            for each in meanings(mind, clue, view.seat)
            if any(step.seat == view.seat for step in each.steps)
        )
    is_news = clue.is_news and not clue.fresh
    return Told(
        turn,
        event.seat,
        clue.target,
        clue.action,
        hand.index(clue.focus),
        say("focus is {}, {}", focus, _focus(mind, clue)),
        found,
        asks,
        is_news,
    )


def expected(view: View, level: int) -> tuple[Expected, ...]:
    """Return the next actions of the other seats, in the order of their turns.

    Skips seats without another turn in the last round.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [each.says for each in expected(game.view(0), level=1)]
    ['discards slot 0, the chop, unless there is a hint to give', 'discards ...']
    """
    follower, events, seats = Follower(view, level), view.events, view.rules.seats
    passed: dict[int, int] = {}  # by seat, what it was to play when it discarded at its last turn
    for event in events[-seats:]:
        mind = follower.follow(view, until=event.turn)
        plays = _bold(mind, event.seat)
        if plays and event.outcome == "discard":
            passed[event.seat] = plays[0]
    mind = follower.follow(view)
    n_turns = seats if view.turns_left is None else min(seats, view.turns_left)
    turns = [(view.seat_to_act + away) % seats for away in range(n_turns)]
    return tuple(
        _expect(mind, seat, follower.places[seat], passed.get(seat))
        for seat in turns
        if seat != view.seat
    )


def remark(view: View, turn: int, level: int) -> Said:
    """Return a sentence about a notable play or discard of the past, or an empty one.

    Notable are blind plays, discards that pass a card on to its copy, and plays and discards that
    the viewing seat did not expect.

    >>> from hanabi.rules import Game, Rules, discard, hint_rank
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 1))
    >>> remark(game.apply(discard(0)).view(0), 1, level=1)
    'slot 2 should have been played as r1, y1, g1, b1 or p1'
    """
    event, follower = view.events[turn], Follower(view, level)
    mind, seat, order = follower.follow(view, until=turn), event.seat, event.card_index
    if event.action.is_hint or event.action.is_from_deck or order is None or event.card is None:
        return say("")
    hand, kind = follower.places[seat], mind.deal.kind(event.card)
    plays = _bold(mind, seat)
    if event.outcome == "discard":
        is_marked = (mind.touched & ~mind.idle) >> order & 1
        is_last = (mind.trash | mind.critical) >> kind & 1
        if is_marked and level >= SARCASTIC.level and not is_last:
            return say("its other copy is in a hand, and must be kept ({})", SARCASTIC.name)
        if plays:
            what, slot = mind.deal.names(mind.belief(plays[0])), hand.index(plays[0])
            return say("{} should have been played as {}", slot_of(seat, slot), what)
        return say("")
    card = slot_of(seat, hand.index(order))
    if event.outcome == "misplay" and order in plays:
        return say("{} was taken for {}", card, mind.deal.names(mind.belief(order)))
    if (mind.blind & ~mind.touched) >> order & 1:
        return say("{} was a blind play that a {hint} asked for", card)
    if order not in plays and seat != view.seat:
        return say("{} was not known to be playable, as far as can be seen here", card)
    return say("")


def _bold(mind: Mind, seat: int) -> list[int]:
    """Return the cards that a seat would play, if it trusts the conventions so far."""
    return [order for order in mind.plays(seat) if mind.dares(order)]


def slips(view: View, action: Action, level: int) -> tuple[Slip, ...]:
    """Return the conventions that an action breaks, by what the seat to act could know.

    >>> from hanabi.rules import Game, Rules, discard
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
    order, card = hand[action.target], slot_of(mind.me, action.target)
    plays = mind.plays(mind.me)
    blind = [each for each in plays if (mind.blind & ~mind.touched) >> each & 1]
    if blind and order not in blind:
        first = slot_of(mind.me, hand.index(blind[0]))
        found.append(Slip(FINESSE, say("{} should have been played blindly", first)))
    if action.kind is Kind.PLAY:
        is_named = positional(mind, mind.me, order, "misplay") and can_name(mind, order)
        if order not in plays and not is_named:
            found.append(Slip(PLAY, say("{} was not known to be playable", card)))
        return tuple(found)
    if mind.alarm == mind.me:
        found.append(Slip(SCREAM, say("a {hint} was needed instead of a discard")))
    if order == mind.chop(mind.me) and is_double(mind, mind.me):
        what = mind.deal.names(1 << mind.dumped)
        says = say("{} may be the last {}, as one was discarded just before", card, what)
        found.append(Slip(DOUBLE_DISCARD, says))
    screamed = scream(mind, mind.me, order) if level >= SCREAM.level else None
    if screamed in (SCREAM, TRASH_SCREAM):
        other = (mind.me + 1) % mind.rules.seats
        saved = mind.chop(other)
        if saved is not None and not is_urgent(mind, saved):
            rescue = "the chop of {} is neither playable nor critical, and needs no scream"
            found.append(Slip(screamed, say(rescue, Seat(other))))
    chop = mind.chop(mind.me)
    named = positional(mind, mind.me, order, "discard")
    has_reason = can_pass(mind, order) or (named and can_name(mind, order))
    if has_reason or order in mind.useless(mind.me) or order == chop:
        return tuple(found)
    if chop is not None:
        which = slot_of(mind.me, hand.index(chop))
        found.append(Slip(CHOP, say("{} is not the chop, which is {}", card, which)))
    elif mind.clues >= mind.rules.hint_cost:
        says = say("{} should be kept: there is no chop, and a {hint} could be given", card)
        found.append(Slip(CHOP, says))
    return tuple(found)


def why_playable(view: View, order: int, slot: int, level: int) -> tuple[Convention, Said]:
    """Return the convention by which the viewing seat plays a card, and the move behind it.

    Some hint must have touched the card, or a convention called it to be played.
    """
    touching, asked = view.hinted_at[view.seat][slot], Follower(view, level).follow(view).asked
    convention, turn = asked.get(order, (PLAY, -1))
    if turn > max(touching, default=-1):
        event, target = view.events[turn], view.events[turn].action.target
        is_late = convention == SELF_FINESSE and target != view.seat
        if event.action.is_hint and convention != AMBIGUOUS_FINESSE and not is_late:
            return convention, say("{} needs it first", _named(view, turn))
        return convention, say("what {} did at move {} asks for it", Seat(event.seat), turn + 1)
    convention, what = _reading_of(view, touching[-1], order, level)
    return convention, say("{} {}", _named(view, touching[-1]), what)


def _named(view: View, turn: int) -> Said:
    """Return a hint of the past in words."""
    event = view.events[turn]
    what = hinted(event.action, clue_colors(view.rules))
    giver, target = Seat(event.seat), Seat(event.action.target)
    return say("the {hint} {} that {} gave {} at move {}", what, giver, target, turn + 1)


def _reading_of(view: View, turn: int, order: int, level: int) -> tuple[Convention, str]:
    """Return the convention by which a hint is about a card of its target, and what it says."""
    told, follower = readings(view, turn, level), Follower(view, level)
    follower.follow(view, until=turn)
    is_focus = told.slot is not None and follower.places[told.target][told.slot] == order
    if not is_focus or not told.meanings:
        return GOOD_TOUCH, "touched it, and it is a card that will be played"
    found = [
        f"{' or '.join(card_name(card, view.rules) for card in each.cards) or 'any card'}"
        f" ({each.convention.name})"
        for each in told.meanings
    ]
    plays = [each.convention for each in told.meanings if each.convention not in SAVING]
    convention = plays[0] if plays else told.meanings[0].convention
    return convention, f"had it as its focus: {', or '.join(found)}"


def tell_hint(mind: Mind, action: Action, places: list[list[int]]) -> Said:
    """Return the reason for a hint: what its target will read, as far as the giver can tell."""
    clue = clue_of(mind, action, mind.touches(action))
    found = _merged(meanings(mind, clue, clue.target)) if clue is not None else []
    if clue is None or not found:
        return say("passes the turn, as nothing better is left")
    focus = slot_of(clue.target, places[clue.target].index(clue.focus))
    said = joined(", or ", (_meaning(mind, each, focus, places).says for each in found))
    return say("{} reads: {}", Seat(clue.target), said)


def _merged(found: list[Reading]) -> list[Reading]:
    """Return meanings, merged if they differ in their cards only.

    A card that two conventions save is listed with the first.
    """
    merged: list[Reading] = []
    saved = 0
    for each in found:
        if each.convention in SAVING:
            each, saved = each._replace(kinds=each.kinds & ~saved), saved | each.kinds
            if not each.kinds:
                continue
        same = [at for at, other in enumerate(merged) if _way(other) == _way(each)]
        if same:
            merged[same[0]] = merged[same[0]]._replace(kinds=merged[same[0]].kinds | each.kinds)
        else:
            merged.append(each)
    return merged


def _way(reading: Reading) -> tuple[object, ...]:
    """Return a reading without its cards."""
    return reading._replace(
        kinds=0, steps=tuple(step._replace(kind=0) for step in reading.steps), path=()
    )


def _slips_of_hint(mind: Mind, action: Action, places: list[list[int]]) -> list[Slip]:
    found = []
    touched = mind.touches(action)
    clue = clue_of(mind, action, touched)
    if clue is None:
        return [Slip(MINIMUM_VALUE, say("the {hint} touches no card"))]
    focus = slot_of(clue.target, places[clue.target].index(clue.focus))
    kind = mind.card[clue.focus]
    told = meanings(mind, clue, clue.target)
    deal, hint = mind.deal, (action.kind, action.value)
    is_true = any(not each.kinds or each.kinds >> kind & 1 for each in told)
    if (deal.touch[hint] & ~deal.promise[hint]) >> kind & 1 and not is_true:
        by, what = (PINK_PROMISE, "number") if clue.rank else (COLOR_PROMISE, "color")
        names = deal.names(1 << kind)
        found.append(Slip(by, say("{} is {}, not of the {} named", focus, names, what)))
    elif not told:
        found.append(Slip(MINIMUM_VALUE, say("the {hint} neither plays nor saves {}", focus)))
    elif not is_true:
        names = mind.deal.names(sum({1 << k for each in told for k in bits(each.kinds)}))
        card = mind.deal.names(1 << kind)
        found.append(Slip(FOCUS, say("{} reads as {}, but is {}", focus, names, card)))
    is_stall = bool(told) and told[0].convention == FIVE_STALL
    if is_stall and mind.level >= CLOSEST_FIVE.level and not is_closest(mind, clue):
        found.append(Slip(CLOSEST_FIVE, say("another 5 is closer to its chop")))
    if not any(each.idle for each in told):
        found += [
            Slip(GOOD_TOUCH, say("touches {}, which is useless", deal.names(1 << mind.card[order])))
            for order in clue.fresh
            if mind.trash >> mind.card[order] & 1
        ]
    return found


def _focus(mind: Mind, clue: Clue) -> Said:
    """Return why a card is the focus, in words."""
    if clue.on_chop:
        return say("the chop")
    if not clue.fresh:
        if len(clue.touched) == 1:
            return say("the only card that it touches")
        if not mind.touched >> clue.focus & 1:
            return say("which was not clued before")
        return say("the newest card that it touches, as none is newly clued")
    is_alone = len(clue.fresh) == 1
    return say("the only newly clued card" if is_alone else "the first of the newly clued cards")


def _meaning(mind: Mind, reading: Reading, focus: Slots, places: list[list[int]]) -> Meaning:
    """Return a reading with its sentence."""
    cards = tuple(mind.deal.cards[kind] for kind in bits(reading.kinds))
    about = say("is {}", mind.deal.names(reading.kinds))
    if not cards:
        about = say(_UNSAID.get(reading.convention, "may be any card"))
    about = say("{} ({})", about, reading.convention.name)
    if reading.steps:
        is_one = not reading.kinds & reading.kinds - 1
        steps = joined(" and ", _steps(mind, reading.steps, places, is_one=is_one))
        about = say("{} after {}", about, steps)
    if moved := list(bits(reading.moved)):
        seat = mind.owner[moved[0]]
        kept = (say("{}", slot_of(seat, places[seat].index(order))) for order in moved)
        about = say("{}, and chop-moves {}", about, joined(" and ", kept))
    return Meaning(reading.convention, cards, focus, about, reading.steps)


def _steps(
    mind: Mind, steps: Sequence[Step], places: list[list[int]], *, is_one: bool
) -> Iterator[Said]:
    """Yield the plays before the focus, consecutive ones of a seat together.

    They name cards if the focus has only one possible identity.
    """
    for (seat, is_blind), alike in groupby(steps, key=lambda each: (each.seat, each.is_blind)):
        row = list(alike)
        cards = "the card before it" if len(row) == 1 else "the cards before it"
        if is_one:
            cards = listed(mind.deal.names(1 << _shown(mind, each)) for each in row)
        slots = Slots(seat, tuple(places[seat].index(each.order) for each in row))
        how = "blindly " if is_blind else ""
        yield say("{} plays {} {}from {}", Seat(seat), cards, how, slots)


def _shown(mind: Mind, step: Step) -> int:
    """Return the card that a step plays; for a bluff, its real identity if it is visible."""
    seen = mind.card[step.order]
    return seen if step.is_bluff and seen >= 0 else step.kind


def _expect(mind: Mind, seat: int, hand: list[int], passed: int | None) -> Expected:
    plays, bold = mind.plays(seat), _bold(mind, seat)
    if bold:
        slot, what = hand.index(bold[0]), mind.deal.names(mind.belief(bold[0]))
        says = say("plays {} as {}", slot_of(seat, slot), what)
        if bold[0] == passed:
            says = say("{}, if it reads the same: it has just discarded instead", says)
        return Expected(seat, Kind.PLAY, slot, says)
    found = _expect_no_play(mind, seat, hand)
    if plays:
        held, why = slot_of(seat, hand.index(plays[0])), "as conventions have failed here"
        return found._replace(says=say("{}, and holds {} back, {}", found.says, held, why))
    return found


def _expect_no_play(mind: Mind, seat: int, hand: list[int]) -> Expected:
    is_next, rules = seat == mind.seat, mind.rules
    if mind.alarm == seat:
        says = say("gives a {hint}, as the previous player screamed")
        return Expected(seat, Kind.DISCARD, None, says)
    is_full = mind.clues >= rules.hints * rules.hint_cost and not rules.discard_at_full_hints
    if is_next and is_full:
        return Expected(seat, Kind.DISCARD, None, say("gives a {hint}, as it may not discard"))
    useless, chop = mind.useless(seat), mind.chop(seat)
    if useless:
        slot = hand.index(useless[0])
        says = say("discards {}, which is useless", slot_of(seat, slot))
    elif chop is not None:
        slot = hand.index(chop)
        says = say("discards {}, the chop", slot_of(seat, slot))
    else:
        return Expected(seat, Kind.DISCARD, None, say("has no chop, and so gives a {hint}"))
    if not is_next or mind.clues >= rules.hint_cost:
        says = say("{}, unless there is a {hint} to give", says)
    return Expected(seat, Kind.DISCARD, slot, says)
