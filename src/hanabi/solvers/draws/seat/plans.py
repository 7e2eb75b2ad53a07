"""Plans for a team in which a seat does not see its hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hanabi.ground import Clock
from hanabi.rules import Action, Game, Table, View
from hanabi.rules import layout as k
from hanabi.solvers.draws import kernels as e
from hanabi.solvers.draws.kernels import give
from hanabi.solvers.draws.seat.hands import Hands
from hanabi.solvers.draws.seat.kernels import search as w
from hanabi.solvers.draws.seat.kernels import team as t
from hanabi.solvers.draws.solver import (
    Bounds,
    DrawSearch,
    grown,
    is_plain,
    larger,
    new_walk,
    search_depth,
)
from hanabi.worlds import complete_deck

if TYPE_CHECKING:
    from hanabi.ground import Words

_FIRST_ROWS = 1 << 12
_CHUNK = 20_000  # positions between two checks of the clock

_IMPROVING = 1 << 18
"""Positions to expand in order to improve a plan after an action."""


class Plan:
    """A plan: what the seat does by what it sees, and what the others do by all hands.

    In each of its situations the seat takes the action that is best on average over all hands that
    are still possible there, or that a rule of thumb names if many positions were searched before
    (`hanabi.solvers.draws.seat.kernels`). The value is exact in both cases: the others know the
    plan. Where hints say nothing of cards, dead ones are told apart only if commands need it.

    Parameters
    ----------
    hands
        The hands that the seat may hold.
    search
        A search with open hands for the same view; the plan shares its deck and tables.
    is_mean
        Whether to plan for the expected score, instead of a perfect score.
    budget
        Positions to expand for an action until the rule of thumb makes all decisions.
    telling
        The hints to the seat that the others consider: 0 for one, to pass; 1 for those, too, that
        make a card certain to score, or certain trash; 2 for all that say something.
    commands
        Whether the others' choice of a hint, of trash to discard or of a copy to play names the
        seat's next action, and in which order (`SILENT`, `BY_CHANCE` or `BY_AGE` of the kernels).
    """

    def __init__(
        self,
        hands: Hands,
        search: DrawSearch,
        *,
        is_mean: bool,
        budget: int,
        telling: int,
        commands: int,
    ) -> None:
        self._hands, self._search, self._budget = hands, search, budget
        view, rules = hands.view, hands.view.rules
        n, size, words = view.deck_left, rules.hand_size, view.packed.rules
        width = t.team_key_width(words, n)
        walk = new_walk(
            view,
            search.deck,
            depth=2 * search_depth(rules, n) + 2,
            width=width,
            moves=int(words[k.MAX_ACTIONS]) + 2 * size,
            rows=_FIRST_ROWS,
        )
        merges = telling == 0 and is_plain(rules, view)
        walk.used[e.GOAL] = e.EXPECTATION if is_mean else rules.max_score
        walk.used[[e.SEAT, e.TELLING, e.COMMANDS, e.TRIAL]] = view.seat, telling, commands, -1
        walk.used[e.MERGES] = merges and not rules.open_hands
        allowed = np.full(rules.deck_size, -1, np.int64)
        for place, cards in zip(hands.places, hands.allowed, strict=True):
            allowed[place] = sum(1 << (c.color * rules.ranks + c.rank - 1) for c in cards)
        roots, weights = (hands if merges else hands.apart()).rows(merged=merges)
        self._team = t.Team(
            walk=walk,
            allowed=allowed,
            hands=np.zeros((len(walk.frames), 2 * size + n), np.int64),
            roots=roots,
            weights=weights,
            counts=np.zeros(t.DEAD + 1, np.int64),
            possible=np.zeros(size, np.int64),
            situations=np.zeros((_FIRST_ROWS, width), np.int64),
            plan=np.full(_FIRST_ROWS, -1, np.int64),
            seen=np.zeros(width, np.int64),
            goals=search.goals,
            means=search.means,
        )

    def value(self, action: Action, clock: Clock) -> Bounds:
        """Return the sum over all deals of the plan's results after an action, or bounds on it."""
        return self._run(self._hands.view.packed.state, action, e.ROOT, clock)

    def improved(self, action: Action, value: int, clock: Clock) -> int:
        """Change what the seat does in one situation after another while this helps.

        `value` is the plan's value after the action, which is exact; return the new one.
        """
        row = option = unchanged = 0
        until = self._team.walk.used[e.TRIED] + _IMPROVING
        while unchanged < self._team.plan.size and self._team.walk.used[e.TRIED] < until:
            team, row = self._team, row % self._team.plan.size
            is_last = team.plan[row] < 0
            if not is_last:
                plan, chosen = team.plan.copy(), int(team.walk.used[e.CHOSEN])
                self._try(row, option)
                low, high = self.value(action, clock)
                used = self._team.walk.used
                is_last = used[e.OPTION] < 0 or used[e.TRIAL] == row  # no more, or not met at all
                is_last = is_last or self._team.plan.size != plan.size  # rows have moved
                if value < low == high:
                    value, unchanged = low, 0
                else:
                    team.plan[:], used[e.CHOSEN] = plan, chosen
                    self._team = self._team._replace(situations=team.situations, plan=team.plan)
                if clock.is_over:
                    break
            option += 1
            if is_last:
                row, option, unchanged = row + 1, 0, unchanged + 1
        self._try(-1, 0)
        return value

    @property
    def merges(self) -> bool:
        """Whether dead cards in the seat's hand are not told apart."""
        return bool(self._team.walk.used[e.MERGES])

    def _try(self, row: int, option: int) -> None:
        """Forget all values; let the seat try one of its moves in the situation of a row."""
        walk = self._team.walk
        walk.values[:] = -1
        walk.used[[e.FILLED, e.TRIAL, e.OPTION]] = 0, row, option

    def act(self, table: Table) -> Action:
        """Return what the plan does in a position that it leads to.

        Parameters
        ----------
        table
            The seat's view if it is to act, else the game. Only the hands of a game are used, not
            the order of its deck.
        """
        deck, state = table.packed.deck.copy(), table.packed.state
        if isinstance(table, View):
            hidden = [place for place, card in enumerate(table.deck) if card is None]
            unseen = sorted(table.unseen.elements())
            deck[hidden] = [card.color << 5 | card.rank for card in unseen]
        else:
            deck[int(state[k.DRAWN]) :].sort()
        walk = self._team.walk
        walk.frames[0, e.COMMAND] = self._told(table)
        walk.deck[:], walk.states[0] = deck, state
        self._budget = 0  # what is not decided by now is left to the rule of thumb
        if table.seat_to_act == self._hands.view.seat:
            action, legal = Action.from_code(int(w.planned(self._team))), table.legal_actions
            if action.is_hint and action not in legal:  # planned where other dead cards were held
                hints = [each for each in legal if each.is_hint]
                return min(hints, key=lambda each: each.kind != action.kind)
            return action
        moves = walk.moves[0, : w.list_all(self._team)].tolist()
        actions = [Action.from_code(code) for code in moves]
        values = []
        for action in actions:
            walk.deck[:] = deck
            values.append(self._run(state, action, e.GIVEN, Clock())[0])
        return actions[values.index(max(values))]

    def _told(self, table: Table) -> int:
        """Return the command that the seat has got since its last action, plus one, or 0."""
        hidden = complete_deck(table) if isinstance(table, View) else ()
        deck = [card or hidden[place] for place, card in enumerate(table.deck)]
        game = Game.start(table.rules, deck, first_seat=table.first_seat)
        walk, told = self._team.walk, 0
        for action in table.actions:
            walk.deck[:], walk.states[0] = game.packed.deck, game.packed.state
            if game.seat_to_act == self._hands.view.seat:
                told = 0
            else:
                told = int(t.command_of(self._team, 0, action.code)) or told
            game = game.apply(action)
        return told

    def _run(self, state: Words, action: Action, kind: int, clock: Clock) -> Bounds:
        used, frame = self._team.walk.used, self._team.walk.frames[0]
        self._team.walk.states[0] = state
        used[e.BUDGET] = used[e.TRIED] + self._budget
        give(self._team.walk, 0, action.code, kind)
        answer = e.PAUSED
        while answer != e.DONE:
            answer = w.run_team(self._team, _CHUNK)
            if answer in (e.FULL, e.ASKING):
                is_mean = used[e.GOAL] == e.EXPECTATION and answer == e.FULL
                self._search.grow(is_mean=is_mean)
                self._team = self._team._replace(goals=self._search.goals, means=self._search.means)
            elif answer == w.SMALL_PLAN:
                situations, plan = larger(self._team.situations, self._team.plan)
                self._team = self._team._replace(situations=situations, plan=plan)
                used[e.TRIAL] = -1  # its row has moved
            if answer != e.DONE and clock.is_over:
                return max(0, int(frame[e.SUM])) if kind == e.ROOT else 0, -1
            walk = self._team.walk
            if used[e.FILLED] * 4 >= walk.values.size * 3:
                self._team = self._team._replace(walk=grown(walk, self._search.memory))
        return (int(used[e.VALUE]),) * 2
