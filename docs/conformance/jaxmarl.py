"""An adapter of JaxMARL's Hanabi for `hanabi env check`; needs `pip install jaxmarl`."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxmarl import make


class Adapter:
    """JaxMARL's environment without automatic deals; its last action number is to do nothing."""

    def __init__(self):
        self.made = {}  # each compiles its own functions

    def reset(self, deck, seats):
        if seats not in self.made:
            self.made[seats] = make("hanabi", num_agents=seats)
        self.env = self.made[seats]
        pairs = jnp.array([(color, rank - 1) for color, rank in deck])
        seen, self.state = self.env.reset_from_deck_of_pairs(pairs)
        return self._result(seen, 0.0, False)

    def step(self, action):
        actor = self._seat()
        actions = {
            agent: jnp.array(action if seat == actor else self.env.num_moves - 1)
            for seat, agent in enumerate(self.env.agents)
        }
        key = jax.random.PRNGKey(0)  # nothing is random after the deal
        seen, self.state, rewards, dones, _ = self.env.step_env(key, self.state, actions)
        return self._result(seen, float(rewards["__all__"]), bool(dones["__all__"]))

    def _result(self, seen, reward, done):
        agent = self.env.agents[self._seat()]
        mask = np.array(self.env.get_legal_moves(self.state)[agent])[:-1]
        return self._seen(np.array(seen[agent])), mask, reward, done, self._seat()

    def _seen(self, seen):
        """Put what hints leave possible in the place of JaxMARL's probabilities."""
        parts = (self.state.card_knowledge, self.state.colors_revealed, self.state.ranks_revealed)
        hands = [np.roll(np.array(each), -self._seat(), axis=0) for each in parts]
        known = np.concatenate([each.reshape(*each.shape[:2], -1) for each in hands], axis=2)
        return np.concatenate([seen[: -known.size], known.reshape(-1)])

    def _seat(self):
        return int(jnp.argmax(self.state.cur_player_idx))
