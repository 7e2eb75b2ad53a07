"""The canonical encoding in plain Python, from a game and its history; slow, and shares no code."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hanabi.rules import Action, Game, Kind
from hanabi.rules.cards import Card

ORDER = (Kind.PLAY, Kind.DISCARD, Kind.HINT_COLOR, Kind.HINT_RANK)


def one(of: int, *chosen: int) -> list[int]:
    """Return so many entries, 1 where chosen."""
    return [int(number in chosen) for number in range(of)]


def up_to(count: int, of: int) -> list[int]:
    return [1] * count + [0] * (of - count)


def numbers(game: Game, seat: int) -> dict[Action, int]:
    """Return the number of every action of a seat that the rules know."""
    rules = game.rules
    others = [(seat + behind) % rules.seats for behind in range(1, rules.seats)]
    listed = [Action(Kind.DISCARD, slot) for slot in range(rules.hand_size)]
    listed += [Action(Kind.PLAY, slot) for slot in range(rules.hand_size)]
    listed += [Action(Kind.HINT_COLOR, who, c) for who in others for c in range(rules.colors)]
    listed += [Action(Kind.HINT_RANK, who, r + 1) for who in others for r in range(rules.ranks)]
    return {action: number for number, action in enumerate(listed)}


def named_in(games: list[Game]) -> dict[tuple[int, Kind], bool]:
    """Return what hints have named: (index in the deck, kind of hint)."""
    named = {}
    for game, after in pairwise(games):
        action = after.actions[-1]
        if action.is_hint:
            for slot in touched(game, action):
                named[game.hand_indices[action.target][slot], action.kind] = True
    return named


def touched(game: Game, action: Action) -> list[int]:
    hand = game.hands[action.target]
    return [
        slot
        for slot, card in enumerate(hand)
        if (card.color if action.kind is Kind.HINT_COLOR else card.rank) == action.value
    ]


def encoding(games: list[Game], observer: int, kind: int = 1) -> list[int]:
    """Return what a seat sees of the last of all positions of a game since the deal."""
    game = games[-1]
    rules = game.rules
    kinds = [
        Card(color, rank) for color in range(rules.colors) for rank in range(1, rules.ranks + 1)
    ]
    seats = [(observer + behind) % rules.seats for behind in range(rules.seats)]
    absent = [0] * len(kinds)
    bits: list[int] = []
    for seat in seats[1:]:
        hand = game.hands[seat]
        for slot in range(rules.hand_size):
            bits += one(len(kinds), kinds.index(hand[slot])) if slot < len(hand) else absent
    bits += [int(len(game.hands[seat]) < rules.hand_size) for seat in seats]
    bits += up_to(game.deck_left, rules.deck_size - rules.seats * rules.hand_size)
    for height in game.piles:
        bits += one(rules.ranks, height - 1)
    bits += up_to(game.hints, rules.hints) + up_to(game.lives, rules.lives)
    discards = Counter(game.discards)
    for color, row in enumerate(rules.spec.copies):
        for rank, copies in enumerate(row, start=1):
            bits += up_to(discards[Card(color, rank)], copies)
    bits += last_action(games, seats, kinds)
    if kind == 0:
        return bits
    named = named_in(games)
    for seat in seats:
        for slot in range(rules.hand_size):
            if slot >= len(game.hands[seat]):
                bits += [0] * (len(kinds) + rules.colors + rules.ranks)
                continue
            index, card = game.hand_indices[seat][slot], game.hands[seat][slot]
            known = game.knowledge[seat][slot]
            if kind == 2:
                bits += one(len(kinds), kinds.index(card))
            else:
                bits += [int(known.is_possible(each)) for each in kinds]
            color_named = kind == 2 or (index, Kind.HINT_COLOR) in named
            rank_named = kind == 2 or (index, Kind.HINT_RANK) in named
            bits += one(rules.colors, card.color if color_named else -1)
            bits += one(rules.ranks, card.rank - 1 if rank_named else -1)
    return bits


def last_action(games: list[Game], seats: list[int], kinds: list[Card]) -> list[int]:
    rules = games[-1].rules
    n, hand, colors, ranks = rules.seats, rules.hand_size, rules.colors, rules.ranks
    if len(games) == 1:
        return [0] * (2 * n + 4 + colors + ranks + 2 * hand + len(kinds) + 2)
    before, after = games[-2:]
    action, actor = after.actions[-1], before.seat_to_act
    bits = one(n, seats.index(actor)) + one(4, ORDER.index(action.kind))
    if action.is_hint:
        is_color = action.kind is Kind.HINT_COLOR
        bits += one(n, seats.index(action.target))
        bits += one(colors, action.value if is_color else -1)
        bits += one(ranks, -1 if is_color else action.value - 1)
        bits += one(hand, *touched(before, action))
        return bits + [0] * (hand + len(kinds) + 2)
    card = before.hands[actor][action.target]
    bits += [0] * (n + colors + ranks + hand) + one(hand, action.target)
    bits += one(len(kinds), kinds.index(card))
    if action.kind is Kind.DISCARD:
        return [*bits, 0, 0]
    scored = sum(after.piles) > sum(before.piles)
    return [*bits, int(scored), int(after.hints > before.hints)]
