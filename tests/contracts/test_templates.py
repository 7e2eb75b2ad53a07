"""HTML is in templates: no module of the pages or of the viewer has it in a string."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.reviews import review_game
from hanabi.reviews.remarks import Emphasis
from hanabi.shell import read_game
from hanabi.shell.viewer.many import GameList
from hanabi.shell.viewer.page import Frame, Line, Server, Show, Story, live_parts, player_of

SOURCES = Path(__file__).parents[2] / "src" / "hanabi"
TAG = re.compile(r"</?[a-z][a-z0-9-]*(?=[\s>/])")
FOLDERS = ("front", "shell/web", "shell/viewer", "*/pages")
FILES = sorted({path for each in FOLDERS for path in SOURCES.glob(f"{each}/**/*.py")})


def tags(source: str) -> list[tuple[int, str]]:
    """Return the strings with HTML in a module, but for docstrings, each with its line."""
    tree = ast.parse(source)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in alone and TAG.search(node.value)
    ]


def test_the_check_finds_tags() -> None:
    source = 'x = f\'<p class="a">{1}</p>\'\ny = "a < b, <- c, a<b"\n"<b>of a docstring</b>"\n'
    assert tags(source) == [(1, '<p class="a">'), (1, "</p>")]
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_module_has_html_in_a_string(path: Path) -> None:
    assert tags(path.read_text(encoding="utf-8")) == []


def test_all_words_of_a_show_are_escaped() -> None:
    evil = "<script>&\"'"
    why = ((evil, Emphasis(evil)),)
    frame = Frame(words=evil, status=evil, remark=evil, best=evil, why=why, values={evil: evil})
    show = Show(
        title=evil,
        facts=(evil,),
        frames=(frame,) * 3,
        link=f"https://{evil}",
        story=Story(head=evil, text=evil),
        names=(evil,),
        notes={0: evil},
        card_notes={0: (evil,)},
        key=evil,
        lines=(Line(at=0, codes=(evil,), words=(evil,), link=evil, frames=(frame,)),),
    )
    told = Show(title="", facts=(), frames=(frame,), story=Story(head=evil, text=evil))
    for page in (
        player_of(show),
        player_of(show, Server(path=evil, query=evil, tried=evil, here=evil)),
        "".join(live_parts(told).values()),
    ):
        assert "<script" not in page
        assert "&lt;script&gt;&amp;" in page


def test_all_words_of_a_list_of_games_are_escaped() -> None:
    evil = "<script>&\"'"
    found = review_game(read_game("p2v0s5 clue Bob 1, play 3, clue Bob 5, discard 5"))
    moves = tuple(replace(move, player=evil, reason=evil) for move in found.document().moves)
    assert any(move.lost for move in moves)
    games = GameList(evil)
    for document in (
        replace(found.document(), moves=moves, variant=evil, end=evil, undecided=evil),
        replace(found.document(), team=(evil, "b")),
    ):
        games.add(evil, document, "<p>", [(evil, evil)])
    games.refuse(evil, evil)
    assert evil not in games.page()
    assert games.page().count("&lt;script&gt;&amp;&quot;&#x27;") > 15
