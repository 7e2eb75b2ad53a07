"""Threads inside an environment, threads around it, interrupts and forks."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from hanabi.env import VectorEnv, kernels
from hanabi.env.vector import Threads
from hanabi.ground.errors import InvalidInputError


@contextmanager
def interrupted() -> Iterator[Callable[[], None]]:
    """Raise KeyboardInterrupt in the main thread when the function that is yielded is called.

    It returns, in whichever thread, once the signal was sent.
    """
    begun, sent = threading.Event(), threading.Event()

    def interrupt() -> None:
        begun.wait()
        # To this thread: any other could take a signal to the process, and too late.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        sent.set()

    def now() -> None:
        begun.set()
        sent.wait()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        yield now
    finally:
        begun.set()
        thread.join()


@pytest.mark.parametrize("interrupting", [0, 2, 4])
def test_an_interrupt_is_raised_when_all_is_done(interrupting: int) -> None:
    threads, done = Threads(6, threads=3), list[tuple[int, int]]()
    with interrupted() as now:

        def work(first: int, last: int) -> int:
            if first == interrupting:
                now()
            time.sleep(0.1)  # a caller that does not wait would be found out
            done.append((first, last))
            return first

        with pytest.raises(KeyboardInterrupt):
            threads.share(work)
    assert sorted(done) == [(0, 2), (2, 4), (4, 6)]
    assert threads.share(lambda first, _: first) == [0, 2, 4]
    threads.close()
    assert threads.share(lambda first, _: first) == [0, 2, 4]


def test_an_interrupt_before_the_work_begins() -> None:
    threads, done = Threads(6, threads=3), list[tuple[int, int]]()

    def share() -> None:
        signal.raise_signal(signal.SIGINT)
        threads.share(lambda *ends: done.append(ends))

    with pytest.raises(KeyboardInterrupt):
        share()
    assert done == []
    assert threads.share(lambda first, _: first) == [0, 2, 4]
    threads.close()


def test_errors_of_any_range_are_raised_when_all_is_done() -> None:
    threads, done = Threads(4, threads=2), []

    def fail(first: int, _: int) -> int:
        if first == 0:
            raise ZeroDivisionError
        time.sleep(0.1)
        done.append(first)
        return first

    with pytest.raises(ZeroDivisionError):
        threads.share(fail)
    assert done == [2]
    assert threads.share(lambda first, _: first) == [0, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_step_that_was_interrupted_is_known(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next step does not blame actions that were chosen for what was seen before."""
    env, other = (VectorEnv(4, seed=1, threads=each) for each in (threads, 1))
    step = kernels.step_games
    env.step([5] * 4)
    with interrupted() as now:

        def slow(*args: object) -> None:
            step(*args)  # type: ignore[arg-type]
            now()

        monkeypatch.setattr(kernels, "step_games", slow)
        with pytest.raises(KeyboardInterrupt):
            env.step([5] * 4)
    monkeypatch.undo()
    with pytest.raises(InvalidInputError, match="the last step was interrupted: look"):
        env.step([0] * 4)
    seen = env.look()
    for _ in range(2):
        expected = other.step([5] * 4)
    assert (seen.observations == expected.observations).all()
    assert (env.step([5] * 4).observations == other.step([5] * 4).observations).all()


def test_two_threads_in_one_environment_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env, step = VectorEnv(2, seed=1), kernels.step_games
    is_in, may_go_on = threading.Event(), threading.Event()

    def slow(*args: object) -> None:
        is_in.set()
        may_go_on.wait()
        step(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(kernels, "step_games", slow)
    thread = threading.Thread(target=env.step, args=([5, 5],))
    thread.start()
    try:
        is_in.wait()
        for call in (env.look, env.reset, env.get_state, env.draw_actions, lambda: env.game(0)):
            with pytest.raises(InvalidInputError, match="another thread is in this environment"):
                call()
        with pytest.raises(InvalidInputError, match="another thread is in this environment"):
            _ = env.scores
    finally:
        may_go_on.set()
        thread.join()
    assert env.game(0).turn == env.game(1).turn == 1


def test_many_threads_break_nothing() -> None:
    env, failures = VectorEnv(50, seed=1, threads=2), []

    def play() -> None:
        for _ in range(200):
            try:
                env.step(env.draw_actions())
            except Exception as error:  # noqa: BLE001
                failures.append(error)

    threads = [threading.Thread(target=play) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    # Actions that were drawn before another thread's step may be illegal after it.
    assert {type(each).__name__ for each in failures} <= {"InvalidInputError", "IllegalActionError"}
    other = VectorEnv(50)
    other.set_state(env.get_state())  # the games are games


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.parametrize("after", ["nothing", "an interrupt"])
def test_a_fork_steps_on(after: str) -> None:
    """In a child process, so that one that hangs ends."""
    code = f"""
import os, signal, warnings
warnings.simplefilter("ignore")
from hanabi.env import VectorEnv
env = VectorEnv(6, seed=1, threads=2)
if {after == "an interrupt"}:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        pass
env.step([5] * 6)
child = os.fork()
env.step([5] * 6)
if child == 0:
    os._exit(0 if env.game(5).turn == 2 else 1)
_, status = os.waitpid(child, 0)
assert status == 0, status
assert env.game(5).turn == 2
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_fork_in_the_middle_of_a_step_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = VectorEnv(2, seed=1)
    env._begin()
    child = os.fork()
    if child == 0:
        try:
            env.look()
        except InvalidInputError as error:
            os._exit(17 if "forked in the middle of a step" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 17


def test_threads_end_with_their_environment() -> None:
    before = set(threading.enumerate())  # threads of other tests may end meanwhile
    env = VectorEnv(4, threads=3)
    env.step(np.full(4, 5))
    ours = set(threading.enumerate()) - before
    assert len(ours) == 3
    del env
    gc.collect()
    for thread in ours:
        thread.join(5)
    assert not any(thread.is_alive() for thread in ours)


def test_threads_that_cannot_be_started_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    with pytest.raises(InvalidInputError, match="threads = 2: can't start new thread"):
        VectorEnv(4, threads=2)
