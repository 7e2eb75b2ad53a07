"""The `hanabi` command: its subcommands, and what becomes of errors.

Commands are registered by name and imported when they run, so that `hanabi --help` stays quick.
Bad input ends with status 2 and one line on standard error.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence

from cyclopts import App, Parameter
from cyclopts.exceptions import CycloptsError

from hanabi._version import __version__
from hanabi.cli.examples import EXAMPLES
from hanabi.cli.output.terminal import BAD_INPUT, complain
from hanabi.errors import HanabiError, printable

__all__ = ["app", "main"]

INTERRUPTED = 130
PIPE_CLOSED = 141

_MESSAGE_LENGTH = 1000

app = App(
    name="hanabi",
    help="The exact laboratory for the card game Hanabi.",
    version=f"hanabi {__version__}",
    help_format="plaintext",  # Markdown would import a parser of 80 ms
    version_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)
_COMMANDS = {
    "solve": "Decide whether a deck can be won, and show how.",
    "show": "Print a game move by move.",
    "review": "Say what could still be scored at every move of a game, and what lost it.",
    "link": "Make a hanab.live replay link of a game, a deck or an answer.",
    "verify": "Check a play move by move; name the first rule that it breaks.",
    "deck": "Print random decks; the same seed gives the same decks.",
    "reduce": "Turn a formula into cards that can be won exactly if it is satisfiable.",
    "sat": "Decide a formula by way of cards, and print a satisfying assignment.",
    "explain": "Explain the cards of a reduced formula, in words and as a picture.",
    "count": "Count the shuffled decks that can be won.",
    "partition": "Split the hints for a hand into sets that surely hold a possible one.",
    "players": "List who can play, with parameters and defaults.",
    "play": "Let players play one game, and show it.",
    "simulate": "Let players play many games; say how they score.",
    "tournament": "Let players play with their like, and as strangers in each other's teams.",
    "atlas": "Say how many deals of variants of hanab.live can be won.",
    "paper": "Repeat a published table or figure beside the printed numbers.",
    "compile": "Compile everything ahead, so that no command has to wait for it.",
    "results": "List, show or export the results that a store keeps.",
}
_EPILOGUES = {
    "solve": "Many inputs at once (a folder, a .jsonl file, several JSON objects one a line, an"
    ' array of them, or {"decks": [...]}) give one JSON line each, in order.',
    "verify": "Exits with 0 if the play wins, with 1 if it does not.",
}
_USAGES = {
    name: f"hanabi {name} [OPTIONS] PLAYER..." for name in ("play", "simulate", "tournament")
}


def _epilogue(name: str) -> str:
    examples = "\n".join(f"  {each}" for each in EXAMPLES[name])
    return "\n\n".join(filter(None, (_EPILOGUES.get(name), f"For example:\n{examples}")))


for _name, _help in _COMMANDS.items():
    app.command(
        f"hanabi.cli.{_name}:{_name}_command",
        name=_name,
        help=_help,
        help_epilogue=_epilogue(_name),
        usage=_USAGES.get(_name),
    )
app.register_install_completion_command(help="Let the shell complete commands and options.")


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
        result = app(
            sys.argv[1:] if arguments is None else list(arguments),
            exit_on_error=False,
            print_error=False,
        )
        sys.stdout.flush()
    except CycloptsError as error:
        error.verbose = False
        complain(f"error: {_short(' '.join(str(error).split()))} Try 'hanabi --help'.")
        return BAD_INPUT
    except HanabiError as error:
        complain(f"error: {_short(str(error))}")
        return BAD_INPUT
    except MemoryError:
        complain("error: out of memory; --memory sets a limit that is answered, not hit")
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
    finally:
        _tell_of_the_cache()
    return result if isinstance(result, int) else 0


def _describe(error: OSError) -> str:
    if error.errno == errno.EBADF and error.filename is None:
        return "standard input or output is closed"
    return str(error)


def _tell_of_the_cache() -> None:
    """Say why the next run will compile again, if it will."""
    kernels = sys.modules.get("hanabi.compiled")  # not imported if nothing was compiled
    problem = getattr(kernels, "cache_problem", lambda: None)()
    if problem is not None:
        complain(f"note: {problem}; every run compiles the solvers anew")


def _short(message: str) -> str:
    """Return a message cut to what can be read; messages quote briefly, libraries' may not."""
    return printable(message, _MESSAGE_LENGTH)
