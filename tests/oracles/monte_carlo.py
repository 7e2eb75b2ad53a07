"""The Monte Carlo player of [Bergh2016, section 4] in plain Python, draw by draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hanabi.ground.rng import Stream
from hanabi.players.monte_carlo import MonteCarlo
from hanabi.rules import Action, Game, Kind, View
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck
from hanabi.rules.table import Knowledge


def choose(player: MonteCarlo, view: View, stream: Stream) -> Action:
    """Return the action of the seat to act."""
    own = Stream(stream.word())
    actions = view.legal_actions
    if len(actions) == 1:
        return actions[0]
    worth = [0] * len(actions)
    for _ in range(player.playouts):
        deck = draw_world(view, own, player.turns)
        # Errors do not end play-outs: with so many lives they cannot.
        rules = replace(view.rules, lives=view.rules.lives + player.turns)
        game = Game.start(rules, deck)
        for action in view.actions:
            game = game.apply(action)
        for i, action in enumerate(actions):
            worth[i] += play_out(player, game, action, own)
    return actions[worth.index(max(worth))]


def possible_cards(view: View) -> tuple[list[Card], list[list[int]]]:
    """Return the unseen cards in order, and for each hidden slot which of them it can hold."""
    counts = Counter(view.rules.spec.cards())
    counts.subtract(card for card in view.deck if card is not None)
    unseen = sorted(counts.elements())
    hidden = [
        known
        for card, known in zip(view.hands[view.seat], view.knowledge[view.seat], strict=True)
        if card is None
    ]
    return unseen, [
        [i for i, card in enumerate(unseen) if known.is_possible(card)] for known in hidden
    ]


def draw_world(view: View, stream: Stream, depth: int) -> Deck:
    """Deal the unseen cards, the hand by rejection."""
    unseen, rows = possible_cards(view)
    order = sorted(range(len(rows)), key=lambda slot: len(rows[slot]))
    most = [
        len(rows[slot]) - sum(set(rows[other]) <= set(rows[slot]) for other in order[:i])
        for i, slot in enumerate(order)
    ]
    dealt: dict[int, int] = {}
    while len(dealt) < len(rows):
        slot = order[len(dealt)]
        left = len(set(rows[slot]) - set(dealt.values()))
        bound = most[len(dealt)]
        if left < bound and stream.below(bound) >= left:
            dealt = {}
            continue
        place = rows[slot][stream.below(len(rows[slot]))]
        while place in dealt.values():
            place = rows[slot][stream.below(len(rows[slot]))]
        dealt[slot] = place
    rest = [card for place, card in enumerate(unseen) if place not in dealt.values()]
    for i in range(min(depth, len(rest) - 1)):
        j = i + stream.below(len(rest) - i)
        rest[i], rest[j] = rest[j], rest[i]
    deck = list(view.deck)
    for slot, place in dealt.items():
        deck[view.hand_indices[view.seat][slot]] = unseen[place]
    drawn = len(deck) - len(rest)
    return Deck([card for card in deck[:drawn] if card is not None] + rest)


def play_out(player: MonteCarlo, game: Game, action: Action, stream: Stream) -> int:
    """Return the worth of a play-out."""
    now, last, total = game, game, 0
    for turn in range(1, player.turns + 1):
        if not game.is_over:
            if turn > 1:
                action = random_action(player, game, stream)
            game = game.apply(action)
        elif not player.cumulative:
            break
        since = now if player.cumulative else last
        start = now.lives if player.since else game.rules.lives
        first = start - since.lives
        errors = range(first + 1, start - game.lives + 1)
        worth = sum(game.piles) - sum(since.piles) - sum(errors)
        total += worth * (turn if player.linear else 1)
        last = game
    return total


def random_action(player: MonteCarlo, game: Game, stream: Stream) -> Action:
    """Return what the random player does."""
    known = game.knowledge[game.seat_to_act]

    def fits(action: Action) -> bool:
        return action.kind is not Kind.PLAY or can_fit(game, known[action.target])

    legal = game.legal_actions
    actions = [action for action in legal if fits(action)] or [
        action for action in legal if action.kind is Kind.PLAY
    ]
    order: list[Callable[[Action], bool]] = [
        lambda action: action.kind is Kind.PLAY,
        lambda action: action.kind is Kind.DISCARD,
        lambda action: action.is_hint,
        lambda action: action.kind is Kind.PLAY_DECK,
        lambda action: action.kind is Kind.DISCARD_DECK,
    ]
    actions = [action for is_kind in order for action in actions if is_kind(action)]

    def weight(action: Action) -> int:
        if action.kind is Kind.PLAY:
            return weigh(player, known[action.target])
        return 1 << 40 if player.narrow else 1

    if not player.redraw:
        return draw(actions, list(map(weight, actions)), stream)
    drawn = actions[stream.below(len(actions))]
    if drawn.kind is not Kind.PLAY:
        return drawn
    plays = [action for action in actions if action.kind is Kind.PLAY]
    return draw(plays, list(map(weight, plays)), stream)


def draw(actions: list[Action], weights: list[int], stream: Stream) -> Action:
    """Return one of the actions."""
    n = stream.below(sum(weights))
    for action, weight in zip(actions, weights, strict=True):
        if n < weight:
            return action
        n -= weight
    raise AssertionError(n)


def can_fit(game: Game, known: Knowledge) -> bool:
    """Whether playing the card need not be an error, as far as hints say.

    A pile can take it, or it can be inverted: playing such a card discards it.
    """
    return any(
        known.is_possible(card) and (game.rules.is_inverted(card) or game.is_playable(card))
        for color, copies in enumerate(game.rules.spec.copies)
        for card in (Card(color, rank) for rank in range(1, len(copies) + 1))
    )


def weigh(player: MonteCarlo, known: Knowledge) -> int:
    """Return how much a card is favoured."""
    colors, ranks = len(known.colors), len(known.ranks)
    if player.narrow:
        return int((1 << 40) // (colors * ranks) ** 2)
    return 1 + player.favour * ((colors == 1) + (ranks == 1))
