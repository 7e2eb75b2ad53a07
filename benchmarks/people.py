"""How well the model of people learns, where it fails, and how `people` scores on people's decks.

``python -m benchmarks.people learn GAMES`` fits a logit and a network with a fixed penalty to some
games, asks them about games kept apart, and counts the confident errors of the network. ``play
GAMES [LIKELY [SAMPLES]]`` has `people` play the decks of finished games. A bombed one has 0 points.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import chain

import numpy as np

from hanabi.ground import Stream
from hanabi.people import fit as fitting
from hanabi.people.check import Judged, Row, rows_of
from hanabi.people.features import COLUMNS
from hanabi.people.model import Net
from hanabi.players import parse_player, play_game
from hanabi.rules import EndReason, Game, parse_input, replay_of
from hanabi.shell import opened_items

SIZES, FOLDS, SURE, SEED = (25, 50, 100, 150), 5, 0.5, 53
SPECS = {"logit": fitting.Spec(0, 1, 60.0), "network": fitting.Spec(32, 1, 60.0)}
KINDS = {"play": "play: always", "chop discard": "discard: chop", "discard": "discard: always",
         "saving hint": "hint: saves", "hint for plays": "hint: plays"}  # fmt: skip


def read(source: str) -> tuple[list[str], list[Game], list[Game]]:
    """Return the texts of games, their deals and their ends."""
    with opened_items(source) as items:
        texts = [item.text() for item in items.each]  # type: ignore[union-attr]
    found = [replay_of(parse_input(text)).positions for text in texts]  # type: ignore[arg-type]
    return texts, [each[0] for each in found], [each[-1] for each in found]


def learn(source: str) -> None:
    """Print the learning curve, then by kind, turn and team, and the kinds of confident errors."""
    texts, _, ends = read(source)
    decisions = [fitting.decisions_of(text) for text in texts]
    pairs, data = [*chain(*decisions)], fitting.gather([*map(fitting.observe, decisions)])
    scale = data.features.std(axis=0)
    used = np.flatnonzero(scale > 1e-6)
    scaled = np.ascontiguousarray(data.features[:, used] / scale[used])
    data = fitting.Choices(scaled, data.sizes, data.starts, data.chosen, data.games)
    folds, nets = np.random.default_rng(0).permutation(len(texts)) % FOLDS, dict[int, Net]()
    for name, spec in SPECS.items():
        for size in SIZES:
            scores, some = np.zeros((len(data.sizes), 2)), np.zeros(0, int)
            for fold in range(FOLDS):
                some = np.random.default_rng(fold).permutation(np.flatnonzero(folds != fold))[:size]
                fitted = np.flatnonzero(np.isin(data.games, some))
                nets[fold] = fitting.train(data, fitted, spec, fold)
                kept = np.flatnonzero(folds[data.games] == fold)
                scores[kept] = fitting.score(data, kept, [nets[fold]])
            judged = [list[Judged]() for _ in texts]
            for game, (view, action), (loss, place) in zip(data.games, pairs, scores, strict=True):
                about = view.rules.seats, view.turn, action.kind
                judged[game].append(Judged(*about, place < 1, place < 3, loss))
            show(f"{name}, {len(some)} games", next(rows_of(judged)))
    for row in rows_of(judged):
        show(row.name, row)
    teams = [max(end.score, 22) if end.is_over else 0 for end in ends]
    for name, points in {"25": {25}, "23-24": {23, 24}, "less": {22}, "unfinished": {0}}.items():
        team = [each for each, score in zip(judged, teams, strict=True) if score in points]
        show(f"{name}, {len(team)} games", next(rows_of(team)))
    kinds, errors = Counter[str](), list[tuple[float, str]]()
    columns = {name: used.tolist().index(COLUMNS[label]) for name, label in KINDS.items()}
    for at, (view, action) in enumerate(pairs):
        rows, _, chosen = data.part(np.array([at]))
        chances = np.exp(nets[folds[data.games[at]]].utilities(rows))
        chances /= chances.sum()
        if (best := int(chances.argmax())) == chosen[0] or chances[best] < SURE:
            continue
        foreseen, done = (
            next((name for name, column in columns.items() if row[column] > 0), "other hint")
            for row in (rows[best], rows[chosen[0]])
        )
        kinds[f"{foreseen} foreseen, {'another' if done == foreseen else done} done"] += 1
        where = f"game {data.games[at] + 1}, turn {view.turn + 1}"
        errors.append((chances[best], f"{where}: {view.legal_actions[best]}; done: {action}"))
    print(f"\n{len(errors):,} of {len(data.sizes):,} held to be {SURE:.0%} likely, and not done")
    for name, number in kinds.most_common(12):
        print(f"{number:>6} {name}")
    for chance, text in sorted(errors, reverse=True)[:8]:
        print(f"{chance:>6.0%} {text}")


def show(name: str, row: Row) -> None:
    """Print how decisions were foretold, if there are any."""
    if row.first and row.three and row.loss:
        shares = "".join(f"{mean:>8.1%} ±{error:>5.1%}" for mean, error in (row.first, row.three))
        loss, error = row.loss
        print(f"{name:<22}{row.decisions:>6,}{shares}{loss:>8.3f} ± {error:.3f}", flush=True)


def play(source: str, likely: int = 60, samples: int = 40) -> None:
    """Print the scores of `people` on the decks of people's finished games, and of the people."""
    _, starts, ends = read(source)
    finished = [at for at, end in enumerate(ends) if end.is_over]
    asked = {"choice=sample": samples, "choice=likely": likely, "careful=no": likely}
    for name, most in asked.items():
        player, some = parse_player(f"people:{name}"), finished[:most]
        seats = [player] * starts[0].rules.seats
        found = [play_game(seats, starts[at], Stream(SEED, at)) for at in some]
        for who, games in ((name, found), ("the people", [ends[at] for at in some])):
            scores = np.array([end.score for end in games])
            bombed = sum(end.end_reason is EndReason.BOMBED for end in games)
            mean = f"{scores.mean():.2f} ± {scores.std(ddof=1) / len(scores) ** 0.5:.2f}"
            print(f"{who:<14}{len(some):>4} games {mean}, {bombed} bombed", flush=True)


def main(what: str = "", *words: str) -> None:
    """Run one of the two."""
    if not words:
        sys.exit("name games: python -m benchmarks.people learn GAMES")
    (learn if what == "learn" else play)(words[0], *map(int, words[1:]))


if __name__ == "__main__":
    main(*sys.argv[1:])
