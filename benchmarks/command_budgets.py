"""How far the commands overrun `--time` on wide, long and deep inputs, within 6 GiB of memory.

Each command runs as its own process with 6 GiB of address space. "beyond" is its wall-clock time
less the budget. That includes loading Python, its packages and the compiled code, which the budget
does not cover. A run is over the line at more than 2.5 s beyond, or more than a minute, both by the
clock and in time of processors.
Numbers as arguments are budgets in seconds, other words the commands to run. `difficulty` and
`atlas` get one deck, as they spend the budget on each; `partition` spends it on each of two kinds
of hints. `deck` solves as `solve` does. The others have no budget: all their time is "beyond".
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hanabi.front.commands.compile import compile_part
from hanabi.rules import Game, Kind, Rules, play
from hanabi.rules.notation.hanab_live import game_to_json
from hanabi.rules.replay import to_record

_BUDGETS = (3.0,)
_MEMORY = 6 << 30
_WITHOUT_BUDGET = ("simulate", "play", "tournament", "explain", "reduce")
_PLAYING = ("difficulty",)  # their budget is for what they solve before
_LINE, _HANGS = 2.5, 60.0
_DECKS = {
    # suits, ranks, copies, players: at most 62 kinds of cards and suits, and 250 cards, are solved
    "wide": (10, 5, 3, 3),
    "long": (2, 29, 3, 2),
    "deep": (1, 30, 8, 2),
    "flat": (30, 1, 8, 6),
    "usual": (5, 5, 2, 5),
}
_GAMES = {
    "wide": ("Black & Null (6 Suits)", 6),
    "long": ("6 Suits", 2),
    "deep": ("Up or Down (5 Suits)", 2),
    "usual": ("No Variant", 5),
}


def _deck(shape: tuple[int, int, int, int]) -> dict[str, object]:
    suits, ranks, copies, players = shape
    cards = [f"{c}:{r}" for c in range(suits) for r in range(1, ranks + 1) for _ in range(copies)]
    random.Random(1).shuffle(cards)
    return {"players": players, "deck": " ".join(cards)}


def _game(variant: str, seats: int) -> str:
    """Return a game as hanab.live keeps it: cards that fit are played, others go at random."""
    rules, rng = Rules.hanab_live(seats, variant=variant), random.Random(2)
    game = Game.start(rules, rules.spec.shuffle(seed=2))
    while game.can_act and game.turn < 300:
        hand = game.hands[game.seat_to_act]
        fitting = [play(slot) for slot, card in enumerate(hand) if game.is_playable(card)]
        others = [action for action in game.legal_actions if action.kind is not Kind.PLAY]
        is_fitting = fitting and rng.random() < 0.7
        game = game.apply(rng.choice(fitting if is_fitting else others or [play(0)]))
    return json.dumps(game_to_json(to_record(game)))


def _possibilities(cards: int, hints: int) -> str:
    """Return a table of what each card of a hand can be, with few copies unseen."""
    rng = random.Random(3)
    rows = [sorted(rng.sample(range(hints), min(hints, 4))) for _ in range(cards)]
    return json.dumps({"colors": hints, "rows": rows, "unseen": [2] * hints})


def _hole(n: int) -> str:
    """Return the pigeonhole formula in DIMACS form: n + 1 pigeons in n holes."""
    pigeons, holes = range(n + 1), range(n)
    clauses = [[p * n + h + 1 for h in holes] for p in pigeons]
    clauses += [
        [-(p * n + h + 1), -(q * n + h + 1)] for h in holes for p in pigeons for q in range(p)
    ]
    lines = (f"{' '.join(map(str, clause))} 0\n" for clause in clauses)
    return f"p cnf {(n + 1) * n} {len(clauses)}\n{''.join(lines)}"


def _wide(n: int) -> str:
    """Return in DIMACS form random clauses of three literals over n variables."""
    rng = random.Random(4)
    rows = ([v * rng.choice((1, -1)) for v in rng.sample(range(1, n + 1), 3)] for _ in range(4 * n))
    return f"p cnf {n} {4 * n}\n" + "".join(f"{' '.join(map(str, row))} 0\n" for row in rows)


def _commands(folder: Path) -> Iterator[str]:
    for name, shape in _DECKS.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(_deck(shape)))
        yield f"solve {path}"
        yield f"solve {path} --best"
        yield f"solve {path} --solitaire --least-hand"
        yield f"view {path} -o {folder / 'page.html'}"
        if name in ("deep", "usual"):
            yield f"difficulty {path} --games 2 --sample 1 --each 1 --workers 1"
    for name, (variant, seats) in _GAMES.items():
        path = folder / f"{name}-game.json"
        path.write_text(game := _game(variant, seats))
        turns = game.count('"type"')
        yield f"review {path}"
        yield f"review {path} --chances"
        yield f"view {path} -o {folder / 'page.html'}"
        for turn in (turns * 2 // 3, turns * 3 // 4):
            yield f"chances {path}@{turn}"
            yield f"partition {path}@{turn} --joint"
    for name, (cards, hints) in {"wide": (20, 60), "long": (6, 200), "deep": (40, 20)}.items():
        path = folder / f"{name}-hand.json"
        path.write_text(_possibilities(cards, hints))
        yield f"partition {path}"
        yield f"partition {path} --rows"
    for variant in ("No+Variant", "6+Suits", "Black+&+Null+(6+Suits)"):
        yield f"atlas {variant} --decks 1 --players 5 --workers 1"
    for player in ("endgame/information", "belief/convention", "rollouts", "uct"):
        yield f"simulate {player} -n 1 --seed 1 --workers 1"
        yield f"play {player} --seed 1 --variant 6+Suits"
    yield "tournament information convention rule-based -n 2 --seed 1"
    (folder / "hole.cnf").write_text(_hole(11))
    yield f"sat {folder / 'hole.cnf'}"
    for name, formula in {"wide": _wide(300), "long": _hole(30)}.items():
        path = folder / f"{name}.cnf"
        path.write_text(formula)
        yield f"explain {path}"
        yield f"reduce {path}"
        yield f"sat {path}"
        yield f"view {path} -o {folder / 'page.html'}"
    yield f"solve {folder / 'usual.json'} --solitaire --hand-size 4 --method sat"
    for words in ("9x9 --colors 40 --hand 20", "9x9 --colors 5 --hand 10", "4x13 --hand 3"):
        yield f"count {words}"
    for words in ("9x9 --colors 5", "9x9 --colors 40", "4x200", "3,2,2,2,1 --colors 10"):
        yield f"count {words} --curve"
    yield "count 9x9 --colors 40 --hand 20 --samples 100"
    yield "count 4x20000"


def _run(words: str, seconds: float) -> tuple[float, float, int, str]:
    """Return the time of a command by the clock and of processors, its exit code, and its end."""
    command = ["sh", "-c", 'ulimit -v "$0"; exec "$@"', str(_MEMORY >> 10), sys.executable, "-P"]
    command += ["-m", "hanabi", *(word.replace("+", " ") for word in words.split())]
    if words.split()[0] not in _WITHOUT_BUDGET:
        command += ["--time", f"{seconds:g}"]
    started, code, said = time.perf_counter(), -1, ["killed"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2 * _HANGS,
            env=os.environ | {"HANABI_QUIET": "1"},
        )  # fmt: skip
        code, said = done.returncode, (done.stderr or done.stdout).split("\n")
    except subprocess.TimeoutExpired:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, used, code, next(filter(str.strip, reversed(said)), "")


def main() -> None:
    """Print the time beyond the budget of each command, and how many are over the line."""
    for part in ("game", "solve", "solitaire", "count", "chances", "hints"):
        compile_part(part)
    names = [each for each in sys.argv[1:] if each.isalpha()]
    budgets = tuple(float(each) for each in sys.argv[1:] if not each.isalpha()) or _BUDGETS
    n_over = n_runs = 0
    with tempfile.TemporaryDirectory() as place:
        for words in _commands(Path(place)):
            name = words.split()[0]
            if names and name not in names:
                continue
            for seconds in budgets[:1] if name in _WITHOUT_BUDGET else budgets:
                took, used, code, said = _run(words, seconds)
                budget = 0 if name in _WITHOUT_BUDGET else seconds
                # On a shared machine the clock alone says nothing.
                line = _HANGS if name in (*_WITHOUT_BUDGET, *_PLAYING) else _LINE
                is_over = min(took, used) - budget > line
                n_runs, n_over = n_runs + 1, n_over + is_over
                mark = "  over the line" if is_over else ""
                shown = words.replace(f"{place}/", "")[:60]
                print(
                    f"{took - budget:+7.1f} s beyond {budget:g} s, {used:5.1f} s of processors,"
                    f" exit {code:2}: {shown}{mark}"
                )
                print(f"          {said.strip()[:90]}", flush=True)
    print(f"{n_runs} runs, {n_over} over the line")


if __name__ == "__main__":
    main()
