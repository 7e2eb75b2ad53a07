"""The `hanabi` command: its subcommands, and its handling of errors.

Commands are registered by name and imported when they run, so that `hanabi --help` stays quick.
Bad input ends with status 2 and one line on standard error.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from cyclopts import App, Group, Parameter
from cyclopts.exceptions import CycloptsError, UnusedCliTokensError

from hanabi._version import __version__
from hanabi.front.menu import COMMANDS, help_of, module_of
from hanabi.ground import (
    COMPILING,
    HanabiError,
    InvalidInputError,
    PlayerError,
    closest,
    did_you_mean,
    printable,
    quote,
    without_package,
)
from hanabi.shell import (
    BAD_INPUT,
    Color,
    FlowingHelp,
    colored_console,
    complain,
    in_options,
    use_color,
)

__all__ = ["app", "main"]

INTERRUPTED = 130
PIPE_CLOSED = 141
TRACEBACK = "HANABI_TRACEBACK"  # a variable of the environment
_COLOR = "--color"  # stands before or after the words of any command

_MESSAGE_LENGTH = 1000

Shell: TypeAlias = Literal["bash", "zsh", "fish", "powershell"]

app = App(
    name="hanabi",
    help="The exact laboratory for the card game Hanabi.",
    version=f"hanabi {__version__}",
    help_format="plaintext",  # Markdown would import a parser of 80 ms
    help_formatter=FlowingHelp(),
    version_flags=("--version", "-V"),
    version_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
for _place, (_title, _commands) in enumerate(COMMANDS.items()):
    _group = Group(_title, sort_key=_place)
    for _number, (_name, _command) in enumerate(_commands.items()):
        app.command(
            f"{module_of(_name)}:{_name}_command",
            name=_name,
            help=help_of(_name),
            help_epilogue=_command.epilogue,
            usage=_command.usage(_name),
            group=_group,
            sort_key=_number,
        )


@app.command(name="help", group=_group)
def _help(command: str | None = None, /) -> None:
    """Show the help of a command, or this one.

    Parameters
    ----------
    command
        The name of the command.
    """
    known = [name for name in app if not name.startswith("-")]
    if command is not None and command not in known:
        meant = did_you_mean(command, known) or f"; there are {', '.join(known)}"
        raise InvalidInputError(f"no command {quote(command)}{meant}")
    app.help_print([] if command is None else [command], console=colored_console())


@app.command(name=_COLOR, group=_group)
def _use_color(when: Color, /) -> None:
    """Color the output: auto (only in a terminal), always or never; goes with every command.

    Parameters
    ----------
    when
        always and never ignore the variable NO_COLOR, by which auto uses no color.
    """
    use_color(when)


@app.command(name="--install-completion", group=_group)
def _install_completion(*, shell: Shell | None = None) -> None:
    """Let the Tab key complete the words of `hanabi` in this shell, once it is restarted.

    Parameters
    ----------
    shell
        The shell. By default the one that runs this command.
    """
    from cyclopts.completion.detect import ShellDetectionError

    try:
        path = app.install_completion(shell=shell)
    except ShellDetectionError:
        shells = ", ".join(get_args(Shell))
        raise InvalidInputError(f"the shell is not known: give --shell, one of {shells}") from None
    sys.stdout.write(f"written: {path}; it is read when the shell starts\n")


for _flag in ("--help", "--version"):
    app[_flag].group = (_group,)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    arguments
        The words after `hanabi`; by default those of the process.

    >>> main(["--version"])
    hanabi ...
    0
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an ASCII terminal shows escapes
    try:
        use_color("auto")
        words, colors = _apart(sys.argv[1:] if arguments is None else arguments)
        for each in colors:
            _run(each)
        result = _run(words, console=colored_console() if colors else None)
        sys.stdout.flush()
    except UnusedCliTokensError as error:
        unused = " ".join(error.unused_tokens or ())
        complain(f"error: {_short(quote(unused))} is not expected here. Try 'hanabi --help'.")
        return BAD_INPUT
    except CycloptsError as error:
        error.verbose = False
        told = " ".join(str(error).split()) + _meant_option(error)
        complain(f"error: {_short(told)} Try 'hanabi --help'.")
        return BAD_INPUT
    except HanabiError as error:
        if isinstance(error, PlayerError) and os.environ.get(TRACEBACK):
            _tell_all(error)
        complain(f"error: {_short(in_options(error))}")
        return BAD_INPUT
    except MemoryError:
        complain("error: out of memory; --memory, where a command has it, sets a limit")
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # rich, which prints the help, makes one the other
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        complain(f"error: {_short(_describe(error))}")
        return BAD_INPUT
    except ImportError as error:
        missing = without_package(error)
        if missing is None:
            raise
        complain(f"error: {_short(missing)}")
        return BAD_INPUT
    finally:
        if COMPILING.was_told:
            complain(f"compiled for {COMPILING.seconds:.1f} s")
            COMPILING.was_told = False
        _tell_of_the_cache()
    return result if isinstance(result, int) else 0


def _run(words: Sequence[str], **settings: Any) -> object:
    return app(words, exit_on_error=False, print_error=False, **settings)


def _apart(arguments: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the words of the command, and apart from them each `--color` with its value.

    >>> _apart(["--color", "never", "solve", "-", "--color=auto"])
    (['solve', '-'], [['--color', 'never'], ['--color', 'auto']])
    """
    words, colors, rest = list[str](), list[list[str]](), iter(arguments)
    for word in rest:
        name, has_value, value = word.partition("=")
        if word == "--":  # all that follows is the command's
            words += [word, *rest]
        elif name == _COLOR:
            colors.append([_COLOR, value] if has_value else [_COLOR, *islice(rest, 1)])
        else:
            words.append(word)
    return words, colors


def _meant_option(error: CycloptsError) -> str:
    """Return a question about an unknown option in the place of an input, or ""."""
    if error.app is None or error.argument is None or not error.argument.tokens:
        return ""
    word = error.argument.tokens[0].value
    if not word.startswith("--") or "Unknown option" not in str(error):
        return ""
    known = [name for each in error.app.assemble_argument_collection() for name in each.names]
    meant = closest(word, known)
    return "" if meant is None else f" Did you mean {meant}?"


def _tell_all(error: PlayerError) -> None:
    """Write every frame of an error in a player, including those of worker processes."""
    for line in "".join(traceback.format_exception(error)).splitlines():
        with suppress(OSError):
            sys.stderr.write(f"{printable(line)}\n")


def _describe(error: OSError) -> str:
    if error.errno == errno.EBADF and error.filename is None:
        return "standard input or output is closed"
    return str(error)


def _tell_of_the_cache() -> None:
    """Explain why the next run will compile again, if it will."""
    kernels = sys.modules.get("hanabi.ground.compiled")  # not imported if nothing was compiled
    problem = getattr(kernels, "cache_problem", lambda: None)()
    if problem is not None:
        complain(f"note: {problem}; every run compiles the solvers anew")


def _short(message: str) -> str:
    """Return a message, cut if it is too long to read, as those of libraries may be."""
    return printable(message, _MESSAGE_LENGTH)
