"""Players in other programs: lines of JSON over standard input and output (docs/bots.md).

A process serves one seat of one game at a time. Processes are kept for later games, and end with
this one.
"""

from __future__ import annotations

import atexit
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import lru_cache
from math import ceil, inf
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self

from hanabi._version import __version__
from hanabi.conventions import QUESTIONS
from hanabi.ground import (
    InvalidInputError,
    PlayerError,
    Stream,
    bare,
    digest_of,
    naming,
    printable,
    quote,
)
from hanabi.players.own import Own
from hanabi.players.protocol import Finishing, ForfeitError, Player, Wrapper
from hanabi.rules import (
    Action,
    Card,
    Event,
    View,
    action_from_json,
    action_text,
    as_array,
    as_integer,
    as_items,
    as_object,
    deal_from_json,
    deal_to_json,
    event_text,
    is_integer,
    load,
    rules_to_json,
    show,
    table_to_json,
    text_of_json,
)

if TYPE_CHECKING:
    from hanabi.rules import Rules

__all__ = ["PREFIX", "PROTOCOL", "RANDOM", "SECONDS", "Process", "process_player", "with_terms"]

PREFIX = "process:"
"""The beginning of a text that names a process; the rest is its command."""

PROTOCOL = 1
"""The version of the protocol."""

SECONDS = 60.0
"""The default limit of time for each answer."""

RANDOM = 1 << 53
"""The random numbers of turns are below this one, so that every language can read them."""

_LONGEST_LINE = 1_000_000  # bytes
_LONGEST_NOTE = 500
_LONGEST_COMMAND = 100  # characters in messages
_LONGEST_ERROR = 200  # characters in messages
_KEPT_ERRORS = 2_000  # bytes of standard error
_LARGEST_SOURCE = 16 << 20  # larger files are named by their size and time alone
_READ = 1 << 16
_MOST_NOTES = 10_000
_PATIENCE = 0.5  # seconds for processes to end by themselves once their input has ended
_ENDING = 10.0  # seconds for a process to be gone: one that has closed its output, or is ended
_LONGEST_WAIT = 86_400.0  # seconds of one wait; `poll` takes no more than 24 days


def process_player(command: str, *, seconds: float | None = SECONDS, forfeits: bool = False) -> Own:
    """Return the player that a program is, which speaks the protocol of docs/bots.md.

    Parameters
    ----------
    command
        The program and its arguments, split as a shell would; no shell runs it.
    seconds
        The limit for each answer; None for no limit.
    forfeits
        Whether a failure forfeits the game, which then scores 0. Otherwise it is an error.

    Raises
    ------
    InvalidInputError
        If the command is empty or cannot be split, there is no such program, or the limit is not
        positive and finite.

    >>> process_player("no-such-program --fast")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'process:no-such-program --fast': no program
    'no-such-program'
    """
    with naming(quote(PREFIX + command)):
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise InvalidInputError(f"{error}") from None
        if not words or "\0" in command:
            raise InvalidInputError("name a program, as in process:node my_bot.js")
        if seconds is not None and not 0 < seconds < inf:
            raise InvalidInputError(f"seconds = {quote(seconds)} is not positive and finite")
        if shutil.which(words[0]) is None:
            raise InvalidInputError(f"no program {quote(words[0])}")
    terms = f"forfeits, {seconds:g} s, " if forfeits and seconds else "forfeits, " * forfeits
    name = f"{PREFIX}{printable(command)} ({terms}{_digest(words)})"
    return Own(name, Process(command, seconds, forfeits))


def with_terms(player: Player, *, seconds: float | None, forfeits: bool) -> Player:
    """Return a player with other terms for the program that it is, or that it improves.

    >>> from hanabi.players import FirstLegal
    >>> with_terms(FirstLegal(), seconds=1, forfeits=True)
    FirstLegal()
    """
    if isinstance(player, Wrapper):
        return player.around(with_terms(player.inner, seconds=seconds, forfeits=forfeits))
    if isinstance(player, Own) and isinstance(player.player, Process):
        return process_player(player.player.command, seconds=seconds, forfeits=forfeits)
    return player


def _digest(words: list[str]) -> str:
    """Return the hash of a command's words, and of the files that they name."""
    sources = []
    for word in [shutil.which(words[0]) or words[0], *words[1:]]:
        content, file = b"", Path(word)
        with suppress(OSError, ValueError):
            if file.is_file():
                about = file.stat()
                is_large = about.st_size > _LARGEST_SOURCE
                content = str(about).encode() if is_large else file.read_bytes()
        sources.append((file.name if content else word, content))
    return digest_of(sources)


class Process(Finishing):
    """A program at one seat of one game.

    Parameters
    ----------
    command, seconds, forfeits
        As for `process_player`.
    """

    def __init__(self, command: str, seconds: float | None, forfeits: bool) -> None:
        self.command = command
        self._terms = command, seconds, forfeits
        self._words, self._seconds, self._forfeits = _words_of(command), seconds, forfeits
        self._limit = text_of_json(seconds)
        self._link: _Link | None = None
        self._waiting: list[Event] = []  # to send with the next turn
        self._past: list[str] = []  # all events sent, as texts
        self._begin = ""  # the entries of a game's start, as a text; empty before it is sent
        self._level = ""  # the entry of a game's start about conventions
        self._position: tuple[View, int] | None = None  # the one that it is asked about

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), self._terms

    def __deepcopy__(self, _: object) -> Self:
        return type(self)(*self._terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Process) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(self._terms)

    def start(self, _: Rules, __: int, /) -> None:
        """Begin a game."""
        self._position, self._level = None, ""
        self._past.clear()
        self._waiting.clear()
        self._begin = ""

    def observe(self, event: Event, /) -> None:
        """Keep an event for the program's next turn, or for the end."""
        self._waiting.append(event)

    def act(self, view: View, rng: Stream, /) -> Action:
        """Send what has happened, and return the program's action.

        Raises
        ------
        PlayerError, ForfeitError
            If the program fails in any way; names the turn.
        """
        turn = view.turn
        try:
            link, messages = self._link_for(view)
            legal = ",".join(map(action_text, view.legal_actions))
            whole = f',"view":{self._whole(view, legal)}' if link.wants_views else ""
            messages.append(
                f'{{"type":"turn","turn":{turn},"random":{rng.below(RANDOM)}'
                f',"seconds":{self._limit}{whole},"legal":[{legal}]}}'
            )
            action, note = _answer(link.ask(messages, self._seconds), view, turn)
        except (_FailedError, InvalidInputError) as error:
            self._fail(f"turn {turn + 1}, seat {view.seat}: ", error)
        if note is not None:
            if len(_notes) >= _MOST_NOTES:
                _notes.clear()
            _notes[self._words, view] = action, note
        return action

    def answer(
        self, view: View, level: int, what: str, card: int
    ) -> list[Card] | list[int] | Action | None:
        """Return what a seat would do, or thinks of its hand, by conventions up to a level.

        `what` is one of `QUESTIONS`, else the action is asked for. None if it answers no such.
        """
        if self._position != (view, level):
            self.start(view.rules, view.seat)
            self._position, self._level = (view, level), f',"level":{level}'
            self._waiting += view.events
        if what not in QUESTIONS:
            return self.act(view, Stream(0))
        try:
            link, messages = self._link_for(view)
            if what not in link.answers:
                link.tell(messages, self._seconds)
                return None
            ask = {"type": "ask", "turn": view.turn, "what": what, "card": card}
            return _thought(link.ask([*messages, text_of_json(ask)], self._seconds), view, what)
        except (_FailedError, InvalidInputError) as error:
            self._fail(f"{what}, turn {view.turn + 1}, seat {view.seat}: ", error)

    def why(self, view: View, action: Action, /) -> str | None:
        """Return the note that the program sent with this action, or None.

        If it has not decided about this view in this process, it is asked.
        """
        if (self._words, view) not in _notes and view.is_to_act:
            self.act(view, Stream(0))
        taken, note = _notes.get((self._words, view), (None, None))
        return note if taken == action else None

    def finish(self, view: View, /) -> None:
        """Send the rest of the events, and that the game is over."""
        end = view.end_reason.name.lower() if view.is_over else "waiting"
        over = {"type": "over", "score": view.score, "end": end}
        try:
            link, messages = self._link_for(view)
            link.tell([*messages, text_of_json(over)], self._seconds)
        except _FailedError as error:
            self._fail(f"the end, seat {view.seat}: ", error)
        self._release()

    def _link_for(self, view: View) -> tuple[_Link, list[str]]:
        """Return the link to a process, and the messages that it has not been sent yet."""
        if self._link is None:
            self._link = _Link.take(self._words, self._seconds)
        messages = []
        if not self._begin:
            deal = text_of_json(deal_to_json(view))
            self._begin = f'"rules":{_rules_text(view.rules)},"deal":{deal}'
            seats = f'"seat":{view.seat},"first_seat":{view.first_seat}{self._level}'
            messages.append(f'{{"type":"start",{seats},{self._begin}}}')
        texts = list(map(event_text, self._waiting))
        self._waiting.clear()
        self._past += texts
        messages += [f'{{"type":"event",{text[1:]}' for text in texts]
        return self._link, messages

    def _whole(self, view: View, legal: str) -> str:
        """Return the JSON of a view, with the texts that have been made before."""
        past = ",".join(self._past)
        now = text_of_json(table_to_json(view))[:-1]
        return f'{now},{self._begin},"events":[{past}],"legal":[{legal}]}}'

    def _fail(self, when: str, error: Exception) -> NoReturn:
        told = f"{when}{PREFIX}{printable(self.command, _LONGEST_COMMAND)}: {error}"
        if self._link is not None:
            said = self._link.end()
            self._link = None
            told += said
        raise (ForfeitError if self._forfeits else PlayerError)(told) from None

    def _release(self) -> None:
        """Keep the process for another game."""
        if self._link is not None:
            self._link.release()
            self._link = None

    def __del__(self) -> None:
        # A search leaves games unfinished; the process forgets them at the next start.
        with suppress(Exception):  # this process may be about to end
            self._release()


_words_of = lru_cache(lambda command: tuple(shlex.split(command)))


@lru_cache
def _rules_text(rules: Rules) -> str:
    return text_of_json(rules_to_json(rules, is_full=True))


# An answer without a note and with its entries in this order: it is JSON if the action is, which is
# read strictly. All other answers are read strictly as a whole.
_PLAIN = re.compile(rb'\{"type": ?"action", ?"turn": ?([0-9]+), ?"action": ?(\{[ -z|~]*\})\}')


@lru_cache(maxsize=1024)
def _action_in(text: bytes) -> Action | None:
    """Return the action in JSON, None if it is none; programs write the same ones repeatedly."""
    with suppress(InvalidInputError):
        return action_from_json(load(text.decode()))
    return None


_notes: dict[tuple[tuple[str, ...], View], tuple[Action, str]] = {}


def _answer(line: bytes, view: View, turn: int) -> tuple[Action, str | None]:
    """Return the action and the note in an answer to a turn."""
    plain, note = _PLAIN.fullmatch(line), None
    action = _action_in(plain[2]) if plain and plain[1] == b"%d" % turn else None
    if action is None:
        data = _message(line, "action", turn)
        action, note = action_from_json(data.get("action")), data.get("why")
    if action not in view.legal_actions:
        raise InvalidInputError(f"{action} is not legal")
    if note is not None and not isinstance(note, str):
        raise InvalidInputError(f"why: {show(note)} is not a string")
    return action, None if note is None else printable(note, _LONGEST_NOTE)


def _thought(line: bytes, view: View, what: str) -> list[Card] | list[int]:
    """Return the cards in an answer to a question, or their numbers in the deck."""
    found = as_array(_message(line, "answer", view.turn).get(what), what)
    if what != "identities":
        return [as_integer(*each) for each in as_items(found, what)]
    cards = [card for card in deal_from_json([found], what)[0] if card is not None]
    if strange := set(cards) - view.rules.spec.counts().keys():
        raise InvalidInputError(f"{what}: {min(strange)} is not one of the rules")
    return cards


def _wants_views(hello: dict[str, object]) -> bool:
    """Return whether a program wants the whole view in each turn."""
    if not is_integer(hello.get("protocol"), PROTOCOL):
        raise InvalidInputError(f"protocol: {show(hello.get('protocol'))} is not {PROTOCOL}")
    return hello.get("view") is True


def _message(line: bytes, kind: str, turn: int | None = None) -> dict[str, object]:
    """Return the message in a line, which must be of a kind, and perhaps about a turn."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise InvalidInputError(f"{quote(line)} is not UTF-8") from None
    try:
        value = load(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{quote(text)} is not a line of JSON: {error}") from None
    data = as_object(value, "answer")
    if data.get("type") != kind:
        raise InvalidInputError(f"type: {show(data.get('type'))} is not '{kind}'")
    if turn is not None and not is_integer(data.get("turn"), turn):
        raise InvalidInputError(f"turn: {show(data.get('turn'))} is not {turn}")
    return data


class _FailedError(Exception):
    """The process gave no answer."""


class _Link:
    """A running process, and the pipes to it."""

    def __init__(self, words: tuple[str, ...], seconds: float | None) -> None:
        self.words = words
        self._input, self._said = bytearray(), bytearray()
        self.wants_views, self.answers = False, list[object]()
        watch, self._watched = os.pipe()
        try:
            # The child watches the pipe that only this process holds open, and runs the program.
            child = [sys.executable, "-S", "-P", bare.__file__, str(watch), str(os.getpid())]
            self._process = subprocess.Popen(  # noqa: S603 - a command that the user named
                [*child, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(watch,),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._watched)
            raise _FailedError(f"cannot be started: {error.strerror}") from None
        finally:
            os.close(watch)
        self._files = [self._process.stdin, self._process.stdout, self._process.stderr]
        self._in, self._out, self._err = (file.fileno() for file in self._files if file)
        for each in (self._in, self._out, self._err):
            os.set_blocking(each, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        _links.add(self)
        hello = {"type": "hello", "protocol": PROTOCOL, "program": f"hanabi {__version__}"}
        try:
            said = _message(self.ask([text_of_json(hello)], seconds), "hello")
            self.wants_views = _wants_views(said)
            self.answers = as_array(said.get("answers", []), "answers")
        except (_FailedError, InvalidInputError) as error:
            raise _FailedError(f"hello: {error}{self.end()}") from None

    @classmethod
    def take(cls, words: tuple[str, ...], seconds: float | None) -> _Link:
        """Return an idle process, or a new one."""
        idle = _idle.get(words, [])
        while idle:
            link = idle.pop()
            if link._process.poll() is None:
                return link
            link.end()
        return cls(words, seconds)

    def release(self) -> None:
        """Keep the process for `take`."""
        _idle.setdefault(self.words, []).append(self)

    def ask(self, messages: list[str], seconds: float | None) -> bytes:
        """Send messages, and return the next line."""
        if self._input:
            raise _FailedError(f"{quote(bytes(self._input))} was not asked for")
        self._exchange(messages, seconds, is_asked=True)
        line, _, rest = self._input.partition(b"\n")
        if rest:
            raise _FailedError(f"{quote(bytes(rest))} was not asked for")
        self._input.clear()
        return bytes(line)

    def tell(self, messages: list[str], seconds: float | None) -> None:
        """Send messages that have no answer."""
        self._exchange(messages, seconds, is_asked=False)

    def _exchange(self, messages: list[str], seconds: float | None, *, is_asked: bool) -> None:
        """Write messages, and read what the process writes meanwhile and, if asked, a line."""
        deadline = None if seconds is None else time.monotonic() + seconds
        output = self._write(memoryview("\n".join([*messages, ""]).encode()))
        is_late = False
        if output:
            self._poll.register(self._in, select.POLLOUT)
        try:
            while output or (is_asked and b"\n" not in self._input):
                if is_late:
                    self._complain(seconds)
                ready = self._ready(deadline)
                is_late = deadline is not None and time.monotonic() >= deadline
                for file in ready:  # what is there by now counts
                    if file != self._in:
                        self._read(file)
                        continue
                    output = self._write(output)
                    if not output:
                        self._poll.unregister(file)
        except BaseException:
            with suppress(KeyError):
                self._poll.unregister(self._in)
            raise

    def _complain(self, seconds: float | None) -> NoReturn:
        """Raise the error of a late answer."""
        half = f", only {quote(bytes(self._input))}" if self._input else ""
        raise _FailedError(f"no answer within {seconds:g} s{half}")

    def _ready(self, deadline: float | None) -> list[int]:
        """Wait for the process to read or write; return the pipes."""
        left = _LONGEST_WAIT if deadline is None else max(0.0, deadline - time.monotonic())
        return [file for file, _ in self._poll.poll(ceil(1000 * min(left, _LONGEST_WAIT)))]

    def _write(self, output: memoryview) -> memoryview:
        try:
            return output[os.write(self._in, output) :]
        except BlockingIOError:
            return output
        except OSError:
            raise _FailedError(self._ended()) from None

    def _read(self, file: int) -> None:
        try:
            data = os.read(file, _READ)
        except BlockingIOError:
            return
        if file == self._err:
            self._said += data
            del self._said[:-_KEPT_ERRORS]
            if not data:
                self._poll.unregister(file)
        elif not data:
            raise _FailedError(self._ended())
        else:
            self._input += data
            if len(self._input) > _LONGEST_LINE:
                start = quote(bytes(self._input))
                raise _FailedError(f"{start} is a line of more than {_LONGEST_LINE:,} bytes")

    def _ended(self) -> str:
        """Return how the process ended, or that it closed its output."""
        try:
            code = self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            return "its standard output is closed"
        died = signal.strsignal(-code) if code < 0 else f"exit code {code}"
        half = f", after {quote(bytes(self._input))}" if self._input else ""
        return f"it ended ({died}) without an answer{half}"

    def end(self) -> str:
        """End the process and all that it started; return what its standard error ends with."""
        self._unwatch()
        if sys.platform == "linux":  # the child ends all others first
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_ENDING)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError, _FailedError, ValueError):
            self._said += os.read(self._err, _READ)
        self.close()
        lines = self._said.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; its standard error ends with '{printable(last, _LONGEST_ERROR)}'" if last else ""

    def close(self) -> None:
        """Close all pipes."""
        _links.discard(self)
        for file in self._files:
            with suppress(OSError):
                if file is not None:
                    file.close()
        self._unwatch()

    def _unwatch(self) -> None:
        """Close the pipe that the child watches."""
        with suppress(OSError):
            os.close(self._watched)
        self._watched = -1

    def stop(self) -> None:
        """Close the input of the process, so that it ends by itself."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def wait(self, seconds: float) -> None:
        """Wait for the process to end, and then end it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, seconds))
        self.end()


_links: set[_Link] = set()  # so that no link is collected before its process has ended
_idle: dict[tuple[str, ...], list[_Link]] = {}


@atexit.register
def end_all() -> None:
    """End all processes that this one started; programs get a moment to end by themselves."""
    links, deadline = list(_links), time.monotonic() + _PATIENCE
    _idle.clear()
    for link in links:
        link.stop()
    for link in links:
        link.wait(deadline - time.monotonic())
