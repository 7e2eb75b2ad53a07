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
    "STALL_SAVES",
    "Clue",
    "Convention",
    "Special",
    "clue_of",
    "distribution",
    "is_closest",
    "is_double",
    "seen_elsewhere",
]

GUIDE = "https://hanabi.github.io/"
LEVELS = 11
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
    chop
        The target's chop.
    turn
        The turn of the hint.
    due
        What the target would have played, the first one in front.
    is_news
        Whether the rules alone let the target learn something.
    severity
        How little else the giver could do: 0 if it could discard, 1 in the early game, 2 after a
        scream or in a double discard situation, 3 without a chop and anything to play, 4 with all
        hint tokens there.
    older
        The target's cards without a mark that are older than all fresh ones.
    is_again
        Whether the hint touches no new card, and the focus had been touched before, but was not
        known to be playable, now or after others.
    coming
        The cards of which everybody knew that they would be played without another hint.
    prompts
        The kinds that would have been played from the focus by a prompt.
    """

    giver: int
    target: int
    action: Action
    touched: tuple[int, ...]
    fresh: tuple[int, ...]
    focus: int
    chop: int | None
    turn: int
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
    focus before others that are not fresh. From level 6, cards known to be playable are no focus
    beside others, and fresh cards that the hint shows to be useless are none beside a card that it
    may make playable.
    """
    if not touched:
        return None
    marked = mind.touched | mind.blind | mind.moved
    target, deal, level = action.target, mind.deal, mind.level
    fresh = tuple(order for order in touched if not marked >> order & 1)
    rank = action.value if action.kind is Kind.HINT_RANK else 0
    mask, due = deal.touch[action.kind, action.value], tuple(mind.plays(target))
    severity, chop = _severity(mind), mind.chop(target)
    coming = mind.coming() if level >= TEMPO.level else 0
    hastened = _hastened(mind, touched, fresh, coming, mask) if level >= TEMPO.level else []
    if hastened:
        fresh = ()
    if chop is not None and chop in fresh:
        focus = chop
    elif fresh and rank == 1 and level >= 3:
        focus = min(fresh, key=mind.place_of_one)
    elif (
        fresh
        and rank == 5
        and level >= 4
        and not severity
        and deal.has_five_moves
        and not mind.is_end
        and _unmarked_before(mind, target, fresh[0]).bit_count() == 1
    ) or (fresh and rank == 5 and level >= 2 and severity and deal.pink):
        focus = fresh[0]
    elif fresh:
        focus = max(fresh)
    else:
        old = hastened or touched
        old = [order for order in old if not mind.touched >> order & 1] or old
        if level >= FOCUS_SHIFT.level:
            old = [order for order in old if not coming >> order & 1] or old
        is_hidden = any(not mind.touched >> order & 1 for order in old)
        focus = max(old) if is_hidden else _again(mind, action, old)
    is_again = not fresh and bool(mind.touched & ~coming & 1 << focus)
    return Clue(
        giver=mind.seat,
        target=target,
        action=action,
        touched=tuple(touched),
        fresh=fresh,
        focus=focus,
        chop=chop,
        turn=mind.turn,
        due=due,
        is_news=any(mind.allowed[order] & ~mask for order in touched),
        severity=severity,
        older=_unmarked_before(mind, target, fresh[0]) if fresh else 0,
        is_again=is_again,
        coming=coming,
        prompts=_prompts(mind, target, focus) if is_again else 0,
    )


def _again(mind: Mind, action: Action, touched: Sequence[int]) -> int:
    """Return the focus of a hint that only touches cards again: the newest.

    For a color, it is the oldest of brown cards, and of cards that look alike and may be of kinds
    that no hint tells apart. If one is muddy rainbow or omni, as far as hints say, the color says
    which: the last one means the oldest, the one before it the next, and round again.
    """
    deal = mind.deal
    mask = deal.touch[action.kind, action.value]
    if action.kind is not Kind.HINT_COLOR:
        return max(touched)
    is_brown = not mask & ~(deal.brown & ~deal.rainbow)
    allowed = {mind.allowed[order] for order in touched}
    if is_brown or (len(allowed) == 1 and allowed.pop() & deal.twins):
        return min(touched)
    alike = deal.rainbow & (deal.brown | deal.pink)
    looks = {mind.allowed[order] for order in touched}
    if any(look & alike and not look & ~deal.rainbow for look in looks):
        may = [order for order in sorted(touched) if mind.allowed[order] & alike & mind.playable]
        last = sum(kind is Kind.HINT_COLOR for kind, _ in deal.touch) - 1
        if may:
            return may[(last - action.value) % len(may)]
    return max(touched)


def _severity(mind: Mind) -> int:
    """Return how little else than a hint the seat to act can do."""
    is_full = mind.clues >= mind.rules.hints * mind.rules.hint_cost
    if is_full and (mind.turn or not mind.is_early):
        return 4
    if mind.level >= TEMPO_STALL.level and _is_locked(mind, mind.seat):
        return 3
    if mind.alarm == mind.seat or is_double(mind, mind.seat):
        return 2
    return 1 if mind.is_early and (is_full or not mind.deal.is_hard) else 0


def _is_locked(mind: Mind, seat: int) -> bool:
    """Whether everybody knows that a seat has no chop, and no card to play or of no use."""
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
    """Return the cards that a hint may make playable, if it shows its fresh ones to be useless."""
    old = [order for order in touched if order not in fresh and not coming >> order & 1]
    useless = mind.trash
    for order in old:
        left = mind.allowed[order] & mask
        useless |= 0 if left & left - 1 else left
    if any(mind.allowed[order] & mask & ~useless for order in fresh):
        return []
    return [order for order in old if mind.told(order) & mask & mind.playable]


def _prompts(mind: Mind, seat: int, order: int) -> int:
    """Return the kinds for which a prompt would have a card played, or a playable one before."""
    found = 0
    for kind in bits(mind.told(order)):
        first = mind.prompt(seat, kind, is_public=True)
        if first == order or first is None or not mind.told(first) & ~mind.playable:
            found |= 1 << kind
    return found


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
TEMPO = Convention(
    "Tempo Clue",
    6,
    "level-6#the-tempo-clue",
    "a hint that gets no new card is about the newest card that it touches, and has it played",
)
FOCUS_SHIFT = Convention(
    "Focus Shifting",
    6,
    "level-6#focus-shifting",
    "a card that is known to be playable is not the focus beside one that is not",
)
VALUABLE_TEMPO = Convention(
    "Valuable Tempo Clue",
    6,
    "level-6#the-valuable-tempo-clue",
    "a Tempo Clue that has two cards played, or one that no prompt can reach, says nothing else",
)
TEMPO_STALL = Convention(
    "Tempo Clue Stall",
    6,
    "level-6#the-tempo-clue-stall-a-non-valuable-tempo-clue",
    "a Tempo Clue from a player who should not discard, or in the end-game, says nothing else",
)
TEMPO_MOVE = Convention(
    "Tempo Clue Chop Move",
    6,
    "level-6#the-tempo-clue-chop-move-tccm",
    "any other Tempo Clue keeps the chop of its target too",
)
SCREAM = Convention(
    "Scream Discard Chop Move",
    7,
    "level-7#the-scream-discard-chop-move-sdcm",
    "whoever discards instead of playing, without a hint left, keeps the next player's chop",
)
TRASH_SCREAM = Convention(
    "Scream Discard Chop Move (With Known-Trash)",
    7,
    "level-7#the-scream-discard-chop-move-with-known-trash",
    "discarding the chop instead of a card known to be useless is a scream too",
)
SHOUT = Convention(
    "Shout Discard Chop Move",
    7,
    "level-7#the-shout-discard-chop-move",
    "discarding a useless card instead of playing is a scream, whatever hints are left",
)
GENERATION = Convention(
    "Generation Discard",
    7,
    "level-7#the-generation-discard",
    "it is no scream if the next player needs the hint token for the chop of the one after",
)
NO_MOVES = Convention(
    "No Chop Moves in the End-Game",
    8,
    "level-8#no-chop-moves-in-the-end-game",
    "nothing keeps a chop once fewer discards are left than there are players",
)
POSITIONAL_DISCARD = Convention(
    "Positional Discard",
    8,
    "level-8#the-positional-discard-indicating-a-play-with-a-discard",
    "in the end-game, an unknown card that is not the chop names the slot of a playable card",
)
POSITIONAL_MISPLAY = Convention(
    "Positional Misplay",
    8,
    "level-8#the-positional-misplay-indicating-a-play-with-a-misplay",
    "in the end-game, an error with an unknown card names the slot of a playable card",
)
DISTRIBUTION = Convention(
    "Distribution Clue",
    8,
    "level-8#the-distribution-clue",
    "in the end-game, a hint may touch the like of a card of a player who has several to play",
)
BURN = Convention(
    "Burning",
    8,
    "level-8#burning-end-game-stalling",
    "in the end-game, a hint about a card that is known to be playable says nothing",
)
STALLS = Convention(
    "Allowable Stall Clues",
    9,
    "level-9#allowable-stall-clues-stall-table",
    "whoever should not discard may repeat what is known, and says nothing with it",
)
DOUBLE_DISCARD = Convention(
    "Double Discard Avoidance",
    9,
    "level-9#double-discard-situations--double-discard-avoidance-dda-severity-2-stalling",
    "nobody discards a chop that may be the last copy of the card discarded just before",
)
CLOSEST_FIVE = Convention(
    "5 Stalls Closest to Chop",
    9,
    "level-9#5-stalls-closest-to-chop",
    "a 5 Stall is about the 5 with the fewest cards between it and the chop",
)
FILL_IN = Convention(
    "Fill-In Clue",
    9,
    "level-9#the-fill-in-clue",
    "from a player who should not discard, news about touched cards asks for nothing",
)
LOCKED_SAVE = Convention(
    "Locked Hand Save",
    9,
    "level-9#the-locked-hand-save-lhs",
    "a player without a chop may save any card on chop, if another chop is left there",
)
FULL_SAVE = Convention(
    "8 Clue Save",
    9,
    "level-9#the-8-clue-save-8cs",
    "with all hint tokens there, a hint may save any card but the newest",
)
ANXIETY = Convention(
    "Anxiety Play",
    9,
    "level-9#the-anxiety-play-forcing-a-locked-player-to-play",
    "a player without a chop who is left without a hint plays the likeliest card",
)
GENTLEMAN = Convention(
    "Gentleman's Discard",
    10,
    "level-10#the-gentlemans-discard-gd",
    "whoever discards a known playable card passes it to the one whose newest card is its like",
)
LAYERED_GENTLEMAN = Convention(
    "Layered Gentleman's Discard",
    10,
    "level-10#the-layered-gentlemans-discard",
    "playable cards may lie over the one that is passed, which is played after them",
)
BATON = Convention(
    "Baton Discard",
    10,
    "level-10#the-baton-discard-bd",
    "a known card that is not playable yet is passed to the one whose newest card is its like",
)
SARCASTIC_FINESSE = Convention(
    "Sarcastic Finesse",
    10,
    "level-10#the-sarcastic-finesse",
    "a finesse may repeat a card that its giver may hold: if so, the target passes it back",
)
BLUFF = Convention(
    "Bluff",
    11,
    "level-11#the-bluff",
    "a hint one card too early has the next player play another playable card blindly",
)
SELF_BLUFF = Convention(
    "Self-Bluff",
    11,
    "level-11#the-self-bluff",
    "a number one card too early has its target play another playable card blindly",
)
TRUTH = Convention(
    "Bob's Truth Principle",
    11,
    "level-11#bobs-truth-principle-part-1",
    "the next player takes a hint for a finesse wherever that can be true",
)
CONNECTING = Convention(
    "Cathy's Connecting Principle",
    11,
    "level-11#cathys-connecting-principle-part-2",
    "if the card played blindly leads to what was hinted it was a finesse, otherwise a bluff",
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
    TEMPO,
    FOCUS_SHIFT,
    VALUABLE_TEMPO,
    TEMPO_STALL,
    TEMPO_MOVE,
    SCREAM,
    TRASH_SCREAM,
    SHOUT,
    GENERATION,
    NO_MOVES,
    POSITIONAL_DISCARD,
    POSITIONAL_MISPLAY,
    DISTRIBUTION,
    BURN,
    STALLS,
    DOUBLE_DISCARD,
    CLOSEST_FIVE,
    FILL_IN,
    LOCKED_SAVE,
    FULL_SAVE,
    ANXIETY,
    GENTLEMAN,
    LAYERED_GENTLEMAN,
    BATON,
    SARCASTIC_FINESSE,
    BLUFF,
    SELF_BLUFF,
    TRUTH,
    CONNECTING,
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


def locked_save(mind: Mind, clue: Clue) -> int:
    """Return all cards on chop for a giver without a chop, if the target keeps another one."""
    is_it = clue.severity == 3 and clue.on_chop and mind.chop(clue.target) is not None
    return mind.allowed[clue.focus] if is_it else 0


def full_save(mind: Mind, clue: Clue) -> int:
    """Return all cards for a giver with all hint tokens, unless the focus is the newest card."""
    is_it = clue.severity == 4 and clue.fresh and clue.focus != mind.hands[clue.target][-1]
    return mind.allowed[clue.focus] if is_it else 0


STALL_SAVES: tuple[tuple[Convention, Callable[[Mind, Clue], int]], ...] = (
    (LOCKED_SAVE, locked_save),
    (FULL_SAVE, full_save),
)
"""The rules for a focus that a giver who may not discard saves, wherever it is."""


def fix(mind: Mind, clue: Clue) -> Special | None:
    """Return that a hint only stops an error: it spoils a card that was about to be played.

    A hint that tells nothing new about cards that would be played anyway stops the first of them.
    """
    hit = [order for order in clue.due if order in clue.touched]
    if any(mind.belief(order) & ~mind.playable for order in hit):
        return Special()
    is_about = mind.level < FOCUS_SHIFT.level or clue.focus in hit
    is_about &= not mind.is_end and hard_burn(mind, clue) is None
    if hit and not clue.fresh and not clue.is_news and hit[0] == clue.due[0] and is_about:
        return Special(idle=1 << hit[0])
    return None


def burn(mind: Mind, clue: Clue) -> Special | None:
    """Return that a hint about a card that is known to be playable only passes the turn."""
    is_known = not clue.fresh and clue.coming >> clue.focus & 1
    return Special() if mind.is_end and is_known else None


def hard_burn(mind: Mind, clue: Clue) -> Special | None:
    """Return that a giver who should not discard only passes the turn."""
    is_known = not clue.fresh and clue.coming >> clue.focus & 1
    return Special() if mind.level >= STALLS.level and clue.severity > 1 and is_known else None


def is_double(mind: Mind, seat: int) -> bool:
    """Whether a seat's chop may be the last copy of the card that was discarded just before."""
    kind, chop = mind.dumped, mind.chop(seat)
    if mind.level < DOUBLE_DISCARD.level or kind < 0 or chop is None:
        return False
    others = (each for other, hand in enumerate(mind.hands) if other != seat for each in hand)
    return bool(mind.allowed[chop] >> kind & 1) and all(mind.card[each] != kind for each in others)


def is_closest(mind: Mind, clue: Clue) -> bool:
    """Whether no other hand in sight has a 5 without a mark nearer to its chop, before the hint."""
    least = _unmarked_before(mind, clue.target, clue.focus).bit_count()
    marked = mind.touched | mind.blind | mind.moved
    for seat, hand in enumerate(mind.hands):
        for order in hand:
            is_five = mind.card[order] >= 0 and mind.deal.ranks[5] >> mind.card[order] & 1
            if seat == clue.giver or not is_five or marked >> order & 1:
                continue
            if 0 < _unmarked_before(mind, seat, order).bit_count() < least:
                return False
    return True


def distribution(mind: Mind, clue: Clue) -> int:
    """Return the known cards that a seat with several to play may need others to play for it."""
    found = 0
    if not mind.is_end:
        return 0
    coming = mind.coming()
    for seat, hand in enumerate(mind.hands):
        if seat in (clue.giver, clue.target):
            continue
        told = [mind.told(order) for order in hand if coming >> order & 1]
        known = [kind for kind in told if not kind & kind - 1]
        found |= sum(known) if len(told) > 1 else 0
    return found


def five_stall(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 off chop only keeps the 5."""
    if clue.rank != 5 or clue.on_chop or not clue.fresh or not clue.severity:
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
    moved = 0 if mind.is_end else clue.older
    return Special(moved=moved, idle=sum(1 << order for order in clue.fresh))


def five_move(mind: Mind, clue: Clue) -> Special | None:
    """Return that number 5 on the card after the chop keeps the chop."""
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
"""The rules for hints that are no play or save clues. The first that applies is the meaning."""
