"""Beliefs and the search over them in plain Python, game by game."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import sqrt

from hanabi.ground.rng import Stream
from hanabi.players import Belief, play_game
from hanabi.players.belief import draw_beliefs
from hanabi.players.protocol import CompiledPlayer, Player
from hanabi.rules import Action, Game, View
from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck
from hanabi.worlds import Hidden, replayed
from oracles.players import Compiled


def list_beliefs(player: Player, view: View, searching: Container[int] = frozenset()) -> list[Game]:
    """Return every deal that a seat cannot exclude if the others do what `player` does.

    Those of `searching` may do anything. By enumeration of the hidden cards: each deal stands for
    the same number of their permutations.
    """
    hidden = Hidden.of(view)
    worlds = hidden.worlds(10**6)
    assert worlds is not None
    believed = []
    for world in worlds:
        game = Game.start(view.rules, hidden.deck(world))
        for action in view.actions:
            seat = game.seat_to_act
            is_asked = seat != view.seat and seat not in searching
            if is_asked and player.act(game.view(seat), Stream(0)) != action:
                break
            game = game.apply(action)
        else:
            believed.append(game)
    return believed


def is_conventional(player: CompiledPlayer, game: Game, seat: int) -> bool:
    """Whether all cards of a seat are what the conventions say of them."""
    compiled = Compiled(player, Game.start(game.rules, game.deck))
    compiled.follow(game)
    return all(
        compiled.possible(seat, slot) >> (card.color * game.rules.ranks + card.rank - 1) & 1
        for slot, card in enumerate(game.hands[seat])
    )


def choose(player: Belief, view: View, stream: Stream) -> Action:
    """Return the action of the seat to act: the search, in the deals that `player` draws."""
    inner = player.player
    assert isinstance(inner, CompiledPlayer)
    own, copy = inner.act(view, Stream(0)), Stream(0)
    if view.seat >= player.seats:
        return own
    copy.state = stream.state
    seed = Stream(copy.word()).word()
    decks = draw_beliefs(player, view, stream).decks
    if not decks:
        return own
    games = [replayed(view, deck) for deck in deal_again(player, view, decks, seed)]
    compiled = Compiled(inner, Game.start(view.rules, decks[0]))
    compiled.follow(games[0])
    others = [
        action
        for action in view.legal_actions
        if action != own
        and (player.misread or compiled.is_truthful(action))
        and not (
            view.lives == 1 and view.rules.bombed_scores_zero and _may_err(compiled, view, action)
        )
    ]

    def score(action: Action, number: int) -> int:
        team = [inner] * view.rules.seats
        return play_game(team, games[number].apply(action), Stream(0)).score

    most, n = _most(view), len(games)
    needed = max(round(100 * player.margin) * view.deck_left / view.rules.deck_size, 1.0)
    scores: dict[Action, list[int]] = {own: [], **{action: [] for action in others}}
    target = min(n, 40)
    while True:
        tried = len(scores[own])
        for action, values in scores.items():
            values += [score(action, number) for number in range(tried, target)]
            if action == own and prospects([most] * target, values, n, needed)[1] < 0:
                return own
        leader = max(scores, key=lambda action: sum(scores[action]))
        scores = {
            action: values
            for action, values in scores.items()
            if action == own
            or (
                prospects(values, scores[own], n, needed, player.caution)[1] >= 0
                and (action == leader or prospects(values, scores[leader], n)[1] >= 0)
            )
        }
        if len(scores) == 1:
            return own
        first = next(action for action in scores if action != own)
        sure = prospects(scores[first], scores[own], n, needed, player.caution)[0] >= 0
        if target == n or (len(scores) == 2 and sure):
            return first
        target = min(n, 2 * target)


def _may_err(compiled: Compiled, view: View, action: Action) -> bool:
    """Whether an action may be an error by what hints and conventions say of a card."""
    is_play = action.kind in (Kind.PLAY, Kind.PLAY_DECK)
    is_any_inverted = view.rules.variant is not None and any(view.rules.variant.inverted)
    if action.is_hint or not (is_play or is_any_inverted):
        return False
    hidden = set(view.unseen)
    if action.kind in (Kind.PLAY, Kind.DISCARD):
        bits = compiled.possible(view.seat, action.target)
        hidden = {c for c in hidden if bits >> (c.color * view.rules.ranks + c.rank - 1) & 1}
    played = {card for card in hidden if view.rules.is_inverted(card) != is_play}
    return not hidden or not all(map(view.is_playable, played))


def prospects(
    one: Sequence[int], other: Sequence[int], n: int, needed: float = 0.0, caution: float = 0.0
) -> tuple[float, float]:
    """Return by how much one action will exceed another and what is needed, at least and at most.

    Of `n` deals some are tried; times their number.
    """
    gains, tried = [each - its for each, its in zip(one, other, strict=True)], len(one)
    total = sum(gains)
    spread = 1 + sum(gain**2 for gain in gains) - total * total / tried
    goal = max(needed * tried, round(100 * caution) * sqrt(spread * (tried / n))) / 100
    to_come = 2 * sqrt(spread * (1 - tried / n))
    return total - goal - to_come, total - goal + to_come


def deal_again(player: Belief, view: View, decks: Sequence[Deck], seed: int) -> list[list[Card]]:
    """Return decks, and as many more with the same hands as `player` may want."""
    dealt, n, left = [list(deck) for deck in decks], len(decks), view.deck_left
    for row in range(n, n * (player.deals if left > 1 else 1)):
        deck, stream = list(dealt[row - n]), Stream(seed, row)
        first = len(deck) - left
        for last in range(len(deck) - 1, first, -1):
            other = first + stream.below(last - first + 1)
            deck[last], deck[other] = deck[other], deck[last]
        dealt.append(deck)
    return dealt


def _most(view: View) -> int:
    """Return a score that no play from here exceeds: by cards, and by turns."""
    turns = view.turns_left
    if turns is None and view.rules.final_round is not None:
        turns = view.deck_left + view.rules.final_round
    return view.most_points if turns is None else min(view.most_points, view.score + turns)
