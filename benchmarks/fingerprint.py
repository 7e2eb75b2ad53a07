"""Hashes of the package's answers, to compare before and after a change.

Run with ``python -m benchmarks.fingerprint``: one line for each family, the start of a SHA-256 and
the family's name. Players play alone, in mixed teams and searching at every table size; verdicts
include their witnesses. A change of structure changes none of it. Compare two trees, or, with
``--check``, the lines kept in ``benchmarks/fingerprint.txt``. ``--quick`` takes a twentieth of
everything. Words after the options choose the families whose names start with them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from hanabi import hardness
from hanabi.counting import bad
from hanabi.game import Game, Rules
from hanabi.game.replay import follow, record_actions
from hanabi.hints import find_partition, possibilities_of
from hanabi.hints.possibilities import PossibilityTable
from hanabi.players import parse_player, play_game
from hanabi.players.arena import outcomes
from hanabi.rng import Stream
from hanabi.solitaire import Instance
from hanabi.solitaire import solve as solve_solitaire
from hanabi.winnable import best as best_score
from hanabi.winnable import solve as solve_deck

KEPT = Path(__file__).with_suffix(".txt")
QUICK = 20
SEATS = (2, 3, 4, 5)
Family = tuple[str, Callable[[int], Iterable[object]]]
"""A name, and a function from a divisor of the number of answers to the answers."""

# Player, deals at a table, whether it also decides view by view.
PLAYERS = (
    ("first-legal", 100, False),
    ("random", 2000, True),
    ("rule-based", 2000, True),
    ("rule-based:hint=1,discard=1,play=0.8", 2000, False),
    ("monte-carlo:playouts=50", 100, True),
    ("monte-carlo:playouts=20,turns=3,favour=0,redraw=yes", 100, False),
    ("rollouts:playouts=60", 40, True),
    ("uct:playouts=40", 40, True),
    ("information", 2000, True),
    ("information:partition=2", 400, False),
    ("convention", 2000, True),
    ("smart", 2000, True),
    ("cheating", 2000, True),
    ("endgame/random", 100, False),
    ("endgame:budget=40,samples=10,deck=4/rule-based", 100, True),
    ("endgame/information", 200, True),
    ("endgame:budget=60,samples=20,deck=5/convention", 200, True),
    ("belief:worlds=8/convention", 6, True),
)
TEAMS = (
    ("random", "rule-based"),
    ("rule-based", "convention"),
    ("convention", "random", "rule-based:hint=2"),
    ("endgame/rule-based", "rule-based"),
    ("endgame/convention", "random"),
    ("endgame/information", "information"),
    ("information", "convention"),
    ("cheating", "first-legal"),
)


def rules_of(player: str, seats: int) -> Rules:
    """Return the rules for a player: the paper's for its own players."""
    is_paper = player.startswith(("rule", "monte", "endgame:budget=40"))
    rules = Rules.bergh2016(seats) if is_paper else Rules.hanab_live(seats)
    if player == "cheating":
        rules = replace(rules, open_hands=True)
    return rules


def games_of(player: str, deals: int) -> Callable[[int], Iterator[object]]:
    """Return the outcomes of a player at every table."""

    def answers(divisor: int) -> Iterator[object]:
        for seats in SEATS:
            rules = rules_of(player, seats)
            yield outcomes(parse_player(player), rules, max(deals // divisor, 2), seed=seats)

    return answers


def decisions_of(player: str) -> Callable[[int], Iterator[object]]:
    """Return the actions that a player takes view by view."""

    def answers(divisor: int) -> Iterator[object]:
        for seats in SEATS:
            rules, seated = rules_of(player, seats), [parse_player(player)] * seats
            for index in range(max(6 // divisor, 1)):
                game = Game.start(rules, rules.spec.shuffle(9, index))
                end = play_game(seated, game, Stream(9, index))
                yield [action.code for action in end.actions]

    return answers


def teams(divisor: int) -> Iterator[object]:
    """Yield the outcomes of mixed teams, the players in turn around the table."""
    for team in TEAMS:
        for seats in SEATS:
            is_open = "cheating" in team
            rules = rules_of("cheating" if is_open else "convention", seats)
            seated = [parse_player(team[seat % len(team)]) for seat in range(seats)]
            deals = 10 if is_open or set(team) == {"information", "convention"} else 100
            yield team, outcomes(seated, rules, max(deals // divisor, 2), seed=17)


def decks(divisor: int) -> Iterator[object]:
    """Yield verdicts and winning lines of 2,000 decks, and best scores of the lost ones."""
    for seats in SEATS:
        rules = Rules.hanab_live(seats)
        for index in range(500 // divisor):
            deck = rules.spec.shuffle(23, index)
            verdict = solve_deck(deck, rules, seconds=None)
            line = None
            if verdict.witness is not None:
                games = follow(Game.start(rules, deck), verdict.witness)
                line = list(map(str, record_actions(games)))
            yield verdict.status, verdict.method, line
            if line is None:
                found = best_score(Game.start(rules, deck), seconds=None)
                yield found.lower, found.upper


def solitaires(divisor: int) -> Iterator[object]:
    """Yield verdicts and plays of 2,000 streams, some of one color or one copy."""
    stream = Stream(31, 0)
    for index in range(2000 // divisor):
        colors, ranks = 1 + index % 5, 2 + index // 5 % 6
        copies = 1 + index // 30 % 3
        cards = [
            (color, rank)
            for color in range(colors)
            for rank in range(1, ranks + 1)
            for _ in range(copies)
        ]
        for last in range(len(cards) - 1, 0, -1):
            other = stream.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        instance = Instance(1 + index % 4, cards)
        verdict = solve_solitaire(instance)
        if verdict.method in ("paths", "sat"):  # which of the general solvers is first may vary
            verdict = solve_solitaire(instance, method="search")
        play = None if verdict.witness is None else str(verdict.witness)
        yield verdict.status, verdict.method, play


def partitions(divisor: int) -> Iterator[object]:
    """Yield partitions of random tables, and the possibilities of hands in games."""
    stream = Stream(37, 0)
    for _ in range(400 // divisor):
        colors, slots = 2 + stream.below(4), 1 + stream.below(4)
        rows = [
            [color for color in range(colors) if stream.below(3)] or [stream.below(colors)]
            for _ in range(slots)
        ]
        found = find_partition(PossibilityTable.plain(colors, rows))
        yield rows, found.size, found.parts
    rules = Rules.hanab_live(4)
    for index in range(40 // divisor):
        game = Game.start(rules, rules.spec.shuffle(41, index))
        players = [parse_player("rule-based")] * 4
        end = play_game(players, game, Stream(41, index))
        yield [action.code for action in end.actions]
        for seat in range(1, 4):
            hand = possibilities_of(end.view(0), seat)
            yield hand.cards, hand.unseen


def counts(divisor: int) -> Iterator[object]:
    """Yield numbers of bad sequences."""
    for k in range(1, 60 // min(divisor, 10)):
        yield [str(bad((copies,) * k)) for copies in (1, 2, 3, 4)]


def reductions(divisor: int) -> Iterator[object]:
    """Yield the cards of formulas in every variant."""
    for index in range(max(8 // divisor, 1)):
        formula = hardness.random_formula(4, ratio=1.0, seed=index)
        for name in hardness.VARIANTS:
            reduction = hardness.reduce(formula, variant=name)
            yield name, reduction.hand_size, [(value, color) for color, value in reduction.cards]


def families() -> list[Family]:
    """Return everything that is hashed, in order."""
    games = [(f"games {name}", games_of(name, deals)) for name, deals, _ in PLAYERS]
    asked = [(f"asked {name}", decisions_of(name)) for name, _, is_asked in PLAYERS if is_asked]
    rest: list[Family] = [
        ("teams", teams),
        ("decks", decks),
        ("solitaires", solitaires),
        ("partitions", partitions),
        ("counts", counts),
        ("reductions", reductions),
    ]
    return [*games, *asked, *rest]


def digest(answers: Iterable[object]) -> str:
    """Return the start of a SHA-256 of answers as JSON lines."""
    hashed = hashlib.sha256()
    for answer in answers:
        hashed.update(json.dumps(answer).encode() + b"\n")
    return hashed.hexdigest()[:16]


def main() -> None:
    """Print a line for each family; with ``--check`` compare them with the kept ones."""
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    chosen = tuple(word for word in sys.argv[1:] if not word.startswith("--"))
    is_quick = "--quick" in options
    kept = KEPT.read_text(encoding="utf-8").splitlines() if "--check" in options else []
    changed = 0
    for name, answers in families():
        if chosen and not name.startswith(chosen):
            continue
        label = f"{name} (quick)" if is_quick else name
        line = f"{digest(answers(QUICK if is_quick else 1))} {label}"
        is_new = "--check" in options and line not in kept
        changed += is_new
        print(f"{line}{'  CHANGED' if is_new else ''}", flush=True)
    if changed:
        sys.exit(f"{changed} families changed")


if __name__ == "__main__":
    main()
