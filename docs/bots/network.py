"""A network as a player. It learns to play like rule-based, in some twenty seconds.

python docs/bots/network.py                      # trains, and writes network.npz beside this file
hanabi tournament docs/bots/network.py:Imitator rule-based --rules hle --players 2
"""

import sys
from pathlib import Path

import numpy as np

from hanabi import Rules
from hanabi.env import Network, VectorEnv
from hanabi.ground.rng import Stream
from hanabi.players import RuleBased, play_game
from hanabi.rules import Game

FILE = Path(__file__).with_suffix(".npz")
RULES = Rules.hle(2)


def scores(weights, seen):
    """Return the hidden layer and the score of each action."""
    hidden = np.maximum(seen @ weights["in"] + weights["in0"], 0)
    return hidden, hidden @ weights["out"] + weights["out0"]


def examples(games):
    """Return observations, masks and actions of games of rule-based."""
    starts = [Game.start(RULES, RULES.spec.shuffle(1, number)) for number in range(games)]
    ends = [play_game([RuleBased()] * 2, each, Stream(1, n)) for n, each in enumerate(starts)]
    env = VectorEnv(games, RULES, autoreset="disabled")
    step, rows = env.reset(decks=[each.deck for each in starts]), []
    for turn in range(max(end.turn for end in ends)):
        on = np.array([turn < end.turn for end in ends])
        taken = [
            env.layout.number(end.actions[turn], turn % 2) if turn < end.turn else 0 for end in ends
        ]
        rows += zip(step.observations[on], step.masks[on], np.array(taken)[on], strict=True)
        step = env.step(taken)
    seen, masks, actions = map(np.array, zip(*rows, strict=True))
    return seen.astype(np.float32), masks, actions


def train(games=200, passes=5, size=64, rate=0.2):
    """Return weights that give the actions of rule-based high scores."""
    seen, masks, actions = examples(games)
    rng, n = np.random.default_rng(1), len(seen)
    shapes = {"in": (seen.shape[1], size), "in0": size, "out": (size, masks.shape[1])}
    shapes["out0"] = masks.shape[1]
    weights = {name: rng.normal(0, 0.05, shape).astype("f4") for name, shape in shapes.items()}
    for _ in range(passes):
        for rows in np.array_split(rng.permutation(n), max(1, n // 64)):
            hidden, scored = scores(weights, seen[rows])
            chances = np.where(masks[rows], np.exp(scored - scored.max(1, keepdims=True)), 0)
            slope = chances / chances.sum(1, keepdims=True)
            slope[np.arange(len(rows)), actions[rows]] -= 1
            back = (slope @ weights["out"].T) * (hidden > 0)
            weights["out"] -= rate * hidden.T @ slope / len(rows)
            weights["out0"] -= rate * slope.mean(0)
            weights["in"] -= rate * seen[rows].T @ back / len(rows)
            weights["in0"] -= rate * back.mean(0)
    return weights


class Imitator(Network):
    """Takes the action with the highest score."""

    def __init__(self):
        with np.load(FILE) as arrays:
            self.weights = dict(arrays)

    def decide_many(self, observations, masks):
        """Return the scores of each game's actions; illegal ones are ignored."""
        return scores(self.weights, observations)[1]


if __name__ == "__main__":
    np.savez(FILE, **train(*map(int, sys.argv[1:])))
