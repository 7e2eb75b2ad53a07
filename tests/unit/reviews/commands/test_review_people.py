"""`hanabi review --people`: what people would do, in text, JSON, tables and on the page."""

from __future__ import annotations

import csv
import html
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi import GameRecord, read, review
from hanabi.ground import InvalidInputError
from hanabi.people import People, PeopleNotes, people_notes, share_words
from hanabi.reviews.document import PeopleRemark, ReviewDocument
from hanabi.reviews.remarks import Finding, findings
from hanabi.rules import Action, deed, posed, terminal

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
LOST = GAMES / "1875304.json"


def record(number: str) -> GameRecord:
    found = read(GAMES / f"{number}.json")
    assert isinstance(found, GameRecord)
    return found


def test_the_document_has_a_record_of_each_move() -> None:
    game = record("1875304")
    found = review(game, with_people=True).document(game)
    for move, notes in zip(found.moves, people_notes(posed(game).by_rules), strict=True):
        told = move.people
        assert isinstance(told, PeopleRemark)
        assert told.share == round(notes.chances[notes.action], 4) <= told.first_share <= 1
        assert told.words.split()[0] == notes.words.split()[0]
        assert move.people_rather == (None if notes.action == notes.first else told)
    assert ReviewDocument.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert all("people" not in each for each in review(game).document().to_json()["moves"])


def told_with(shares: dict[int, float]) -> dict[int, Finding]:
    """Return what is found by move, 0 for the game, if moves have these shares, and others all."""
    found = review(record("1875304"))
    notes = []
    for move, before in enumerate(found.positions[:-1], start=1):
        action = found.problem.moves[move - 1]
        other = next(each for each in before.legal_actions if each != action)
        share = shares.get(move, 1.0)
        chances: dict[Action, float] = {action: share, other: 1 - share}
        first = action if share > 0.5 else other
        notes.append(PeopleNotes(move, action, first, deed(before, first), chances))
    found = replace(found, people=tuple(notes))
    people = {each.move: str(each.says) for each in notes}
    return {
        each.move: each
        for each in findings(found.document(), {}, people=people)
        if each.move or each.label == "people"
    }


def test_the_five_most_surprising_moves_and_the_mistakes_are_named() -> None:
    rare = {3: 0.05, 5: 0.04, 8: 0.03, 11: 0.06, 20: 0.02, 23: 0.07, 24: 0.3}
    found = told_with(rare)
    assert [*found] == [0, 3, 5, 8, 11, 20, 22]
    assert found[0].text.startswith("17 of 24 moves are what people would do most often")
    said = "surprising; 3 % of people would do this; 97 % would "
    assert f": {said}" in found[8].text
    lost = "player 1 plays g4: this lost 1 point; 100 % of people would do this, their first choice"
    assert found[22].text == lost
    both = told_with({22: 0.01})[22].text
    assert ": surprising; this lost 1 point; 1 % of people would do this; 99 % would " in both
    assert [*told_with({24: 0.1})] == [0, 22]
    words = " ".join(each.text for each in found.values())
    assert not {"right", "wrong", "should", "better", "best"} & {*words.replace(":", "").split()}


def test_the_command_prints_shares_in_the_words_of_a_terminal(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    out = " ".join(run("review", LOST, "--people", "--show", "--html", page).out.split())
    found = review(record("1875304"), with_people=True)
    assert "people rather" in out
    assert "slot" not in out
    shown = " ".join(html.unescape(page.read_text(encoding="utf-8")).split())
    for move, notes in zip(found.moves, found.people, strict=True):
        share, first = (share_words(notes.chances[x]) for x in (notes.action, notes.first))
        row = out.partition(f" {move.move} {move.said} ")[2]
        assert share in " ".join(row.split()[:7])
        assert f"{share} of people would do this" in shown
        if move.people_rather:
            assert f"; {first} would " in shown
        if move.lost:
            assert f'"people":"{share}"' in shown
    assert "of people" not in run("review", LOST, "--show").out


def test_first_choices_are_cards_in_text_and_slots_in_json(run: Run) -> None:
    found = review(record("1875304"), with_people=True)
    out = " ".join(run("review", LOST, "--people", "--show").out.split())
    cards = [each for each in found.people if each.first != each.action and not each.first.is_hint]
    assert cards
    for each in cards:
        before = found.positions[each.move - 1]
        words = each.words.to(terminal(found.problem.names, before))
        assert f" card {len(before.hands[before.seat_to_act]) - each.first.target}" in words
        assert f"{words} ({share_words(each.chances[each.first])})" in out
        told = found.moves[each.move - 1].people
        assert told is not None
        assert told.words.endswith(f" slot {each.first.target}")


def test_many_games_and_their_tables_have_them(run: Run, tmp_path: Path) -> None:
    games, out, table = tmp_path / "games", tmp_path / "r.jsonl", tmp_path / "moves.csv"
    games.mkdir()
    (games / "one.json").write_bytes(LOST.read_bytes())
    words = ("review", games, "--workers", 1, "-o", out)
    assert run(*words).status == 0
    assert "made again: 1 answer" in run(*words, "--people", "--moves", table).err
    [data] = [json.loads(line) for line in out.read_text().splitlines()]
    assert data["with"] == ["reasons", f"people {People().revision}"]
    with table.open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    for move, row in zip(data["moves"], rows, strict=True):
        told = move["people"]
        assert float(row["people_share"]) == told["share"]
        assert float(row["people_first_share"]) == told["first_share"]
        assert row["people_first"] == ("" if told["first"] == move["action"] else told["words"])
    assert run(*words) == (0, "", "")


def test_rules_that_people_do_not_play_are_refused(run: Run) -> None:
    outcome = run("review", GAMES / "1885550.json", "--people")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "what people do: the hgroup player does not play Orange (3 Suits)" in outcome.err
    with pytest.raises(InvalidInputError, match=r"does not play Orange"):
        review(record("1885550"), with_people=True)
