"""Draw what is in docs/figures as SVG by this package: `python docs/make_pictures.py`.

All of it follows the style sheet of pictures, which each file holds.
"""

from __future__ import annotations

import sys
from pathlib import Path

import hanabi
from hanabi.cli.app import main as main_of_hanabi
from hanabi.game.picture import board_of, strip_of_line
from hanabi.hints import find_partition
from hanabi.hints.picture import grid_of
from hanabi.session.hands import known_hand
from hanabi.session.problem import Question, pose_position
from hanabi.solitaire.picture import boards_of
from hanabi.svg.board import draw_board, draw_solitaire
from hanabi.svg.charts import draw_grid
from hanabi.svg.strip import draw_strip

__all__ = ["pictures"]

ROOT = Path(__file__).parent.parent
REDUCTION = (("hardness-variables.svg", 1, 32), ("hardness-clauses.svg", 33, 158))
GAMES = ROOT / "tests" / "data" / "hanab_live" / "games"


def pictures() -> dict[str, str]:
    """Return every figure as SVG, by the name of its file."""
    problem = pose_position(hanabi.read(GAMES / "1888951.json"), Question())
    games, names = problem.positions, ("Ann", "Ben", "Cem")
    lost = board_of(games[34], names=names, before=games[33], best=29)
    view = board_of(games[34].view(1), names=names, before=games[33])
    line = hanabi.solve("p3v0s17")
    stream = hanabi.solve("hand 2  r2 r4 r1 y1 y2 r3 g1 y3 g4 g2 y4 g3 r4 b1 b2 b3 b4")
    play = [*boards_of(stream.instance, stream.play)]
    plain = pose_position(hanabi.read(GAMES / "2906.json"), Question())
    rows = known_hand(plain.positions[10]).table("colors")
    return {
        "board.svg": draw_board(lost, standalone=True),
        "board-view.svg": draw_board(view, standalone=True),
        "line.svg": draw_strip(strip_of_line(line.games), title="A winning line", standalone=True),
        "stream.svg": draw_solitaire(play[9], standalone=True),
        "partition.svg": draw_grid(
            grid_of(find_partition(rows), rows), title="Sets of hints", standalone=True
        ),
        "scores.svg": hanabi.review(problem)._repr_svg_(),
    }


def main() -> int:
    """Write the figures beside the pages."""
    for name, svg in pictures().items():
        (ROOT / "docs" / "figures" / name).write_text(svg + "\n", encoding="utf-8", newline="\n")
        sys.stdout.write(f"written: docs/figures/{name}\n")
    for name, first, last in REDUCTION:
        target = str(ROOT / "docs" / "figures" / name)
        words = ["explain", str(ROOT / "docs" / "figures" / "example.cnf"), "--svg", target]
        main_of_hanabi([*words, "--first", str(first), "--last", str(last)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
