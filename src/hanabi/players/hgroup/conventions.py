"""The conventions, each a rule in one place: its name, level, page, and what a hint may mean by it.

The guide is the H-Group's [HGroup]; the statements here are in our own words. A rule answers for a
`Clue`, a hint as its target's hand was before. `hanabi.players.hgroup.reading` asks the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hanabi.game.actions import Action, Kind
from hanabi.players.hgroup.table import UNSEEN, Mind, Step, bits

__all__ = [
    "CONVENTIONS",
    "GUIDE",
    "LEVELS",
    "REFERENCES",
    "SAVES",
    "Clue",
    "Convention",
    "Special",
    "clue_of",
    "seen_elsewhere",
]

GUIDE = "https://hanabi.github.io/"
LEVELS = 5
"""The highest level that there is."""


class Convention(NamedTuple):
    """A convention of the guide.

    Attributes
    ----------
    name
        Its name in the guide.
    level
        The level at which the guide introduces it.
    page
        The page of the guide, below `GUIDE`.
    says
        What it says, in one sentence.
    """

    name: str
    level: int
    page: str
    says: str

    @property
    def link(self) -> str:
        """The address of its page."""
        return GUIDE + self.page


class Clue(NamedTuple):
    """A hint, as conventions read it.

    Attributes
    ----------
    giver, target, action
        Who gives which hint to whom.
    touched
        The cards that it touches, by deck number, oldest first.
    fresh
        Those that had no mark before.
    focus
        The card that the hint is about.
    on_chop
        Whether the focus was the chop.
    turn
        The turn of the hint.
    due
        What the target would have played, the first one in front.
    is_news
        Whether the rules alone let the target learn something.
    is_stall
        Whether the giver was not to discard: in the early game, or with all hint tokens there.
    older
        The target's cards without a mark that are older than all fresh ones.
    """

    giver: int
    target: int
    action: Action
    touched: tuple[int, ...]
    fresh: tuple[int, ...]
    focus: int
    on_chop: bool
    turn: int
    due: tuple[int, ...]
    is_news: bool
    is_stall: bool
    older: int

    @property
    def rank(self) -> int:
        """The rank that it names; 0 for a color."""
        return self.action.value if self.action.kind is Kind.HINT_RANK else 0


class Special(NamedTuple):
    """A meaning of a hint that is not a play or a save of its focus.

    Attributes
    ----------
    kinds
        What the focus is; 0 if the hint says nothing of it.
    moved
        The cards that are chop moved.
    idle
        The cards that are declared useless.
    steps
        The cards that are to be played blindly.
    """

    kinds: int = 0
    moved: int = 0
    idle: int = 0
    steps: tuple[Step, ...] = ()


def clue_of(mind: Mind, action: Action, touched: Sequence[int]) -> Clue | None:
    """Return a hint by the seat to act, before it is taken in; None if it touches nothing.

    The focus is the only fresh card, else the chop if it is among them, else the newest one; if
    none is fresh, the newest card touched. From level 3, 1s have an order of their own. From level
    4, the oldest 5 is the focus if it is the next card after the chop, and a chop-moved card is the
    focus before others that are not fresh.
    """
    if not touched:
        return None
    marked = mind.touched | mind.blind | mind.moved
    target, deal, level = action.target, mind.deal, mind.level
    fresh = tuple(order for order in touched if not marked >> order & 1)
    rank = action.value if action.kind is Kind.HINT_RANK else 0
    is_full = mind.clues >= mind.rules.hints * mind.rules.hint_cost
    is_stall = is_full or (mind.is_early and not deal.is_hard)
    chop = mind.chop(target)
    if chop is not None and chop in fresh:
        focus = chop
    elif fresh and rank == 1 and level >= 3:
        focus = min(fresh, key=mind.place_of_one)
    elif (
        fresh
        and rank == 5
        and level >= 4
        and not is_stall
        and deal.has_five_moves
        and _unmarked_before(mind, target, fresh[0]).bit_count() == 1
    ) or (fresh and rank == 5 and level >= 2 and is_stall and deal.pink):
        focus = fresh[0]
    elif fresh:
        focus = max(fresh)
    else:
        hidden = [order for order in touched if not mind.touched >> order & 1]
        focus = max(hidden) if hidden else _again(mind, action, touched)
    mask = deal.touch[action.kind, action.value]
    return Clue(
        giver=mind.seat,
        target=target,
        action=action,
        touched=tuple(touched),
        fresh=fresh,
        focus=focus,
        on_chop=focus == chop,
        turn=mind.turn,
        due=tuple(mind.plays(target)),
        is_news=any(mind.allowed[order] & ~mask for order in touched),
        is_stall=is_stall,
        older=_unmarked_before(mind, target, fresh[0]) if fresh else 0,
    )


def _again(mind: Mind, action: Action, touched: Sequence[int]) -> int:
    """Return the focus of a hint that only touches cards again: the newest.

    For a color, it is the oldest of brown cards, and of cards that look alike and may be of kinds
    that no hint tells apart. Of cards that are known to be muddy rainbow or omni, the color says
    which: the last one means the oldest, the one before it the next, and round again.
    """
    deal = mind.deal
    mask = deal.touch[action.kind, action.value]
    if action.kind is not Kind.HINT_COLOR:
        return max(touched)
    is_brown = not mask & ~(deal.brown & ~deal.rainbow)
    looks = {mind.allowed[order] for order in touched}
    if is_brown or (len(looks) == 1 and looks.pop() & deal.twins):
        return min(touched)
    alike = deal.rainbow & (deal.brown | deal.pink)
    if any(not mind.possible(order) & ~alike for order in touched):
        may = [order for order in sorted(touched) if mind.possible(order) & alike & mind.playable]
        last = sum(kind is Kind.HINT_COLOR for kind, _ in deal.touch) - 1
        if may:
            return may[(last - action.value) % len(may)]
    return max(touched)


def _unmarked_before(mind: Mind, seat: int, order: int) -> int:
    """Return a seat's cards without a mark that are older than one."""
    marked = mind.touched | mind.blind | mind.moved
    return sum(1 << each for each in mind.hands[seat] if each < order and not marked >> each & 1)


# What each convention says, and the rules of those that read a hint's focus.

FOCUS = Convention(
    "Single Card Focus",
    1,
    "beginner/single-card-focus",
    "a hint is about one card: a fresh one, the chop first, else the newest",
)
GOOD_TOUCH = Convention(
    "Good Touch Principle",
    1,
    "beginner/good-touch-principle",
    "hints touch only cards that will still be played, and each card once",
)
CHOP = Convention(
    "The Chop",
    1,
    "beginner/chop",
    "the oldest card without a mark is discarded, useless ones first",
)
MINIMUM_VALUE = Convention(
    "Minimum Clue Value Principle",
    1,
    "beginner/minimum-clue-value-principle",
    "a hint gets at least one new card played or saved",
)
PLAY = Convention(
    "Play Clue",
    1,
    "beginner/play-clues",
    "the focus can be played now, or after cards that are already on their way",
)
FIVE_SAVE = Convention(
    "5 Save", 1, "beginner/5-save", "number 5 keeps a 5 on chop from being discarded"
)
TWO_SAVE = Convention(
    "2 Save",
    1,
    "beginner/2-save",
    "number 2 keeps a 2 on chop, unless its other copy is in sight off chop in another hand",
)
CRITICAL_SAVE = Convention(
    "Critical Save",
    1,
    "beginner/critical-save",
    "a color or a number keeps the last copy of a card on chop",
)
PROMPT = Convention(
    "Prompt",
    1,
    "beginner/prompt",
    "a card before the focus is missing: the newest touched card that can be it is it",
)
FINESSE = Convention(
    "Finesse",
    1,
    "beginner/finesse",
    "a card before the focus is missing: the newest card without a mark is it",
)
FIVE_STALL = Convention(
    "5 Stall",
    2,
    "level-2#the-5-stall-cluing-off-chop-5s",
    "number 5 off chop only keeps the 5, if the giver was not to discard",
)
REVERSE_FINESSE = Convention(
    "Reverse Finesse",
    2,
    "level-2#the-reverse-finesse",
    "the target acts before the finessed player, and so waits for a round",
)
SELF_FINESSE = Convention(
    "Self-Finesse",
    2,
    "level-2#the-self-finesse",
    "the missing card is the target's own, if nothing else explains the hint",
)
DOUBLE = Convention(
    "Double Prompt or Finesse",
    2,
    "level-2#the-double-finesse--triple-finesse--quadruple-finesse",
    "several cards before the focus are missing, and each is prompted or finessed",
)
WRONG_PROMPT = Convention(
    "Wrong Prompt",
    2,
    "level-2#the-wrong-prompt",
    "after an error on a prompt, the card to play is the newest one without a mark",
)
ORDER_OF_ONES = Convention(
    "Playing Multiple 1s",
    3,
    "level-3#playing-multiple-1s",
    "1s are played chop focus first, then fresh ones, then the first hand's from the oldest",
)
FIX = Convention(
    "Fix Clue",
    3,
    "level-3#the-fix-clue",
    "a hint about a card that would be an error says nothing else",
)
SARCASTIC = Convention(
    "Sarcastic Discard",
    3,
    "level-3#the-sarcastic-discard-sd",
    "whoever discards a good card that is touched passes it to its other copy",
)
TRASH_MOVE = Convention(
    "Trash Chop Move",
    4,
    "level-4#the-trash-chop-move-tcm",
    "a hint that touches only useless fresh cards keeps all cards older than those",
)
FIVE_MOVE = Convention(
    "5's Chop Move",
    4,
    "level-4#the-5s-chop-move-5cm",
    "number 5 on the card next to the chop keeps the chop too",
)
ORDER_MOVE = Convention(
    "Order Chop Move",
    4,
    "level-4#the-order-chop-move-ocm",
    "whoever skips 1s in their order keeps the chop of the player so many seats on",
)
HIDDEN_FINESSE = Convention(
    "Hidden Finesse",
    5,
    "level-5#the-hidden-finesse",
    "a prompted card that turns out to be another playable one hides a finesse",
)
LAYERED_FINESSE = Convention(
    "Layered Finesse",
    5,
    "level-5#the-layered-finesse",
    "playable cards may lie over the missing one, which is played after them",
)
AMBIGUOUS_FINESSE = Convention(
    "Ambiguous Finesse",
    5,
    "level-5#the-ambiguous-finesse",
    "if the player who seems to be finessed does not play, the next one with the card does",
)

CONVENTIONS = (
    FOCUS,
    GOOD_TOUCH,
    CHOP,
    MINIMUM_VALUE,
    PLAY,
    FIVE_SAVE,
    TWO_SAVE,
    CRITICAL_SAVE,
    PROMPT,
    FINESSE,
    FIVE_STALL,
    REVERSE_FINESSE,
    SELF_FINESSE,
    DOUBLE,
    WRONG_PROMPT,
    ORDER_OF_ONES,
    FIX,
    SARCASTIC,
    TRASH_MOVE,
    FIVE_MOVE,
    ORDER_MOVE,
    HIDDEN_FINESSE,
    LAYERED_FINESSE,
    AMBIGUOUS_FINESSE,
)
"""All conventions, by level."""


def five_save(mind: Mind, clue: Clue) -> int:
    """Return every 5 for number 5."""
    return mind.deal.ranks[5] if clue.rank == 5 and mind.deal.height >= 5 else 0


def two_save(mind: Mind, clue: Clue) -> int:
    """Return the 2s for number 2 whose other copy neither the giver nor the target sees."""
    return mind.deal.ranks[2] & ~seen_elsewhere(mind, clue) if clue.rank == 2 else 0


def seen_elsewhere(mind: Mind, clue: Clue) -> int:
    """Return what lies off chop in hands that both the giver and the target see."""
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
    """Return the cards of which one copy is left and another was discarded."""
    return sum(1 << kind for kind in bits(mind.critical) if mind.deal.copies[kind] > 1)


SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (FIVE_SAVE, five_save),
    (TWO_SAVE, two_save),
    (CRITICAL_SAVE, critical_save),
)
"""The rules for a focus on chop: what it may be. They hold beside those for plays."""


def fix(mind: Mind, clue: Clue) -> Special | None:
    """Return that a hint only stops an error: it spoils a card that was about to be played.

    A hint that tells nothing new about cards that would be played anyway stops the first of them.
    """
    hit = [order for order in clue.due if order in clue.touched]
    if any(mind.belief(order) & ~mind.playable for order in hit):
        return Special()
    if hit and not clue.fresh and not clue.is_news and hit[0] == clue.due[0]:
        return Special(idle=1 << hit[0])
    return None


def five_stall(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 off chop only keeps the 5."""
    if clue.rank != 5 or clue.on_chop or not clue.fresh or not clue.is_stall:
        return None
    if not mind.deal.has_five_moves or mind.deal.null & ~mind.trash:
        return None
    return Special(kinds=mind.deal.ranks[5])


def trash_move(mind: Mind, clue: Clue) -> Special | None:
    """Return that the cards older than the useless fresh ones are to be kept."""
    if not clue.fresh:
        return None
    promise = mind.deal.promise[clue.action.kind, clue.action.value]
    for order in clue.fresh:
        elsewhere = mind.elsewhere(clue.target, order)
        if mind.possible(order) & promise & ~mind.trash & ~elsewhere:
            return None
    return Special(moved=clue.older, idle=sum(1 << order for order in clue.fresh))


def five_move(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 on the card after the chop keeps the chop."""
    if clue.rank != 5 or not clue.fresh or clue.focus != clue.fresh[0]:
        return None
    if clue.older.bit_count() != 1 or not mind.deal.has_five_moves:
        return None
    return Special(kinds=mind.deal.ranks[5], moved=clue.older)


REFERENCES: tuple[tuple[Convention, Callable[[Mind, Clue], Special | None]], ...] = (
    (FIX, fix),
    (FIVE_STALL, five_stall),
    (TRASH_MOVE, trash_move),
    (FIVE_MOVE, five_move),
)
"""The rules for hints that are no play or save clues. The first that applies is the meaning."""
