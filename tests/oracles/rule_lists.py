"""The public rule-based players in plain Python, from views: one function a rule."""

from __future__ import annotations

from fractions import Fraction

from hanabi.players import Flawed, Iggi, Outer, Piers, VanDenBergh
from hanabi.players.rule_lists import RuleList
from hanabi.rules import Action, View, discard, hint_color, hint_rank, play
from hanabi.rules.cards import Card

Known = tuple[int | None, int | None]


def choices(player: RuleList, view: View) -> list[Action]:
    """Return the actions between which a player draws, one perhaps twice."""
    legal = set(view.legal_actions)
    for found in _lists(player, view):
        kept = [action for action in found if action in legal]
        if kept:
            return kept
    return list(view.legal_actions)


def _lists(player: RuleList, view: View) -> list[list[Action]]:
    is_last_round = view.deck_left == 0
    at_last = [random_hints(view), [discard(slot) for slot in range(_held(view))]]
    match player:
        case Iggi():
            found = [known_play(view), safe_play(view), useful(view), osawa(view), oldest(view)]
        case Piers():
            found = [
                likely_play(view, 0) if view.lives > 1 and is_last_round else [],
                safe_play(view),
                likely_play(view, player.play) if view.lives > 1 else [],
                useful(view),
                dispensable(view) if view.hints < 4 else [],
                osawa(view),
                oldest(view),
            ]
        case Flawed():
            found = [safe_play(view), likely_play(view, player.play), random_hints(view)]
            found += [osawa(view), oldest(view)]
        case Outer():
            found = [safe_play(view), osawa(view), useful(view, everyone=False), missing(view)]
        case VanDenBergh():
            found = [
                likely_play(view, player.play) if view.lives > 1 else safe_play(view),
                likely_discard(view, player.discard),
                useful(view),
                useless(view) if player.useless else [],
                most(view),
                likely_discard(view, 0),
            ]
    return found + at_last


def _held(view: View) -> int:
    return len(view.hand_indices[view.seat])


def _cards(view: View, slot: int) -> list[Card]:
    """Return the unseen cards that a slot of one's own can be."""
    known = view.knowledge[view.seat][slot]
    return [card for card in view.unseen.elements() if known.is_possible(card)]


def _known(view: View, seat: int, slot: int) -> Known:
    """Return the color and the rank of a card, as far as hints leave no other."""
    known = view.knowledge[seat][slot]
    color = known.colors[0] if len(known.colors) == 1 else None
    return color, known.ranks[0] if len(known.ranks) == 1 else None


def _others(view: View, everyone: bool = True) -> list[int]:
    seats = view.rules.seats
    found = [(view.seat + turn) % seats for turn in range(1, seats)]
    return found if everyone else found[:1]


def _named(view: View, seat: int, slot: int, card: Card, *, rank_first: bool) -> list[Action]:
    color, rank = _known(view, seat, slot)
    by_rank = [] if rank is not None else [hint_rank(seat, card.rank)]
    by_color = [] if color is not None else [hint_color(seat, card.color)]
    return (by_rank + by_color if rank_first else by_color + by_rank)[:1]


def _visible(view: View, seat: int) -> list[tuple[int, Card]]:
    return [(slot, card) for slot, card in enumerate(view.hands[seat]) if card is not None]


def _can(view: View, actions: list[Action]) -> list[Action]:
    return [action for action in actions if action in view.legal_actions]


def known_play(view: View) -> list[Action]:
    for slot in range(_held(view)):
        color, rank = _known(view, view.seat, slot)
        if color is not None and rank is not None and view.is_playable(Card(color, rank)):
            return [play(slot)]
    return []


def safe_play(view: View) -> list[Action]:
    for slot in range(_held(view)):
        if all(map(view.is_playable, _cards(view, slot))):
            return [play(slot)]
    return []


def likely_play(view: View, least: float) -> list[Action]:
    best, found = Fraction(str(least)), list[Action]()
    for slot in range(_held(view)):
        cards = _cards(view, slot)
        chance = Fraction(sum(map(view.is_playable, cards)), len(cards))
        if chance >= best:
            best, found = chance, [play(slot)]
    return found


def likely_discard(view: View, least: float) -> list[Action]:
    best, found = Fraction(str(least)), list[Action]()
    for slot in range(_held(view)):
        cards = _cards(view, slot)
        chance = Fraction(sum(map(view.is_dead, cards)), len(cards))
        if chance >= best:
            best, found = chance, [discard(slot)]
    return found


def osawa(view: View) -> list[Action]:
    piles, top = view.piles, view.rules.ranks
    for slot in range(_held(view)):
        color, rank = _known(view, view.seat, slot)
        if (
            (color is not None and piles[color] == top)
            or (rank is not None and rank <= min(piles))
            or (color is not None and rank is not None and view.is_dead(Card(color, rank)))
        ):
            return [discard(slot)]
    for slot in range(_held(view)):
        color, _ = _known(view, view.seat, slot)
        if color is not None:
            reach = piles[color]
            while reach < top and not view.is_dead(Card(color, reach + 1)):
                reach += 1
            if min(card.rank for card in _cards(view, slot)) > reach:
                return [discard(slot)]
    return []


def oldest(view: View) -> list[Action]:
    indices = view.hand_indices[view.seat]
    return [discard(indices.index(min(indices)))] if indices else []


def useful(view: View, *, everyone: bool = True) -> list[Action]:
    for seat in _others(view, everyone):
        for slot, card in _visible(view, seat):
            if view.is_playable(card):
                found = _can(view, _named(view, seat, slot, card, rank_first=True))
                if found:
                    return found
    return []


def missing(view: View) -> list[Action]:
    for seat in _others(view, everyone=False):
        for slot, card in _visible(view, seat):
            found = _can(view, _named(view, seat, slot, card, rank_first=False))
            if found:
                return found
    return []


def useless(view: View) -> list[Action]:
    for seat in _others(view):
        for slot, card in _visible(view, seat):
            if view.is_dead(card):
                return _named(view, seat, slot, card, rank_first=True)
    return []


def dispensable(view: View) -> list[Action]:
    piles = view.piles
    for seat in sorted(_others(view)):
        for slot, card in _visible(view, seat):
            color, rank = _known(view, seat, slot)
            found = []
            if color is None and piles[card.color] == view.rules.ranks:
                found = [hint_color(seat, card.color)]
            elif rank is None and card.rank <= min(piles):
                found = [hint_rank(seat, card.rank)]
            elif (color is None) != (rank is None) and card.rank <= piles[card.color]:
                found = _named(view, seat, slot, card, rank_first=True)
            if _can(view, found):
                return found
    return []


def most(view: View) -> list[Action]:
    best, found = 0, list[Action]()
    for seat in sorted(_others(view)):
        cards = [(card, _known(view, seat, slot)) for slot, card in _visible(view, seat)]
        for rank in range(1, view.rules.ranks + 1):
            n = sum(card.rank == rank and known[1] is None for card, known in cards)
            if n > best and _can(view, [hint_rank(seat, rank)]):
                best, found = n, [hint_rank(seat, rank)]
        for color in range(view.rules.colors):
            n = sum(card.color == color and known[0] is None for card, known in cards)
            if n > best and _can(view, [hint_color(seat, color)]):
                best, found = n, [hint_color(seat, color)]
    return found


def random_hints(view: View) -> list[Action]:
    return [
        action
        for seat in _others(view, everyone=False)
        for _, card in _visible(view, seat)
        for action in (hint_rank(seat, card.rank), hint_color(seat, card.color))
    ]
