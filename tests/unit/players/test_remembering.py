"""Players that remember: each seat of each game has its own, which observes every action once."""

from __future__ import annotations

import pickle
import re
import shlex
import sys
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.lab import Simulation
from hanabi.lab.tournament import Tournament
from hanabi.players import (
    Belief,
    Endgame,
    FirstLegal,
    RuleBased,
    outcomes,
    parse_player,
    play_game,
    simulate,
    why,
)
from hanabi.players.endgame import search_plainly
from hanabi.players.own import Own, decide_watched, fresh_player, own_player
from hanabi.players.protocol import seated
from hanabi.players.registry import settle_player
from hanabi.rules import Action, Event, Game, Rules, View
from hanabi.shell.web.match import start_match

RULES = Rules.hanab_live(3)
BOT = '''
from hanabi.rules import discard, play

class Keeping:
    """Plays what it was hinted last; all that it knows it has from its events."""

    made = 0

    def __init__(self, bold: bool = True):
        Keeping.made += 1
        self.bold, self.called = bold, []

    def start(self, rules, seat):
        assert self.called == []
        self.called.append("start")
        self.rules, self.seat, self.turns, self.hand = rules, seat, 0, []
        self.hand = [*range(seat * rules.hand_size, (seat + 1) * rules.hand_size)]
        self.called_cards = []

    def observe(self, event):
        assert event.turn == self.turns
        self.turns += 1
        if event.action.is_hint and event.action.target == self.seat:
            self.called_cards += [self.hand[slot] for slot in event.touched[-1:]]
        if event.seat == self.seat and event.card_index is not None:
            assert event.drawn_card is None
            self.hand.remove(event.card_index)
            self.hand += [event.drawn_index] if event.drawn_index is not None else []

    def act(self, view, rng):
        assert self.turns == len(view.actions) and view.seat == self.seat
        assert tuple(self.hand) == view.hand_indices[self.seat]
        while self.called_cards:
            card = self.called_cards.pop()
            if self.bold and card in self.hand:
                return play(self.hand.index(card))
        hints = [each for each in view.legal_actions if each.is_hint]
        return hints[rng.below(len(hints))] if hints else discard(0)

    def why(self, view, action):
        return f"after {self.turns} events"

class Sharing(Keeping):
    """Keeps something in its class, which all seats and games share."""

    seen = 0

    def observe(self, event):
        super().observe(event)
        Sharing.seen += 1

    def act(self, view, rng):
        super().act(view, rng)
        return view.legal_actions[Sharing.seen % len(view.legal_actions)]

class Half:
    def act(self, view, rng):
        return view.legal_actions[0]

    def observe(self, event):
        pass

class Fails(Keeping):
    def observe(self, event):
        super().observe(event)
        if event.turn == 3:
            raise KeyError("lost")
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "memory.py").write_text(BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


class Watching:
    """Writes down what it is called with."""

    log: list[tuple[object, ...]] = []  # noqa: RUF012 (shared on purpose)

    def start(self, rules: Rules, seat: int, /) -> None:
        self.seen: list[Event] = []
        self.log.append(("start", id(self), rules, seat))

    def observe(self, event: Event, /) -> None:
        self.seen.append(event)
        self.log.append(("observe", id(self), event))

    def act(self, view: View, _: Stream, /) -> Action:
        assert tuple(self.seen) == view.events
        assert len(self.seen) == len(view.actions)
        self.log.append(("act", id(self)))
        return view.legal_actions[view.turn % len(view.legal_actions)]


def test_start_comes_first_and_every_action_is_observed_once() -> None:
    given = Watching()
    Watching.log.clear()
    game = Game.start(RULES, RULES.spec.shuffle(seed=1))
    end = play_game([given] * 3, game, Stream(1))
    players = {call[1] for call in Watching.log}
    assert len(players) == 3
    assert id(given) not in players  # an instance is copied
    assert not hasattr(given, "seen")
    for player in players:
        calls = [call for call in Watching.log if call[1] == player]
        assert calls[0][:1] == ("start",)
        seat = calls[0][3]
        assert isinstance(seat, int)
        assert [call[0] for call in calls].count("start") == 1
        events = [call[2] for call in calls if call[0] == "observe"]
        assert events == list(end.view(seat).events)  # those after its last turn, too


def test_a_class_is_made_anew_for_each_seat_and_game() -> None:
    own = parse_player("memory.py:Keeping")
    assert isinstance(own, Own)
    kind = type(own.player)
    before = kind.made  # type: ignore[attr-defined]
    found = outcomes(own, RULES, 2, seed=3, first=1)
    # The 1st game of a process is checked: each decision is repeated by one more player.
    assert kind.made > before + 6  # type: ignore[attr-defined]
    before = kind.made  # type: ignore[attr-defined]
    assert outcomes(own, RULES, 2, seed=3, first=1) == found
    assert kind.made == before + 6  # type: ignore[attr-defined]
    assert (
        len(set(outcomes(parse_player("memory.py:Keeping:bold=no"), RULES, 1, seed=3) + found)) > 1
    )


def test_simulations_tournaments_teams_and_other_processes_take_them() -> None:
    team = ("memory.py:Keeping", "rule-based", "memory.py:Keeping:bold=no")
    work = Simulation(team, RULES, seed=5)
    assert work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    again = pickle.loads(pickle.dumps(work))
    assert again.run(0, 4) == work.run(0, 4)
    tournament = Tournament(("memory.py:Keeping", "rule-based"), Rules.hanab_live(2), 5)
    assert all(len(each.run(0, 2)) == 4 for each in tournament.all_works())
    # As an instance, it decides the same.
    own = parse_player("memory.py:Keeping")
    assert isinstance(own, Own)
    found = simulate(own, RULES, 4, seed=5)
    assert simulate(own.player, RULES, 4, seed=5) == found
    assert simulate(own_player(own.player), RULES, 4, seed=5) == found
    assert simulate(type(own.player), RULES, 4, seed=5) == found
    settled = settle_player(Watching())
    assert isinstance(settled, Own)
    sent = pickle.loads(pickle.dumps(settled))
    assert simulate(sent, RULES, 2, seed=5) == simulate(Watching(), RULES, 2, seed=5)


@pytest.mark.parametrize("is_raw", [True, False])
def test_a_search_gives_them_the_events_of_its_deals(is_raw: bool) -> None:
    own = parse_player("memory.py:Keeping")
    assert isinstance(own, Own)
    player = own.player if is_raw else own
    rules = Rules.hanab_live(2, colors=3)
    # The asserts in the player hold in every deal that is searched.
    searching = Endgame(player, budget=12, samples=4, deck=2)
    assert len(outcomes(searching, rules, 2, seed=4)) == 2
    game = play_game([own] * 2, Game.start(rules, rules.spec.shuffle(4)), Stream(1))
    late = Game.start(rules, game.deck)
    for action in game.actions[:-1]:
        late = late.apply(action)
    view = late.view(late.seat_to_act)
    assert search_plainly(player, view, Stream(1), (0, 0, 9), 2.0) == own.act(
        view, Stream(Stream(1).word())
    )
    assert search_plainly(player, view, Stream(1), (9, 9, 9), 2.0) in view.legal_actions


def test_the_page_seats_them() -> None:
    match = start_match([None, "memory.py:Keeping"], Rules.hanab_live(2), seed=1)
    for _ in range(3):
        match = match.act(match.view.legal_actions[-1])
    assert match.game.turn == 6
    own, game = parse_player("memory.py:Keeping"), Game.start(RULES, RULES.spec.shuffle(1))
    for _ in range(4):
        game = game.apply(decide_watched(own, game, Stream(1), fresh_player(own)))


def test_they_play_on_the_command_line_and_improved(capsys: pytest.CaptureFixture[str]) -> None:
    bot = "memory.py:Keeping"
    words = ["--seed", "1", "--show"]
    assert main(["play", bot, f"endgame:budget=4,deck=1/{bot}", *words]) == 0
    told = capsys.readouterr().out
    # In turn n, the seat to act has seen n - 1 events.
    assert re.findall(r"after (\d+) events", told)[:4] == ["0", "1", "2", "3"]


def test_the_page_plays_with_a_program_that_its_owner_seats() -> None:
    """In Python; forms never name one, and `hanabi serve --player` refuses it."""
    bot = Path(__file__).parents[3] / "docs" / "bots" / "first_bot.py"
    program = f"process:{shlex.quote(sys.executable)} -S {shlex.quote(str(bot))}"
    rules = Rules.hanab_live(2)
    match = start_match([None, program], rules, seed=1)
    for _ in range(3):
        match = match.act(match.view.legal_actions[-1])
    game = match.game
    assert game.turn == 6
    again = Game.start(rules, game.deck)
    own = parse_player(program)
    for turn, action in enumerate(game.actions):
        if turn % 2:
            assert own.act(again.view(1), Stream(turn)) == action
        again = again.apply(action)


def test_a_reason_is_that_of_the_view() -> None:
    own = parse_player("memory.py:Keeping")
    end = play_game([own] * 3, Game.start(RULES, RULES.spec.shuffle(1)), Stream(1))
    assert why(own, end, 4) == "after 4 events"
    assert isinstance(own, Own)
    assert why(own.player, end, 2) == "after 2 events"
    assert why(Endgame(own), end, 3) == "after 3 events"


def test_what_else_it_remembers_is_found() -> None:
    own = parse_player("memory.py:Sharing")
    assert isinstance(own, Own)
    for player in (own, own.player):
        with pytest.raises(
            PlayerError, match="may keep nothing but what start and observe give it"
        ):
            outcomes(player, RULES, 1, seed=2)


def test_what_is_refused_is_named() -> None:
    with pytest.raises(InvalidInputError, match=r"has observe, but no start\(rules, seat\)"):
        parse_player("memory.py:Half")
    with pytest.raises(InvalidInputError, match=r"belief needs a compiled player, which .*Keeping"):
        Belief(parse_player("memory.py:Keeping")).compiled(RULES)

    class Uncopied(Watching):
        def __deepcopy__(self, _: object) -> Uncopied:
            raise TypeError("no copies")

    with pytest.raises(PlayerError, match=r"Uncopied remembers, and cannot be copied .*no copies"):
        outcomes(Uncopied(), RULES, 1, seed=1)
    with pytest.raises(
        PlayerError, match=r"seed 1, deal 0: turn \d, seat \d: memory.py:\d+: KeyError"
    ):
        outcomes(parse_player("memory.py:Fails"), RULES, 1, seed=1)


def test_players_that_remember_nothing_are_not_copied() -> None:
    for player in (FirstLegal(), RuleBased(), Endgame(FirstLegal())):
        assert seated(player) is player
