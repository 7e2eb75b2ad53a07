"""The script of a bare child process, and the watch on the parent that every child keeps.

A `BareProcess` (`hanabi.workers.child`) runs this file, which calls one function of one other file.
With arguments, it becomes another program instead (`hanabi.players.process`).
The file imports little, and nothing of this package, so that a child starts at once.
"""

from __future__ import annotations

import json
import os
import sys
from array import array

__all__ = ["become", "end_with_parent"]

_end = os._exit  # `os._exit` is replaced while a player chooses an action
_LOOK = 1.0  # seconds between two checks of the parent


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
    """Become another program, which Linux ends, with all of its group, as soon as the pipe closes.

    On other systems the program must end by itself when its standard input does.
    """
    import signal

    _is_ended_by(pipe, -os.getpgrp())
    if os.getppid() != parent:
        _end(1)
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and the program would inherit that
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(words[0], words)  # noqa: S606 - a command that the user named
    except OSError as error:
        sys.exit(f"{words[0]}: {error.strerror}")


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
