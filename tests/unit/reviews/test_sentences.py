"""Sentences of reviews: read by players, and each number and card in them recomputed."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from hanabi import GameRecord, read, review
from hanabi.ground import Stream
from hanabi.players import parse_player, play_game
from hanabi.reviews.document import ReviewDocument
from hanabi.reviews.remarks import findings, kept_words, remarks, story
from hanabi.reviews.review import Review
from hanabi.rules import Card, Game, Kind, Rules
from hanabi.rules.telling import suit_and_rank, told

DATA = Path(__file__).parents[2] / "data" / "hanab_live"
SITE_GAMES = range(35, 900, 140)
"""Numbers of reviewed games of odd variants that weak players played."""
SEEDS = range(2, 50, 4)
"""Seeds of games of the rule-based player, of two to five seats."""
RIDDLES = re.compile(
    r"\d/\d|are missing|\bways\b|comes (first|only|again)|by what was known|search of|bad(ly)\b"
    r"|\bslot\b|\bseat \d|\bkept any\b|None|\{|\bmove \d"
)


def site_games() -> Iterator[str]:
    with gzip.open(DATA / "site" / "games.jsonl.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number in SITE_GAMES:
                game, keys = json.loads(line), ("type", "target", "value")
                yield json.dumps(
                    {
                        "players": list("ABCDEF"[: game["players"]]),
                        "deck": [{"suitIndex": s, "rank": rank} for s, rank in game["deck"]],
                        "actions": [
                            dict(zip(keys, action, strict=True)) for action in game["actions"]
                        ],
                        "options": {"variant": game["variant"], **game["options"]},
                    }
                )


def played(seed: int) -> Game:
    rules = Rules.hanab_live(2 + seed // 4 % 4)
    start = Game.start(rules, rules.spec.shuffle(seed))
    return play_game([parse_player("rule-based")] * rules.seats, start, Stream(seed))


@cache
def reviews() -> tuple[tuple[Review, ReviewDocument], ...]:
    """Return reviews of all games of people, and of some others."""
    records = [read(path) for path in sorted((DATA / "games").glob("*.json"))]
    found = []
    for record in (*records, *map(read, site_games()), *map(played, SEEDS)):
        assert isinstance(record, GameRecord | Game)
        each = review(record, seconds=60, with_chances=True, with_reasons=True)
        found.append((each, each.document(hint="clue")))
    return tuple(found)


def reasons() -> Iterator[tuple[Review, Game, Game, str]]:
    """Yield each reason of a loss with its review, and the positions before and after."""
    for each, document in reviews():
        for move in document.losing_moves:
            before, after = each.positions[move.move - 1 : move.move + 1]
            assert move.reason is not None
            yield each, before, after, move.reason


def card_of(game: Game, name: str) -> Card:
    """Return the card that has this name in full."""
    copies = game.rules.spec.copies
    cards = [
        Card(color, rank) for color, row in enumerate(copies) for rank in range(1, len(row) + 1)
    ]
    [found] = [card for card in cards if " ".join(suit_and_rank(card, game.rules)) == name]
    return found


def cards_of(game: Game, names: str) -> set[Card]:
    """Return the cards of a list such as "red 3-4, blue 5 and white 2"."""
    found = set()
    for each in re.split(r", | and ", names):
        suit, ranks = each.rsplit(" ", 1)
        found |= {card_of(game, f"{suit} {rank}") for rank in ranks.split("-")}
    return found


def test_no_sentence_is_a_riddle() -> None:
    n_reasons = 0
    for each, document in reviews():
        names, judged = each.problem.names, dict(each.judged)
        said = [found.text for found in findings(document, {}, hint="clue")]
        said += [words for move in document.moves for words in remarks(move)]
        found = story(document)
        said += [] if found is None else [found.label, found.text]
        for mistake in each.mistakes("clue"):
            before, had = each.positions[mistake.turn - 1], each.prospects[mistake.turn - 1].lower
            said += [mistake.played, mistake.kept, mistake.reason]
            said += ["".join(kept_words(before, judged[mistake.turn], names, had))]
            n_reasons += 1
            assert mistake.reason not in (found.text if found else "")
            assert re.search(r"\w \d|the solver ruled out|one more|allow only", mistake.reason)
        for words in said:
            assert words
            assert not RIDDLES.search(words), words
    assert n_reasons > 40


def test_numbers_of_plays_and_turns_are_those_of_the_position() -> None:
    n_found = 0
    for _, _, after, why in reasons():
        need = re.match(r"(\d+) points need (\d+) more play", why)
        if need:
            assert int(need[1]) - sum(after.piles) == int(need[2])
        if found := re.search(
            r"only (\d+) plays? (?:is|are) possible: (\d+) cards?.* (\d+) t", why
        ):
            possible, draws, turns = map(int, found.groups())
            assert (draws, turns) == (after.deck_left, after.rules.final_round)
            assert possible == draws + turns
            n_found += 1
            must = re.match(r"(\d+) cards?", why)
            missing = after.rules.max_score - sum(after.piles)
            assert need or (must is not None and int(must[1]) == missing)
            assert int(need[2] if need else missing) > possible
        if found := re.search(r"only (\d+) turns? (?:is|are) left$", why):
            assert after.turns_left == int(found[1])
        if found := re.match(r"with (\d+) cards? left to draw the score is (\d+) at most", why):
            assert int(found[1]) < after.deck_left
            assert int(found[2]) >= sum(after.piles)
        if found := re.search(r"with (\d+) (cards? to draw|turns? left), ", why):
            assert int(found[1]) == (after.deck_left or after.turns_left)
    assert n_found > 2


def test_cards_are_where_a_reason_says_that_they_are() -> None:
    n_gone = n_held = 0
    for each, before, after, why in reasons():
        for name, _, height in re.findall(
            r"the last ([\w ]+? \w) is gone: ([\w ]+) stops at (\d+) card", why
        ):
            card = card_of(after, name)
            left = [n for n, other in enumerate(after.deck) if other == card]
            assert sum(other == card for other in after.discards) == len(left)
            assert int(height) == after.most_piles[card.color]
            assert after.most_points < before.most_points
            n_gone += 1
        for name, names in re.findall(r"([\w ]+?) (?:still held|holds) (.+?)(?=[;:]|$)", why):
            seat = next(n for n, own in enumerate(each.problem.names) if name.endswith(own))
            for part in re.split(r" and (?=[\w ]+ holds)|, (?=[\w ]+ still held)", names)[:1]:
                assert cards_of(after, part) <= set(after.hands[seat])
                n_held += 1
    assert min(n_gone, n_held) > 3


def test_what_would_have_kept_the_points_is_said_as_the_list_of_moves_says_it() -> None:
    n_found = 0
    for each, _ in reviews():
        judged, names = dict(each.judged), each.problem.names
        for mistake in each.mistakes():
            before, had = each.positions[mistake.turn - 1], each.prospects[mistake.turn - 1].lower
            keepers = [one for one in judged[mistake.turn] if one.kept.lower >= had]
            assert bool(keepers) == bool(mistake.kept)
            if len(keepers) == 1 and not keepers[0].actions[0].is_hint:
                [action, *_] = keepers[0].actions
                words = told(names, before, before.apply(action)).partition(":")[0]
                verb, rest = words.split(" ", 1)
                assert mistake.kept == f"{verb.removesuffix('s')} {rest}"
                n_found += 1
                text = "".join(kept_words(before, judged[mistake.turn], names, had))
                size = len(before.hands[before.seat_to_act])
                assert action.kind is Kind.PLAY_DECK or f"{size - action.target}" in text
    assert n_found > 10


@pytest.mark.parametrize("hint", ["hint", "clue"])
def test_the_words_are_the_audience_s(hint: str) -> None:
    other = {"hint": "clue", "clue": "hint"}[hint]
    for each, _ in reviews():
        for mistake in each.mistakes(hint):
            assert not re.search(rf"\b{other}", f"{mistake.played} {mistake.kept} {mistake.reason}")
