"""A game is reviewed at an address that holds it: verdicts, reasons and values as the library's."""

from __future__ import annotations

import gzip
import html
import json
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import hanabi
from hanabi.front.site import make_app
from hanabi.ground.clock import Clock
from hanabi.ground.errors import HanabiError, InvalidInputError
from hanabi.ground.workers.workshop import Report, State
from hanabi.people import people_chances, people_notes, share_words
from hanabi.players.arena import play_deal
from hanabi.players.protocol import why
from hanabi.players.registry import parse_player
from hanabi.reviews.chances import late_chances
from hanabi.reviews.decisions import judge_moves
from hanabi.reviews.document import Judged
from hanabi.reviews.remarks import percent
from hanabi.reviews.review import judge_actions
from hanabi.reviews.rows import LUCK_HEADS, luck_of
from hanabi.rules import Action, Rules, play, site
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.problem import GameProblem, pose_deck, pose_game
from hanabi.shell.web.moves import read_game
from hanabi.shell.web.offers import SAMPLES
from hanabi.shell.web.settings import Settings
from hanabi.shell.web.study import address_of, read_address, values_of
from hanabi.solvers.winnable.solver import best
from hanabi.solvers.winnable.timeline import Prospect
from pictures import checked_page
from web.conftest import ORIGIN, Browser, at_last, problem_of, unexplained

GAMES = Path(__file__).parents[1] / "data/hanab_live/games"
SITE = GAMES.parent / "site"


@pytest.fixture(scope="module")
def app() -> Iterator[Starlette]:
    """Return an application for all tests, as addresses need no session."""
    made = make_app(Settings(workers=1))
    with TestClient(made, base_url=ORIGIN):
        yield made


@pytest.fixture
def browser(app: Starlette) -> TestClient:
    """Return a browser without cookies."""
    return TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})


def problem_in(path: Path) -> GameProblem:
    """Return the game in a file."""
    return pose_deck(hanabi.read(path))  # type: ignore[arg-type]


def opened(browser: TestClient, path: Path) -> str:
    """Return the address of a game that is sent as a file."""
    with path.open("rb") as file:
        answer = browser.post("/review/new", files={"file": file})
    assert answer.status_code == 200, problem_of(answer.text)
    return str(answer.url)


def part(address: str, name: str, **places: object) -> str:
    """Return the address of a part of a game's page."""
    url = urlsplit(address)
    query = dict(parse_qsl(url.query)) | {key: str(value) for key, value in places.items()}
    return f"{url.path}{name}?{urlencode(query)}"


def verdicts(browser: TestClient, address: str) -> str:
    """Return the parts of a page that change, once they change no more, with plain spaces."""
    assert browser.get(part(address, "/verdicts")).status_code == 200
    return at_last(browser, part(address, "/verdicts"), "data-open").replace("\u00a0", " ")


def values(browser: TestClient, address: str, **places: object) -> dict[str, Any]:
    """Return what each action keeps, once all is known."""
    text = at_last(browser, part(address, "/values", **places), '"open":true')
    found: dict[str, Any] = json.loads(text)
    return found


def entries(text: str) -> list[tuple[str, str]]:
    """Return the attributes of each entry of the list of moves, and its words."""
    listed = text.partition(" data-moves ")[2]
    found = re.findall(r"<li([^>]*)><a [^>]*data-move=\"(\d+)\">(.*?)</li>", listed)
    assert [int(move) for _, move, _ in found] == list(range(len(found)))
    return [(attributes, html.unescape(re.sub("<.*?>", "", rest))) for attributes, _, rest in found]


@pytest.mark.parametrize("number", ["2906", "1885550", "1889209"])
def test_verdicts_and_reasons_are_those_of_the_library(browser: TestClient, number: str) -> None:
    path = GAMES / f"{number}.json"
    shown = entries(verdicts(browser, opened(browser, path)))
    found = hanabi.review(problem_in(path), with_reasons=True)
    top = found.problem.positions[0].rules.max_score
    assert len(shown) == len(found.prospects)
    costs, reasons = dict(found.lost), {each.turn: each.reason for each in found.mistakes("clue")}
    for move, ((attributes, words), prospect) in enumerate(
        zip(shown, found.prospects, strict=True)
    ):
        assert prospect.is_exact
        assert f'data-best="{prospect.lower} of {top}"' in attributes
        assert ("hp-lost" in attributes) == (move in costs)
        if move in costs:
            assert f"{costs[move]} point" in words
            _, ahead = shown[move - 1]  # the position before it says what would have kept them
            assert f"{costs[move]} point" in ahead
            assert reasons[move] in ahead
            assert f"kept {found.prospects[move - 1].lower}" in ahead


@pytest.mark.parametrize(
    ("number", "story", "start"),
    [
        ("1885550", "3 moves lost 3 points: player 3 −3", 20),
        ("1885550", "Turn 21player 3 clues player 1: 5 (2 cards)Instead: play o3", 20),
        ("2906", "25 of 25! No move lost a point.", 55),
    ],
)
def test_a_review_begins_with_its_story(
    browser: TestClient, number: str, story: str, start: int
) -> None:
    text = verdicts(browser, opened(browser, GAMES / f"{number}.json"))
    found = re.search(r'data-live="story" data-start="(\d+)"[^>]*>(.*?)</div>', text)
    assert found is not None
    assert int(found[1]) == start
    assert story in re.sub("<.*?>", "", found[2])
    assert ("hp-perfect" in found[2]) == (number == "2906")


def files() -> list[Path]:
    return sorted([*GAMES.glob("*.json"), *SITE.glob("*.json")])


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_every_address_holds_its_game(path: Path) -> None:
    problem = problem_in(path)
    if path.stem in ("1890204", "morph", "moves_after_end", "strike4"):
        with pytest.raises(HanabiError):
            address_of(problem)
        return
    code, query = address_of(problem)
    again = read_address(code, dict(parse_qsl(query, keep_blank_values=True)))
    assert again.positions == problem.positions
    assert (again.names, again.score, again.end) == (problem.names, problem.score, problem.end)


def test_an_address_is_answered_without_a_cookie_and_after_a_restart(browsers: Browser) -> None:
    first = browsers()
    address = opened(first, GAMES / "1885550.json")
    assert not first.cookies
    verdicts(first, address)
    url = urlsplit(address)
    stranger = browsers()
    answer = stranger.get(f"{url.path}?{url.query}")
    assert answer.status_code == 200
    assert not answer.headers.get("set-cookie")
    # The board is in the page, before the first loss, and any position can be had without scripts.
    assert re.search(r'<figure id="move-20"[^>]*>', answer.text)
    early = stranger.get(part(address, "", at=3)).text
    standing = early[early.index("<figure") : early.index("</figure>")]
    assert standing.startswith('<figure id="move-3"')
    assert standing.count("<svg") == 5
    with TestClient(make_app(Settings(workers=1)), base_url=ORIGIN) as other:
        assert other.get(f"{url.path}?{url.query}").status_code == 200


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("215lw,00,0?colour=red", "'colour' in the address is not understood"),
        ("215lw,00,0?deckplays=true", "'deckplays' in the address is not understood"),
        ("215lw,00,0?deckPlays=2", "deckPlays"),
        ("215lw,00,0?names=Ann", "names: 1 for 2 players"),
        ("215lw,00,0?end=99", "end: 99 is no end of a game"),
        ("215l!,00,0", "'!'"),
        ("915lw,00,0", "9 players"),
        ("215lw,00,99999", "99999"),
        ("1,", "the link ends too early"),
        ("x" * 5000 + ",", "at most 4,000"),
    ],
)
def test_what_an_address_does_not_hold_is_refused(
    browser: TestClient, address: str, problem: str
) -> None:
    answer = browser.get(f"/review/{address}")
    assert answer.status_code == 400
    assert problem in problem_of(answer.text)
    assert "\n" not in problem_of(answer.text)


def test_a_flag_may_stand_alone() -> None:
    problem = pose_deck(hanabi.read("p2v0s1"))  # type: ignore[arg-type]
    code, query = address_of(problem)
    assert query == ""
    read = read_address(code, {"allOrNothing": "", "startingPlayer": "1"})
    assert read.positions[0].rules.all_or_nothing
    assert read.positions[0].seat_to_act == 1
    assert dict(parse_qsl(address_of(read)[1])) == {"allOrNothing": "true", "startingPlayer": "1"}


def test_what_no_address_can_hold_is_kept_in_the_session_which_is_said(browsers: Browser) -> None:
    browser, other = browsers(), browsers()
    address = opened(browser, GAMES / "1890204.json")
    assert urlsplit(address).path == "/review/kept"
    text = html.unescape(browser.get(address).text)
    assert "The address cannot hold this game (37 cards of its deck are missing)" in text
    assert verdicts(browser, address)
    answer = other.get("/review/kept")
    assert answer.status_code == 400
    assert "there is no review" in problem_of(answer.text)


def compared(found: Mapping[str, Any], problem: GameProblem, at: int) -> None:
    """Compare the values of a position with the library's."""
    game = problem.positions[at]
    judged = [(a, each.kept) for each in judge_actions(game, None, Clock(60)) for a in each.actions]
    kept = dict(judged)
    most = max(each.lower for each in kept.values())
    assert set(found) == {str(action.code) for action in game.legal_actions}
    for action, prospect in kept.items():
        value = found[str(action.code)]
        assert value["kept"] == str(prospect.lower)
        assert value["worse"] == (prospect.upper < most)
        is_mixed = any(each.upper < most for each in kept.values())
        assert value["best"] == (is_mixed and prospect.lower == most)


def test_every_action_carries_what_it_keeps(browser: TestClient) -> None:
    path = GAMES / "1885550.json"
    address, problem = opened(browser, path), problem_in(path)
    shown = entries(verdicts(browser, address))
    for at in (0, 20, 23, 26):
        found = values(browser, address, at=at)
        compared(found["values"], problem, at)
        known = re.search(r'data-values="([^"]*)"', shown[at][0])
        assert (known is None) == (at == 0)  # before each loss they are in the page from the start
        if known is not None:
            at_once = json.loads(html.unescape(known[1]))
            assert {**at_once, "told": ""} == found
        assert found["follow"] == f"Play the {'winning' if at <= 20 else 'best'} line"
    text = browser.get(part(address, "", at=20)).text  # and so they do without scripts
    standing = text[: text.index("<template")]
    assert len(re.findall(r'class="hp-best"', standing)) == 1
    best = re.search(
        r'<button name="try" value="20:769\*"[^>]*class="hp-best"[^>]*>(.*?)</button>', text
    )
    assert best is not None
    assert re.sub("<.*?>", "", best[1]).startswith("Discard 15 ·")
    assert 'aria-label="Discard card 2: keeps 15 · 75 %"' in best[0]
    played = re.search(r'class="hp-played hp-worse" aria-label="([^"]*)"', standing)
    assert played is not None
    assert played[1] == "Clue player 1 5: keeps 14, played"


def test_a_question_has_only_so_much_time(browsers: Browser) -> None:
    browser = browsers(solve_seconds=0.0)
    address = opened(browser, GAMES / "1885550.json")
    assert "not decided in 0 seconds" in verdicts(browser, address)
    found = values(browser, address, at=20)
    assert (found["values"], found["told"]) == ({}, "not decided in 0 seconds")


def test_open_bounds_are_marked_and_nothing_is_called_best_that_may_not_be() -> None:
    open_, known = Prospect(13, 15, None), Prospect(14, 14, None)
    results = (Prospect(14, 15, None), Judged((play(0),), open_), Judged((play(1),), known))
    found = values_of(Report(results, State.RUNNING, ""), 15)["values"]
    assert (found["0"]["kept"], found["0"]["worse"], found["0"]["best"]) == ("13-15?", False, False)
    assert (found["256"]["kept"], found["256"]["best"]) == ("14", False)
    lost = Judged((play(2),), Prospect(13, 13, None))
    found = values_of(Report((*results, lost), State.DONE, ""), 15)["values"]
    assert [found[code]["best"] for code in ("0", "256", "512")] == [False, True, False]
    assert found["512"]["worse"]


def test_moves_can_be_tried_from_any_position(browser: TestClient) -> None:
    path = GAMES / "1885550.json"
    address, problem = opened(browser, path), problem_in(path)
    verdicts(browser, address)
    line = values(browser, address, at=20)["line"].split(".")
    assert line[0] == "769"
    for n in range(1, len(line) + 1):
        tried = ".".join(line[:n])
        step = browser.get(part(address, "/step", at=20, **{"try": tried}))
        assert step.status_code == 200
        assert '<figure id="tried"' in step.text
    found = values(browser, address, at=20, **{"try": tried})
    assert found["told"] == "Over with 15 of 15."
    worse = values(browser, address, at=20, **{"try": "0"})
    game = problem.positions[20].apply(Action.from_code(0))
    assert best(game).upper == 14
    assert worse["told"] == "At most 14 of 15 points: this move lost 1 point."
    page = browser.get(part(address, "", at=20, **{"try": "769"}))
    assert "Tried: player 3 plays o3 by a discard" in page.text
    assert re.search(r'<button name="try" value="20:769\.\d+\*"', page.text)


@pytest.mark.parametrize(
    "places", [{"at": "99"}, {"at": "x"}, {"at": "-1"}, {"try": "x"}, {"try": "5000"},
               {"at": "0", "try": "99999999999999999999"}, {"try": ".".join(["2"] * 300)},
               {"try": "99:2"}, {"try": "20:"}, {"try": "20:769~"}, {"try": "20:769*~20:0*"},
               {"try": "20:769.x"}, {"try": "~".join(f"{n}:2.2" for n in range(9)) * 9}]
)  # fmt: skip
def test_places_that_there_are_not(browser: TestClient, places: dict[str, str]) -> None:
    address = opened(browser, GAMES / "1885550.json")
    for name in ("", "/values", "/step", "/board.svg"):
        answer = browser.get(part(address, name, **places))
        assert answer.status_code == 400
        words = problem_of(answer.text) or answer.text.strip()
        assert words
        assert "\n" not in words


def tried_in(text: str) -> list[dict[str, Any]]:
    """Return the lines that a page holds for its script."""
    found = re.search(r' data-lines="([^"]*)"', text)
    lines: list[dict[str, Any]] = json.loads(html.unescape(found[1])) if found else []
    return lines


def test_an_address_holds_several_lines_and_the_shown_move(browser: TestClient) -> None:
    address = opened(browser, GAMES / "1885550.json")
    lines = "20:769.267*.547~20:768~3:0"
    text = browser.get(part(address, "", **{"try": lines})).text
    first, second, third = tried_in(text)
    assert first["words"][:2] == [
        "player 3 plays o3 by a discard",
        "player 1 clues player 2: 1 (1 card)",
    ]
    assert (first["codes"], first["shown"]) == (["769", "267", "547"], 2)
    assert (second["at"], second["shown"], third["at"]) == (20, 0, 3)
    assert "Tried: player 1 clues player 2: 1" in text
    # Without scripts there is a link to each move, and a button keeps what has been tried.
    standing = html.unescape(text[: text.index("data-live")])
    links = re.findall(r'<li><a href="([^"]*)"([^>]*)>(.*?)</a>', standing)
    assert [words for _, _, words in links] == [*first["words"], *second["words"], *third["words"]]
    assert [bool("aria-current" in more) for _, more, _ in links] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert "try=20:769.267.547~20:768*~3:0" in links[3][0]
    again = browser.get(links[3][0])
    assert [each["shown"] for each in tried_in(again.text)] == [0, 1, 0]
    button = re.search(r'<button name="try" value="([^"]*)"', standing)
    assert button is not None
    assert button[1].startswith("20:769.267.547~20:768~3:0~20:769.267.")
    tried = tried_in(browser.get(part(address, "", at=20, **{"try": button[1]})).text)
    assert len(tried) == 4
    assert tried[-1]["shown"] == 3
    # Without a star the first line is shown to its end, unless a position of the game is named.
    for more, shown in (({}, [1, 0]), ({"at": 7}, [0, 0])):
        text = browser.get(part(address, "", **{"try": "20:768~20:769"}, **more)).text
        assert [each["shown"] for each in tried_in(text)] == shown


def test_what_is_wrong_with_lines_is_quoted(browser: TestClient) -> None:
    address = opened(browser, GAMES / "1885550.json")
    for lines, problem in (
        ("20:769.x", "try: '20:769.x' is no line of moves, as 20:769.267 is"),
        ("99:2", "try: 99: the game has only 27 moves"),
        ("1:2*~1:3*", "try: '1:2*~1:3*' marks two positions"),
    ):
        answer = browser.get(part(address, "", **{"try": lines}))
        assert (answer.status_code, problem_of(answer.text)) == (400, problem)
        assert problem in browser.get(part(address, "/lines", **{"try": lines})).text


def test_a_line_has_a_link_that_plays_it_on_the_site(browser: TestClient) -> None:
    path = GAMES / "1885550.json"
    address = opened(browser, path)
    (line,) = browser.get(part(address, "/lines", **{"try": "20:769.267"})).json()
    there = pose_deck(hanabi.read(line["link"] + "#22"))  # type: ignore[arg-type]
    expected = problem_in(path).positions[20].apply(Action.from_code(769))
    assert there.positions[21] == expected
    assert there.positions[-1] == expected.apply(Action.from_code(267))
    # Pasted with a turn it opens there, as it does on hanab.live.
    answer = browser.post("/review/new", data={"game": f"{line['link']}#22"})
    assert dict(parse_qsl(urlsplit(str(answer.url)).query))["at"] == "21"
    assert "Turn 22 of 22" in answer.text


def test_a_game_is_saved_as_one_page_with_its_notes(browser: TestClient) -> None:
    address = opened(browser, GAMES / "1885550.json")
    verdicts(browser, address)
    note = "</section><script>alert(1)</script> why?"
    sent = {"moves": {"21": note, "999": "x"}, "cards": {"3": [note]}}
    answer = browser.post(part(address, "/page"), data={"notes": json.dumps(sent)})
    assert answer.headers["content-disposition"].startswith("attachment")
    page = checked_page(answer.text)
    (section,) = [each for each in page.all("section") if "data-player" in each]
    assert json.loads(section["data-notes"] or "") == {"21": note}
    assert json.loads(section["data-card-notes"] or "") == {"3": [note]}
    assert "Playing o3 by a discard (card 2) kept 15: nothing else did." in str(
        page.all("figure")[20]["data-words"]
    )
    for bad in ("[1", "[]", "[" * 100_000, '{"moves": 1}', '{"cards": {"x": []}}'):
        assert browser.post(part(address, "/page"), data={"notes": bad}).status_code == 400


def test_a_saved_page_keeps_what_actions_keep_and_the_lines(browser: TestClient) -> None:
    address = opened(browser, GAMES / "1885550.json")
    verdicts(browser, address)
    values(browser, address, at=5)
    values(browser, address, at=20, **{"try": "0"})
    sent = browser.post(part(address, "/page"), data={"try": "20:0.267*"})
    page = checked_page(sent.text)
    best, tried = tried_in(sent.text)
    assert (best["at"], best["codes"][0], len(best["codes"])) == (20, "769", 9)
    assert (tried["codes"], tried["shown"]) == (["0", "267"], 0)
    assert tried["found"][0]["told"] == "At most 14 of 15 points: this move lost 1 point."
    assert tried["found"][0]["values"]
    assert tried["found"][1] is None
    assert best["found"][-1]["told"] == "Over with 15 of 15."
    moves = page.all("li")[3:]  # after the list of mistakes
    kept = {n: json.loads(each["data-values"] or "") for n, each in enumerate(moves)
            if "data-values" in each}  # fmt: skip
    assert {*kept} >= {5, 20, 23, 26}
    shown = values(browser, address, at=20)["values"]
    for code, value in kept[20]["values"].items():
        assert (value["kept"], value["best"]) == (shown[code]["kept"], shown[code]["best"])
    assert kept[20]["line"] == ".".join(best["codes"])
    words = [str(each["data-words"]) for each in page.all("figure")]
    assert words[-1] == "player 1 clues player 2: 1 (1 card)"
    assert words[27 + 9].startswith("player 2 plays r5")
    buttons = [each for each in page.all("button") if "data-action" in each]
    assert all("title" in each and "disabled" in each for each in buttons)


def test_notes_of_the_players_come_with_their_game(browser: TestClient) -> None:
    data = json.loads((GAMES / "1885550.json").read_text())
    cards = len(data["deck"])
    data["notes"] = [[""] * cards, ["", "<b>m1</b>", *[""] * (cards - 2)], ["x" * 999] * cards]
    answer = browser.post("/review/new", data={"game": json.dumps(data)})
    assert answer.status_code == 200
    assert urlsplit(str(answer.url)).path == "/review/new"  # not sent on: an address has no place
    found = re.search(r' data-card-notes="([^"]*)"', answer.text)
    here = re.search(r' data-here="([^"]*)"', answer.text)
    assert found is not None
    assert here is not None
    notes = json.loads(html.unescape(found[1]))
    assert notes["1"][0] == "player 2: <b>m1</b>"
    assert len(notes["1"][1]) < 350
    assert browser.get(html.unescape(here[1])).status_code == 200


def test_the_picture_of_a_position_is_a_file_of_its_own(browser: TestClient) -> None:
    address = opened(browser, GAMES / "1885550.json")
    answer = browser.get(part(address, "/board.svg", at=21))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "Turn 22" in "".join(ET.fromstring(answer.text).itertext())


@pytest.mark.parametrize(
    "link",
    ["hanab.live/replay/123#4", "https://hanab.live/shared-replay/123", " hanab.live/game/123",
     "123", " #123\n", "game 123", "replay/123", "123#4"],
)  # fmt: skip
def test_a_stored_game_takes_two_steps(browser: TestClient, link: str) -> None:
    answer = browser.post("/review/new", data={"game": link})
    assert 'href="https://hanab.live/export/123"' in answer.text
    assert 'id="steps"' in answer.text
    assert problem_of(answer.text) == ""


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_samples_are_offered_and_open(browser: TestClient, sample: Any) -> None:
    for page in ("/", "/review"):
        assert f'href="{sample.address}"' in browser.get(page).text
    assert browser.get(sample.address).status_code == 200
    assert not browser.cookies


def test_names_are_shown_as_they_are(browser: TestClient) -> None:
    data = json.loads((GAMES / "2906.json").read_text())
    data["players"] = ["<script>alert(1)</script>", 'a" onload=x', "\u202eevil\x07"]
    answer = browser.post("/review/new", data={"game": json.dumps(data)})
    assert answer.status_code == 200, problem_of(answer.text)
    for text in (answer.text, verdicts(browser, str(answer.url))):
        assert "<script>alert" not in text
        assert "\u202e" not in text
        assert "\x07" not in text
        assert ' onload=x"' not in text


def test_links_and_seeds_are_read_alike(browser: TestClient) -> None:
    moves = "p2v0s1 clue Bob 1, play 3; discard 1\nclue alice RED"
    game = read_game(moves)
    assert len(game.moves) == 4
    answer = browser.post("/review/new", data={"game": moves})
    link = re.search(r'data-link="([^"#]*)', answer.text)
    assert link is not None
    again = browser.post("/review/new", data={"game": link[1]})
    assert again.url == answer.url
    assert read_address(urlsplit(str(answer.url)).path[8:], {}).positions == game.positions


@pytest.mark.parametrize(
    ("ending", "at"), [("", None), ("#3", 2), ("#1", 0), ("#0", 0), ("#19", 4)]
)
def test_a_link_to_a_turn_opens_before_its_move(
    browser: TestClient, ending: str, at: int | None
) -> None:
    first = browser.post(
        "/review/new", data={"game": "p2v0s1 clue Bob 1, play 3, discard 1, play 1"}
    )
    link = re.search(r'data-link="([^"#]*)', first.text)
    assert link is not None
    for given in (link[1], f" {link[1].removeprefix('https://')}"):
        answer = browser.post("/review/new", data={"game": f"{given}{ending}\n"})
        assert answer.status_code == 200, problem_of(answer.text)
        query = dict(parse_qsl(urlsplit(str(answer.url)).query))
        assert query.get("at") == (None if at is None else str(at))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p2v0s1 play 9", "cards 1 to 5"),
        ("p2v0s1 clue Eve red", "no player 'eve'; there are Alice, Bob"),
        ("p2v0s1 clue Bob mauve", "the colors are red"),
        ("p2v0s1 dance", "no move"),
        ("p2v0s1 discard 1", "move 1"),
        ("p2v0s1 [1]", "actions"),
        ("p9v0s1", "p9v0s1"),
        ("p2v0s1 " + "play 1," * 1001, "at most 1,000"),
    ],
)
def test_what_is_wrong_with_moves_is_told(browser: TestClient, text: str, problem: str) -> None:
    answer = browser.post("/review/new", data={"game": text})
    assert answer.status_code == 400
    assert problem in problem_of(answer.text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "paste a game, or choose a file"),
        (" \n ", "paste a game, or choose a file"),
        ("rainbow", "'rainbow' is a variant, which Play and Watch deal: here give a replay link"),
        ("No Variant", "'No Variant' is a variant"),
        ("Rainbow (5 Suits)", "'Rainbow (5 Suits)' is a variant"),
        ("hgroup:level=3", "'hgroup:level=3' is a player, which Play and Watch have:"),
        ("Zamiell", "'Zamiell' is not a game: give a replay link, a game's number"),
        ("hello world", "'hello world' is not a game:"),
        ("x" * 999, "xxxxx'... is not a game:"),
        ("clue Bob 1, play 3", "or a seed such as p2v0s1"),
        ("p3v0s", "'p3v0s' is not a game:"),
        ("12345678901", "'12345678901' is not a game:"),
        ("r1 y2 b3", "'r1 y2 b3' is cards for one player: see Solitaire. Here give"),
        ('{"cards": [[1, 0]]}', "is cards for one player"),
        ("players 2 r1 y2", "a deck of 2 cards is too small"),
        ("players 2 r1 hello", "column 14: 'hello' is not a card"),
        ("<!doctype html>\n<p>hanabi</p>", "is HTML, not a game (a game is what"),
        ("https://www.youtube.com/watch?v=x", "watch?v=x' is not a hanab.live link"),
        ("youtube.com/watch?v=x", "'youtube.com/watch?v=x' is not a game:"),
        ("hanab.live/game/\u2026", "is not a replay link (replay-json/...), seed or game"),
        ("https://hanab.live/history/Zamiell", "seed or game"),
        (
            '{"a": 1}',
            "stream, deck or game (a game is what https://hanab.live/export/NUMBER shows)",
        ),
        ("[1, 2]", "[1, 2] is not an object"),
        ('{"players": ', "line 1, column 13: the JSON ends too early"),
        ("p3v0s1..9", "names many decks"),
        ("p cnf 1 1\n1 0", "it is a formula"),
        ("position\npiles r3", "0 hands: a position has 2 to 6"),
    ],
)
def test_what_is_no_game_gets_an_answer_that_helps(
    browser: TestClient, text: str, problem: str
) -> None:
    answer = browser.post("/review/new", data={"game": text})
    assert answer.status_code == 400
    assert problem in problem_of(answer.text)
    assert "\n" not in problem_of(answer.text)
    assert len(problem_of(answer.text)) < 250
    assert text.strip() in html.unescape(answer.text)  # it can be mended


def test_numbers_of_games_among_games_are_left_out_with_the_way_to_get_them() -> None:
    with pytest.raises(InvalidInputError, match=r"save https:.*export.123 to a file"):
        read_game("#123")


def test_late_moves_show_their_chances(browser: TestClient) -> None:
    path = GAMES / "1892115.json"
    address, problem = opened(browser, path), problem_in(path)
    text = html.unescape(verdicts(browser, address))
    late = max(late_chances(problem.positions, Clock()), key=lambda each: each.cost)
    assert (late.at, late.cost) == (57, Fraction(2, 3))
    assert "Chances: turn 58 gave up the most." in text
    assert "Perfect-score chance 100 % → 33.3 %, all hands open and the deck unseen." in text
    found = values(browser, address, at=57)["values"]
    for each in late.chances.actions:
        chance = percent(each.perfect.low)
        assert found[str(each.action.code)]["chance"] == (chance if each.perfect.low else "")
        assert (
            f"; {chance} for a perfect score, judged without"
            in found[str(each.action.code)]["words"]
        )
    assert all(each["chance"] == "" for each in values(browser, address, at=3)["values"].values())


def test_a_record_that_goes_on_after_the_end_is_marked(browser: TestClient) -> None:
    address = opened(browser, SITE / "moves_after_end.json")
    text = html.unescape(verdicts(browser, address))
    assert "The game is over after move 63 by the rules of today (stuck, 19 points)" in text
    shown = entries(text)
    assert len(shown) == 65
    assert "over by the rules of today: stuck" in shown[63][1]
    assert "would not let this game go on" in html.unescape(browser.get(address).text)


def test_a_packed_game_that_ran_out_of_time(browser: TestClient) -> None:
    packed = gzip.compress((SITE / "ended_by_timeout.json").read_bytes())
    answer = browser.post("/review/new", files={"file": ("game.json.gz", packed)})
    assert "end=3" in answer.text
    assert "0 of 25 points: the time ran out, with 2 on the piles" in html.unescape(answer.text)


def test_a_deck_without_moves_is_reviewed(browser: TestClient) -> None:
    answer = browser.post("/review/new", data={"game": "p2v0s1"})
    assert entries(verdicts(browser, str(answer.url)))[0][1] == "The deal"
    found = values(browser, str(answer.url), at=0)["values"]
    compared(found, pose_deck(hanabi.read("p2v0s1")), 0)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError):
        read_address("x", {})


def test_a_player_that_is_named_says_why(browser: TestClient) -> None:
    end = play_deal([parse_player("rule-based")] * 2, Rules.hanab_live(2), 0, seed=3)
    code, _ = address_of(pose_game(end))
    text = at_last(browser, f"/review/{code}/verdicts?by=rule-based", "data-open")
    assert 'data-live="story"' in text
    names = DEFAULT_NAMES[:2]
    reasons = [why(parse_player("rule-based"), end, n, names=names) for n in (0, 5, 9)]
    for reason in reasons:
        assert reason
        assert re.sub(r"\bhint", "clue", reason) in unexplained(text)
    assert "rule-based" not in browser.get(f"/review/{code}/verdicts").text
    page = browser.get(f"/review/{code}?by=rule-based").text
    assert '<option selected value="rule-based">' in page
    for named, name in (
        ("hgroup:level=1", "hgroup"),
        ("endgame:budget=100/rule-based", "endgame/rule-based"),
    ):
        page = browser.get(f"/review/{code}", params={"by": named}).text
        assert f'<option selected value="{name}">' in page
    for named in ("nobody", "hgroup:level=99", "rule-based:hint=1", "./evil.py:Player", "endgame",
                  "process:rm", "endgame/process:rm", "cheating"):  # fmt: skip
        answer = browser.get(f"/review/{code}", params={"by": named})
        assert answer.status_code == 400
        assert f"no player '{named}' is on offer; there are rule-based, " in problem_of(answer.text)


def test_decisions_are_judged_when_they_are_asked_for(browser: TestClient) -> None:
    address = SAMPLES[1].address
    assert "A mistake: by what its player knew" not in verdicts(browser, address)
    page = browser.get(address).text
    assert "Judge decisions" in page
    asked = f"{address}?by=random&decisions=1"
    assert "Judging decisions …" in browser.get(asked).text
    told = html.unescape(verdicts(browser, asked))
    assert re.search(r"Decisions: 3 late moves, by what their players knew: .*: 1 mistake", told)
    assert "Estimated: 27 of 27 moves, by games in which all go on as random." in told
    assert re.search(
        r"<tr><th scope=.row.>Cathy</th>(<td>\d\.\d\d( ± \d\.\d\d)?</td>){3}</tr>", told
    )
    assert re.search(r"\d+ decisions to look at", told)
    assert re.search(r"An estimated mistake: .* was worth \d\.\d\d ± \d\.\d\d points more", told)
    found = entries(told)
    assert "A mistake: by what its player knew" in found[20][1]
    assert not any("by what was known" in words for _, words in found[:20])
    assert "Judge decisions" not in browser.get(asked).text
    whole = browser.post(f"{address}/page?by=random&decisions=1").text
    assert "A mistake: by what its player knew" in html.unescape(whole)


def test_decisions_are_judged_as_on_the_command_line(browser: TestClient) -> None:
    """All moves of a game are judged by games of the player that is said to have played."""
    game = "p2v0s2 clue Bob 3, discard 4"
    address = f"{browser.post('/review/new', data={'game': game}).url}?by=convention&decisions=1"
    told = html.unescape(verdicts(browser, address))
    assert "Estimated: 2 of 2 moves, by games in which all go on as convention." in told
    problem = read_game(game)
    found = hanabi.review(problem)
    judged = judge_moves(problem, found.prospects, Clock(None), "convention")
    (*heads, _), *rows = LUCK_HEADS, *luck_of(found.with_decisions(list(judged)).document())
    assert [heads[0], len(rows)] == ["player", 2]
    for name, *cells in rows:
        row = "".join(f"<td>{cell}</td>" for cell in cells)
        assert f'<tr><th scope="row">{name}</th>{row}</tr>' in told


def test_what_should_be_done_in_a_line_that_is_tried(browser: TestClient) -> None:
    game = "p2v0s2 clue Bob 3, discard 4"
    address = str(browser.post("/review/new", data={"game": game}).url)
    tried = {"at": "1", "try": f"1:{play(0).code}*"}
    assert f'value="{tried["try"]}" data-lines-sent' in browser.get(address, params=tried).text
    page = browser.get(f"{address}/advice", params=tried).text
    assert "What should Alice do on turn 3?" in page
    answer = browser.post(f"{address}/advice?by=convention", data=tried)
    assert dict(parse_qsl(urlsplit(str(answer.url)).query)) == {"by": "convention", **tried}
    page = html.unescape(at_last(browser, str(answer.url), "<live-page"))
    assert re.search(r"<strong>Best:</strong> .* points expected", page)
    assert "Played:" not in page
    assert f"at=1&try={quote(tried['try'])}" in page  # the way back
    same = browser.get(f"{address}/advice", params={"at": "2"}).text
    assert '<p id="best">' not in same


def test_what_should_have_been_done_is_worked_out_and_stopped(browser: TestClient) -> None:
    """Without scripts too: a form begins it, a link leads back, and another form ends it."""
    address = SAMPLES[1].address
    assert "What should I have done?" in browser.get(address).text
    page = browser.get(f"{address}/advice", params={"at": "12"}).text
    assert "What should Alice have done on turn 13?" in page
    assert "Work it out" in page
    assert "<live-page" not in page
    page = browser.post(f"{address}/advice", data={"at": "12"}).text
    assert "<live-page" in page
    for _ in range(300):
        if '<p id="best">' in (page := browser.get(f"{address}/advice?at=12").text):
            break
        time.sleep(0.1)
    browser.post(f"{address}/advice/stop", data={"at": "12"})
    page = html.unescape(browser.get(f"{address}/advice?at=12").text)
    assert "<live-page" not in page
    assert re.search(r"<strong>Best:</strong> (clue|play|discard) .* points expected", page)
    assert re.search(r"<strong>Played:</strong> clue blue to Cathy: ", page)
    assert "clue blue to Cathy *" in page
    assert "everybody goes on as rule-based" in page
    assert "deals in which it would have made more of them count more" in page
    other = browser.get(f"{address}/advice", params={"at": "11"}).text
    assert '<p id="best">' not in other


@pytest.mark.parametrize(
    ("at", "said"),
    [("999", "the game has only"), ("x", "at: 'x' is not a number"), ("24", "nobody can act")],
)
def test_advice_on_no_position_is_refused(at: str, said: str, browser: TestClient) -> None:
    text = (GAMES / "1875304.json").read_text(encoding="utf-8")
    path, _, query = str(browser.post("/review/new", data={"game": text}).url).partition("?")
    for ask in (browser.get, browser.post):
        answer = ask(f"{path}/advice", params={**dict(parse_qsl(query)), "at": at})
        assert answer.status_code == 400
        assert said in problem_of(answer.text)


def test_a_position_without_moves_is_refused_by_name(browser: TestClient) -> None:
    text = (GAMES.parents[3] / "docs/data/endgame.txt").read_text(encoding="utf-8")
    answer = browser.post("/review/new", data={"game": text})
    assert "is a position: it has no moves. Here give a replay link" in problem_of(answer.text)


def test_a_player_that_does_not_play_these_rules_judges_no_decision(browser: TestClient) -> None:
    address = str(browser.post("/review/new", data={"game": "p2v16s1 clue Bob 1"}).url)
    told = verdicts(browser, f"{address}?by=convention&decisions=1")
    assert "the convention player does not play Rainbow" in told


def test_moves_are_read_by_conventions_when_that_is_asked_for(browser: TestClient) -> None:
    game = "p3v0s2 clue Bob 1, clue Cathy 2, discard 1"
    address = str(browser.post("/review/new", data={"game": game}).url)
    assert 'name="conventions"' in browser.get(address).text
    assert "Focus is card" not in html.unescape(verdicts(browser, address))
    asked = f"{address}?conventions=1"
    told = unexplained(verdicts(browser, asked))
    assert "Focus is card" in told
    assert "Perhaps a slip: card 1 is not the chop, which is card" in told
    assert '<option selected value="1">level 1' in browser.get(asked).text
    whole = browser.post(f"{address}/page?conventions=1").text
    assert "Focus is card" in unexplained(whole)
    answer = browser.get(f"{address}?conventions=26")
    assert answer.status_code == 400
    assert "conventions: '26' is not a number from 0 to" in problem_of(answer.text)


def test_conventions_that_do_not_cover_a_game_say_so(browser: TestClient) -> None:
    game = (GAMES / "1885550.json").read_text(encoding="utf-8")
    address = str(browser.post("/review/new", data={"game": game}).url)
    told = html.unescape(verdicts(browser, f"{address}&conventions=1"))
    assert "No conventions: the hgroup player does not play Orange (3 Suits)" in told


def test_shares_of_people_stand_beside_moves_and_actions_when_that_is_asked_for(
    browser: TestClient,
) -> None:
    game = "p3v0s2 clue Bob 1, clue Cathy 2, discard 1"
    address = str(browser.post("/review/new", data={"game": game}).url)
    assert 'name="people" value="1"' in browser.get(address).text
    assert "of people" not in html.unescape(verdicts(browser, address))
    assert not any(each["people"] for each in values(browser, address, at=1)["values"].values())
    asked = f"{address}?people=1"
    assert "<button>What people do</button>" not in browser.get(asked).text
    told, problem = html.unescape(verdicts(browser, asked)), read_game(game)
    for notes in people_notes(problem.by_rules):
        says = notes.says.to(site(problem.names, problem.by_rules[notes.move - 1]))
        assert f"{says}." in told
    tried = problem.by_rules[1].legal_actions[0]
    for line, position in (
        ("", problem.by_rules[1]),
        (str(tried.code), problem.by_rules[1].apply(tried)),
    ):
        found = values(browser, asked, at=1, **({"try": line} if line else {}))["values"]
        for action, chance in people_chances(position).items():
            value = found[str(action.code)]
            assert value["people"] == share_words(chance)
            assert value["words"].endswith(f"; {share_words(chance)} of people would do this")
    shown = browser.get(f"{asked}&at=1").text
    assert re.search(r': keeps 25, \S+ % of people"', html.unescape(shown))
    whole = browser.post(f"{address}/page?people=1").text
    assert "of people would do this" in html.unescape(whole)


def test_a_game_that_people_do_not_play_says_so(browser: TestClient) -> None:
    game = (GAMES / "1885550.json").read_text(encoding="utf-8")
    address = str(browser.post("/review/new", data={"game": game}).url)
    told = html.unescape(verdicts(browser, f"{address}&people=1"))
    assert "What people do: the hgroup player does not play Orange (3 Suits)" in told
    assert values(browser, f"{address}&people=1", at=1)["values"]
