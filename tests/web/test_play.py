"""A person plays: what is shown, what is hidden, and that the game goes as the rules say."""

from __future__ import annotations

import html
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

import hanabi
from hanabi.conventions.conventions import LEVELS
from hanabi.front.site import make_app
from hanabi.ground.rng import Stream
from hanabi.players.pages.play import TABLES as OFFERS
from hanabi.players.registry import PLAYERS, parse_player
from hanabi.rules import Action, Game, hint_rank, play
from hanabi.rules.notation import parse_link
from hanabi.shell.web.match import Match
from hanabi.shell.web.offers import players_for
from hanabi.shell.web.seal import Seal
from hanabi.shell.web.settings import Settings
from property.test_game import hide_otherwise
from web.conftest import ORIGIN, Browser, at_last, codes_of, problem_of, turn_of

TABLES = [
    {"partner1": "rule-based", "seed": "3"},
    {"partner1": "random", "partner2": "rule-based", "seed": "4", "seat": "2"},
    {"partner1": "information", "partner2": "first-legal", "partner3": "random", "seed": "5",
     "seat": "4"},
    {"partner1": "random", "partner2": "random", "seed": "6", "variant": "Rainbow (6 Suits)"},
    {"partner1": "random", "seed": "7", "variant": "Clue Starved (5 Suits)"},
    {"partner1": "random", "seed": "8", "variant": "Up or Down (5 Suits)", "seat": "2"},
    {"partner1": "rule-based", "partner2": "random", "partner3": "random", "partner4": "random",
     "partner5": "random", "seed": "9"},
]  # fmt: skip


def match_of(browser: TestClient) -> Match:
    visitor = browser.app.state.desk.visitors.find(browser.cookies["hanabi"])  # type: ignore[attr-defined]
    match: Match = visitor.rooms["play"]
    return match


def put(browser: TestClient, match: Match) -> None:
    """Let a browser have its session with this match."""
    browser.post("/play/new", data={"partner1": "random"})
    visitor = browser.app.state.desk.visitors.find(browser.cookies["hanabi"])  # type: ignore[attr-defined]
    visitor.rooms["play"] = match


def with_other_hidden_cards(match: Match, stream: Stream) -> Match:
    """Return a match that looks the same from the person's seat."""
    deck = hide_otherwise(match.game, match.seat, stream)
    other = replace(match, game=Game.start(match.game.rules, deck), heard=(), before=None)
    for action in match.game.actions:
        other = other._after(action)
    return other


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["seed"])
def test_nothing_hidden_reaches_the_browser(browsers: Browser, table: dict[str, str]) -> None:
    browser, other = browsers(), browsers()
    answer = browser.post("/play/new", data=table)
    assert answer.status_code == 200, problem_of(answer.text)
    stream, turns, differing = Stream(1), 0, 0
    while not match_of(browser).is_over:
        match = match_of(browser)
        twin = with_other_hidden_cards(match, stream)
        differing += twin.game.deck != match.game.deck
        put(other, twin)
        for page in ("/play", "/", "/review", "/watch", "/play?at=3", "/play?at=1&on=1"):
            assert browser.get(page).text == other.get(page).text
        wrong = {"action": "99999", "turn": str(match.game.turn)}
        late = {"action": "0", "turn": "9999"}
        early = {"from": "play"}
        for page, data in (("/play/act", wrong), ("/play/act", late), ("/review/new", early)):
            answers = [each.post(page, data=data) for each in (browser, other)]
            assert answers[0].text == answers[1].text
            assert answers[0].status_code == 400
        text = answer.text
        assert "hanab.live/replay-json" not in text
        own = re.findall(r'aria-label="\w+, (card \d[^"]*): what it can be"', text)
        hidden = [each for each in own if ": hidden" in each]
        assert len(hidden) == len(match.game.hands[match.seat])
        codes = codes_of(text)
        assert [Action.from_code(each) for each in codes] == sorted(
            match.view.legal_actions, key=lambda each: each.code
        )
        safe = [code for code in codes if Action.from_code(code).kind] or codes
        chosen = (safe if stream.below(8) else codes)[stream.below(len(safe))]
        answer = browser.post(
            "/play/act", data={"turn": turn_of(text), "action": str(chosen), "sure": "1"}
        )
        assert answer.status_code == 200
        assert match_of(browser).game.actions[match.game.turn].code == chosen
        turns += 1
    assert turns > 1
    assert differing
    assert 'id="the-end"' in answer.text


@pytest.mark.parametrize("winnable", [{}, {"winnable": "yes"}])
def test_the_seed_is_shown_at_the_end_unless_it_is_the_persons_own(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch, winnable: dict[str, str]
) -> None:
    monkeypatch.setattr("hanabi.players.pages.play.secrets.randbelow", lambda _: 987_654_321)
    for seed in ("", "987654321"):
        data = {"partner1": "rule-based", "seed": seed} | winnable
        text = browser.post("/play/new", data=data).text
        if winnable:
            assert "987654321" not in text
            text = at_last(browser, "/play", "Looking for a deal")
        while 'id="the-end"' not in text:
            assert "987654321" not in text
            assert ("anyone who knows it can look up the cards" in text) == bool(seed)
            hints = [code for code in codes_of(text) if Action.from_code(code).is_hint]
            act = {
                "turn": turn_of(text),
                "action": str((hints or codes_of(text))[0]),
                "sure": "1",
            }
            text = browser.post("/play/act" if len(codes_of(text)) else "/play/stop", data=act).text
            if match_of(browser).game.turn > 8:
                text = browser.post("/play/stop").text
        assert "seed 987654321" in text
        assert "who knows it" not in text


def test_nothing_follows_from_a_seed_that_is_not_shown(browsers: Browser) -> None:
    browser, other = browsers(), browsers()
    browser.post("/play/new", data={"partner1": "rule-based", "seat": "2"})
    match = match_of(browser)
    twin = with_other_hidden_cards(match, Stream(1))
    put(other, replace(twin, seed=match.seed + 1, index=match.index + 1))
    for page in ("/play", "/", "/review", "/watch"):
        assert browser.get(page).text == other.get(page).text


def test_the_same_moves_give_the_same_game(browsers: Browser) -> None:
    ends = []
    for browser in (browsers(), browsers()):
        text = browser.post("/play/new", data=TABLES[1]).text
        while 'id="the-end"' not in text:
            chosen = str(codes_of(text)[-1])
            data = {"turn": turn_of(text), "action": chosen, "sure": "1"}
            text = browser.post("/play/act", data=data).text
        ends.append(match_of(browser).game)
    assert ends[0].actions == ends[1].actions
    assert ends[0] == ends[1]


def test_the_end_is_shown_with_a_link_and_a_review(browser: TestClient) -> None:
    browser.post("/play/new", data=TABLES[0])
    assert "hanab.live/" not in browser.get("/play").text
    text = browser.post("/play/stop").text
    link = re.search(r'href="(https://hanab.live/replay-json/[^"]*)"', text)
    assert link is not None
    assert parse_link(link[1]).deck == match_of(browser).game.deck
    assert ": hidden" not in text
    assert codes_of(text) == []
    assert "so far" in text
    review = browser.post("/review/new", data={"from": "play"})
    assert review.status_code == 200
    assert review.url.path.startswith("/review/215")
    again = browser.post("/play/leave")
    assert "A new game" in again.text


def test_nobody_moves_for_others_or_after_the_end(browser: TestClient) -> None:
    text = browser.post("/play/new", data=TABLES[0]).text
    data = {"turn": turn_of(text), "action": str(codes_of(text)[0])}
    assert browser.post("/play/act", data=data).status_code == 200
    twice = browser.post("/play/act", data=data)
    assert twice.status_code == 400
    assert "moved on" in problem_of(twice.text)
    browser.post("/play/stop")
    turn = str(match_of(browser).game.turn)
    assert browser.post("/play/act", data=data | {"turn": turn}).status_code == 400


def test_cards_say_what_they_can_be(browser: TestClient) -> None:
    """What a card can be is what clues leave of the cards that its owner does not see."""
    text = browser.post("/play/new", data=TABLES[0]).text
    while not (match := match_of(browser)).is_over:
        view = match.view
        told = re.findall(r'class="menu"><p class="help">can be: ([^<]*)</p>', text)
        own = [
            sorted(card for card in view.unseen if known.is_possible(card))
            for known in reversed(view.knowledge[view.seat])
        ]
        shown = [re.split(r"[ ;]+", each) for each in told[: len(own)]]
        assert [list(map(str, cards)) for cards in own] == shown
        data = {"turn": turn_of(text), "action": str(codes_of(text)[-1])}
        text = browser.post("/play/act", data=data).text


def test_a_deal_that_can_be_won_is_found(browser: TestClient) -> None:
    browser.post("/play/new", data=TABLES[0] | {"winnable": "yes"})
    assert "Your game" in at_last(browser, "/play", "Looking for a deal")
    from hanabi.solvers.winnable.solver import solve_game

    game = match_of(browser).game
    assert solve_game(Game.start(game.rules, game.deck)).is_winnable


def test_everybody_can_be_chosen_who_need_not_see_its_cards() -> None:
    offered = players_for(Settings(players=("docs/my_bot.py:MyPlayer",)))
    assert {*PLAYERS} - {*offered} == {"cheating", "open-hands"}
    assert f"hgroup:level={LEVELS}" in offered
    assert "endgame/information" in offered
    assert offered[-1] == "docs/my_bot.py:MyPlayer"


def test_a_player_of_ones_own(browsers: Browser) -> None:
    browser = browsers(players=("docs/my_bot.py:MyPlayer",))
    answer: Any = browser.post("/play/new", data={"partner1": "docs/my_bot.py:MyPlayer"})
    assert answer.status_code == 200
    data = {"turn": turn_of(answer.text), "action": str(codes_of(answer.text)[-1])}
    assert len(match_of(browser).heard) == 0
    browser.post("/play/act", data=data)
    assert len(match_of(browser).heard) == 2


def test_a_table_is_named_by_style_and_strength(browser: TestClient) -> None:
    text = browser.get("/play").text
    for offer in OFFERS:
        assert offer.about in text
        browser.post("/play/new", data={"table": offer.name, "seat": "2", "seed": "1"})
        match = match_of(browser)
        assert len(match.team) == offer.seats
        assert match.seat == 1
        partners = [player for player in match.team if player is not None]
        assert partners == [parse_player(offer.player)] * (offer.seats - 1)
    assert browser.post("/play/new", data={"table": "9-easy"}).status_code == 400
    # Codes that do not go with people are among "more".
    assert text.index('id="more"') < text.index("information")


def test_the_figures_of_the_tables_are_those_of_the_players() -> None:
    for offer in OFFERS:
        if offer.strength == "easy":
            found = hanabi.simulate(offer.player, seats=offer.seats, games=2_000, seed=2)
            assert abs(found.score.value - offer.mean) < 0.35


def test_a_deal_of_the_site_is_played(browser: TestClient) -> None:
    text = browser.post("/play/new", data={"seed": "p4v16s5", "seat": "3"}).text
    assert "p4v16s5" not in text
    match = match_of(browser)
    assert match.game.deck == hanabi.deal("p4v16s5").deck
    assert match.game.rules.seats == 4
    assert "p4v16s5" in browser.post("/play/stop").text
    wrong = browser.post("/play/new", data={"seed": "p4v0s5", "partner1": "random"})
    assert "choose 3 partners" in problem_of(wrong.text)
    typed = browser.post("/play/new", data={"variant": "Rainbow (5 Suit)"})
    assert "did you mean 'Rainbow (5 Suits)'" in problem_of(typed.text)


@pytest.mark.parametrize("seat", [1, 3, 4])
def test_the_own_hand_comes_first_and_cards_have_their_numbers(
    browser: TestClient, seat: int
) -> None:
    table = {"partner1": "random", "partner2": "random", "partner3": "random", "seed": "3"}
    text = browser.post("/play/new", data=table | {"seat": str(seat)}).text
    names = ["Alice", "Bob", "Cathy", "Donald"]
    turns = names[seat - 1 :] + names[: seat - 1]
    for page in (text, browser.get("/play?at=0").text, browser.post("/play/stop").text):
        assert re.findall(r'aria-label="(\w+)\'s hand"', page) == turns
        for hand in page.split('<section class="hand')[1:]:
            assert re.findall(r"hb-dim\">(\d)</text></svg>", hand) == list("1234")
            assert re.findall(r'aria-label="\w+, card (\d)', hand) == list("1234")


def test_moves_are_read_by_conventions_from_what_the_person_sees(browsers: Browser) -> None:
    browser, other = browsers(), browsers()
    table = {"partner1": "hgroup", "partner2": "hgroup", "seed": "11"}
    text = browser.post("/play/new", data=table).text
    assert 'id="by-conventions"' not in text  # nobody has moved
    assert '<option value="1" selected>level 1</option>' in text
    stream, differing, lines = Stream(1), 0, list[str]()
    moves = (hint_rank(1, 1), play(4), hint_rank(1, 3), hint_rank(2, 5))
    for move in moves:
        data = {"turn": turn_of(text), "action": str(move.code), "sure": "1"}
        text = browser.post("/play/act", data=data).text
        twin = with_other_hidden_cards(match_of(browser), stream)
        differing += twin.game.deck != match_of(browser).game.deck
        put(other, twin)
        for page in ("/play", "/play?at=1", "/play?at=2&on=1"):
            assert browser.get(page).text == other.get(page).text
        lines.append(told_of(text))
    assert differing
    assert lines[0].startswith("Alice clues Bob: 1")
    assert "Focus is card" in lines[0]
    assert "Then Bob " in lines[0]
    assert "Cathy " in lines[0].partition("Then Bob ")[2]
    assert "Perhaps a slip: card 1 was not known to be playable (Play Clue)." in lines[1]
    assert "slot" not in "".join(lines)
    assert "seat" not in "".join(lines)
    assert "Focus is card" in told_of(browser.get("/play?at=1").text)
    assert told_of(browser.get("/play?at=0").text) == ""
    assert told_of(browser.post("/play/conventions", data={"level": "0"}).text) == ""
    assert "Focus is card" in told_of(browser.post("/play/conventions", data={"level": "3"}).text)
    assert 'id="by-conventions"' not in browser.post("/play/stop").text


def told_of(text: str) -> str:
    """Return what conventions say on a page, without tags."""
    found = re.search(r'id="by-conventions".*?</summary>(.*?)</details>', text, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", found[1])).strip() if found else ""


def test_conventions_are_chosen_beside_any_partner(browser: TestClient) -> None:
    text = browser.post("/play/new", data={"partner1": "rule-based", "seed": "3", "seat": "2"}).text
    assert match_of(browser).game.turn == 1
    assert told_of(text) == ""
    assert "<noscript><button>Read moves</button></noscript>" in text
    text = browser.post("/play/conventions", data={"level": "2"}).text
    assert "Alice clues Bob" in told_of(text)
    assert match_of(browser).level == 2
    bad = browser.post("/play/conventions", data={"level": "26"})
    assert bad.status_code == 400
    assert "level: '26' is not a number from 0 to" in problem_of(bad.text)
    data = {"partner1": "random", "seed": "6", "seat": "2", "variant": "Orange (6 Suits)"}
    browser.post("/play/new", data=data)
    text = browser.post("/play/conventions", data={"level": "1"}).text
    assert told_of(text).startswith("No conventions: the hgroup player does not play Orange")


def test_moves_are_taken_back_as_practice(browser: TestClient) -> None:
    text = browser.post("/play/new", data=TABLES[1]).text
    assert 'id="take-back"' not in text
    assert "no move of yours" in problem_of(browser.post("/play/back").text)
    first = match_of(browser)
    for _ in range(2):
        hints = [code for code in codes_of(text) if Action.from_code(code).is_hint]
        data = {"turn": turn_of(text), "action": str(hints[0])}
        text = browser.post("/play/act", data=data).text
    browser.post("/play/back")
    text = browser.post("/play/back").text
    back = match_of(browser)
    assert (back.game, back.heard, back.before) == (first.game, first.heard, first.before)
    assert "practice" in text
    stopped = browser.post("/play/stop").text
    assert "practice: moves were taken back" in stopped
    assert "face up" in problem_of(browser.post("/play/back").text)


def test_looking_back_shows_what_was_seen_then(browser: TestClient) -> None:
    text = browser.post("/play/new", data=TABLES[0]).text
    seen = [match_of(browser).view]
    for _ in range(3):
        hints = [code for code in codes_of(text) if Action.from_code(code).is_hint]
        data = {"turn": turn_of(text), "action": str((hints or codes_of(text))[0]), "slow": "1"}
        answer = browser.post("/play/act", data=data)
        assert answer.url.query.decode() == f"at={match_of(browser).own_turns[-1] + 1}&on=1"
        text = browser.get("/play").text
        seen.append(match_of(browser).view)
    for view in seen[:-1]:
        assert match_of(browser).seen_at(view.turn)[0] == view
        past = browser.get(f"/play?at={view.turn}").text
        assert codes_of(past) == []
        assert f"Turn {view.turn + 1} · Play" in past
    assert codes_of(browser.get("/play?at=999").text)


def test_a_play_that_surely_fails_is_asked_about(browser: TestClient) -> None:
    """A card known to be a 5 while nothing has been played."""
    for seed in range(20):
        text = browser.post("/play/new", data={"partner1": "first-legal", "seed": str(seed)}).text
        match = match_of(browser)
        fives = [n for n, card in enumerate(match.game.hands[0]) if card.rank == 5]
        if not fives:
            continue
        game = match.game.apply(match.game.legal_actions[-1]).apply(hint_rank(0, 5))
        match = replace(match, game=game, heard=())
        put(browser, match)
        data = {"turn": str(game.turn), "action": str(play(fives[0]).code)}
        text = browser.post("/play/act", data=data).text
        assert "cannot be played now" in text
        assert match_of(browser) == match
        browser.post("/play/act", data={**data, "sure": "1"})
        assert match_of(browser).game.actions[game.turn] == play(fives[0])
        return
    pytest.fail("no hand has a 5")


SECRET = b"a key of the server"


@pytest.fixture
def restarted(browsers: Browser) -> Iterator[Callable[..., TestClient]]:
    """Return what gives a browser's cookies to one at another server, as after a restart."""
    with ExitStack() as servers:

        def restart(browser: TestClient, kept: str = "", **settings: Any) -> TestClient:
            app = make_app(Settings(workers=1, **({"secret": SECRET} | settings)))
            other = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
            had = dict(browser.cookies) | ({"hanabi-play": kept} if kept else {})
            for name, value in had.items():
                other.cookies.set(name, value, domain="localhost.local")
            return servers.enter_context(other)

        yield restart


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["seed"])
def test_a_game_survives_a_restart_and_goes_on_as_it_would_have(
    browsers: Browser, restarted: Callable[..., TestClient], table: dict[str, str]
) -> None:
    browser = browsers(secret=SECRET)
    browser.post("/play/new", data=table)

    def act(at: TestClient, data: dict[str, str]) -> str:
        answer = at.post("/play/act", data={**data, "sure": "1"})
        assert answer.status_code == 200, problem_of(answer.text)
        return answer.text

    def move_in(text: str) -> dict[str, str]:
        codes = codes_of(text)
        safe = [code for code in codes if Action.from_code(code).kind] or codes
        return {"turn": turn_of(text), "action": str(safe[-1])}

    act(browser, move_in(browser.get("/play").text))
    browser.post("/play/conventions", data={"level": "2"})
    browser.post("/play/back")
    act(browser, move_in(browser.get("/play").text))
    text, key = browser.get("/play").text, match_of(browser).key
    assert "practice: moves were taken back" in text
    move = move_in(text)
    other = restarted(browser)
    assert "Your game is still there" in other.get("/").text
    assert other.get("/play").text == text
    assert match_of(other) == match_of(browser)
    assert match_of(other).key == key  # by which the browser has notes on cards
    stale = restarted(browser)  # where the page of before the restart is still open
    assert act(stale, move) == act(other, move) == act(browser, move)
    while not match_of(browser).is_over:
        move = move_in(browser.get("/play").text)
        assert act(browser, move) == act(stale, move)
    assert "hanabi-play" not in browser.cookies


def test_a_kept_game_shows_nothing_that_is_hidden(browsers: Browser) -> None:
    browser, seal = browsers(secret=SECRET), Seal(SECRET)
    lengths = set()
    for seed in ("1", "987654321987"):
        browser.post("/play/new", data={"partner1": "random", "seed": seed})
        token = browser.cookies["hanabi-play"]
        assert seed in seal.open(token)
        content = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        assert b"seed" not in content
        lengths.add(len(token))
    assert len(lengths) == 1
    header = browser.get("/play/new").headers.get("set-cookie", "")
    assert not header
    answer = browser.post("/play/conventions", data={"level": "1"}, follow_redirects=False)
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=strict" in answer.headers["set-cookie"].lower()
    browser.post("/play/leave")
    assert "hanabi-play" not in browser.cookies


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"secret": b"another key"}, ""),
        ({"secret": b""}, ""),
        ({}, "the game cannot go on: './mine.py:Mine' is not offered here"),
        ({}, "the game that this browser kept cannot be read"),
    ],
)
def test_a_kept_game_that_cannot_go_on(
    browsers: Browser,
    restarted: Callable[..., TestClient],
    settings: dict[str, bytes],
    text: str,
) -> None:
    browser = browsers(secret=SECRET)
    browser.post("/play/new", data={"partner1": "random", "seed": "1"})
    seal = Seal(SECRET)
    written = seal.open(browser.cookies["hanabi-play"])
    changed = {"offered": ("random", quote("./mine.py:Mine")), "read": ("moves=", "actions=")}
    kept = "".join(seal.close(written.replace(*changed[word])) for word in changed if word in text)
    answer = restarted(browser, kept, **settings).get("/play")
    assert answer.status_code == (400 if text else 200)
    assert text in problem_of(answer.text)
    assert "<h1>A new game</h1>" in answer.text
