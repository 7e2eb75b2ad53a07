"""The command as a process: `hanabi`, and `python -m hanabi`.

Here stands what concerns the process, before the rest is imported: its standard streams may be
closed, and an interrupt may come at any time. Only while Python itself starts, some 20 ms, does an
interrupt end in its traceback.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["main"]

_INTERRUPTED = 130
_BAD_INPUT = 2
_end = os._exit  # players are kept from it while they are asked


def main() -> int:
    """Run the command line on the arguments of this process, and return its exit status."""
    _replace_closed_streams()
    # A process that was started to ignore interrupts, as by nohup, goes on ignoring them.
    is_interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, _stop)
        sys.unraisablehook = _stop_if_interrupted
    try:
        from hanabi.front import main as run
    except ImportError as error:
        from hanabi.ground import without_package

        told = without_package(error)
        if told is None:
            raise
        sys.stderr.write(f"hanabi: error: {told}\n")
        return _BAD_INPUT
    try:
        if is_interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        status = run()
    except KeyboardInterrupt:  # one more, while the first was answered
        status = _INTERRUPTED
    if is_interruptible:
        signal.signal(signal.SIGINT, _stop)
    _flush()
    return status


def _stop(*_: object) -> None:
    """End at once, while there is nothing to clean up."""
    try:
        os.write(2, b"hanabi: interrupted\n")
    finally:
        _end(_INTERRUPTED)


def _stop_if_interrupted(ignored: sys.UnraisableHookArgs) -> None:
    """End after an interrupt that Python swallowed, as in destructors and while importing."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        _stop()
    sys.__unraisablehook__(ignored)


def _replace_closed_streams() -> None:
    """Take the places of closed standard streams, which the next file opened would get.

    Reading and writing there fail as they should; what goes to standard error is lost.
    """
    for place, (name, mode, access) in enumerate(
        (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, access)
            if opened == place:
                os.set_inheritable(place, True)
            else:
                os.dup2(opened, place)
                os.close(opened)
            setattr(sys, name, os.fdopen(place, mode))


def _flush() -> None:
    """Drop text that cannot be written: Python would report the error again at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
