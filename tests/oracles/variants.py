"""What the variants change, told again from their descriptions and without tables."""

from __future__ import annotations

from hanabi.rules import Rules

Card = tuple[int, int]
Hint = tuple[int, int, int]


def clue_values(rules: Rules, kind: int) -> list[int]:
    """All colors (kind 2) or ranks (kind 3) that a hint can name."""
    variant = rules.variant
    if variant is None:
        return list(range(rules.colors)) if kind == 2 else list(range(1, rules.ranks + 1))
    return list(range(len(variant.clue_colors))) if kind == 2 else list(variant.clue_ranks)


def is_touched(rules: Rules, kind: int, value: int, card: Card) -> bool:
    """Whether a hint touches a card."""
    if rules.variant is None:
        return card[kind - 2] == value
    return (_by_color if kind == 2 else _by_rank)(rules, value, card)


def _by_color(rules: Rules, value: int, card: Card) -> bool:
    v = rules.variant
    assert v is not None
    suit, rank = v.suits[card[0]], card[1]
    colors = list(v.clue_colors)
    number = (rank - 1) % len(colors)
    answer = colors[value] in suit.clue_colors
    if suit.prism:
        is_start = v.up_or_down and rank == v.ranks + 1
        answer = value == (len(colors) - 1 if is_start else number)
    if rank == v.special_rank and v.special_rank_no_clue_colors:
        answer = False
    if rank == v.special_rank and v.special_rank_all_clue_colors:
        answer = True
    if v.synesthesia and not suit.no_clue_ranks and value == number:
        answer = True
    if suit.no_clue_colors:
        answer = False
    if suit.all_clue_colors:
        answer = True
    return answer and not v.color_clues_touch_nothing


def _by_rank(rules: Rules, value: int, card: Card) -> bool:
    v = rules.variant
    assert v is not None
    suit, rank = v.suits[card[0]], card[1]
    answer = rank == value
    if v.chimneys:
        answer = rank >= value
    if v.funnels:
        answer = rank <= value
    if v.odds_and_evens:
        answer = (rank % 2 == 1) == (value == 1)
    if v.up_or_down and rank == v.ranks + 1:
        answer = False
    if rank == v.special_rank:
        if v.special_rank_deceptive:
            answer = v.clue_ranks.index(value) == card[0] % len(v.clue_ranks)
        if v.special_rank_no_clue_ranks:
            answer = False
        if v.special_rank_all_clue_ranks:
            answer = True
    if suit.no_clue_ranks:
        answer = False
    if suit.all_clue_ranks:
        answer = True
    return answer and not v.rank_clues_touch_nothing


def may_touch_nothing(rules: Rules, kind: int) -> bool:
    """Whether a hint of this kind may touch no card."""
    v = rules.variant
    blind = v is not None and (
        v.color_clues_touch_nothing if kind == 2 else v.rank_clues_touch_nothing
    )
    return rules.empty_hints or blind


def can_follow(rules: Rules, played: list[Card], card: Card) -> bool:
    """Whether a card can be played after these, in this order."""
    color, rank = card
    pile = [r for c, r in played if c == color]
    v = rules.variant
    top = len(rules.spec.copies[color])
    if v is None:
        return rank == len(pile) + 1
    if v.sudoku:
        starts: dict[int, int] = {}
        for c, r in played:
            starts.setdefault(c, r)
        if not pile:
            return rank not in starts.values()
        return len(pile) < top and rank == pile[-1] % top + 1
    if v.up_or_down:
        start, top = v.ranks + 1, v.ranks
        if not pile:
            return rank in (1, top, start)
        if len(pile) == top:
            return False
        if pile == [start]:
            return rank in (2, top - 1)
        goes_up = pile[0] == 1 or pile[:2] == [start, 2]
        return rank == pile[-1] + (1 if goes_up else -1)
    if v.suits[color].is_reversed:
        return rank == top - len(pile)
    return rank == len(pile) + 1


def is_inverted(rules: Rules, card: Card) -> bool:
    """Whether playing the card discards it, and the other way round."""
    return rules.variant is not None and rules.variant.suits[card[0]].inverted
