"""Positions without a history as games, and the positions of games in that form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from math import ceil

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules import layout as k
from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card
from hanabi.rules.config import (
    DEFAULT_PRESET,
    HAND_SIZES,
    PRESETS,
    Rules,
    rules_for_variant,
    rules_of_json,
)
from hanabi.rules.deck import Deck
from hanabi.rules.notation.record import PositionInput
from hanabi.rules.packing import pack_rules, played
from hanabi.rules.state import Game
from hanabi.rules.table import Table
from hanabi.rules.variants import find_variant

__all__ = ["game_of_position", "matched", "position_of", "rules_of_position"]


def rules_of_position(given: PositionInput) -> Rules:
    """Return the rule set of a position.

    >>> from hanabi.rules.notation import parse_input
    >>> given = parse_input("position rules hle hand r1 hand r2 discards hints 1")
    >>> rules_of_position(given) == Rules.hle(2)
    True
    """
    rules: object = given.rules
    for name in ("variant", "copies"):
        if isinstance(rules, dict) and name in rules:
            raise InvalidInputError(f"rules.{name}: a position states its {name} itself")
    if given.variant is not None:
        rules = rules_for_variant(rules, find_variant(given.variant))
    found = rules_of_json(rules, given.players, given.spec)[1]
    return found if found.spec == given.spec else replace(found, spec=given.spec)


def game_of_position(given: PositionInput) -> Game:
    """Return a position as a game without its history.

    Where the order of the deck is not known, the last cards of the game's deck are missing. A
    hidden hand is filled with cards that its hints and the rest of the position allow: nothing that
    depends on them is known (`PositionInput.hidden_seat`).

    Raises
    ------
    InvalidInputError
        If no game can have this position: the message names what is wrong.

    >>> from hanabi.rules.notation import parse_input
    >>> text = "position copies 2,2 rules hle piles r1 hand r1 hand r2 deck r2 hints 1"
    >>> game_of_position(parse_input(text))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: rules: a deck of 4 cards is too small for 2 hands of 5;
        for
    hands of 1, write JSON with "rules": {"hand_size": 1}
    """
    try:
        rules = rules_of_position(given)
        _check_numbers(given, rules)
        _check_hands(given, rules)
    except InvalidInputError as error:
        raise InvalidInputError(f"{error}{_other_size(given)}") from None
    game = _built(given, rules, _filled(given))
    if not game.can_act:
        raise InvalidInputError(f"the game is over ({_why_over(game)}): nobody can act")
    return game


def _other_size(given: PositionInput) -> str:
    """Return advice if all hands have a size that only rules in JSON can state."""
    sizes = {len(hand) for hand in given.hands}
    size, states = max(sizes), isinstance(given.rules, dict) and "hand_size" in given.rules
    if len(sizes) > 1 or size == HAND_SIZES[given.players] or states:
        return ""
    return f'; for hands of {size}, write JSON with "rules": {{"hand_size": {size}}}'


def _whole(hand: Sequence[Card | None]) -> tuple[Card, ...]:
    return tuple(card for card in hand if card is not None)


def _why_over(game: Game) -> str:
    return "it would wait forever" if not game.is_over else str(game.end_reason)


def _check_numbers(given: PositionInput, rules: Rules) -> None:
    """Raise InvalidInputError for numbers that the rules do not allow."""
    credit = given.hints * rules.hint_cost
    if credit.denominator != 1 or not 0 <= given.hints <= rules.hints:
        tokens = f"in 0 .. {rules.hints}"
        if credit.denominator != 1:
            tokens = "a whole number: only some variants have half tokens"
        raise InvalidInputError(f"hints: {_decimal(given.hints)} is not {tokens}")
    for name, value, low, high in (
        ("lives", given.lives, 1, rules.lives),
        ("seat", given.seat, 0, rules.seats - 1),
        ("turn", given.turn, 0, 1_000_000),
    ):
        if value is not None and not low <= value <= high:
            raise InvalidInputError(f"{name}: {quote(value)} is not in {low} .. {high}")
    if given.barred is not None and not (rules.variant and rules.variant.alternating_clues):
        raise InvalidInputError("barred: only in variants in which kinds of hints take turns")
    last = rules.final_round
    if given.turns_left is None:
        if not given.deck and last is not None:
            raise InvalidInputError("turns: missing: no card is left to draw, so the turns count")
        return
    if given.deck or last is None:
        why = "the last round has not begun" if given.deck else "these rules have no last round"
        left = counted(len(given.deck), "card")
        raise InvalidInputError(f"turns: {why}" + (f", with {left} to draw" if given.deck else ""))
    if not 1 <= given.turns_left <= last:
        raise InvalidInputError(f"turns: {quote(given.turns_left)} is not in 1 .. {last}")


def _decimal(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number)}"


def _check_hands(given: PositionInput, rules: Rules) -> None:
    """Raise InvalidInputError for hands of a size that they cannot have now."""
    size = rules.hand_size
    since = None  # turns since the last card was drawn
    if not given.deck and given.turns_left is not None and rules.final_round is not None:
        since = rules.final_round - given.turns_left
    for seat, hand in enumerate(given.hands):
        least = size
        if not given.deck:
            # How often the seat acted since: the seat before the one to act was the last.
            behind = (given.seat - 1 - seat) % rules.seats
            acted = size if since is None else len(range(behind, since, rules.seats))
            least = max(0, size - acted)
        if not least <= len(hand) <= size:
            cards = counted(size, "card") if least == size else f"{least} to {size} cards"
            raise InvalidInputError(
                f"hand of seat {seat}: {counted(len(hand), 'card')}, where it has {cards}"
            )
    for color, pile in enumerate(given.piles):
        if pile not in played(rules, color):
            raise InvalidInputError(f"piles: {quote(pile)} cannot be built in color {color}")
    if rules.variant is not None and rules.variant.sudoku:
        starts = [pile[0] for pile in given.piles if pile]
        if len(set(starts)) < len(starts):
            raise InvalidInputError("piles: two piles begin with the same rank")


def _filled(given: PositionInput) -> tuple[tuple[Card, ...], ...]:
    """Return all hands, the hidden one with cards that its hints allow.

    Whether the game goes on does not depend on them: it asks for hands only once the deck is empty,
    and then the hidden hand is all that is left.
    """
    if given.hidden_seat is None:
        return tuple(map(_whole, given.hands))
    left = sorted((given.spec.counts() - Counter(_seen(given))).elements())
    places = matched(
        [
            [n for n, card in enumerate(left) if allowed is None or card in allowed]
            for allowed in given.known[given.seat]
        ]
    )
    if places is None:
        raise InvalidInputError(
            f"hand of seat {given.seat}: the cards that are left do not fit its hints"
        )
    own = tuple(left[place] for place in places)
    return tuple(own if n == given.seat else _whole(each) for n, each in enumerate(given.hands))


def matched(fits: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """Return a card for each slot, all different, by augmenting paths; None if there are none such.

    Parameters
    ----------
    fits
        The cards that fit each slot, by any numbers.

    >>> matched([[0, 1], [0]]), matched([[0], [0]])
    ((1, 0), None)
    """
    cards = [-1] * len(fits)
    slots: dict[int, int] = {}  # by card
    for start in range(len(fits)):
        via: dict[int, int] = {}  # the slot from which each card was reached
        reached, free = [start], -1
        for slot in reached:
            new = [card for card in fits[slot] if card not in via]
            via |= dict.fromkeys(new, slot)
            free = next((card for card in new if card not in slots), -1)
            if free >= 0:
                break
            reached += [slots[card] for card in new]
        if free < 0:
            return None
        while free >= 0:  # each slot on the path takes the card by which it was left
            slot = slots[free] = via[free]
            cards[slot], free = free, cards[slot]
    return tuple(cards)


def _seen(given: PositionInput) -> Iterator[Card]:
    """Yield every card whose place is known."""
    for color, pile in enumerate(given.piles):
        yield from (Card(color, rank) for rank in pile)
    yield from given.discards
    for hand in given.hands:
        yield from _whole(hand)
    yield from _whole(given.deck)


def _built(given: PositionInput, rules: Rules, hands: Sequence[Sequence[Card]]) -> Game:
    """Return the game: cards that are gone come first in its deck, then the hands seat by seat."""
    import numpy as np

    from hanabi.rules.kernels.packed import Packed
    from hanabi.rules.kernels.rules import find_end

    gone = [Card(color, rank) for color, pile in enumerate(given.piles) for rank in pile]
    gone += given.discards
    drawn = [*gone, *(card for hand in hands for card in hand)]
    upcoming = _whole(given.deck[: next(_unknown(given.deck), len(given.deck))])
    words = pack_rules(rules)
    state = np.zeros(int(words[k.STATE_SIZE]), np.int64)
    state[k.SEAT] = given.seat
    state[k.HINTS] = int(given.hints * rules.hint_cost)
    state[k.LIVES] = rules.lives if given.lives is None else given.lives
    state[k.DRAWN] = len(drawn)
    state[k.TURNS_LEFT] = -1 if given.turns_left is None else given.turns_left
    state[k.POINTS] = sum(map(len, given.piles))
    if given.barred is not None:
        state[k.BARRED] = words[k.BARS + (given.barred == "rank")]
    for color, pile in enumerate(given.piles):
        state[k.PILES + color] = played(rules, color).index(pile)
        if pile and words[k.DISTINCT_STARTS]:
            state[k.STARTS] |= 1 << pile[0]
    for color, rank in given.discards:
        state[words[k.DISCARDS] + color * rules.ranks + rank - 1] += 1
    index = len(gone)
    for seat, hand in enumerate(hands):
        state[words[k.SIZES] + seat] = len(hand)
        first = seat * rules.hand_size
        state[words[k.CARDS] + first : words[k.CARDS] + first + rules.hand_size] = -1
        for slot, possible in enumerate(given.known[seat]):
            state[words[k.CARDS] + first + slot] = index + slot
            state[words[k.KNOWN] + first + slot] = _knowledge(
                rules, possible, f"hand of seat {seat}, card {len(hand) - slot}"
            )
        index += len(hand)
    state[k.TURN] = _turn(given, rules, len(gone))
    game = Game(rules, Deck([*drawn, *upcoming]), (), state.tobytes())
    position = game.packed
    position.state[k.END] = find_end(Packed(*position))
    return Game(rules, game.deck, (), position.state.tobytes())


def _unknown(deck: Sequence[Card | None]) -> Iterator[int]:
    return (n for n, card in enumerate(deck) if card is None)


def _knowledge(rules: Rules, possible: frozenset[Card] | None, which: str) -> int:
    """Return the word for what hints leave possible for a card; errors call it `which`."""
    words = pack_rules(rules)
    if possible is None:
        return int(words[k.ANYTHING])
    if rules.variant is not None:
        return sum(1 << card.color * rules.ranks + card.rank - 1 for card in possible)
    colors, ranks = {card.color for card in possible}, {card.rank for card in possible}
    if len(possible) != len(colors) * len(ranks):
        raise InvalidInputError(
            f"{which}: hints of this game leave some colors and ranks possible, in every"
            " combination"
        )
    bits = sum(1 << color for color in colors)
    return bits | sum(1 << k.RANK_BITS + rank - 1 for rank in ranks)


def _turn(given: PositionInput, rules: Rules, n_gone: int) -> int:
    """Return the number of turns taken: what is given, or the least that explains the position."""
    # Every token that is missing was spent; one that came back took another turn.
    is_hinted = any(possible is not None for hand in given.known for possible in hand)
    hints = max(ceil(rules.hints - given.hints), int(is_hinted))
    lost = rules.lives - (rules.lives if given.lives is None else given.lives)
    if lost > len(given.discards):
        raise InvalidInputError(
            f"lives: {counted(lost, 'error')}, but only {counted(len(given.discards), 'discard')}"
        )
    least = n_gone + hints
    if given.turn is None:
        return least + (given.seat - least) % rules.seats
    if given.turn < least:
        turns = counted(given.turn, "turn")
        raise InvalidInputError(f"turn: {turns} cannot lead here, as at least {least} were taken")
    return given.turn


# The position of a game in this form.


def position_of(
    game: Game, *, names: Sequence[str] = (), is_hidden: bool = False, has_order: bool = True
) -> PositionInput:
    """Return the position of a game without the moves that led to it.

    Parameters
    ----------
    game
        A game in which somebody can act.
    names
        The players' names.
    is_hidden
        Whether to hide the hand of the seat to act, and so the order of the deck.
    has_order
        Whether to keep the order of the deck.

    Raises
    ------
    InvalidInputError
        If the game is over, or has one seat.

    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> game_of_position(position_of(game)).hands == game.hands
    True
    """
    rules, seat = game.rules, game.seat_to_act
    if not game.can_act:
        raise InvalidInputError(f"the game is over ({_why_over(game)}): nobody can act")
    left = rules.deck_size - game.deck_left
    upcoming = [*game.deck[left:], *[None] * game.missing]
    if is_hidden or not has_order:
        upcoming = [None] * game.deck_left
    hands: list[tuple[Card | None, ...]] = list(game.hands)
    if is_hidden:
        hands[seat] = (None,) * len(hands[seat])
    barred = game.barred_kind
    variant = rules.variant
    return PositionInput(
        spec=rules.spec,
        piles=game.pile_ranks,
        discards=game.discards,
        hands=tuple(hands),
        known=tuple(
            tuple(_possible(game, of, n) for n in range(len(game.hands[of])))
            for of in range(rules.seats)
        ),
        deck=tuple(upcoming),
        hints=Fraction(game.hint_credit, rules.hint_cost),
        lives=game.lives,
        seat=seat,
        turns_left=game.turns_left,
        turn=game.turn,
        barred=None if barred is None else "color" if barred is Kind.HINT_COLOR else "rank",
        variant=None if variant is None else variant.name,
        rules=_named_rules(rules),
        names=tuple(names),
    )


def _possible(game: Table, seat: int, slot: int) -> frozenset[Card] | None:
    """Return the cards that hints leave possible for a card in hand; None if all are."""
    known, rules = game.knowledge[seat][slot], game.rules
    if known.cards is not None:
        counts = rules.spec.counts()
        return None if len(known.cards) == sum(map(bool, counts.values())) else known.cards
    if len(known.colors) == rules.colors and len(known.ranks) == rules.ranks:
        return None
    return frozenset(Card(color, rank) for color in known.colors for rank in known.ranks)


def _named_rules(rules: Rules) -> object:
    """Return rules as inputs name them: None for the site's, a preset's name, or an object."""
    variant = rules.variant
    for name in (DEFAULT_PRESET, *PRESETS) if variant is None else ():
        with suppress(InvalidInputError):  # a preset that has no table for so many seats
            preset = PRESETS[name](rules.seats)
            if replace(rules, spec=preset.spec) == preset:
                return None if name == DEFAULT_PRESET else name
    base = Rules.hanab_live(rules.seats, variant=variant)
    changes = {
        each.name: getattr(rules, each.name)
        for each in fields(Rules)
        if each.name not in ("spec", "seats", "variant")
        and getattr(rules, each.name) != getattr(base, each.name)
    }
    return changes or None
