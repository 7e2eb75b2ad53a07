"""Draw what is in docs/figures as SVG by this package: `python docs/make_pictures.py`.

All of it follows the style sheet of pictures, which each file holds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import hanabi
from hanabi.front.app import main as main_of_hanabi
from hanabi.ground.svg.board import draw_board, draw_solitaire
from hanabi.ground.svg.charts import draw_grid
from hanabi.ground.svg.looks import SHAPES, SuitLook
from hanabi.ground.svg.strip import draw_arcs, draw_strip
from hanabi.rules import Rules
from hanabi.rules.picture import board_of, strip_of_line
from hanabi.shell.session.hands import known_hand
from hanabi.shell.session.problem import Question, pose_position
from hanabi.solitaire import Instance, verify_play
from hanabi.solitaire.certificate import Certificate, Weights, find_flaw
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.hardness import Annotation, Graph, reduce, winning_play
from hanabi.solitaire.hardness.annotation import IF_TRUE
from hanabi.solitaire.hardness.explain import looks_of_reduction
from hanabi.solitaire.paths import certify, describe
from hanabi.solitaire.picture import arcs_of, boards_of
from hanabi.solitaire.windows import cheapest_windows, ways_of, windows_of
from hanabi.solvers.hints import find_partition
from hanabi.solvers.hints.picture import grid_of

__all__ = ["pictures", "proofs"]

ROOT = Path(__file__).parent.parent
REDUCTION = (
    ("hardness-variables.svg", "paper", 1, 32),
    ("hardness-clauses.svg", "paper", 33, 158),
    ("hardness-four-values.svg", "four_values", 1, 27),
    ("hardness-three-values.svg", "three_values", 1, 28),
)
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
        "arcs.svg": stream._repr_svg_(),
        "arcs-lost.svg": lost_picture(),
        "partition.svg": draw_grid(
            grid_of(find_partition(rows), rows), title="Sets of hints", standalone=True
        ),
        "scores.svg": hanabi.review(problem)._repr_svg_(),
    }


# The pictures of the proofs: which Solitaire Hanabi is hard.

VARIABLES = {"x": "#e9a5a5", "y": "#a5c3e9", "P": "#e9a5a5", "Q": "#a5c3e9", "F": "#e6e6ea"}
TWO_COLORS = """
B4 B5 A2 A6 A10 A1 A4 A15 A3 B2 A4 A5 A8 B7 A7 A18 A8 A9 A12 A11 A13 A23 A12 B14
A14 B1 A16 B3 B2 B6 B8 B9 B11 A15 A17 A19 A20 A21 B7 A18 A26 A27 A28 B10 A22 B12 A24 B11 B13 A29
B15 A23 B14 A30 A25 B16 B17 B18 B19 B20 B21 B22 B23 B24 B25 B26 B27 B28 B29 B30
"""
CLAUSES = ("#e9d79a", "#a5e9b9", "#cda5e9")


def stream_of(hand_size: int, cards: str) -> tuple[Instance, list[str]]:
    """Return the stream of cards such as `x2`, and the letters of its colors in their order."""
    words = cards.split()
    letters = list(dict.fromkeys(word[0] for word in words))
    return Instance(hand_size, [(letters.index(word[0]), int(word[1:])) for word in words]), letters


def windows_picture(
    title: str,
    hand_size: int,
    cards: str,
    *,
    held: str = "",
    names: dict[str, str] | None = None,
    titles: Sequence[tuple[str, int, int]] = (),
    notes: Sequence[str] = (),
    first: int | None = None,
    last: int | None = None,
) -> str:
    """Draw a stream with a play in which exactly these windows are open, such as `x2@1`.

    Without windows it is a lost stream, drawn with the moments of its certificate.
    """
    instance, letters = stream_of(hand_size, cards)
    looks = [
        SuitLook(
            (names or {}).get(letter, letter),
            letter,
            SHAPES[number],
            (VARIABLES.get(letter) or CLAUSES[number % len(CLAUSES)],),
        )
        for number, letter in enumerate(letters)
    ]
    ways, chosen = ways_of(instance), set(held.split())
    if not held:
        [step] = certify(instance).certificate.steps  # type: ignore[union-attr]
        moments = dict(step.moments)  # type: ignore[union-attr]
        shown = cheapest_windows(instance, moments)
        arcs = arcs_of(
            instance, ways, shown, moments=moments, looks=looks.__getitem__, titles=titles,
            notes=notes,
        )  # fmt: skip
        return draw_arcs(arcs, title=title, standalone=True)
    opened = {card: int(at) for card, _, at in (word.partition("@") for word in chosen)}
    copies, times = [], dict.fromkeys(range(instance.c), 0)
    for value in range(1, instance.n + 1):
        for color in range(instance.c):
            at = opened.get(f"{letters[color]}{value}") or next(
                position
                for position in range(times[color] + 1, instance.N + 1)
                if (instance.colors[position - 1], instance.values[position - 1]) == (color, value)
            )
            copies.append(at - 1)
            times[color] = max(times[color], at)
    play = eager_play(instance, copies)
    verify_play(instance, play)
    windows = windows_of(instance, play)
    assert {f"{letters[x.color]}{x.value}@{x.opens}" for x in windows} == chosen, title  # noqa: S101
    arcs = arcs_of(
        instance, ways, windows, play=play, looks=looks.__getitem__, titles=titles, notes=notes,
        first=first, last=last,
    )  # fmt: skip
    return draw_arcs(arcs, title=title, standalone=True)


def proofs() -> dict[str, str]:
    """Return the figures of the proofs as SVG, by the name of the file."""
    return {
        "complexity-windows.svg": windows_picture(
            "Windows of two colors",
            1,
            "x2 y2 x1 y1 x3 y3 y2",
            held="x2@1 y3@6",
            notes=["x2 has no later copy, so it waits for x1. y holds y2, or else y3."],
        ),
        "complexity-clause.svg": windows_picture(
            "A clause color",
            1,
            "C2 C1 C3 C2 C4 C3",
            held="C3@3",
            names={"C": "clause"},
            titles=[("literal 1", 1, 2), ("literal 2", 3, 4), ("literal 3", 5, 6)],
            notes=["One pair must be used: else the only 4 comes before the 3 that is played."],
        ),
        "complexity-variable.svg": windows_picture(
            "A variable color",
            1,
            "x2 x1 x3 x2 x4",
            held="x2@1",
            names={"x": "variable"},
            titles=[("not x", 1, 2), ("x", 3, 4)],
            notes=["Pairs of not x stand between 2 and 1, those of x between 3 and 2."],
        ),
        "complexity-four-values.svg": windows_picture(
            "(x or y) and (not x or not y)",
            1,
            "x2 D2 D1 x1 x3 C2 C1 x2 x4 y2 D3 D2 y1 y3 C3 C2 y2 y4 C4 D4",
            held="x2@1 C2@6 D3@11 y3@14",
            names={"C": "x or y", "D": "¬x or ¬y"},
            titles=[("not x", 2, 3), ("x", 6, 7), ("not y", 11, 12), ("y", 15, 16)],
            notes=["x is true: x2 is held over the pair of not x. y is false: y3 over that of y."],
        ),
        "complexity-lost.svg": windows_picture(
            "x and not x",
            1,
            "x2 D2 D1 x1 x3 C2 C1 x2 x4 C3 C4 D3 D4",
            names={"C": "x", "D": "not x"},
            titles=[("not x", 2, 3), ("x", 6, 7)],
            notes=[
                "Both clauses must use their only pair, and x holds over one of them:",
                "before cards 3 and 7 together 3 places are needed, and the hand has 1 at each.",
            ],
        ),
        "complexity-not-both.svg": windows_picture(
            "Not both",
            2,
            "Q2 F2 P2 P1 F1 F3 Q1 Q3 Q2 P3 P2",
            held="Q2@1 F2@2 P3@10",
            names={"P": "choice P", "Q": "choice Q", "F": "filler"},
            titles=[
                ("I of Q, around I of P and its filler", 1, 7),
                ("J of Q", 8, 9),
                ("J of P", 10, 11),
            ],
            notes=["Q holds over its I, the filler always does: so P must hold over its J."],
        ),
        "complexity-three-values.svg": windows_picture(
            "A clause of three literals",
            2,
            "A2 A1 B2 B1 C2 C1 A3 B3 C3 A2 B2 C2",
            held="A2@1 B3@8 C3@9",
            names={"A": "literal 1", "B": "literal 2", "C": "literal 3"},
            titles=[("I", 1, 2), ("I", 3, 4), ("I", 5, 6), ("J of all three", 7, 12)],
            notes=["At most two of three hold over J, so one literal is true."],
        ),
        "complexity-two-colors.svg": windows_picture(
            "Two colors: the section of a clause",
            5,
            TWO_COLORS,
            held="B4@1 B5@2 A2@3 A6@4 A10@5 A15@8 A8@13 A18@16 A12@19 B14@24 B3@28 B8@31 B9@32"
            " B11@33 A26@41 A27@42 A28@43 A24@47 A29@50 A30@54",
            names={"A": "color A", "B": "color B"},
            titles=[
                ("a: u, early or late", 25, 29),
                ("d', z", 30, 33),
                ("d: w, early or late", 34, 40),
                ("Z Z Z", 41, 43),
                ("z, e", 44, 47),
                ("e': v, early or late", 48, 54),
            ],
            notes=["The hand of 5 is full at each test: a literal that is late needs more room."],
            first=24,
            last=55,
        ),
        "complexity-unit.svg": windows_picture(
            "Two units of A, and a section of B",
            3,
            "A2 A1 A3 A4 B2 B3 B4 B1 A2 A5 A7 A8 B5 B6 B7 B2 B3 B4 A6 B8",
            held="A2@1 B2@5 B3@6 B4@7 A7@11 A8@12",
            names={"A": "color A", "B": "color B"},
            titles=[("offer", 1, 1), ("unit, with a gate", 2, 9), ("unit, with a gate", 10, 19)],
            notes=[
                "The first token, A2, is held: three places are free at its gate, which is used.",
                "The second, A6, is not: A7 and A8 wait, and one place is free at its gate.",
            ],
        ),
        "complexity-most-cards.svg": set_picture(
            "The most cards of a path",
            Graph((1, 1, 1), ((1, 2), (2, 3))),
            "most_cards_two_copies",
            (1, 3),
            "1 and 3 are held over their stretches. Both edges use the stretch of 2.",
        ),
        "complexity-trails.svg": set_picture(
            "The most cards of K4",
            Graph((1,) * 4, ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))),
            "most_cards_one_copy",
            (1,),
            "1 is held over both of its intervals. The fillers of all others are held.",
        ),
    }


def set_picture(title: str, graph: Graph, variant: str, chosen: Sequence[int], note: str) -> str:
    """Draw the cards of a graph with the play of an independent set, which does not win."""
    reduction = reduce(graph, variant=variant)
    play = winning_play(reduction, graph.chosen_by(chosen))
    looks = looks_of_reduction(reduction, reduction.annotation)
    titles = [
        (f"stretch of {number}", first, last)
        for number, first, last in stretches(reduction.annotation)
    ]
    arcs = arcs_of(
        reduction, ways_of(reduction), windows_of(reduction, play), play=play,
        looks=looks.__getitem__, titles=titles, notes=[note],
    )  # fmt: skip
    return draw_arcs(arcs, title=title, standalone=True)


def stretches(annotation: Annotation) -> list[tuple[int, int, int]]:
    """Return each vertex with the first and the last card of its stretch, if it has one."""
    opens = {span.number: span.first for span in annotation.spans if span.role == IF_TRUE}
    closes = [span for span in annotation.spans if span.role == "stretch ends"]
    return [(span.number, opens[span.number], span.last) for span in closes]


def lost_picture() -> str:
    """Draw a shuffled deck that a hand of 4 cannot play, with a moment that proves it."""
    instance = Instance(4, Rules.hanab_live(2).spec.shuffle(seed=21))
    certificate = Certificate(4, 0, (Weights(((29, 1),), 0, 5),))
    assert find_flaw(instance, certificate) is None  # noqa: S101
    moments = {29: 1}
    windows, reason = cheapest_windows(instance, moments), describe(certificate)
    arcs = arcs_of(
        instance,
        ways_of(instance),
        windows,
        moments=moments,
        notes=[f"{reason[0].upper()}{reason[1:]}."],
    )
    return draw_arcs(arcs, title="A lost stream", standalone=True)


def main() -> int:
    """Write the figures beside the pages."""
    for name, svg in (pictures() | proofs()).items():
        (ROOT / "docs" / "figures" / name).write_text(svg + "\n", encoding="utf-8", newline="\n")
        sys.stdout.write(f"written: docs/figures/{name}\n")
    for name, variant, first, last in REDUCTION:
        target = str(ROOT / "docs" / "figures" / name)
        words = ["explain", str(ROOT / "docs" / "figures" / "example.cnf"), "--svg", target]
        words += ["--variant", variant, "--first", str(first), "--last", str(last)]
        main_of_hanabi(words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
