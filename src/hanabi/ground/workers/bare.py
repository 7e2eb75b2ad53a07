"""The script of a bare child process, and the watch on the parent that every child keeps.

A `BareProcess` (`hanabi.ground.workers.child`) runs this file, which calls one function of one
other file. With arguments, it runs another program instead (`hanabi.players.process`). The file
imports little, and nothing of this package, so that a child starts at once.
"""

from __future__ import annotations

import json
import os
import sys
from array import array

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

__all__ = ["become", "end_with_parent"]

_end = os._exit  # `os._exit` is replaced while a player chooses an action
_LOOK = 1.0  # seconds between two checks of the parent
_SET_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl


def end_with_parent(parent: int, pipe: int | None = None) -> None:
    """End this process as soon as its parent has ended, whatever this process is doing.

    Parameters
    ----------
    parent
        The process number of the parent, as the parent knows it.
    pipe
        The descriptor of a pipe whose other end the parent holds open, and which carries no more
        input: input would end this process, too. Linux then ends this process the moment the
        parent dies, even while a solver holds the interpreter lock and no Python code can run.
        Without a pipe, and on other systems, a thread checks once a second.
    """
    if pipe is None or not _is_ended_by(pipe, os.getpid()):
        from threading import Thread

        Thread(target=_follow, args=(parent,), daemon=True).start()
    elif os.getppid() != parent:  # it died before the signal was set up
        _end(1)


def _is_ended_by(pipe: int, owner: int) -> bool:
    """Let a signal end a process when a pipe closes; return whether the system supports it.

    Nothing handles the signal, and its default action on Linux is to end the process. A negative
    owner is a group of processes.
    """
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        fcntl.fcntl(pipe, fcntl.F_SETOWN, owner)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    except OSError:
        return False
    return True


def _follow(parent: int) -> None:
    from time import sleep

    while os.getppid() == parent:
        sleep(_LOOK)
    _end(1)


def _limit_memory(memory: int | None) -> None:
    if memory is not None:
        try:
            import resource
        except ImportError:  # not on this system; the time budget still applies
            return
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        most = sys.maxsize if most == resource.RLIM_INFINITY else most
        # A limit above the hard one, or too large for the system, would raise an error.
        limit = min(memory, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def become(pipe: int, parent: int, words: list[str]) -> None:
    """Run another program, which ends, with all that it has started, as soon as the pipe closes.

    On Linux this process stays as the keeper of the program. It is told when a descendant loses its
    parent (a subreaper), so that it finds those that have left the program's group and session. It
    ends as the program has ended, and leaves no descendant. On other systems this process becomes
    the program, which must end by itself when its standard input does.
    """
    if sys.platform == "linux":
        try:
            from ctypes import CDLL
        except ImportError:  # Python was built without it
            pass
        else:
            control = CDLL(None).prctl
            if control(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
                _keep(pipe, words, control)
    _is_ended_by(pipe, -os.getpgrp())
    if os.getppid() != parent:
        _end(1)
    _exec(words)


def _exec(words: list[str]) -> NoReturn:
    import signal

    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and the program would inherit that
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(words[0], words)  # noqa: S606 - a command that the user named
    except OSError as error:
        sys.exit(f"{words[0]}: {error.strerror}")


def _keep(pipe: int, words: list[str], control: Any) -> NoReturn:
    """Start a program, wait for its end or the pipe's, end its descendants, and end as it did."""
    import select
    import signal

    os.set_inheritable(pipe, False)
    ended, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    keeper, program = os.getpid(), os.fork()
    if program == 0:
        control(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # should the keeper be killed
        if os.getppid() != keeper:
            _end(1)
        os.setsid()  # what the program sends to its own group does not reach the keeper
        _exec(words)
    null = os.open(os.devnull, os.O_RDWR)
    for file in (0, 1, 2):  # the program's own, which end with it
        os.dup2(null, file)
    events = select.poll()
    events.register(pipe, 0)  # the other end closes
    events.register(ended, select.POLLIN)
    status = None
    while status is None and pipe not in dict(events.poll()):
        os.read(ended, 1 << 10)
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == program:
                status = found[1]
                break
    _end_children()
    if status is None:
        _end(0)
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.set_wakeup_fd(-1)
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(keeper, number)
    _end(os.WEXITSTATUS(status))


def _end_children() -> None:
    """End all descendants: those whose parent ends become children of this process.

    Only children are killed, since no other process can have the number of a child by then. Those
    of another user stay.
    """
    out_of_reach: set[int] = set()
    while children := set(_children()) - out_of_reach:
        for child in children:
            try:
                os.kill(child, 9)
            except PermissionError:
                out_of_reach.add(child)
        for child in children - out_of_reach:
            os.waitpid(child, 0)


def _children() -> Iterator[int]:
    """Yield the processes whose parent is this one."""
    from pathlib import Path

    own = b"%d" % os.getpid()
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            about = file.read_bytes()
        except OSError:  # it has ended
            continue
        if about.rpartition(b")")[2].split()[1] == own:
            yield int(file.parent.name)


def main() -> None:
    """Read the request and its numbers, call the function, and write what it sends."""
    from importlib.machinery import SourceFileLoader
    from types import ModuleType

    # Whatever the called code prints goes to standard error.
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        orders = json.loads(sys.stdin.buffer.readline())
        sys.path[:] = orders["path"]
        _limit_memory(orders["memory"])
        numbers = array("i")
        numbers.fromfile(sys.stdin.buffer, orders["numbers"])
        end_with_parent(orders["parent"], pipe=0)
        module = ModuleType("called")
        SourceFileLoader(module.__name__, orders["file"]).exec_module(module)

        def send(answer: object, *parts: bytes) -> None:
            header = {"answer": answer, "sizes": [len(part) for part in parts]}
            output.write(json.dumps(header).encode() + b"\n" + b"".join(parts))
            output.flush()

        module.answer(orders["request"], numbers, send)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        become(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    main()
