"""A game is reviewed: verdicts as the library gives them, moves to be tried, notes and links."""

from __future__ import annotations

import gzip
import html
import json
import re
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import hanabi
from hanabi.clock import Clock
from hanabi.game import Action
from hanabi.game.telling import site_words, told
from hanabi.session.chances import late_chances, worst
from hanabi.session.game import pose_deck
from hanabi.web.moves import read_game
from hanabi.web.study import Study, chance_rows, share
from hanabi.workers.workshop import Job, State
from web.conftest import Browser, codes_of, problem_of

GAMES = Path(__file__).parents[1] / "data/hanab_live/games"
LOST = "p2v0s2 clue Bob 3, discard 4"
CELL = re.compile(r'id="t(\d+)" class="cell (\w+)( loss)?"[^>]*>([^<]*)<')


def study_of(browser: TestClient) -> Study:
    visitor = browser.app.state.desk.visitors.find(browser.cookies["hanabi"])  # type: ignore[attr-defined]
    study: Study = visitor.rooms["review"]
    return study


def finished(browser: TestClient, page: str = "/review") -> str:
    """Return a page once nothing is worked out for it any more."""
    end = time.monotonic() + 120
    text = browser.get(page).text
    while "<live-part src=" in text and time.monotonic() < end:
        time.sleep(0.1)
        text = browser.get(page).text
    assert "<live-part src=" not in text
    return text


@pytest.mark.parametrize("number", ["2906", "1885550", "1889209"])
def test_verdicts_are_those_of_the_library(browser: TestClient, number: str) -> None:
    path = GAMES / f"{number}.json"
    with path.open("rb") as file:
        answer = browser.post("/review/new", files={"file": file})
    assert answer.status_code == 200, problem_of(answer.text)
    text = finished(browser)
    found = hanabi.review(pose_deck(hanabi.read(path)))  # type: ignore[arg-type]
    top = found.problem.positions[0].rules.max_score
    cells = CELL.findall(text)
    assert len(cells) == len(found.prospects)
    costs = dict(found.lost)
    for (place, standing, loss, best), prospect in zip(cells, found.prospects, strict=True):
        assert prospect.is_exact
        assert best == str(prospect.lower)
        assert standing == ("winnable" if prospect.lower == top else "less")
        assert bool(loss) == (int(place) in costs)
    for move, cost in costs.items():
        before, after = found.problem.positions[move - 1 : move + 1]
        words = told(found.problem.names, before, after).replace("hints ", "clues ", 1)
        assert f"{words}: {cost} point" in html.unescape(text)
    if found.because is not None:
        assert found.because.summary in html.unescape(text)


def test_a_review_that_ends_while_it_is_shown_is_not_called_complete(browser: TestClient) -> None:
    browser.post("/review/new", data={"game": LOST})
    whole = finished(browser)
    visitor = browser.app.state.desk.visitors.find(browser.cookies["hanabi"])  # type: ignore[attr-defined]
    done = visitor.jobs["review"]
    *told_before, because = done.results
    job = Job(done.function, done.arguments, done.seconds, state=State.RUNNING)

    class Ending(list[object]):
        """Results of a job that ends as soon as somebody has read them."""

        def __iter__(self) -> Iterator[object]:
            yield from told_before
            job.results = [*told_before, because]
            job.end(State.DONE)

    job.results = Ending(told_before)
    visitor.jobs["review"] = job
    assert "<live-part src=" in browser.get("/review").text
    assert browser.get("/review").text == whole


def test_a_losing_move_is_flagged_and_the_line_before_it_can_be_followed(
    browser: TestClient,
) -> None:
    browser.post("/review/new", data={"game": LOST})
    text = finished(browser, "/review?at=1")
    flagged = [int(place) for place, _, loss, _ in CELL.findall(text) if loss]
    assert flagged
    before = flagged[0] - 1
    answer = browser.post(f"/review/follow?at={before}&try=0")
    assert answer.status_code == 200
    study = study_of(browser)
    assert study.branch[-1].score == study.problem.game.rules.max_score
    steps = len(study.branch)
    end = browser.get(f"/review?at={before}&try={steps}").text
    assert "over with 25 of 25" in end
    link = re.search(r'id="link" readonly value="([^"]*)"', end)
    assert link is not None
    assert pose_deck(hanabi.read(link[1].partition("#")[0])).positions[-1].score == 25  # type: ignore[arg-type]


def test_moves_can_be_tried_and_are_judged(browser: TestClient) -> None:
    browser.post("/review/new", data={"game": "p2v0s1"})
    text = finished(browser)
    for tried in range(1, 4):
        page = re.search(r'action="(/review/try[^"]*)"', text)
        assert page is not None
        code = codes_of(text)[0]
        answer = browser.post(html.unescape(page[1]), data={"action": str(code)})
        assert answer.status_code == 200, problem_of(answer.text)
        text = finished(browser, f"/review?at=0&try={tried}")
        game = study_of(browser).position(0, tried)
        verdict = re.search(r'class="verdict (\w+)"><strong>Tried: ([^<]*)<', text)
        assert verdict is not None
        assert game.actions[-1].code == code
        best = max(hanabi.solve(game, seconds=60).verdict.lower, 0)
        is_winnable = hanabi.solve(game, seconds=60).is_winnable
        assert verdict[1] == ("winnable" if is_winnable else "less"), (verdict, best)
    back = browser.get("/review?at=0").text
    assert "Tried from move 0" in back
    assert back.count("/review?at=0&amp;try=3") == 1
    # Another first move takes the place of all that was tried.
    other = codes_of(back)[1]
    browser.post("/review/try?at=0&try=0", data={"action": str(other)})
    assert len(study_of(browser).branch) == 1


@pytest.mark.parametrize("page", ["at=99", "at=0&try=5", "at=x", "at=-1", "at=0&try=999999999"])
def test_places_that_there_are_not(browser: TestClient, page: str) -> None:
    browser.post("/review/new", data={"game": LOST})
    answer = browser.get(f"/review?{page}")
    assert problem_of(answer.text)
    assert browser.post(f"/review/try?{page}", data={"action": "0"}).status_code == 400


def test_verdicts_come_while_they_are_worked_out_and_can_be_given_up(browser: TestClient) -> None:
    browser.post("/review/new", data={"game": (GAMES / "2906.json").read_text()})
    part = browser.get("/review/verdicts?at=0&try=0")
    assert part.status_code == 200
    assert "<html" not in part.text
    browser.post("/review/cancel?at=0&try=0")
    text = browser.get("/review").text
    assert "<live-part src=" not in text
    assert "Stop working" not in text


def test_a_question_has_only_so_much_time(browsers: Browser) -> None:
    browser = browsers(solve_seconds=0.0)
    browser.post("/review/new", data={"game": (GAMES / "2906.json").read_text()})
    text = finished(browser)
    assert "not decided in" in text


def test_notes_are_kept_and_shown_as_they_are(browser: TestClient) -> None:
    browser.post("/review/new", data={"game": LOST})
    note = '</textarea><script>alert("x")</script> & so on'
    text = browser.post("/review/note?at=2", data={"note": note}).text
    assert "<script>alert" not in text
    assert html.escape(note).replace("&#x27;", "'").replace("&quot;", "&#34;") in text
    assert "✎" in browser.get("/review?at=0").text
    assert "at most 2,000" in problem_of(
        browser.post("/review/note?at=2", data={"note": "x" * 3000}).text
    )
    assert "✎" not in browser.post("/review/note?at=2", data={"note": ""}).text


def test_names_are_shown_as_they_are(browser: TestClient) -> None:
    data = json.loads((GAMES / "2906.json").read_text())
    names = ["<script>alert(1)</script>", 'a" onload=x', "\u202eevil\x07"]
    data["players"] = [*names, *data["players"][3:]][: len(data["players"])]
    answer = browser.post("/review/new", data={"game": json.dumps(data)})
    assert answer.status_code == 200, problem_of(answer.text)
    text = answer.text
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert "\x07" not in text
    assert ' onload=x"' not in text


def test_links_and_seeds_are_read_alike(browser: TestClient) -> None:
    moves = "p2v0s1 clue Bob 1, play 3; discard 1\nclue alice RED"
    game = read_game(moves)
    assert len(game.moves) == 4
    text = browser.post("/review/new", data={"game": moves}).text
    link = re.search(r'id="link" readonly value="([^"#]*)', text)
    assert link is not None
    browser.post("/review/new", data={"game": link[1]})
    assert study_of(browser).problem.positions == game.positions


@pytest.mark.parametrize(("ending", "at"), [("", 4), ("#2", 2), ("#0", 0), ("#19", 4), ("#", 4)])
def test_a_link_to_a_move_opens_there(browser: TestClient, ending: str, at: int) -> None:
    text = browser.post(
        "/review/new", data={"game": "p2v0s1 clue Bob 1, play 3, discard 1, play 1"}
    )
    link = re.search(r'id="link" readonly value="([^"#]*)', text.text)
    assert link is not None
    for given in (link[1], f" {link[1].removeprefix('https://')}"):
        for sent in (
            {"data": {"game": f"{given}{ending}\n"}},
            {"files": {"file": f"{given}{ending}\n".encode()}},
        ):
            answer = browser.post("/review/new", **sent)
            assert answer.status_code == 200, problem_of(answer.text)
            assert f"<title>Move {at} of 4 " in answer.text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p2v0s1 play 9", "cards 1 to 5"),
        ("p2v0s1 clue Eve red", "nobody is called so"),
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


def test_late_moves_show_their_chances(browser: TestClient) -> None:
    path = GAMES / "1892115.json"
    with path.open("rb") as file:
        browser.post("/review/new", files={"file": file})
    text = html.unescape(finished(browser, "/review?at=57"))
    problem = pose_deck(hanabi.read(path))  # type: ignore[arg-type]
    late = worst(list(late_chances(problem.positions, Clock())))
    assert late is not None
    assert (late.at, late.cost) == (57, Fraction(2, 3))
    assert 'id="worst-chance"' in text
    assert "66.7 % of the chance of all points given away" in text
    rows = chance_rows(problem.after(57), problem.names, late.chances, late.played)
    cells = re.findall(r"<tr[^>]*><td>(.*?)</td><td>(.*?)</td></tr>", text)
    shown = [(re.sub("<.*?>", "", what), re.sub("<.*?>", "", chance)) for what, chance in cells]
    assert shown == [
        (site_words(row.words) + " (played)" * row.is_played, row.chance) for row in rows
    ]
    early = finished(browser, "/review?at=3")
    assert 'id="chances"' not in early


def test_a_late_move_that_is_tried_shows_its_chances(browser: TestClient) -> None:
    with (GAMES / "1892115.json").open("rb") as file:
        browser.post("/review/new", files={"file": file})
    finished(browser)
    before = study_of(browser).position(57)
    code = next(each.code for each in before.legal_actions if each.is_hint)
    browser.post("/review/try?at=57&try=0", data={"action": str(code)})
    text = finished(browser, "/review?at=57&try=1")
    best = hanabi.chances(before.apply(Action.from_code(code))).perfect
    assert f"<strong>{share(best.low)}</strong>" in text


def test_a_record_that_goes_on_after_the_end_is_marked(browser: TestClient) -> None:
    path = GAMES.parent / "site/moves_after_end.json"
    with path.open("rb") as file:
        browser.post("/review/new", files={"file": file})
    text = html.unescape(finished(browser))
    assert "The game is over after move 63 by the rules of today (stuck, 19 points)" in text
    cells = CELL.findall(text)
    assert len(cells) == 65
    assert {standing for _, standing, _, _ in cells} <= {"winnable", "less"}
    assert [best for *_, best in cells[-2:]] == ["19", "19"]


def test_a_packed_game_that_ran_out_of_time(browser: TestClient) -> None:
    path = GAMES.parent / "site/ended_by_timeout.json"
    packed = gzip.compress(path.read_bytes())
    browser.post("/review/new", files={"file": ("game.json.gz", packed)})
    assert "0 of 25 points: the time ran out, with 2 on the piles" in finished(browser)
    assert "the time ran out" not in browser.get("/review?at=2").text
