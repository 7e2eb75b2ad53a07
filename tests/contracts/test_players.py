"""What every registered player must keep, and players that remember."""

from __future__ import annotations

import pickle
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import PLAYERS, Player, outcomes, parse_player, play_game, simulate, why
from hanabi.players.protocol import CompiledPlayer, Explaining, Remembering, seated, why_of
from hanabi.players.registry import WRAPPERS, format_player
from hanabi.rules import Game, Rules, hint_rank, play
from hanabi.rules.view import View
from property.test_game import hide_otherwise

TABLES = [
    Rules.official(1),
    Rules.bergh2016(3),
    Rules.hanab_live(2),
    Rules.hanab_live(4, colors=3),
    replace(Rules.multicolor(5), completion_bonus=False, bombed_scores_zero=False),
]


# Whom wrappers improve here, with parameters; as they are, some think too long for a test.
IMPROVED = {
    "endgame": "endgame/rule-based",
    "belief": "belief:worlds=4,deals=2,seats=9,misread=yes/convention",
}
NAMES = [*PLAYERS, *(IMPROVED[wrapper] for wrapper in WRAPPERS)]
ALL_TURNS = {"first-legal", "random", "smart", "information", "convention", "cheating"}
LESS = {
    "monte-carlo": "playouts=5",
    "rollouts": "playouts=50",
    "uct": "playouts=50",
    "open-hands": "samples=8,deck=3",
}


@pytest.fixture(params=NAMES)
def player(request: pytest.FixtureRequest) -> Player:
    name = request.param
    return parse_player(f"{name}:{LESS[name]}" if name in LESS else name)


def at_its_tables(player: Player, rules: Rules) -> Rules:
    """Let players that must see their own cards see them."""
    return replace(rules, open_hands=getattr(player, "needs_open_hands", False))


@pytest.mark.quick
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.seats} seats")
def test_it_plays_legal_games_to_the_end(player: Player, rules: Rules) -> None:
    rules = at_its_tables(player, rules)
    for index in range(2):
        game = Game.start(rules, rules.spec.shuffle(1, index))
        assert play_game([player] * rules.seats, game, Stream(2, index)).is_over


def test_it_does_not_see_hidden_cards(player: Player) -> None:
    rules = at_its_tables(player, Rules.bergh2016(3))
    for index in range(3):
        game, stream = Game.start(rules, rules.spec.shuffle(3, index)), Stream(3, index)
        while not game.is_over:
            seat = game.seat_to_act
            other = Game.start(rules, hide_otherwise(game, seat, Stream(4, game.turn)))
            for action in game.actions:
                other = other.apply(action)
            decisions = [
                player.act(each.view(seat), Stream(5, game.turn)) for each in (game, other)
            ]
            assert decisions[0] == decisions[1]
            game = game.apply(player.act(game.view(seat), stream))


def test_a_position_without_its_history_is_refused_or_as_good(player: Player) -> None:
    """No player goes silently by a history that is not there."""
    rules = at_its_tables(player, Rules.hle(2))
    game, refused, decided = Game.start(rules, rules.spec.shuffle(1)), 0, 0
    while not game.is_over:
        bare = Game(rules, game.deck, (), game.packed.state.tobytes())
        view, stream = game.view(game.seat_to_act), Stream(7, game.turn)
        action = player.act(view, stream)
        try:
            other = player.act(bare.view(game.seat_to_act), Stream(7, game.turn))
        except InvalidInputError as error:
            told = str(error)
            refused += 1
        else:
            assert other == action
            decided += 1
        game = game.apply(action)
    assert decided
    if format_player(player).startswith(("smart", "information", "convention", "belief")):
        assert refused == game.turn - 1  # all but the deal
        assert told.endswith("play the game from its deal, by Game.start and apply")


def test_the_same_stream_gives_the_same_game(player: Player) -> None:
    rules = at_its_tables(player, Rules.hanab_live(3))
    game = Game.start(rules, rules.spec.shuffle(6))
    ends = [play_game([player] * 3, game, Stream(7)) for _ in range(2)]
    assert ends[0].actions == ends[1].actions


def test_parts_add_up_to_the_whole(player: Player) -> None:
    rules = at_its_tables(player, Rules.hle(2))
    whole = simulate(player, rules, 7, seed=8)
    parts = [simulate(player, rules, n, seed=8, first=first) for first, n in ((0, 3), (3, 4))]
    assert parts[0] + parts[1] == whole
    assert whole.games == 7


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.seats} seats")
def test_compiled_games_are_those_of_the_views(player: Player, rules: Rules) -> None:
    rules = at_its_tables(player, rules)
    if not isinstance(player, CompiledPlayer):
        player = parse_player("random")
    for index in range(3):
        compiled = simulate(player, rules, 1, seed=9, first=index)
        assert compiled == simulate(OnlyViews(player), rules, 1, seed=9, first=index)


class OnlyViews:
    """Hides from the arena that a player can play compiled games."""

    def __init__(self, player: Player) -> None:
        self.act = player.act


def test_it_says_why(player: Player) -> None:
    """In one line, always the same, from nothing but what the seat sees; games stay the same."""
    rules = at_its_tables(player, Rules.hanab_live(3))
    game, stream = Game.start(rules, rules.spec.shuffle(6)), Stream(7)
    usual = play_game([player] * 3, game, Stream(7)).actions
    is_quick = format_player(player).partition(":")[0] in ALL_TURNS
    turns = range(0, len(usual), 1 if is_quick else max(1, len(usual) // 6))
    for turn, action in enumerate(usual):
        seat = game.seat_to_act
        view, other = game.view(seat), game.view(seat)
        assert player.act(view, stream) == action
        if turn in turns:
            hidden = Game.start(rules, hide_otherwise(game, seat, Stream(8, turn)))
            for past in game.actions:
                hidden = hidden.apply(past)
            for asked in {action, view.legal_actions[turn % len(view.legal_actions)]}:
                told = why_of(player, view, asked)
                assert isinstance(told, str)
                assert re.fullmatch(r"\S.*[^\s.]", told)
                if asked == action and is_quick:
                    assert not told.startswith("would ")
                assert told == why_of(player, other, asked)
                assert told == why_of(player, hidden.view(seat), asked)
        game = game.apply(action)
    assert why(player, game, 0) == why_of(player, game_at(game, 0), usual[0])


def game_at(game: Game, turn: int) -> View:
    before = Game.start(game.rules, game.deck)
    for action in game.actions[:turn]:
        before = before.apply(action)
    return before.view(before.seat_to_act)


def test_it_says_why_not_only_of_its_own_actions(player: Player) -> None:
    """Every legal action has a sentence; an illegal one, or one of another seat, is refused."""
    assert isinstance(player, Explaining)
    rules = at_its_tables(player, Rules.hanab_live(2))
    game = Game.start(rules, rules.spec.shuffle(3))
    for action in play_game([player] * 2, game, Stream(3)).actions[:2]:
        game = game.apply(action)
    view = game.view(game.seat_to_act)
    some = view.legal_actions[:: max(1, len(view.legal_actions) // 6)]
    assert all(player.why(view, action) for action in some)
    with pytest.raises(IllegalActionError, match="play slot 7 is not legal on turn 3"):
        player.why(view, play(7))
    with pytest.raises(InvalidInputError, match="is to act"):
        player.why(game.view(1 - game.seat_to_act), some[0])


def test_it_has_a_name_and_can_be_sent(player: Player) -> None:
    assert parse_player(format_player(player)) == player
    assert pickle.loads(pickle.dumps(player)) == player


# Players that remember are functions of what they saw.

BOTS = Path(__file__).parents[2] / "docs" / "bots"
PYTHON, PROGRAM = shlex.quote(sys.executable), shlex.quote(str(BOTS / "first_bot.py"))
REMEMBERING = {
    "class": f"{BOTS / 'obeying.py'}:Obeying",
    "program": f"process:{PYTHON} -S {PROGRAM}",
    "wrapper": f"endgame:budget=4,samples=2,deck=1/{BOTS / 'obeying.py'}:Obeying",
}


@pytest.fixture(params=REMEMBERING)
def rememberer(request: pytest.FixtureRequest) -> Player:
    return parse_player(REMEMBERING[request.param])


@pytest.mark.parametrize("seats", [2, 4])
def test_a_new_instance_that_saw_the_same_decides_the_same(rememberer: Player, seats: int) -> None:
    """It is made in mid-game, and told the events of its view, hidden cards exchanged."""
    rules = Rules.hanab_live(seats, colors=3)
    game = Game.start(rules, rules.spec.shuffle(2))
    players = [seated(rememberer) for _ in range(seats)]
    while game.can_act:
        seat, turn = game.seat_to_act, game.turn
        other = Game.start(rules, hide_otherwise(game, seat, Stream(4, turn)))
        for past in game.actions:
            other = other.apply(past)
        views = [game.view(seat), other.view(seat)]
        assert views[0].events == views[1].events
        decided = players[seat].act(views[0], Stream(5, turn))
        for view in views[: 2 if turn % 3 == 0 else 0]:
            assert seated(rememberer).act(view, Stream(5, turn)) == decided
        game = game.apply(decided)


def test_by_hand_it_is_start_events_and_act() -> None:
    """What `seated` does is what the protocol says."""
    kind = type(getattr(parse_player(REMEMBERING["class"]), "player"))  # noqa: B009
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(2))
    end = play_game([parse_player(REMEMBERING["class"])] * 3, game, Stream(3))
    for action in end.actions:
        seat = game.seat_to_act
        fresh = kind()
        assert isinstance(fresh, Remembering)
        fresh.start(rules, seat)
        for event in game.view(seat).events:
            fresh.observe(event)
        assert fresh.act(game.view(seat), Stream(9)) == action
        game = game.apply(action)


def test_its_games_are_functions_of_seed_and_deal(rememberer: Player) -> None:
    rules = Rules.hanab_live(2, colors=3)
    whole = outcomes(rememberer, rules, 3, seed=8)
    assert outcomes(rememberer, rules, 2, seed=8, first=1) == whole[1:]
    team = [rememberer, parse_player("rule-based")]
    assert outcomes(team, rules, 1, seed=8) == outcomes(team, rules, 1, seed=8)


def test_it_refuses_a_position_without_its_history(rememberer: Player) -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    game = game.apply(hint_rank(1, game.hands[1][0].rank))
    bare = Game(rules, game.deck, (), game.packed.state.tobytes())
    with pytest.raises(InvalidInputError, match=r"play the game from its deal"):
        rememberer.act(bare.view(1), Stream(1))
