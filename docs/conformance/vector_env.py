"""An adapter of `hanabi.env.VectorEnv` for `hanabi env check`."""

from hanabi import Rules
from hanabi.env import VectorEnv

games = {}


def reset(deck, seats):
    global env
    if seats not in games:
        games[seats] = VectorEnv(1, Rules.hle(seats), autoreset="disabled")
    env = games[seats]
    return _result(env.reset(decks=[deck]))


def step(action):
    return _result(env.step([action]))


def _result(now):
    return now.observations[0], now.masks[0], now.rewards[0], now.dones[0], now.seats[0]
