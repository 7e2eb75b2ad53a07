"""Difficulty: rates against games played one by one, ranks against their definition."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from hanabi import difficulty
from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.lab import Store
from hanabi.lab.decks import RenamedGames
from hanabi.players import FirstLegal, parse_player
from hanabi.players.arena import outcome_of
from hanabi.players.protocol import play_game
from hanabi.players.renamed import best_player, renamed, renamed_outcomes
from hanabi.rules import Game, Rules
from hanabi.rules.seeds import parse_seed


@pytest.mark.parametrize(
    ("player", "seats", "variant"),
    [("convention", 2, 0), ("information", 3, 0), ("rule-based", 3, 16), ("random", 4, 21)],
)
def test_compiled_games_are_those_seen_through_views(player: str, seats: int, variant: int) -> None:
    rules = Rules.hanab_live(seats, variant=variant)
    deck = rules.spec.shuffle(seed=3)
    names, decisions = Stream(9, 0).word(), Stream(9, 1).word()
    slow = []
    for number in range(6):
        game = Game.start(rules, renamed(deck, rules, Stream(names, number)))
        end = play_game([parse_player(player)] * seats, game, Stream(decisions, number))
        slow.append(outcome_of(end))
    assert renamed_outcomes(player, rules, deck, 6, seed=9) == slow


def test_players_without_compiled_code_play_too() -> None:
    rules = Rules.hanab_live(2)
    found = renamed_outcomes(FirstLegal(), rules, rules.spec.shuffle(seed=1), 3, seed=1)
    assert len(found) == 3


def test_names_break_ties() -> None:
    """Where a player without chance would play one game again and again."""
    deck = parse_seed("p2v0s1").deck
    found = renamed_outcomes("convention", Rules.hanab_live(2), deck, 60, seed=1)
    assert len(set(found)) > 1


def test_ranks_are_those_of_the_definition() -> None:
    found = difficulty("p2v0s3", player="convention", games=40, sample=30, each=8, seed=5)
    rules, deck = found.game.rules, found.game.deck
    mine = renamed_outcomes("convention", rules, deck, 40, seed=Stream(5, 2**64 - 1).word())
    assert found.won == sum(outcome == 50 for outcome in mine)
    assert found.rate == found.won / 40
    assert math.isclose(found.standard_error, math.sqrt(found.rate * (1 - found.rate) / 40))
    counts = {"easier": 0, "alike": 0, "harder": 0}
    for index in range(30):
        other = renamed_outcomes(
            "convention", rules, rules.spec.shuffle(5, index), 8, seed=Stream(5, index).word()
        )
        wins = [sum(each == 50 for each in row) for row in (other, mine[:8])]
        points = [sum(each >> 1 for each in row if not each & 1) for row in (other, mine[:8])]
        pairs = list(zip(wins, points, strict=True))
        counts[
            "easier" if pairs[0] > pairs[1] else "alike" if pairs[0] == pairs[1] else "harder"
        ] += 1
    assert counts == {name: getattr(found, name) for name in counts}
    assert found.percentile == 100 * (found.easier + found.alike / 2) / 30


def test_a_store_saves_the_games_of_random_decks() -> None:
    store = Store.memory()
    first = difficulty("p2v0s3", player="random", games=8, sample=6, each=4, store=store)
    [kept] = store.works()
    assert kept.items == 6
    again = difficulty("p2v0s4", player="random", games=8, sample=6, each=4, store=store)
    assert [each.items for each in store.works()] == [6]
    assert (first.sample, again.sample) == (6, 6)
    assert difficulty("p2v0s3", player="random", games=8, sample=6, each=4).easier == first.easier


def test_a_lost_deck_is_never_won() -> None:
    found = difficulty("p2v0s40", player="convention", games=30, sample=10, each=10)
    assert (found.won, str(found.verdict.status)) == (0, "unwinnable")
    assert found.interval[0] == 0 < found.interval[1]


def test_the_best_player_that_plays_a_variant_is_taken() -> None:
    assert best_player(Rules.hanab_live(5))[0].endswith("/information")
    assert best_player(Rules.hanab_live(2, variant="Black (5 Suits)"))[0].endswith("/convention")
    name, why = best_player(Rules.hanab_live(2, variant="Up or Down (5 Suits)"))
    assert name.endswith("/rule-based")
    assert why == (
        "the convention player does not play Up or Down (5 Suits): it needs clues and piles as in"
        " the plain game"
    )


def test_work_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="games = 0 is not 1 or more"):
        RenamedGames("random", Rules.hanab_live(2), seed=1, games=0)
    with pytest.raises(InvalidInputError, match="7 suits: at most 6 can be named anew"):
        difficulty(json.dumps({"players": 2, "deck": [[1, color] for color in range(7)] * 2}))


SMALL = ["--by", "convention", "-n", "12", "--sample", "5", "--each", "4", "-j", "1"]


def test_the_command_prints_what_the_document_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = tmp_path / "decks.db"
    assert main(["difficulty", "p2v0s3", *SMALL, "--json", "--store", str(store)]) == 0
    document = json.loads(capsys.readouterr().out)
    found = difficulty("p2v0s3", player="convention", games=12, sample=5, each=4)
    assert document["rate"]["value"] == found.rate
    assert document["percentile"]["value"] == found.percentile
    assert (document["status"], document["not_the_best_because"]) == ("winnable", None)
    assert main(["difficulty", "p2v0s3", *SMALL, "--store", str(store)]) == 0
    told = capsys.readouterr().out
    assert f"won         {found.won} of 12 games" in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["p2v9999s1"], "'p2v9999s1': number 9999 is not a variant of hanab.live"),
        (["p9v0s1"], "'p9v0s1' is for 9 players; there are 2 .. 6"),
        (["p2v0s1", "--by", "nobody"], "no player 'nobody'"),
        (
            ["p2v16s1", "--by", "convention"],
            "the convention player does not play Rainbow (5 Suits)",
        ),
        (["p2v0s1", "--sample", "0"], "sample: 0 is not in 1 .. 1,000,000"),
        (["p2v0s1", "-n", "3"], "each: 20 games of each random deck, 3 of this one"),
        (["p2v0s1", "--hard"], "Unknown option: "),
        (["nothing.json"], "cannot read 'nothing.json'"),
        (["p2v0s1", "--seed", "x"], "is not an integer >= 0"),
    ],
)
def test_bad_input_is_told_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["difficulty", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
