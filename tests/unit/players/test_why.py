"""The reasons for actions, in words."""

from __future__ import annotations

import re

import pytest

from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import (
    Convention,
    Endgame,
    Information,
    RandomLegal,
    RuleBased,
    parse_player,
    play_game,
    why,
)
from hanabi.players.protocol import Player
from hanabi.rules import Action, Game, Rules
from hanabi.rules.view import View

RULES = Rules.hanab_live(3)
NAMES = ("Alice", "Bob", "seat 0")


class Silent:
    """A player without reasons."""

    def act(self, view: View, _: Stream, /) -> Action:
        return RuleBased().act(view, Stream(0))


class Talking(Silent):
    """A player that returns one of several things as its reason."""

    def __init__(self, reason: object) -> None:
        self.reason = reason

    def why(self, _view: View, _action: Action, /) -> object:
        if isinstance(self.reason, Exception):
            raise self.reason
        return self.reason


def played(player: Player, rules: Rules = RULES, seed: int = 1) -> Game:
    game = Game.start(rules, rules.spec.shuffle(seed=seed))
    return play_game([player] * rules.seats, game, Stream(seed))


def reasons(player: Player, game: Game) -> list[str]:
    found = [why(player, game, turn) for turn in range(len(game.actions))]
    return [each for each in found if each is not None]


def at(game: Game, turn: int) -> Game:
    before = Game.start(game.rules, game.deck)
    for action in game.actions[:turn]:
        before = before.apply(action)
    return before


def test_a_player_without_reasons() -> None:
    end = played(Silent())
    assert reasons(Silent(), end) == []
    assert why(Endgame(Silent(), budget=0), end, 0) == "left to Silent"


def test_your_own_reasons() -> None:
    end = played(Silent())
    assert why(Talking("seat 1 waits\x07"), end, 3, names=NAMES) == "Bob waits\\x07"
    assert why(Talking("seat 2, seat 7"), end, 3, names=NAMES) == "seat 0, seat 7"
    assert why(Talking(None), end, 3) is None
    assert why(Endgame(Talking("so it is"), budget=0), end, 3) == "so it is"
    with pytest.raises(PlayerError, match="Talking: why returned 3, which is not a text"):
        why(Talking(3), end, 0)
    with pytest.raises(PlayerError, match=r"turn 3, seat 2: .*test_why.py:\d+: KeyError: 'lost'"):
        why(Talking(KeyError("lost")), end, 2)


@pytest.mark.parametrize("turn", [-1, 10**6])
def test_a_turn_that_the_game_does_not_have(turn: int) -> None:
    with pytest.raises(InvalidInputError, match=f"turn {turn} is not one of the game's .* turns"):
        why(RuleBased(), played(RuleBased()), turn)


def test_names() -> None:
    end = played(Information())
    assert why(Information(), end, 0) == "message 6 of 8: seat 1 plays slot 2, seat 2 plays slot 0"
    named = why(Information(), end, 0, names=("Alice", "Bob", "Cathy"))
    assert named == "message 6 of 8: Bob plays slot 2, Cathy plays slot 0"


def test_what_a_message_says_is_true() -> None:
    """Cards that a seat is told to play are playable; those that it is told to discard are dead."""
    played_cards, discarded = 0, 0
    for seed in range(1, 4):
        end = played(Information(), seed=seed)
        for turn, reason in enumerate(reasons(Information(), end)):
            before = at(end, turn)
            for seat, does in re.findall(r"seat (\d) (.*?)(?=, seat|$)", reason):
                for verb, slots in re.findall(r"(plays|discards) slots? ([\d, and]*\d)", does):
                    for slot in map(int, re.findall(r"\d", slots)):
                        card = before.hands[int(seat)][slot]
                        assert card is not None
                        if verb == "plays":
                            assert before.is_playable(card)
                            played_cards += 1
                        else:
                            assert before.is_dead(card)
                            discarded += 1
    assert min(played_cards, discarded) > 10


def test_what_a_call_says_is_true() -> None:
    calls = 0
    for seed in range(1, 5):
        end = played(Convention(), Rules.hanab_live(2), seed)
        for turn, reason in enumerate(reasons(Convention(), end)):
            before = at(end, turn)
            hand = before.hands[1 - before.seat_to_act]
            for slot in re.findall(r"(?:calls|shows) slot (\d) to be play", reason):
                card = hand[int(slot)]
                assert card is not None
                assert before.is_playable(card)
                calls += 1
    assert calls > 10


@pytest.mark.parametrize(
    "text",
    [
        "rule-based:hint=1,discard=1,play=0.8,hinting=0.5",
        "rule-based:hint=4,discard=4,useless=0.5,hinting=0.5",
        "rule-based:hint=2,discard=3,hinting=0",
        "information:partition=2",
        "convention:newest=no,aside=no",
    ],
)
def test_every_own_action_has_its_own_reason(text: str) -> None:
    player = parse_player(text)
    told = reasons(player, played(player))
    assert told
    assert not [reason for reason in told if reason.startswith("would ")]
    assert any(reason.startswith("would ") for reason in reasons(player, played(RandomLegal())))


def test_the_compiled_search_gives_the_averages_of_the_plain_one() -> None:
    rules = Rules.bergh2016(2)
    compiled, plain = Endgame(RuleBased(), budget=20), Endgame(Silent(), budget=20)
    end, found = played(compiled, rules), 0
    for turn in range(len(end.actions) - 6, len(end.actions)):
        numbers = [re.findall(r"[\d.]+ points on average in .*?deals?", str(why(each, end, turn)))
                   for each in (compiled, plain)]  # fmt: skip
        assert numbers[0] == numbers[1]
        found += len(numbers[0])
    assert found > 0
