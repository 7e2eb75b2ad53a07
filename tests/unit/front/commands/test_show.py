from __future__ import annotations

import pytest

from hanabi.rules.deck import DeckSpec
from hanabi.shell.command.plays import show_play
from hanabi.shell.command.terminal import Screen
from hanabi.solitaire import Instance, Play


def shown(instance: Instance, play: Play, capsys: pytest.CaptureFixture[str]) -> list[str]:
    show_play(Screen(), instance, play)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    return [" ".join(line.split()) for line in lines]


def eager(instance: Instance) -> Play:
    """Play what can be played, keep what fits into the hand, discard the rest."""
    piles, hand, moves = [0] * instance.c, dict[int, tuple[int, int]](), list[tuple[int, str]]()
    for position, (color, value) in enumerate(instance.cards, start=1):
        if value != piles[color] + 1:
            is_kept = value > piles[color] and len(hand) < instance.hand_size
            moves.append((position, "store" if is_kept else "discard"))
            if is_kept:
                hand[position] = color, value
            continue
        moves.append((position, "play"))
        piles[color] = value
        while True:
            ready = [p for p, (color, value) in hand.items() if value == piles[color] + 1]
            if not ready:
                break
            color, value = hand.pop(ready[0])
            piles[color] = value
            moves.append((ready[0], "play"))
    return Play(moves)


def test_runs_hand_and_piles(capsys: pytest.CaptureFixture[str]) -> None:
    instance = Instance(2, [(1, 2), (0, 3), (0, 1), (0, 2), (1, 1), (1, 1), (1, 3)])
    moves = [(1, "store"), (2, "store"), (3, "play"), (4, "play"), (2, "play")]
    play = Play([*moves, (5, "play"), (1, "play"), (6, "discard"), (7, "play")])
    assert shown(instance, play, capsys) == [
        "moves cards hand after r y",
        "1-2 store y2 r3 r3 y2 . .",
        "3-7 play r1 r2 +r3 y1 +y2 3 2",
        "8 discard y1 3 2",
        "9 play y3 3 3",
        "+ from the hand",
    ]


def test_one_color_goes_without_saying(capsys: pytest.CaptureFixture[str]) -> None:
    play = Play([(1, "store"), (2, "store"), (3, "play"), (2, "play"), (1, "play")])
    assert shown(Instance(2, [(0, 3), (0, 2), (0, 1)]), play, capsys) == [
        "moves cards hand after pile",
        "1-2 store 3 2 2 3 .",
        "3-5 play 1 +2 +3 3",
        "+ from the hand",
    ]


def test_no_hand_no_legend(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(Instance(0, [(0, 1), (0, 2)]), Play([(1, "play"), (2, "play")]), capsys)
    assert lines == ["moves cards hand after pile", "1-2 play 1 2 2"]


@pytest.mark.parametrize(
    ("colors", "ranks", "hand"),
    [(5, 5, 14), (6, 5, 70), (7, 5, 9), (9, 12, 60), (1, 40, 20), (40, 30, 500)],
)
def test_every_move_is_there_and_every_line_is_short(
    colors: int, ranks: int, hand: int, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = DeckSpec.uniform(colors, ranks, copies=2).shuffle(seed=colors)
    instance = Instance(hand, deck, n=ranks, c=colors)
    play = eager(instance)
    lines = shown(instance, play, capsys)[1:-1]
    words = [line.split() for line in lines]
    actions = ("store", "discard", "play")
    covered = list[int]()
    for numbers in (each[0] for each in words if len(each) > 1 and each[1] in actions):
        first, _, last = numbers.partition("-")
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(1, len(play) + 1))


def test_piles_that_grew_where_there_are_many(capsys: pytest.CaptureFixture[str]) -> None:
    instance = Instance(1, [(7, 2), (7, 1), (0, 1)], n=2, c=8)
    play = Play([(1, "store"), (2, "play"), (1, "play"), (3, "play")])
    assert shown(instance, play, capsys) == [
        "moves cards hand after piles grown",
        "1 store 7:2 7:2",
        "2-4 play 7:1 +7:2 0:1 0:1 7:2",
        "+ from the hand",
    ]
