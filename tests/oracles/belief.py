"""Beliefs and the search over them in plain Python, game by game."""

from __future__ import annotations

from collections.abc import Container, Sequence

from hanabi.cards import Card
from hanabi.game import Action, Game, View
from hanabi.players import Belief, play_game
from hanabi.players.belief.worlds import draw_beliefs
from hanabi.players.endgame.plain import list_worlds
from hanabi.players.protocol import CompiledPlayer, Player
from hanabi.rng import Stream
from oracles.players import Compiled


def play_again(view: View, deck: Sequence[Card]) -> Game:
    """Return the game of a view with another deck."""
    game = Game.start(view.rules, deck)
    for action in view.actions:
        game = game.apply(action)
    return game


def list_beliefs(player: Player, view: View, searching: Container[int] = frozenset()) -> list[Game]:
    """Return every deal that a seat cannot exclude if the others do what `player` does.

    Those of `searching` may do anything. By enumeration of the hidden cards: each deal stands for
    the same number of their permutations.
    """
    hidden = [index for index, card in enumerate(view.deck) if card is None]
    own = [index for index in view.hand_indices[view.seat] if index in hidden]
    places = own + [index for index in hidden if index not in own]
    worlds = list_worlds(view, 10**6)
    assert worlds is not None
    believed = []
    for world in worlds:
        deck = dict(enumerate(view.deck)) | dict(zip(places, world, strict=True))
        game = Game.start(view.rules, [card for card in deck.values() if card is not None])
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
    own = inner.act(view, Stream(0))
    if view.seat >= player.seats:
        return own
    decks = draw_beliefs(player, view, stream).decks
    if not decks:
        return own
    games = [play_again(view, deck) for deck in decks]
    compiled = Compiled(inner, Game.start(view.rules, decks[0]))
    compiled.follow(games[0])
    others = [
        action
        for action in view.legal_actions
        if action != own and (player.misread or compiled.is_truthful(action))
    ]
    if not others:
        return own

    def score(action: Action, number: int) -> int:
        team = [inner] * view.rules.seats
        return play_game(team, games[number].apply(action), Stream(0)).score

    n = len(games)
    before = [score(own, number) for number in range(n)]
    rounds = (len(others) - 1).bit_length()
    tried, gains = 0, {action: list[int]() for action in others}
    target = min(n, max(n >> rounds, 25))
    while True:
        for action, gain in gains.items():
            gain += [score(action, number) - before[number] for number in range(tried, target)]
        ranked = sorted(gains, key=lambda action: -sum(gains[action]))
        tried = target
        if tried == n:
            break
        kept = ranked[: (len(ranked) + 1) // 2]
        gains = {action: gains[action] for action in gains if action in kept}
        target = min(n, 2 * tried)
    total, squares = sum(gains[ranked[0]]), sum(gain**2 for gain in gains[ranked[0]])
    spread = n * squares - total * total
    is_clear = 1e4 * n * total * total >= float(round(100 * player.caution) ** 2) * spread
    enough = total > 0 and 100 * total >= round(100 * player.margin) * n
    return ranked[0] if enough and is_clear else own
