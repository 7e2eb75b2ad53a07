"""Whether a game can be won, by all of its rules: those too that the solvers leave out."""

from __future__ import annotations

from dataclasses import replace

from hanabi.game import Game, Rules
from hanabi.verdict import Status, Verdict
from hanabi.winnable.line import Line
from hanabi.winnable.solver import DEFAULT_MEMORY, DEFAULT_SECONDS, solve_game
from hanabi.winnable.solver import best as best_of

__all__ = ["decide_game", "warm_up", "without_deck_plays"]


def decide_game(
    game: Game,
    *,
    best: bool = False,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int | None = None,
) -> Verdict[Line]:
    """Decide whether a game can still be won from where it stands, with the option deckPlays too.

    The solvers never play the deck's last card from there. Every line that they find is one of
    such a table, but where they find none there are more to look at: the answer is UNKNOWN.

    Parameters
    ----------
    game
        A position.
    best
        Whether the best score is looked for if it cannot be won.
    seconds, memory
        Budgets (memory in bytes), as for :func:`hanabi.winnable.solve`.

    >>> rules = replace(Rules.hanab_live(seats=3), deck_plays=True)
    >>> verdict = decide_game(Game.start(rules, rules.spec.shuffle(seed=1)))
    >>> print(verdict.status, verdict.upper)
    winnable 25
    """
    decide = best_of if best else solve_game
    verdict = decide(
        without_deck_plays(game),
        seconds=seconds,
        memory=DEFAULT_MEMORY if memory is None else memory,
    )
    if not game.rules.deck_plays or game.deck_left == 0 or game.is_over:
        return verdict
    if verdict.status is Status.UNWINNABLE:
        reason = f"no line wins without the option deckPlays ({verdict.reason}); with it unknown"
        verdict = replace(verdict, status=Status.UNKNOWN, reason=reason)
    return replace(verdict, upper=game.rules.max_score)


def without_deck_plays(game: Game) -> Game:
    """Return the same position where the deck's last card cannot be played from there.

    >>> rules = replace(Rules.hanab_live(seats=3), deck_plays=True)
    >>> without_deck_plays(Game.start(rules, rules.spec.shuffle(seed=1))).rules.deck_plays
    False
    """
    if not game.rules.deck_plays:
        return game
    state = game.packed[2].tobytes()
    return Game(replace(game.rules, deck_plays=False), game.deck, game.actions, state)


def warm_up() -> None:
    """Solve the smallest game: compiling or loading the solvers is no part of a time limit."""
    from hanabi.deck import DeckSpec
    from hanabi.winnable.solver import solve

    rules = Rules(spec=DeckSpec.uniform(1, 3, 1), seats=2, hand_size=1)
    solve([(0, 1), (0, 2), (0, 3)], rules)
