"""An adapter of `hanabi.env.pettingzoo` for `hanabi env check`."""

from hanabi import Rules
from hanabi.env import pettingzoo


class Adapter:
    """One game in which the agents act in turn."""

    def reset(self, deck, seats):
        self.env = pettingzoo.raw_env(rules=Rules.hle(seats))
        self.env.reset(options={"deck": deck})
        return self._result()

    def step(self, action):
        self.env.step(action)
        return self._result()

    def _result(self):
        agent = self.env.agent_selection
        seen, done = self.env.observe(agent), self.env.terminations[agent]
        seat = self.env.possible_agents.index(agent)
        return seen["observation"], seen["action_mask"], self.env.rewards[agent], done, seat
