"""A valid input of every form that anything here reads."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

from hanabi.rules import Game, Rules
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.notation import (
    DeckInput,
    GameRecord,
    PositionInput,
    SolitaireInput,
    deck_to_json,
    format_link,
    format_text,
    game_to_json,
    parse_input,
    position_to_json,
    solitaire_to_json,
)
from hanabi.rules.notation.hanab_live import game_of_seed
from hanabi.solitaire.hardness import Formula, Reduction, read_graph, reduce, write_dimacs
from oracles.kaggle import kaggle_replay

__all__ = ["CERTIFICATE", "PLAY", "SAMPLES"]

DATA = Path(__file__).parents[1] / "data"

PLAY = '[[1, "store"], [2, "play"], [1, "play"]]'
"""A winning play of every sample of the form "cards"."""

CERTIFICATE = (
    '{"hand_size": 0, "most_left_out": 0, "steps": [{"split": 1},'
    ' {"moments": [[2, 1]], "left_out": 0, "needs": 1},'
    ' {"moments": [], "left_out": 0, "needs": null}]}'
)


POSITION = """# after 34 moves of game 1885375
position
variant 1988
names A B C
piles r5 g5 b5 m3
discards r1 r2 b1 b2 b4
hand m2(r12|m) m1(r12|m) r3(+r-5) b3(rgb1234|m) m4
hand m5(rgb12|m) g1(rgb12|m) g2(rgb12|m) m4(rgb1234|m) m3
hand b1(rgb123|m) g1(rgb123|m) r1(rgb123|m) g4 g3
deck r4 m1
hints 4
lives 2
seat 1
turn 34
"""

HIDDEN = """position piles r5 y5 g4 b5 p4 discards r1 r2 r3 y1 y2 y3 g1 g2 g3 b1 b2 b3 p1 p2 p3
hand r1(1) y1 g1 b1 r4  hand ?(5) ? ? ?(-r) ?  deck 5 hints 2 lives 1 seat 1"""


def _positions() -> tuple[str, ...]:
    position = parse_input(POSITION)
    assert isinstance(position, PositionInput)
    data = position_to_json(position)
    own = {"rules": {"deck_plays": True}, "deck": ["r4", "?"], "hints": 2, "about": "é"}
    return json.dumps(data), json.dumps({**data, **own})


def _game() -> GameRecord:
    game = parse_input((DATA / "hanab_live/games/2906.json").read_text(encoding="utf-8"))
    assert isinstance(game, GameRecord)
    return game


def _suite() -> tuple[str, ...]:
    """Return positions of conventions that together have all entries."""
    folder = Path(__file__).parents[2] / "docs/conventions"
    lines = [
        line for path in folder.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()
    ]
    entries = ("may_be", "plays", "discards", "asks", "forbids", "note")
    return tuple(min(line for line in lines if f'"{entry}":' in line) for entry in entries)


def _formula() -> str:
    file = io.StringIO()
    write_dimacs(Formula(4, ((1, -2, 3), (-1, 2, -4), (2, 3, 4))), file, ["a comment", "é 日本"])
    return file.getvalue()


GRAPH = "c two classes\np edge 3 1\nn 1 1\nn 2 2\nn 3 2\ne 1 3\n"
_REDUCED = reduce(Formula(3, ((1, -2, 3),)))
_OF_GRAPHS = [
    reduce(read_graph(GRAPH.splitlines()), variant=variant)
    for variant in ("clique", "two_colors_by_hand", "most_cards_two_copies")
]


def _annotated(reduction: Reduction) -> str:
    given = SolitaireInput(reduction.cards, reduction.hand_size, reduction.n, reduction.c)
    return json.dumps({**solitaire_to_json(given), "annotation": reduction.annotation.to_json()})


def _answer(game: GameRecord) -> str:
    actions = [
        {"type": each.type, "target": each.target, "value": each.value or 0}
        for each in game.actions[:20]
    ]
    return json.dumps({"status": "winnable", "actions": actions, "link": _link(game)})


def _link(game: GameRecord) -> str:
    return format_link(replace(game, actions=game.actions[:40], options={}))


def _odd_games(game: GameRecord) -> tuple[str, ...]:
    """Return games that go otherwise than games do today, or are told in part."""
    site = DATA / "hanab_live/site"
    partial = replace(game, deck=Deck(game.deck[:30]), actions=game.actions[:12], seed=None)
    row = {"id": 7, "num_players": 3, "score": 25, "variant": 0, "users": "a", "seed": "p3v0s17"}
    names = ("starting_player", "moves_after_end", "strike4", "morph", "ended_by_timeout")
    return (
        *((site / f"{name}.json").read_text(encoding="utf-8") for name in names),
        json.dumps(game_to_json(partial)),
        json.dumps({"total_rows": 1, "rows": [row]}),
        json.dumps(row),
    )


def _kaggle() -> dict[str, object]:
    rules = Rules.hle(2)
    game = Game.start(rules, rules.spec.shuffle(seed=3))
    while not game.is_over:
        game = game.apply(game.legal_actions[-1])
    return kaggle_replay(game)


def _samples() -> dict[str, tuple[str, ...]]:
    game = _game()
    four = GameRecord(2, DeckSpec.standard(4).shuffle(7), (), "4 Suits")
    deck = DeckInput(2, DeckSpec.standard(3).shuffle(seed=1))
    cards = SolitaireInput(Deck([(0, 2), (0, 1)]), hand_size=1)
    texts = (
        format_text(cards),
        "# a comment\nhand: 1, values = 2; colors 1\r\n0:2\t0:1",
    )
    table = '{"colors": 3, "rows": [[0, 1], [1], [1, 2]], "unseen": [2, 1, 3]}'
    return {
        "seed": ("p3v0s17", "legacy-1-p2v16s5", "p2v0s1..9"),
        "words": ("b5 p4, 1r;y2\n r3 # c\n", "12:7 0:1", "1 2 3"),
        "text": (*texts, format_text(deck), format_text(game_of_seed("p2v24s1"))),
        "cards": (
            *texts,
            json.dumps(solitaire_to_json(cards)),
            json.dumps({"hand_size": 1, "cards": [[2, 0], [1, 0]], "n": 2, "c": 1}, indent=1),
        ),
        "deck": (
            format_text(deck),
            json.dumps(deck_to_json(deck)),
            json.dumps({"players": 2, "deck": "r1 y2 r2 y1 r3 y3", "rules": {"hand_size": 1}}),
            json.dumps({"players": 2, "deck": "r1 r2 r3", "rules": "hle", "id": "a"}),
            '{"players": 2, "deck": "r1"}\n{"players": 2, "deck": "r1 r2", "id": 7}\n',
            '{"decks": [{"players": 2, "deck": "r1"}, {"players": 2, "deck": "r1 r2"}]}',
            '[{"players": 2, "deck": "r1"}]',
        ),
        "game": (
            json.dumps({**game_to_json(game), "notes": [["a", "é"], [], ["日本"]]}),
            json.dumps(game_to_json(four)),
            '{"seed": "p2v0s5", "actions": [{"type": 3, "target": 1, "value": 1}]}',
            (DATA / "hanabi_data/game5a825ac8a874cea8.log").read_text(encoding="utf-8"),
            *_odd_games(game),
            json.dumps(_kaggle()),
        ),
        "actions": ("03lbah1bbf", '[{"type": 3, "target": 1, "value": 1}]'),
        "link": (
            _link(game),
            "hanab.live/shared-replay-json/215lw,00,0#3",
            "https://hanab.live/seed/p3v0s17",
            "hanab.live/export/2906",
        ),
        "answer": (_answer(game), '{"status": "unwinnable", "link": null}'),
        "certificate": (CERTIFICATE,),
        "play": (PLAY, f'{{"status": "winnable", "play": {PLAY}}}'),
        "graph": (GRAPH, GRAPH.replace("edge", "col")),
        "formula": (_formula(), "c\np cnf 2 2\n1 2 0 -1\n-2 0\n%\n0\n"),
        "annotated": tuple(map(_annotated, (_REDUCED, *_OF_GRAPHS))),
        "position": (POSITION, POSITION.replace("deck r4 m1", "left r4 m1"), HIDDEN, *_positions()),
        "annotation": tuple(
            json.dumps(each.annotation.to_json()) for each in (_REDUCED, *_OF_GRAPHS)
        ),
        "table": (
            "       Red Blue\nNewest 1   1\nOldest .   1\nUnseen 2   1\n",
            "card A B C\n1 x . 1\n2 0 1 .\n",
            ",Red,Blue\nNewest,1,1\nOldest,0,1\n",
        ),
        "json table": (table,),
        "player": (
            "rule-based:hint=3,discard=2,play=0.6",
            "endgame:budget=50/information",
            "monte-carlo:playouts=20,turns=3",
        ),
        "rules": ("hle", '{"preset": "hanab_live", "hints": 3, "lives": 1, "empty_hints": true}'),
        "vector": ("4x13", "3,2,2", "2x3,1x1"),
        "suite": _suite(),
    }


SAMPLES = _samples()
"""Texts by the name of their form."""
