"""An adapter of the Hanabi Learning Environment itself for `hanabi env check`.

It needs `pip install hanabi-learning-environment`. The environment cannot be told which card to
deal, so a card is dealt again, each time in a copy of the state, until it is the right one.
"""

from hanabi_learning_environment import pyhanabi


class Adapter:
    """A game of `pyhanabi`."""

    def reset(self, deck, seats):
        self.game = pyhanabi.HanabiGame({"players": seats})
        self.encoder = pyhanabi.ObservationEncoder(self.game)
        self.state = self.game.new_initial_state()
        self.deck, self.score = iter(deck), 0
        return self._result()

    def step(self, action):
        self.state.apply_move(self.game.get_move(action))
        return self._result()

    def _result(self):
        while self.state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:  # as rl_env, at the end, too
            self._deal(*next(self.deck))
        done, before, self.score = self.state.is_terminal(), self.score, self.state.score()
        seat = self.state.cur_player()
        seen = self.state.observation(seat)
        if done:
            return self.encoder.encode(seen), None, self.score - before, True, None
        mask = [False] * self.game.max_moves()
        for move in seen.legal_moves():
            mask[self.game.get_move_uid(move)] = True
        return self.encoder.encode(seen), mask, self.score - before, False, seat

    def _deal(self, color, rank):
        while True:
            dealt = self.state.copy()
            dealt.deal_random_card()
            move = dealt.move_history()[-1].move()
            if (move.color(), move.rank() + 1) == (color, rank):
                self.state = dealt
                return
