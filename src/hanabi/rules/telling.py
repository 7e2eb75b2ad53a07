"""Descriptions of moves, hints and endings in words, from the positions before and after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from hanabi.ground import counted
from hanabi.rules.actions import Action, Kind
from hanabi.rules.cards import COLOR_NAMES, Card
from hanabi.rules.config import Rules
from hanabi.rules.events import is_touched
from hanabi.rules.table import EndReason, Table, rating
from hanabi.rules.words import Said, Seat, say, slot_of

__all__ = [
    "Words",
    "card_name",
    "clue_colors",
    "deed",
    "ending",
    "hinted",
    "hints_in_hands",
    "moved_card",
    "on_site",
    "outcome",
    "sentence",
    "suit_and_rank",
    "told",
    "touched_by",
]

# The hints that touched each card, computed from public knowledge without the hidden cards.


def touched_by(table: Table, hint: Action) -> tuple[int, ...]:
    """Return the slots of the target's hand that the hint just given touched.

    >>> from hanabi.rules import Game, Rules, hint_rank
    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> touched_by(game.view(1), hint_rank(1, 3))
    (0, 1)
    """
    known = table.knowledge[hint.target]
    return tuple(slot for slot, each in enumerate(known) if is_touched(table.rules, hint, each))


def hints_in_hands(table: Table) -> tuple[tuple[tuple[Action, ...], ...], ...]:
    """Return, by seat and slot, the hints that have touched each card since it was drawn.

    Each hint is listed once a card. O(actions), with some microseconds for each hint.

    >>> from hanabi.rules import Game, Rules, hint_rank
    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> [len(hints) for hints in hints_in_hands(game)[1]]
    [1, 1, 0, 0, 0]
    """
    given: list[tuple[int, Action]] = []  # hints, with the number of cards drawn before them
    drawn, size = table.rules.seats * table.rules.hand_size, table.rules.deck_size
    for action in table.actions:
        if action.is_hint:
            given.append((drawn, action))
        else:
            drawn = min(drawn + 1, size)
    return tuple(
        tuple(
            tuple(
                dict.fromkeys(
                    hint
                    for drawn, hint in given
                    if hint.target == seat
                    and index < drawn
                    and is_touched(table.rules, hint, known)
                )
            )
            for index, known in zip(hand, table.knowledge[seat], strict=True)
        )
        for seat, hand in enumerate(table.hand_indices)
    )


_ENDINGS = {
    EndReason.BOMBED: "the last life was lost",
    EndReason.COMPLETED: "every color is complete",
    EndReason.OUT_OF_TURNS: "everyone had a last turn",
    EndReason.STUCK: "no further point could be scored",
    EndReason.NO_ACTION: "the player to act could do nothing",
}


class Words(NamedTuple):
    """Words of a sentence, with their role and the color that they name, if any."""

    text: str
    role: Literal["", "verb", "card", "hint", "error"] = ""
    color: int | None = None


def sentence(
    names: Sequence[str], before: Table, after: Table, *, hint: str = "hint"
) -> list[Words]:
    """Describe a move in words, without naming the player; views work as well as games.

    `hint` is the audience's word for one.

    >>> from hanabi.rules import Game, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [words.text for words in sentence("AB", game, game.apply(hint_rank(1, 3)))]
    ['hints B: ', '3', ' (2 cards)']
    """
    action = after.known_actions[-1]
    if action.is_hint:
        number = len(touched_by(after, action))
        cards = counted(number, "card") if number else "no card"
        color = action.value if action.kind is Kind.HINT_COLOR else None
        what = Words(hinted(action, clue_colors(before.rules)), "hint", color)
        return [Words(f"{hint}s {names[action.target]}: "), what, Words(f" ({cards})")]
    moved = moved_card(before, after)
    card = Words(card_name(moved, before.rules), "card", moved.color)
    how = " from the deck" if action.is_from_deck else ""
    if before.rules.is_inverted(moved):
        how += " by a play" if action.kind in (Kind.PLAY, Kind.PLAY_DECK) else " by a discard"
    match outcome(before, after):
        case "discard":
            return [Words("discards "), card, Words(how)]
        case "misplay":
            return [Words("misplays ", "error"), card, Words(f"{how}: a life is lost", "error")]
    return [Words("plays ", "verb"), card, Words(how)]


def outcome(before: Table, after: Table) -> Literal["play", "discard", "misplay"]:
    """Return the outcome for the card that was moved between two positions.

    For an inverted card this is not the action that the player named.

    >>> from hanabi.rules import Game, play
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> outcome(game, game.apply(play(0)))
    'misplay'
    """
    if after.piles != before.piles:
        return "play"
    return "misplay" if after.lives < before.lives else "discard"


def told(names: Sequence[str], before: Table, after: Table, *, hint: str = "hint") -> str:
    """Return the words of `sentence` as one string."""
    return "".join(words.text for words in sentence(names, before, after, hint=hint))


def on_site(names: Sequence[str], before: Table, after: Table) -> str:
    """Describe a move with its player, in the words of hanab.live, for pictures and pages.

    >>> from hanabi.rules import Game, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> on_site(["Alice", "Bob"], game, game.apply(hint_rank(1, 3)))
    'Alice clues Bob: 3 (2 cards)'
    """
    return f"{names[before.seat_to_act]} {told(names, before, after, hint='clue')}"


def deed(table: Table, action: Action) -> Said:
    """Return an action of the seat to act as part of a sentence, cards by their slots.

    >>> from hanabi.rules import Game, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(deed(game, hint_rank(1, 3)))
    hint 3 to seat 1
    """
    if action.is_hint:
        what = hinted(action, clue_colors(table.rules))
        return say("{hint} {} to {}", what, Seat(action.target))
    if action.is_from_deck:
        return say("{}", action)
    return say("{} {}", action.kind, slot_of(table.seat_to_act, action.target))


def ending(table: Table) -> str:
    """Describe the end of a game: its points, their rating on the printed scale, and the reason."""
    top = table.rules.max_score
    # The printed scale is defined for games of 25 points.
    word = f", {rating(table.score)}" if top == 25 and table.is_over else ""
    return f"{table.score} of {counted(top, 'point')}{word}{_why(table)}"


def _why(table: Table) -> str:
    if not table.is_over:
        return " so far" if table.can_act else " so far: the player to act could do nothing"
    reason, rules = _ENDINGS[table.end_reason], table.rules
    if table.end_reason is EndReason.STUCK and (rules.all_or_nothing or rules.speedrun):
        reason = "not all points could be scored any more"
    return f": {reason}"


def card_name(card: Card, rules: Rules) -> str:
    """Return a card's text form, with the variant's letters if there is a variant."""
    return str(card) if rules.variant is None else rules.variant.format_card(*card)


def suit_and_rank(card: Card, rules: Rules) -> tuple[str, str]:
    """Return the name of a card's suit and the label of its rank, for sentences.

    >>> suit_and_rank(Card(4, 3), Rules.hanab_live(2, variant="Rainbow (5 Suits)"))
    ('rainbow', '3')
    """
    color, rank = card
    variant = rules.variant
    if variant is not None:
        return variant.suits[color].name.lower(), "S" if rank == variant.start_rank else str(rank)
    has_names = rules.colors <= len(COLOR_NAMES)
    return COLOR_NAMES[color] if has_names else f"color {color}", str(rank)


def clue_colors(rules: Rules) -> tuple[str, ...]:
    """Return the names of the colors that hints can name; unnamed colors are left out."""
    variant = rules.variant
    return COLOR_NAMES if variant is None else tuple(map(str.lower, variant.clue_colors))


def hinted(action: Action, names: Sequence[str]) -> str:
    """Return the color, by one of these names, or the rank that a hint names."""
    is_named = action.kind is Kind.HINT_COLOR and action.value < len(names)
    return names[action.value] if is_named else str(action.value)


def moved_card(before: Table, after: Table) -> Card:
    """Return the card that was played or discarded between two positions."""
    action = after.known_actions[-1]
    index = -1
    if not action.is_from_deck:
        index = before.hand_indices[before.seat_to_act][action.target]
    card = after.deck[index]
    assert card is not None  # noqa: S101
    return card
