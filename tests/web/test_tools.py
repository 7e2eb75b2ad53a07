"""The tools beside play and review: what they show is what the library says."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

import hanabi
from hanabi.conventions import HGroup
from hanabi.conventions.notes import move_notes, seat_notes
from hanabi.conventions.practice import draw_exercise
from hanabi.ground.rng import Stream
from hanabi.ground.sat import dimacs
from hanabi.ground.sat.check import check_proof
from hanabi.players.arena import play_deal
from hanabi.players.protocol import Player, why
from hanabi.players.registry import parse_player
from hanabi.reviews.review import review
from hanabi.rules import Game, Rules
from hanabi.rules.notation import lines_of, parse_link
from hanabi.rules.words import site
from hanabi.shell.session.hands import partition
from hanabi.shell.web.ahead import Ahead
from hanabi.shell.web.moves import read_game
from hanabi.shell.web.offers import SAMPLES
from hanabi.shell.web.questions import DealsPlayed, ask_deals
from hanabi.solitaire.counting.playability import estimate_curve
from hanabi.solitaire.hardness import Formula, decide_by_cards
from hanabi.solvers.hints import parse_table
from web.conftest import (
    LONGEST,
    Browser,
    at_last,
    codes_of,
    desk_of,
    problem_of,
    unexplained,
    work_ends,
)

UNSATISFIABLE = "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"


def asked(browser: TestClient, page: str, data: dict[str, str]) -> str:
    """Return a page once what was asked is answered."""
    answer = browser.post(f"{page}/new", data=data)
    assert answer.status_code == 200, problem_of(answer.text)
    return at_last(browser, page) if "<live-page" in answer.text else answer.text


def test_the_game_that_is_watched_is_the_one_that_is_played(browser: TestClient) -> None:
    names = ["rule-based", "random", "rule-based"]
    data = {f"player{n}": name for n, name in enumerate(names, start=1)}
    text = asked(browser, "/watch", data | {"seats": "3", "seed": "5", "deal": "2"})
    team = [parse_player(name) for name in names]
    end = play_deal(team, Rules.hanab_live(3), 2, seed=5)
    link = re.search(r'href="(https://hanab.live/replay-json/[^"]*)"', text)
    assert link is not None
    record = parse_link(link[1])
    assert record.deck == end.deck
    assert len(record.actions) == len(end.actions)
    shown = browser.get(f"/watch?at={len(end.actions)}").text
    assert f"{end.score} of 25 points" in shown


def test_a_link_to_a_watched_game_holds_it(browsers: Browser) -> None:
    browser, other = browsers(), browsers("198.51.100.7")
    data = {"player1": "rule-based", "player2": "random", "seats": "3", "seed": "5", "deal": "2"}
    asked(browser, "/watch", data)
    here = str(browser.get("/watch?at=4&seat=2").url)
    assert "player1=rule-based&player2=random&seed=5&deal=2&at=4&seat=2" in here
    at_last(browser, here)
    text = at_last(other, here)  # who has no session here, as after a restart
    assert text == browser.get(here).text
    assert "seed 5, deal 2" in text
    assert not other.cookies
    assert 'id="why"' in text
    review = re.search(r'href="(/review/[^"]*)" id="review"', text)
    assert review is not None
    assert other.get(html.unescape(review[1])).status_code == 200


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("player1=rule-based", "player1=os:system", "player1: 'os:system' is none of"),
        ("seed=5", "seed=6", "seed: '6' deals other cards than those of this game"),
        ("seed=5", "seed=x", "seed: 'x' is not a number"),
        ("seed=5", "seat=4", "seat: '4' is not a number from 0 to 3"),
        ("seed=5", "sead=5", "'sead' in the address is not understood"),
    ],
)
def test_a_link_to_a_watched_game_that_does_not_hold(
    browser: TestClient, old: str, new: str, said: str
) -> None:
    asked(browser, "/watch", {"player1": "rule-based", "seed": "5"})
    address = str(browser.get("/watch").url)
    assert old in address
    answer = browser.get(address.replace(old, new))
    assert answer.status_code == 400
    assert said in problem_of(answer.text)
    assert browser.get("/watch/abc").status_code == 404


def test_watch_says_why_each_move_was_made(browser: TestClient) -> None:
    asked(browser, "/watch", {"player1": "rule-based", "player2": "random", "seed": "5"})
    work_ends(browser)
    browser.get("/watch")
    work_ends(browser)
    visitor = desk_of(browser).visitors.find(browser.cookies["hanabi"])
    assert visitor is not None
    job = visitor.jobs["watch"]
    game, shown = job.results[0], 0
    team = [parse_player(name) for name in ("rule-based", "random", "rule-based")]
    for turn in range(min(6, len(game.actions))):
        reason = why(team[turn % 3], game, turn, names=("Alice", "Bob", "Cathy"))
        text = unexplained(browser.get(f"/watch?at={turn + 1}").text)
        found = re.search(r'id="why"><strong>Why</strong>: (.*?)\.</p>', text)
        assert (found is None) == (not reason)
        if found is not None and reason is not None:
            assert found[1] == re.sub(r"\bhint", "clue", reason)
            shown += 1
    assert shown


def test_a_seat_sees_what_it_may(browser: TestClient) -> None:
    asked(browser, "/watch", {"player1": "random", "seed": "p4v0s3"})
    for seat in range(1, 5):
        text = browser.get(f"/watch?at=2&seat={seat}").text
        hidden = re.findall(r'summary aria-label="(\w+), card \d[^"]*: hidden', text)
        assert len(hidden) == 4
        assert len(set(hidden)) == 1
        assert '<form method="post" action=""' not in text
    assert ": hidden" not in browser.get("/watch?at=2").text


def test_moves_are_read_by_conventions_as_a_seat_can(browser: TestClient) -> None:
    asked(browser, "/watch", {"player1": "hgroup", "seed": "11"})
    positions = [hanabi.deal(players=3, seed=11)]
    for _ in range(9):
        view = positions[-1].view(positions[-1].seat_to_act)
        positions.append(positions[-1].apply(HGroup().act(view, Stream(1))))
    names, n_said = ("Alice", "Bob", "Cathy"), 0
    for at in (1, 4, 7):
        before, after = positions[at - 1 : at + 1]
        for seat in range(4):
            text = unexplained(browser.get(f"/watch?at={at}&seat={seat}").text)
            notes = (
                seat_notes(before.view(seat - 1), after.view(seat - 1), 1)
                if seat
                else move_notes(before, after, 1)
            )
            about = [each.to(site(names, before)) for each in notes.of_move()]
            assert all(each[1:] in text for each in about)
            ahead = "; ".join(each.to(site(names, after)) for each in notes.ahead())
            assert f"<p>Then {ahead}.</p>" in text
            n_said += len(about)
    assert n_said >= 4
    assert 'id="by-conventions"' not in browser.get("/watch?at=1&conventions=0").text
    assert "conventions=3" in browser.get("/watch?at=1&conventions=3").text
    assert 'id="by-conventions"' not in browser.get("/watch?at=0").text
    asked(browser, "/watch", {"player1": "random", "seed": "1", "variant": "Orange (5 Suits)"})
    assert 'id="by-conventions"' not in browser.get("/watch?at=1").text
    text = browser.get("/watch?at=1&conventions=1").text
    assert "No conventions: the hgroup player does not play Orange" in text


def test_the_split_of_a_hand_is_that_of_the_library(browser: TestClient) -> None:
    asked(browser, "/watch", {"player1": "rule-based", "seed": "p3v0s17"})
    game: Game = hanabi.deal("p3v0s17")
    text = browser.get("/watch?at=0&split=2").text
    found = partition(game, seat=1)
    assert f"{found.size} part" in text
    assert text.count("card 1") >= 1
    assert "Nobody can clue Alice" in browser.get("/watch?at=0&split=1").text


@pytest.mark.parametrize(
    "data",
    [{"seats": "1"}, {"seats": "7"}, {"player1": "os:system"}, {"seed": "p3v0"}, {"seed": "x"},
     {"deal": "-1"}, {"variant": "No Such Variant"}, {"seed": "p3v0s1..9"},
     {"player1": "information", "variant": "White (5 Suits)"}],
)  # fmt: skip
def test_games_that_cannot_be_watched(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/watch/new", data=data)
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_every_choice_of_a_small_formula_is_told(browser: TestClient) -> None:
    """Turned around, one literal at a time, a formula stays drawn; its words are the library's."""
    for small in ("1 2 3, -1 2 -3, -1 -2 3", "1 2, -1 2, 1 -2, -1 -2", "1, -1", "1 -1 2"):
        clauses = tuple(tuple(map(int, each.split())) for each in small.split(","))
        formula = Formula(max(abs(x) for each in clauses for x in each), clauses)
        text = html.unescape(browser.get("/proof", params={"small": small}).text)
        is_satisfiable = decide_by_cards(formula, variant="four_values").is_satisfiable
        assert ("the cards can be won" in text) == is_satisfiable
        assert ("every play gets stuck" in text) != is_satisfiable
        told = re.findall(r'choice=([01]+)"[^>]*>[^<]*</a>: (.*?)</li>', text)
        assert len(told) == 2**formula.n_vars
        for bits, words in told:
            wrong = [
                str(number)
                for number, clause in enumerate(clauses, start=1)
                if not any((bits[abs(x) - 1] == "1") == (x > 0) for x in clause)
            ]
            assert re.findall(r"clause (\d+) ", words) == wrong
            assert ("wins" in words) == (not wrong)


def test_clauses_turn_true_as_their_windows_are_used(browser: TestClient) -> None:
    small = "1 2 3, -1 2 -3, -1 -2 3"
    counts = []
    for at in range(34):
        text = browser.get("/proof", params={"small": small, "choice": "111", "at": at}).text
        counts.append(text.count('class="clause good"'))
        assert text.count('<figure class="sheet lit"') == (at > 0)
    assert counts == [0] * 9 + [1] * 11 + [2] * 11 + [3] * 3
    text = html.unescape(browser.get("/proof", params={"small": small, "at": 3}).text)
    assert "In hand: <strong>the 2 of x1</strong>" in text


@pytest.mark.parametrize(
    "query", ["small=", "small=1+0", "small=9", "small=1,,2", "small=1&choice=01", "small=1&at=x",
              "small=" + "1,2,3,4," * 3 + "1"],
)  # fmt: skip
def test_small_formulas_that_are_refused(browser: TestClient, query: str) -> None:
    answer = browser.get(f"/proof?{query}")
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_a_small_formula_is_drawn_at_once(browser: TestClient) -> None:
    text = browser.post("/proof/new", data={"formula": "p cnf 2 2\n1 -2 0\n-1 2 0\n"}).text
    assert re.findall(r'id="l(\d-\d)"', text) == ["1-1", "1-2", "2-1", "2-2"]


@pytest.mark.parametrize("variant", ["three_values", "paper"])
def test_a_formula_that_is_satisfied(browser: TestClient, variant: str) -> None:
    text = asked(
        browser, "/proof", {"formula": "p cnf 3 2\n1 -2 3 0\n-1 2 -3 0\n", "variant": variant}
    )
    values = re.findall(r'<th scope="row">x(\d)</th><td>(true|false)</td>', text)
    chosen = [int(number) if value == "true" else -int(number) for number, value in values]
    assert len(chosen) == 3
    for clause in ((1, -2, 3), (-1, 2, -3)):
        assert set(clause) & set(chosen)
    last = re.search(r'max="(\d+)"', text)
    assert last is not None
    at_end = html.unescape(browser.get(f"/proof?at={last[1]}").text)
    piles = re.search(r"piles: (\d+) of (\d+) cards", at_end)
    assert piles is not None
    assert piles[1] == piles[2]


def test_the_proof_of_one_that_is_not_can_be_checked(browser: TestClient) -> None:
    text = asked(browser, "/proof", {"formula": UNSATISFIABLE, "proof": "1"})
    assert "Not satisfiable" in text
    proof, cards = browser.get("/proof/proof.drat"), browser.get("/proof/cards.cnf")
    for answer in (proof, cards):
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["content-type"].startswith("text/plain")
    cnf = dimacs.read(lines_of(cards.text))
    assert check_proof(cnf, proof.text).broken is None


@pytest.mark.parametrize(
    "formula",
    ["", "p cnf 1 1\n2 0\n", "p cnf 61 1\n1 0\n", "p cnf 2 251\n" + "1 2 0\n" * 251, "x" * 30_000,
     "p cnf 99999999999 1\n1 0"],
)  # fmt: skip
def test_formulas_that_are_refused(browser: TestClient, formula: str) -> None:
    answer = browser.post("/proof/new", data={"formula": formula})
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_proofs_of_nothing(browser: TestClient) -> None:
    for page in ("/proof/proof.drat", "/proof/cards.cnf"):
        assert browser.get(page).status_code == 400


@pytest.mark.parametrize(("hand", "status"), [("1", "Winnable"), ("0", "Unwinnable")])
def test_a_solitaire(browser: TestClient, hand: str, status: str) -> None:
    cards = "r2 y1 r1 y2"
    text = asked(browser, "/solitaire", {"cards": cards, "hand": hand})
    assert f"<strong>{status}</strong>" in text
    answer = hanabi.solve(f"hand {hand}  {cards}")
    assert answer.reason in html.unescape(text)
    if answer.play is not None:
        assert f"of {len(answer.play)}" in text


@pytest.mark.parametrize(
    "data",
    [{"cards": "", "hand": "1"}, {"cards": "r1", "hand": ""}, {"cards": "q9", "hand": "1"},
     {"cards": "r1 " * 3000, "hand": "1"}, {"cards": "r1", "hand": "99999"},
     {"cards": "/etc/passwd", "hand": "1"}],
)  # fmt: skip
def test_solitaires_that_are_refused(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/solitaire/new", data=data)
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_counts(browser: TestClient) -> None:
    text = asked(browser, "/count", {"copies": "3,2,2,2,1", "colors": "1", "hand": "2"})
    found = [hanabi.count("3,2,2,2,1", hand_size=hand).good for hand in range(3)]
    rows = re.findall(r'<th scope="row" class="number">(\d+)</th><td class="number">(\d+)<', text)
    assert [(int(hand), int(good)) for hand, good in rows] == list(enumerate(found))
    shares = [
        f"{100 * float(hanabi.count('3,2,2,2,1', hand_size=h).probability):.1f} %" for h in range(3)
    ]
    assert re.findall(r"hand \d: (\d+\.\d %)", text) == shares


@pytest.mark.parametrize(
    "data",
    [{"copies": ""}, {"copies": "x"}, {"copies": "3", "colors": "11"},
     {"copies": "3", "hand": "13"},
     {"copies": "3", "colors": "0"}],
)  # fmt: skip
def test_counts_that_are_refused(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/count/new", data=data)
    text = at_last(browser, "/count") if "<live-page" in answer.text else answer.text
    assert problem_of(text)


def test_hopeless_counts_are_refused_before_they_begin(browser: TestClient) -> None:
    data = {"copies": "9x99", "colors": "10", "hand": "12"}
    answer = browser.post("/count/new", data=data)
    assert answer.status_code == 400
    assert "8,910 cards in 10 colors" in problem_of(answer.text)


def test_the_table_of_the_real_deck_is_known(browser: TestClient) -> None:
    """It is what the documentation prints, which the tests of the documentation compute."""
    data = {"copies": "3,2x3,1", "colors": "5", "hand": "12"}
    text = browser.post("/count/new", data=data).text
    assert "<live-page" not in text
    rows = re.findall(r'<th scope="row" class="number">(\d+)</th>(.*?)</tr>', text)
    shares = [re.findall(r'class="number">([^<]*)<', row)[2].split()[0] for _, row in rows]
    printed = (Path(hanabi.__file__).parents[2] / "docs/counting.md").read_text(encoding="utf-8")
    table = printed.partition("$ hanabi count 3,2,2,2,1 --colors 5 --curve --seed 1")[2]
    found = re.findall(r"^ +(\d+) +(\d\.\d+)", table.partition("```")[0], re.MULTILINE)
    assert [hand for hand, _ in rows] == [hand for hand, _ in found] == [*map(str, range(13))]
    won = [re.findall(r'class="number">([^<]*)<', row)[0].replace(",", "") for _, row in rows]
    assert [int(each) for each in won[1:]] == [round(10_000 * float(n)) for _, n in found[1:]]
    exact = hanabi.count("3,2,2,2,1", colors=5)
    assert abs(float(shares[0]) / float(exact.probability) - 1) < 1e-4


def test_all_orders_of_a_tiny_deck(browser: TestClient) -> None:
    for deck in ("2,1,1", "2,2"):
        for hand in range(3):
            text = browser.get("/count", params={"deck": deck, "places": hand}).text
            found = hanabi.count(deck, hand_size=hand)
            assert text.count("✓ won") == found.good
            assert text.count("✗ lost") == found.bad
    assert browser.get("/count?deck=9,9").status_code == 400


def test_a_short_stream_is_drawn_at_once(browser: TestClient) -> None:
    for stream, hand in (("r2 y2 r1 y1", 1), ("r2 y2 r1 y1", 2), ("r2 r1 r3 r2 r4 r3", 1)):
        text = browser.get("/solitaire", params={"stream": stream, "places": hand}).text
        answer = hanabi.solve(f"hand {hand}  {stream}")
        assert f"<strong>{answer.status}</strong>".lower() in text.lower()
        assert answer.reason in html.unescape(text)
        assert len(re.findall(r'id="card-\d+"', text)) == len(stream.split())
    earlier = re.search(r'id="card-3" href="([^"]*)"', text)
    assert earlier is not None
    assert "stream=r2+r3+r1+r2+r4+r3" in earlier[1]
    for query in ("stream=q", "stream=r1&places=9", "stream=" + "r1+" * 21):
        assert browser.get(f"/solitaire?{query}").status_code == 400


def test_a_mark_of_a_table_is_changed(browser: TestClient) -> None:
    marks = "11100-01100-00011"
    text = browser.get("/partition", params={"marks": marks}).text
    table = "r y g b p\n" + "\n".join(" ".join(row) for row in marks.split("-")) + "\n"
    assert f"<strong>{partition(parse_table(table)).size} message" in text
    assert 'id="m2-1" href="/partition?marks=11100-11100-00011"' in text
    assert browser.get("/partition?marks=00000").status_code == 400
    alone = browser.get("/partition?marks=10000").text
    assert 'id="m1-1"' not in alone


def test_what_is_too_much_to_count_is_estimated_and_said_to_be(browsers: Browser) -> None:
    browser = browsers(solve_seconds=15.0)  # of which five are for an exact count
    text = asked(browser, "/count", {"copies": "3,2,2,2,1", "colors": "5", "hand": "2"})
    assert problem_of(text) == ""
    rows = re.findall(r'<th scope="row" class="number">(\d)</th>(.*?)</tr>', text)
    cells = [re.findall(r'class="number">([^<]*)<', row) for _, row in rows]
    assert [hand for hand, _ in rows] == ["0", "1", "2"]
    assert "tried" not in cells[0][1]
    assert "estimated from random decks" in text
    tried = int(cells[1][1].removesuffix(" tried").replace(",", ""))
    points = estimate_curve([(3, 2, 2, 2, 1)] * 5, samples=tried, seed=1, hand_sizes=(1, 2))
    assert [int(won.replace(",", "")) for won, *_ in cells[1:]] == [each.won for each in points]
    share, low, high = map(float, re.findall(r"[\d.]+", cells[2][2]))
    assert low < share < high
    assert abs(share - float(points[1].probability)) < 0.001


def test_a_partition(browser: TestClient) -> None:
    table = "r y g\n1 1 0\n0 0 1\n"
    text = asked(browser, "/partition", {"table": table})
    found = partition(parse_table(table))
    assert f"{found.size} parts: no split has more" in text
    text = asked(browser, "/partition", {"game": "p3v0s17", "turn": "0", "seat": "2"})
    assert f"{partition(hanabi.deal('p3v0s17'), seat=1).size} part" in text


@pytest.mark.parametrize(
    "data",
    [{"table": ""}, {"table": "r\n2\n"}, {"game": "p3v0s17", "turn": "1"},
     {"game": "p3v0s17", "seat": "4"}, {"table": "r y\n" + "1 1\n" * 5000}],
)  # fmt: skip
def test_partitions_that_are_refused(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/partition/new", data=data)
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_the_lost_games_of_many_deals_can_be_watched(browser: TestClient) -> None:
    data = {"player1": "rule-based", "seats": "2", "seed": "3", "games": "40"}
    browser.post("/watch/many", data=data)
    text = at_last(browser, "/watch/many")
    found = hanabi.simulate("rule-based", seats=2, games=40, seed=3)
    mean, said = f"Mean {found.score.value:.3f}", " ".join(text.split())
    assert f"{mean} ± {found.score.standard_error:.3f} of 25 points, 0 deals won" in said
    assert "40 deals lost" in said
    listed = re.findall(r'value="(\d+)" id="deal-\d+">Deal \d+: (\d+) point', text)
    team: list[Player] = [parse_player("rule-based")] * 2
    ends = [play_deal(team, Rules.hanab_live(2), n, seed=3) for n in range(40)]
    assert sorted((int(n), int(score)) for n, score in listed) == [
        (n, end.score) for n, end in enumerate(ends)
    ]
    asked(browser, "/watch", {**data, "deal": listed[0][0]})
    worst = ends[int(listed[0][0])]
    assert f"{worst.score} of 25 points" in browser.get(f"/watch?at={len(worst.actions)}").text


def test_a_run_is_played_in_parts_that_add_up() -> None:
    told: list[DealsPlayed] = []
    rules = Rules.hanab_live(2)
    ask_deals(told.append, ["rule-based"] * 2, rules, 3, (0, 1000), 0.0)
    assert [each.tally.games for each in told] == [1]  # one at least, however slow players are
    ask_deals(told.append, ["rule-based"] * 2, rules, 3, (1, 400), LONGEST)
    found = sum(told[1:], told[0])
    whole = hanabi.simulate("rule-based", seats=2, games=400, seed=3)
    assert found.tally == whole.tally
    assert len(found.lost) == DealsPlayed.MOST_LOST
    ends = [play_deal([parse_player("rule-based")] * 2, rules, n, seed=3) for n in range(400)]
    assert (
        list(found.lost)
        == sorted(((n, end.score) for n, end in enumerate(ends)), key=lambda pair: pair[1])[
            : DealsPlayed.MOST_LOST
        ]
    )


@pytest.mark.parametrize(
    "data", [{"games": "0"}, {"games": "1000001"}, {"seed": "p3v0s1"}, {"player1": "os:system"}]
)
def test_many_deals_that_cannot_be_played(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/watch/many", data=data)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


GAMES = Path(__file__).parents[1] / "data/hanab_live/games"


def test_many_games_are_judged_together(browser: TestClient) -> None:
    files = sorted(GAMES.glob("*.json"))[:4]
    lines = [json.dumps(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    text = "\n".join([lines[0], "no game", *lines[1:]])
    browser.post("/games/new", files={"file": ("games.jsonl", text)})
    shown = html.unescape(at_last(browser, "/games"))
    assert "Left out: games.jsonl, line 2: " in shown
    posed = [read_game(line) for line in lines]
    reviews = [review(each, seconds=60) for each in posed]
    total = sum(cost for each in reviews for _, cost in each.lost)
    rows = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', shown)
    cells = {name: re.findall(r'class="number">([^<]*)<', row) for name, row in rows}
    names = {name for each in posed for name in each.names}
    variants = {each.game.rules.variant.name if each.game.rules.variant else "No Variant"
                for each in posed}  # fmt: skip
    assert set(cells) == names | variants
    for group in (names, variants):
        lost = sum(int(cells[name][0]) * float(cells[name][1]) for name in group)
        assert abs(lost - total) < 0.01 * 4 * len(group)
    games = games_of(shown)
    costs = [sum(cost for _, cost in each.lost) for each in reviews]
    assert [lost for _, _, lost, _ in games] == sorted(costs, reverse=True)
    named = {"games.jsonl, line " + "1345"[n]: each for n, each in enumerate(reviews)}
    for name, address, _, losses in games:
        found = [(int(turn), int(cost)) for turn, cost in losses]
        assert found == [*named[name].lost]
        start = f"at={found[0][0] - 1}" if found else "names="
        assert start in address  # one move before the first loss
        assert browser.get(address).status_code == 200


def games_of(shown: str) -> list[tuple[str, str, int, list[tuple[str, str]]]]:
    """Return the rows of games: names, addresses, points lost, and the losing moves with theirs."""
    rows = re.findall(r'<tr><th scope="row"><a href="([^"]*)">([^<]*)</a>(.*?)</tr>', shown)
    return [
        (
            name,
            address,
            int(re.findall(r'data-head="lost">(\d+)<', row)[0]),
            re.findall(r"Turn (\d+): [^<]*</a> <strong>−(\d+) point", row),
        )
        for address, name, row in rows
    ]


def test_files_of_games_keep_their_names(browser: TestClient) -> None:
    texts = {
        name: (GAMES / name).read_text(encoding="utf-8") for name in ("2906.json", "1889209.json")
    }
    texts |= {
        "seed.txt": "p2v0s1\nclue Bob 1\nplay 3\n",
        "bad <b>.json": '{"players": 7}',
        "empty.json": "",
    }
    texts |= {"two.txt": "p2v0s1 clue Bob 1\np2v0s2 clue Bob 3\n"}
    browser.post("/games/new", files=[("file", (name, text)) for name, text in texts.items()])
    text = at_last(browser, "/games")
    names = [name for name, *_ in games_of(html.unescape(text))]
    assert names[0] == "1889209.json"  # it alone lost points
    assert {*names[1:]} == {"2906.json", "seed.txt", "two.txt, line 1", "two.txt, line 2"}
    assert "Left out: bad &lt;b&gt;.json: " in text
    assert "Left out: empty.json: it is empty" in text


@pytest.mark.parametrize("data", [{"games": ""}, {"games": "x"}, {"games": "p2v0s1"}])
def test_games_that_are_no_games(browser: TestClient, data: dict[str, str]) -> None:
    answer = browser.post("/games/new", data=data)
    assert answer.status_code == 400
    assert problem_of(answer.text)


def test_what_pages_need_is_compiled_one_after_the_other() -> None:
    """Any function of a name will do: this one is importable, and quick."""
    ahead = Ahead(len, ("rule-based", "solve"))
    try:
        assert ahead.want(("monte-carlo",)) == ()
        first = ahead.want(("solve", "solve"))
        assert [name for name, _ in first] in ([], ["the solver"])
        assert all(job.wait(LONGEST) for job in ahead._jobs.values())
        assert ahead.want(("rule-based", "solve")) == ()
    finally:
        ahead.close()
    assert Ahead(None).want(("rule-based",)) == ()


def test_no_page_waits_silently_for_the_compiler(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = [(("the player rule-based", 3),)] * 4
    monkeypatch.setattr(Ahead, "want", lambda *_: compiling.pop() if compiling else ())
    text = browser.post("/play/new", data={"table": "2-easy", "seed": "1"}).text
    assert "Compiling the player rule-based, once" in text
    assert "3 s so far" in text
    assert "data-play" in at_last(browser, "/play")
    browser.post("/play/leave")
    compiling[:] = [(("the player rule-based", 3),)] * 4
    browser.post("/play/new", data={"table": "2-easy", "seed": "1"})
    assert "A new game" in browser.post("/play/leave").text


def practised(browser: TestClient, address: str) -> str:
    """Return a position to practise, once it is found."""
    return at_last(browser, address)


def test_a_position_is_practised(browser: TestClient) -> None:
    address = "/practise?level=1&seats=3&seed=5&number=0"
    _, found = draw_exercise(1, 5, 0)
    text = practised(browser, address)
    assert '<p class="figures">position 0 of seed 5</p>' in text
    assert 'id="verdict"' not in text
    assert "Solution:" not in text
    assert codes_of(text) == sorted(each.code for each in found.view.legal_actions)
    assert len(re.findall(r": hidden", text)) >= len(found.view.hands[0])
    wrong = next(each for each in found.view.legal_actions if each != found.action)
    answer = "/practise/answer?" + address.partition("?")[2]
    for action, says in ((wrong, "Not that"), (found.action, "Right")):
        shown = browser.post(answer, data={"action": str(action.code), "turn": "0"})
        assert shown.status_code == 200
        assert f"<strong>{says}</strong>" in shown.text
        assert ("Solution:" in shown.text) == (says == "Right")
        assert shown.url.params["action"] == str(action.code)
    hinted = browser.get(f"{address}&hints=2").text
    assert html.escape(found.convention.name) in hinted
    solved = browser.get(f"{address}&solution=1").text
    assert html.escape(found.convention.link) in solved
    assert "slot" not in re.sub(r"<[^>]*>", "", solved)


def test_right_answers_in_a_row_lead_to_the_next_level(browser: TestClient) -> None:
    address = "/practise?level=1&seats=3&seed=5&number=0"
    _, found = draw_exercise(1, 5, 0)
    practised(browser, address)
    right = f"&action={found.action.code}"
    assert 'id="ahead"' not in browser.get(f"{address}&row=1{right}").text
    text = browser.get(f"{address}&row=2{right}").text
    assert "3 in a row right at the first try" in text
    assert 'href="/practise?level=2&amp;seats=3&amp;seed=5&amp;number=0"' in text
    assert "number=1&amp;row=3" in text
    for spoiled in ("&hints=1", "&solution=1", f"&missed=1{right}"):
        text = browser.get(f"{address}&row=2{spoiled}").text
        assert 'id="ahead"' not in text, spoiled
        assert "row=" not in text.partition('id="next"')[2].partition(">")[0]


def test_positions_are_of_a_game_or_of_a_convention(browser: TestClient) -> None:
    game = SAMPLES[3].address
    assert 'id="practise"' not in browser.get(SAMPLES[2].address).text
    link = re.search(r'id="practise" href="([^"]+)"', browser.get(f"{game}?conventions=3").text)
    assert link is not None
    address = html.unescape(link[1])
    assert address.startswith("/practise?level=3&game=")
    text = practised(browser, address)
    assert "position 0 of the game" in text
    assert "“25 of 25”" in text
    assert "row=" not in text
    named = f"{game.removeprefix('/review/')}?names={','.join(['Maximiliane the Third'] * 3)}"
    assert "Maximiliane the Third (you)" in practised(
        browser, "/practise?" + urlencode({"level": 3, "game": named})
    )
    refused = practised(browser, f"{address}&number=999")
    assert "where one action is right" in problem_of(refused)
    chosen = practised(browser, "/practise?level=1&seed=5&convention=5 save")
    assert "<h1>5 Save: what does" in unexplained(chosen)
    bad = browser.get("/practise?level=1&seed=5&convention=Layered Finesse")
    assert bad.status_code == 400
    for bad_game in ("x", "215lw,00,0", SAMPLES[2].address.removeprefix("/review/")):
        assert browser.get("/practise", params={"game": bad_game}).status_code == 400, bad_game


def test_the_game_just_played_can_be_practised(browser: TestClient) -> None:
    browser.post("/play/new", data={"partner1": "hgroup", "seed": "3"})
    match = browser.get("/play").text
    codes = codes_of(match)
    browser.post("/play/act", data={"turn": "0", "action": str(codes[0]), "sure": "1"})
    browser.post("/play/stop")
    text = practised(browser, "/practise?level=1&seed=5")
    assert "your last game" in text


def test_practise_refuses_what_is_not_there(browser: TestClient) -> None:
    assert browser.get("/practise?level=1", follow_redirects=False).status_code == 303
    for query, message in (
        ("level=26&seed=1", "level: '26'"),
        ("seed=x", "seed: 'x'"),
        ("seats=1&seed=1", "seats: '1'"),
    ):
        answer = browser.get(f"/practise?{query}")
        assert answer.status_code == 400
        assert message in problem_of(answer.text)
    practised(browser, "/practise?seed=5")
    for action in ("x", "99999", "-1"):
        answer = browser.get(f"/practise?seed=5&action={action}")
        assert answer.status_code == 400, action
        assert problem_of(answer.text)


PAGES = ("/", "/play", "/practise?seed=5&hints=3", "/review", "/games", "/watch", "/proof")
EXAMPLES = (
    "/solitaire",
    "/count",
    "/count?known=1&colors=5&hand=12",
    "/partition",
    SAMPLES[1].address,
)


@pytest.mark.parametrize("page", [*PAGES, *EXAMPLES])
def test_no_markup_of_docstrings_reaches_a_page(browser: TestClient, page: str) -> None:
    text = browser.get(page).text
    told = re.sub(r"<(code|pre|script|style)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert re.findall(r".{0,20}(?:`|::|\*\*|\[[A-Z][a-zA-Z]+[0-9]*\]).{0,20}", told) == []


def test_every_player_to_choose_from_is_told_of(browser: TestClient) -> None:
    text = html.unescape(browser.get("/play").text)
    kinds = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text))
    offered = re.findall(r"<option(?: selected)?>([^<]+)</option>", text)
    assert set(kinds) == {re.split("[:/]", each)[0] for each in offered} - {"nobody"}
    assert all(about.endswith(".") for about in kinds.values())
