"""`hanabi compile` precompiles everything, on all processors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from hanabi.ground import (
    COMPILING,
    Dispatcher,
    HanabiError,
    InvalidInputError,
    Pool,
    Stream,
    counted,
    quote,
)
from hanabi.players import (
    ENTRIES,
    CompiledPlayer,
    Endgame,
    Player,
    inner_of,
    parse_player,
    play_deals,
    play_decks,
    why_of,
)
from hanabi.rules import DeckSpec, Game, Rules, hint_rank
from hanabi.shell import ProgressLine, Screen, Workers

__all__ = ["PARTS", "compile_ahead", "compile_command", "compile_part", "parse_part"]

# Compiling ahead of time, in parts that different processes can compile at the same time.
#
# A part calls what its commands call, on the smallest input: kernels are compiled for the types of
# their arguments, whatever the numbers are. A player takes the first decisions of a game.


def compile_ahead(parts: Sequence[str], pool: Pool, emit: Callable[[str, float], None]) -> None:
    """Compile parts, several at a time, and call `emit` with each and the compiler's seconds.

    The seconds are 0 if everything was compiled before. Each kernel is stored at once, so an
    interrupt loses at most one for each process.
    """
    Dispatcher(
        pool, compile_part, emit, most=len(parts), in_order=False, name=lambda part: part
    ).run(parts)


def compile_part(part: str) -> float:
    """Compile a part in this process, and return the seconds that the compiler took.

    >>> compile_part("count") >= 0
    True
    """
    before = COMPILING.seconds
    if part in _CALLS:
        _CALLS[part]()
    else:
        _play(parse_player(part))
    return COMPILING.seconds - before


def parse_part(text: str) -> str:
    """Return the part that a text names: one of `PARTS`, or any player.

    Raises
    ------
    InvalidInputError
        If the text is neither.

    >>> parse_part("solve"), parse_part("endgame/uct:playouts=50")
    ('solve', 'endgame/uct:playouts=50')
    """
    if text not in _CALLS:
        try:
            parse_player(text)
        except InvalidInputError as error:
            names = ", ".join(_CALLS)
            raise InvalidInputError(f"{quote(text)} is none of {names}; {error}") from None
    return text


def _game() -> None:
    rules = Rules.official(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    hint = hint_rank(1, game.hands[1][0].rank)
    game.touched(hint)
    if game.is_legal(hint):
        game = game.apply(hint)
    len(game.legal_actions)
    game.is_playable(game.hands[0][0])
    str(game.score)


def _winnable() -> None:
    from hanabi.solvers import Position, Workspace, highest_goal, labelled, warm_up

    warm_up()
    rules = Rules(spec=DeckSpec.uniform(1, 3, 1), seats=2, hand_size=1)
    position = Position.start(rules, [(0, 1), (0, 2), (0, 3)])
    labelled(Workspace(position, highest_goal(rules)), 1, 0, 1)


def _chances() -> None:
    from hanabi.solvers import judge, open_chances

    rules = Rules(spec=DeckSpec.uniform(1, 3, 2), seats=2, hand_size=2, hints=1)
    game = Game.start(rules, rules.spec.shuffle(seed=0))  # in which signals are counted
    open_chances(game)
    judge(game.view(0))


def _solitaire() -> None:
    from hanabi.solitaire import COMPILED_FROM, Instance, Layers, few_values, single_color, unique

    layers = Layers(Instance(0, [(0, 1), (0, 1)]), 1, 1, 0)
    while layers.advance() is None:
        pass
    layers.winning_copies()
    rising = [(0, value) for value in range(1, COMPILED_FROM + 1)]
    two_values = [(color, value) for color in range(COMPILED_FROM // 2) for value in (1, 2)]
    for step in (1, -1):
        single_color.solve(Instance(0, rising[::step]))
        unique.solve(Instance(0, rising[::step]))
        few_values.solve_forced(Instance(0, two_values[::step]))
    # Two colors for each of which the last one leaves no window.
    lost = [(0, 2), (1, 2), (0, 1), (1, 1)] + [(0, 3), (1, 3)] * (COMPILED_FROM // 2)
    few_values.solve_two_sat(Instance(1, lost))


def _hints() -> None:
    import numpy as np

    from hanabi.solvers import partition_many

    partition_many(np.ones((1, 1), np.int64), hints=1)


def _count() -> None:
    from hanabi.solitaire import least_hands

    least_hands([(2, 1)], range(2), seed=1, first=0, size=1)


def _env() -> None:
    from hanabi.env import Expert, VectorEnv

    Expert("random").play(1)
    env = VectorEnv(1)
    env.reset(decks=[env.rules.spec.shuffle(seed=1)])
    env.step(env.draw_actions())
    len(env.scores)


def _play(player: Player) -> None:
    rules = Rules.hanab_live(2)
    if getattr(inner_of(player), "needs_open_hands", False):
        rules = replace(rules, open_hands=True)
    policy = player.compiled(rules) if isinstance(player, CompiledPlayer) else None
    if policy is not None:
        play_deals(policy, rules, (0, 0), 0, 0)
        if isinstance(player, Endgame):  # `hanabi difficulty` has them play given decks
            play_decks(policy, rules, [], 0)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    for _ in range(2):
        view = game.view(game.seat_to_act)
        action = player.act(view, Stream(0))
        why_of(player, view, action)
        game = game.apply(action)


_CALLS = {
    "game": _game,
    "solve": _winnable,
    "chances": _chances,
    "solitaire": _solitaire,
    "hints": _hints,
    "count": _count,
    "env": _env,
}

_LONGEST = (
    "game", "information", "solve", "rule-based", "convention", "endgame/information", "rollouts",
    "endgame/convention", "belief/information", "uct", "belief/convention", "monte-carlo",
    "endgame/rule-based", "solitaire",
)  # fmt: skip
_PLAYERS = [text for entry in ENTRIES if hasattr(entry.kind, "compiled") for text in entry.texts]

PARTS = (*_LONGEST, *(part for part in (*_CALLS, *_PLAYERS) if part not in _LONGEST))
"""Everything that is compiled by default. Each other player is a part, too. The parts that take
longest come first, so that all processes end at about the same time; `game` comes before all that
needs it."""


def compile_command(*parts: str, workers: Workers = None) -> int:
    """Precompile everything, so that no command has to wait for the compiler.

    Compiled code is stored for all later runs. Existing code is not compiled again.

    Parameters
    ----------
    parts
        Compile only these: game, solve, solitaire, hints, count, env, or players such as
        endgame/information.
    """
    import time

    from hanabi.ground import open_executor

    wanted = tuple(dict.fromkeys(map(parse_part, parts))) or PARTS
    screen, took = Screen(), dict[str, float]()
    started = time.monotonic()
    COMPILING.listener = None  # the lines below say more
    with ProgressLine() as progress, open_executor("processes", workers) as pool:

        def emit(part: str, seconds: float) -> None:
            took[part] = seconds
            if seconds:
                _check_that_it_is_kept()
                with progress.aside():
                    screen.line(f"{part:20} {seconds:6.1f} s")
                    sys.stdout.flush()
            progress(
                f"compiling: {len(took)} of {counted(len(wanted), 'part')}", len(took), len(wanted)
            )

        progress("compiling", 0, len(wanted))
        compile_ahead(wanted, pool, emit)
    passed = f"{time.monotonic() - started:.1f} s"
    if any(took.values()):
        compiled = f"{sum(took.values()):.1f} s"
        screen.line(f"everything is ready after {passed}; the compiler took {compiled}")
    else:
        screen.line(f"everything was ready: {counted(len(wanted), 'part')}, loaded in {passed}")
    return 0


def _check_that_it_is_kept() -> None:
    from hanabi.ground import cache_problem

    problem = cache_problem()
    if problem is not None:
        raise HanabiError(problem)
