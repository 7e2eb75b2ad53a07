"""A seat at hanab.live: whole games by the site's messages, and what is refused."""

from __future__ import annotations

import json
import runpy
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import Player, parse_player, play_game
from hanabi.players.hanab_live import SiteBot
from hanabi.rules import Action, Game, Rules, View
from hanabi.rules.notation import RecordedAction
from hanabi.rules.notation.hanab_live import rank_to_site
from hanabi.rules.replay import find_action, options_of, variant_of
from property.test_game import hide_otherwise

BOTS = Path(__file__).parents[3] / "docs" / "bots"
DATA = Path(__file__).parents[2] / "data" / "hanab_live_bot.txt"
TABLE = 70


class Site:
    """What the site's server sends to the seats of a game, with names and an order of its own."""

    def __init__(self, game: Game, **options: object) -> None:
        variant = variant_of(game.rules)
        assert variant is not None
        self.game, self.variant = game, variant
        self.options = {
            "numPlayers": game.rules.seats,
            "startingPlayer": game.first_seat,
            "variantID": variant.id,
            "variantName": variant.name,
            "timed": False,
            "deckPlays": False,
            **options_of(game.rules),
            **options,
        }
        self.past = [
            self.draw(seat, index) for seat, hand in enumerate(game.hand_indices) for index in hand
        ]
        self.past += [self.status(), self.turn()]

    def named(self, index: int) -> dict[str, int]:
        card = self.game.deck[index]
        return {
            "order": index,
            "suitIndex": card.color,
            "rank": rank_to_site(card.rank, self.variant),
        }

    def draw(self, seat: int, index: int) -> dict[str, Any]:
        return {"type": "draw", "playerIndex": seat, **self.named(index)}

    def status(self) -> dict[str, Any]:
        game = self.game
        return {"type": "status", "clues": game.hints, "score": game.score, "maxScore": 25}

    def turn(self) -> dict[str, Any]:
        current = self.game.seat_to_act if self.game.can_act else -1
        return {"type": "turn", "num": self.game.turn, "currentPlayerIndex": current}

    def apply(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        """Take a bot's `action`; return the site's actions that follow from it."""
        assert data.keys() <= {"tableID", "type", "target", "value"}
        before, seat = self.game, self.game.seat_to_act
        recorded = RecordedAction(data["type"], data["target"], data.get("value"))
        action = find_action(before, recorded)
        self.game = after = before.apply(action)
        told: list[dict[str, Any]] = []
        event = after.view(seat).events[-1]
        if action.is_hint:
            hand = before.hand_indices[action.target]
            clue = {"type": data["type"] - 2, "value": action.value}
            touched = [hand[slot] for slot in event.touched]
            told.append(
                {"type": "clue", "clue": clue, "giver": seat, "list": touched}
                | {"target": action.target, "turn": before.turn}
            )
        else:
            index = event.card_index
            assert index is not None
            if action.is_from_deck:
                told.append(self.draw(seat, index))
            if event.outcome == "misplay":
                lost = before.rules.lives - after.lives
                told.append({"type": "strike", "num": lost, "turn": before.turn, "order": index})
            kind = "play" if event.outcome == "play" else "discard"
            told.append({"type": kind, "playerIndex": seat, **self.named(index)})
            if kind == "discard":
                told[-1]["failed"] = event.outcome == "misplay"
            if event.drawn_index is not None:
                told.append(self.draw(seat, event.drawn_index))
        told.append(self.status())
        if not after.can_act:
            told.append({"type": "gameOver", "endCondition": 1, "playerIndex": -1})
        told.append(self.turn())
        self.past += told
        return told

    def seen(self, action: dict[str, Any], seat: int) -> dict[str, Any]:
        if action["type"] == "draw" and action["playerIndex"] == seat:
            return action | {"suitIndex": -1, "rank": -1}
        return action

    def init(self, seat: int) -> str:
        names = [f"player {number}" for number in range(self.game.rules.seats)]
        return said(
            "init",
            playerNames=names,
            ourPlayerIndex=seat,
            spectating=False,
            replay=False,
            seed="",
            options=self.options,
        )

    def list_for(self, seat: int) -> str:
        return said("gameActionList", list=[self.seen(each, seat) for each in self.past])


def said(command: str, **data: object) -> str:
    return f"{command} {json.dumps({'tableID': TABLE, **data})}"


def read(message: str) -> tuple[str, dict[str, Any]]:
    command, _, text = message.partition(" ")
    data = json.loads(text)
    assert data["tableID"] == TABLE
    return command, data


def exchange(site: Site, bots: dict[int, SiteBot]) -> Iterator[tuple[int, str, list[str]]]:
    """Play a game; yield each message that a bot receives, and its answers."""
    for seat, bot in bots.items():
        for message in (said("tableStart", replay=False), site.init(seat)):
            yield seat, message, bot.receive(message)
    waiting = [(seat, site.list_for(seat)) for seat in bots]
    while waiting:
        seat, message = waiting.pop(0)
        answers = bots[seat].receive(message)
        yield seat, message, answers
        for command, data in map(read, answers):
            if command != "action":
                continue
            for action in site.apply(data):
                waiting += [
                    (other, said("gameAction", action=site.seen(action, other))) for other in bots
                ]
    for seat, bot in bots.items():
        message = said("databaseID", databaseID=1)
        yield seat, message, bot.receive(message)


RULES = [
    Rules.hanab_live(2),
    Rules.hanab_live(5, variant="Rainbow (6 Suits)"),
    Rules.hanab_live(3, variant="Up or Down (5 Suits)"),
    Rules.hanab_live(4, variant="Clue Starved (5 Suits)"),
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.seats}")
def test_games_by_messages_are_those_played_here(rules: Rules) -> None:
    player = parse_player("rule-based")
    game = Game.start(rules, rules.spec.shuffle(5), first_seat=1)
    site = Site(game)
    bots = {seat: SiteBot(player) for seat in range(rules.seats)}
    answers = [given for _, _, given in exchange(site, bots)]
    assert site.game.actions == play_game([player] * rules.seats, game, Stream(1)).actions
    assert not site.game.can_act
    assert answers[: 2 * rules.seats] == [
        [f'getGameInfo{n} {{"tableID": 70}}'] for _ in bots for n in (1, 2)
    ]
    assert answers[2 * rules.seats][0] == 'loaded {"tableID": 70}'
    assert answers[-rules.seats :] == [['tableUnattend {"tableID": 70}']] * rules.seats


def test_options_that_change_play() -> None:
    """The deck's last card is played from the deck; hands have one more card."""
    rules = replace(Rules.hanab_live(2, colors=3), hand_size=6, deck_plays=True)

    class Deckward:
        def act(self, view: View, _: Stream) -> Action:
            plays = [each for each in view.legal_actions if each.is_from_deck]
            safe = [each for each in view.legal_actions if each.is_hint]
            return (plays or safe or view.legal_actions[::-1])[0]

    game = Game.start(rules, rules.spec.shuffle(2))
    site = Site(game)
    for _ in exchange(site, {seat: SiteBot(Deckward()) for seat in range(2)}):
        pass
    assert [each for each in site.game.actions if each.is_from_deck]
    assert site.game.actions == play_game([Deckward()] * 2, game, Stream(1)).actions


def test_a_recorded_exchange() -> None:
    """What one seat received and sent in a game of ours that is kept as a file."""
    bot = SiteBot(parse_player("information"))
    answers: list[str] = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        way, _, message = line.partition(" ")
        if way == "<":
            assert answers == []
            answers = bot.receive(message)
        else:
            assert answers.pop(0) == message
    assert answers == []


def at_turn(start: Game, actions: tuple[Action, ...]) -> Site:
    """Return the site after some actions."""
    site = Site(start)
    for action in actions:
        data = {"type": int(action.kind), "target": action.target, "value": action.value}
        if not action.is_hint:
            hand = site.game.hand_indices[site.game.seat_to_act]
            data = {"type": int(action.kind), "target": hand[action.target]}
        site.apply(data)
    return site


def test_players_that_remember_and_games_that_are_joined_again() -> None:
    """A bot that has lost its connection asks for the whole game, and goes on as before."""
    player: Player = parse_player(f"{BOTS / 'obeying.py'}:Obeying")
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(8))
    site = Site(game)
    for _ in exchange(site, {seat: SiteBot(player) for seat in range(3)}):
        pass
    actions = site.game.actions
    assert actions == play_game([player] * 3, game, Stream(1)).actions
    bot = SiteBot(player)
    for turn in range(1, len(actions), 7):
        at = at_turn(game, actions[:turn])
        seat = at.game.seat_to_act
        bot.receive(at.init(seat))
        loaded, action = bot.receive(at.list_for(seat))
        assert loaded.startswith("loaded ")
        at.apply(read(action)[1])
        assert at.game.actions == actions[: turn + 1]


def test_hidden_cards_are_not_used() -> None:
    """Deals that differ only in the seat's own cards give it the same messages and answers."""
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(3))
    for action in play_game([parse_player("rule-based")] * 3, game, Stream(1)).actions[:12]:
        game = game.apply(action)
    seat = game.seat_to_act
    found = []
    for deck in (game.deck, hide_otherwise(game, seat, Stream(4))):
        site = at_turn(Game.start(rules, deck), game.actions)
        bot = SiteBot(parse_player("information"))
        messages = [site.init(seat), site.list_for(seat)]
        found.append((messages, [bot.receive(each) for each in messages]))
    assert found[0] == found[1]
    assert "action" in found[0][1][1][-1]


def damaged(index: int = 0, **changes: Any) -> list[str]:
    """Return the beginning of a game of two, with entries of one action changed."""
    rules = Rules.hanab_live(2)
    site = Site(Game.start(rules, rules.spec.shuffle(5)))
    site.apply({"type": 3, "target": 1, "value": site.game.deck[5].rank})
    site.past[index].update(changes)
    return [site.init(1), site.list_for(1)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"index": 14, "num": 3}, "gameActionList: table 70: turn 1: list[14]: num: 3 is not 1"),
        ({"index": 4, "type": "turn", "num": 0, "currentPlayerIndex": 0}, "after 4 cards of the"),
        ({"index": 12, "list": [2]}, "turn 1: list[14]: clue.list: card 2 is not in hand 1"),
        (
            {"index": 12, "list": []},
            "turn 0: hint 4 to seat 1: these rules forbid a hint that touches no card",
        ),
        ({"index": 12, "giver": 1}, "clue.giver: 1 is not 0"),
        ({"index": 12, "type": "wink"}, "turn 1: list[12]: type: 'wink' is not understood"),
        ({"index": 12, "type": "play"}, "play.playerIndex: null is not 0"),
        ({"index": 13, "clues": 3}, "turn 2: status: clues 3, and 7 here"),
        ({"index": 1, "order": 3}, "player 0 draws card 3, which is not next"),
        ({"index": 1, "suitIndex": 9, "rank": 1}, "(9, 1) is no card of No Variant"),
        ({"index": 1, "suitIndex": -1, "rank": -1}, "card 1 is hidden in hand 0"),
    ],
)
def test_what_does_not_fit_is_named(changes: dict[str, Any], message: str) -> None:
    bot = SiteBot(parse_player("rule-based"))
    init, actions = damaged(**changes)
    bot.receive(init)
    with pytest.raises(InvalidInputError) as caught:
        bot.receive(actions)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"detrimentalCharacters": True}, "options.detrimentalCharacters: games with this option"),
        ({"variantName": "Orange (5 Suits)"}, "inverted suits are not supported here"),
        ({"variantName": "Nobody's"}, "is not a variant of hanab.live"),
        ({"deckPlays": 1}, "options.deckPlays: 1 is not true or false"),
        ({"newRule": True}, "options.newRule: games with this option cannot be replayed"),
    ],
)
def test_tables_that_are_refused(options: dict[str, object], message: str) -> None:
    rules = Rules.hanab_live(2)
    site = Site(Game.start(rules, rules.spec.shuffle(5)), **options)
    with pytest.raises(InvalidInputError, match="init: table 70: ") as caught:
        SiteBot(parse_player("random")).receive(site.init(0))
    assert message in str(caught.value)


def test_what_else_the_site_sends() -> None:
    bot = SiteBot(parse_player("random"))
    for message in ("welcome {}", "warning {}", "", "chat", said("table", name="x")):
        assert bot.receive(message) == []
    assert bot.receive(said("databaseID", databaseID=1)) == []  # a table that it is not at
    assert bot.receive(said("gameAction", action={"type": "turn"})) == []
    assert bot.receive(damaged()[0].replace('"replay": false', '"replay": true')) == []
    for message, told in (
        ("gameAction 7", "gameAction: message: 7 is not an object"),
        ("init {", "init: line 1, column 2"),
        (said("init"), "init: table 70: init.playerNames: missing"),
    ):
        with pytest.raises(InvalidInputError) as caught:
            bot.receive(message)
        assert told in str(caught.value)


def test_the_connection_of_the_documentation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program in docs/bots joins a table on request, and plays the recorded game there."""
    program = runpy.run_path(str(BOTS / "hanab_live.py"))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    lines = [line.partition(" ") for line in DATA.read_text(encoding="utf-8").splitlines()]
    table = {"id": TABLE, "running": False, "players": ["Eve"]}
    asked = {"who": "Eve", "recipient": "robot", "msg": "/join secret"}
    lobby = [
        'welcome {"username": "robot"}',
        f"tableList {json.dumps([table, table | {'id': 4, 'running': True}])}",
        'tableGone {"tableID": 4}',
        f"chat {json.dumps(asked | {'recipient': 'Bob'})}",
        f"chat {json.dumps(asked)}",
        'warning {"warning": "Slow down."}',
        'gameAction {"tableID": 9}',
        'init {"tableID": 9, "playerNames": ["a", "b"], "ourPlayerIndex": 0, "options": 7}',
    ]

    class Connection(list[str]):
        send = list[str].append

        def __iter__(self) -> Iterator[str]:
            return iter([*lobby, *(text for way, _, text in lines if way == "<")])

    connection = Connection()
    program["serve"](connection, parse_player("information"))
    sent = list(list.__iter__(connection))
    assert sent[0] == 'tableJoin {"tableID": 70, "password": "secret"}'
    assert sent[1:] == [text for way, _, text in lines if way == ">"]
    assert capsys.readouterr().err.splitlines() == [
        'hanab.live: {"warning": "Slow down."}',
        "init: table 9: options: 7 is not an object",
    ]


def test_a_player_that_fails_is_named() -> None:
    class Fails:
        def act(self, _: View, __: Stream) -> Action:
            raise KeyError("lost")

    class Illegal:
        def act(self, _: View, __: Stream) -> Action:
            return Action.from_code(9 << 8)

    for player, kind, told in (
        (Fails(), PlayerError, "turn 2, seat 1: .*KeyError: 'lost'"),
        (Illegal(), IllegalActionError, "turn 2, seat 1: play slot 9 is not legal"),
    ):
        bot = SiteBot(player)
        init, actions = damaged()
        bot.receive(init)
        with pytest.raises(kind, match=told):
            bot.receive(actions)


def test_the_program_over_a_connection() -> None:
    """The same with the library that it uses, and a server on this machine as the site."""
    server = pytest.importorskip(
        "websockets.sync.server", reason="docs/bots/hanab_live.py needs websockets"
    )
    client = pytest.importorskip("websockets.sync.client")
    lines = [line.partition(" ") for line in DATA.read_text(encoding="utf-8").splitlines()]
    answers: list[tuple[str, str]] = []

    def site(connection: Any) -> None:
        for way, _, text in lines:
            if way == "<":
                connection.send(text)
            else:
                answers.append((connection.recv(5), text))

    program = runpy.run_path(str(BOTS / "hanab_live.py"))
    with server.serve(site, "127.0.0.1", 0) as served, pytest.MonkeyPatch.context() as patch:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        patch.setattr(time, "sleep", lambda _: None)
        port = served.socket.getsockname()[1]
        with client.connect(f"ws://127.0.0.1:{port}") as connection:
            program["serve"](connection, parse_player("information"))
        served.shutdown()
        thread.join()
    assert len(answers) == 19
    assert all(given == wanted for given, wanted in answers)
