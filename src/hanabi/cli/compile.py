"""`hanabi compile` precompiles everything, on all processors."""

from __future__ import annotations

import sys

from hanabi.cli.options import Workers
from hanabi.cli.terminal import ProgressLine, Screen
from hanabi.compiling import COMPILING
from hanabi.errors import HanabiError, counted

__all__ = ["compile_command"]


def compile_command(*parts: str, workers: Workers = None) -> int:
    """Precompile everything, so that no other command has to wait for the compiler.

    Compiled code is kept for all later runs. Code that is there already is not compiled again.

    Parameters
    ----------
    parts
        Compile only these: game, solve, solitaire, hints, count, env, or players such as
        endgame/information.
    """
    import time

    from hanabi.cli.ahead import PARTS, compile_ahead, parse_part
    from hanabi.workers.pool import open_executor

    wanted = tuple(dict.fromkeys(map(parse_part, parts))) or PARTS
    screen, took = Screen(), dict[str, float]()
    started = time.monotonic()
    COMPILING.listener = None  # it is said below
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
        screen.line(f"all is ready after {passed}; the compiler took {sum(took.values()):.1f} s")
    else:
        screen.line(f"all was ready: {counted(len(wanted), 'part')}, loaded in {passed}")
    return 0


def _check_that_it_is_kept() -> None:
    from hanabi.compiled import cache_problem

    problem = cache_problem()
    if problem is not None:
        raise HanabiError(problem)
