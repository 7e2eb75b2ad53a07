"""An adapter of OpenSpiel's Hanabi for `hanabi env check`; needs `pip install open-spiel`."""

import pyspiel


class Adapter:
    """OpenSpiel's game, in which chance deals the cards that it is given."""

    def reset(self, deck, seats):
        self.game = pyspiel.load_game(f"hanabi(players={seats})")
        self.state = self.game.new_initial_state()
        self.deck, self.score = iter(deck), 0
        return self._result()

    def step(self, action):
        self.state.apply_action(action)
        return self._result()

    def _result(self):
        while self.state.is_chance_node():
            color, rank = next(self.deck)
            self.state.apply_action(5 * color + rank - 1)
        done, before, self.score = self.state.is_terminal(), self.score, self.state.returns()[0]
        if done:  # OpenSpiel draws no card then, so its last observation is another one
            return None, None, self.score - before, True, None
        seat = self.state.current_player()
        mask = self.state.legal_actions_mask(seat)
        return self.state.observation_tensor(seat), mask, self.score - before, False, seat
