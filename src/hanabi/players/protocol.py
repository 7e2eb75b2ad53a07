"""The protocols of players, games between them, and errors that name the player at fault."""

from __future__ import annotations

import os
import re
import select
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    TypeAlias,
    cast,
    runtime_checkable,
)

from hanabi.ground import (
    HanabiError,
    IllegalActionError,
    InvalidInputError,
    PlayerError,
    Stream,
    counted,
    printable,
    quote,
)
from hanabi.rules import Action, Audience, Event, Game, History, Said, View, action_of, heard

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.rules import Rules

__all__ = [
    "CompiledPlayer",
    "Finishing",
    "ForfeitError",
    "Player",
    "PlaysMany",
    "Policy",
    "Remembering",
    "Seatable",
    "Seated",
    "Turn",
    "Wrapper",
    "blaming",
    "blaming_policy",
    "comes_with_package",
    "copied",
    "decision",
    "decision_of",
    "inner_of",
    "name_of",
    "play_game",
    "remembers",
    "seated",
    "shown",
    "text_of",
    "turns",
    "why",
    "why_of",
]

Policy: TypeAlias = tuple[object, ...]
"""A record whose class selects compiled functions; see `hanabi.players.kernels.policy`."""


class Player(Protocol):
    """An agent that decides by its view, which holds the whole history, and its stream alone.

    The same player sits at every seat, and at many tables at once, so state kept between decisions
    would leak between seats. `hanabi.players.own` repeats decisions with fresh players to find
    such state. A player that is to keep state is `Remembering`.
    """

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`.

        Parameters
        ----------
        view
            Everything that the seat to act is allowed to know.
        rng
            The source of all randomness, so that games can be repeated. The seats of a game draw
            from the same stream.
        """
        ...


@runtime_checkable
class Remembering(Protocol):
    """A player that remembers: each seat of each game has its own one, newly made or copied.

    It decides by the rules, its seat, the events and the last view and stream alone, so that one
    made later, which is told the same events, decides alike. `hanabi.players.own` compares them.
    """

    def start(self, rules: Rules, seat: int, /) -> None:
        """Begin a game; nothing else is called before."""
        ...

    def observe(self, event: Event, /) -> None:
        """Take notice of one action of any seat, its own included.

        Before `act`, there has been one call for each of `view.actions`, in order. After the
        player's last turn, the calls follow for the rest of the game.
        """
        ...

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...


@runtime_checkable
class CompiledPlayer(Protocol):
    """A player with a compiled policy that takes the same decisions."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def compiled(self, rules: Rules, /) -> Policy | None:
        """Return a policy that decides as `act` does, or None if there is none.

        Raises
        ------
        InvalidInputError
            If the player does not support these rules.
        """
        ...


@runtime_checkable
class PlaysMany(Protocol):
    """A player that decides in many games at once, which is faster than one by one."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def play_many(
        self, team: Sequence[Player], rules: Rules, seeds: tuple[int, int], first: int, games: int
    ) -> npt.NDArray[np.int64]:
        """Play deals with a team of which it is a member.

        The outcomes are those of `hanabi.players.compiled.play_deals`, -1 for games that have to be
        played from views.
        """
        ...


@runtime_checkable
class Explaining(Protocol):
    """A player that can say why it takes an action."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""
        ...

    def why(self, view: View, action: Action, /) -> str | None:
        """Return why the player takes a legal action, in one sentence without the action.

        It depends on nothing but its arguments, so it can be asked about past moves, and about
        actions that the player would not take. A player around another one returns None if that
        one has no `why`.
        """
        ...


class Wrapper(ABC):
    """The base class of players that improve another one."""

    __slots__ = ()

    @property
    @abstractmethod
    def inner(self) -> Player:
        """The player to improve."""

    @abstractmethod
    def around(self, player: Player, /) -> Self:
        """Return the same wrapper around another player."""

    @abstractmethod
    def act(self, view: View, rng: Stream, /) -> Action:
        """Return one of `view.legal_actions`, as every player does."""


def inner_of(player: Player) -> Player:
    """Return the player that a wrapper improves, or any other player itself.

    >>> from hanabi.players import Endgame, FirstLegal
    >>> from hanabi.players.protocol import inner_of
    >>> inner_of(Endgame(FirstLegal())), inner_of(FirstLegal())
    (FirstLegal(), FirstLegal())
    """
    return player.inner if isinstance(player, Wrapper) else player


def remembers(player: object) -> bool:
    """Whether a player remembers: it has `start` and `observe` beside `act`.

    Raises
    ------
    InvalidInputError
        If it has only one of the two.

    >>> from hanabi.players import FirstLegal
    >>> remembers(FirstLegal())
    False
    """
    starts, observes = (callable(getattr(player, each, None)) for each in ("start", "observe"))
    if starts != observes:
        has, lacks = ("start", "observe(event)") if starts else ("observe", "start(rules, seat)")
        raise InvalidInputError(
            f"{name_of(player)} has {has}, but no {lacks}: a player that remembers has both"
        )
    return starts


class Seated:
    """A player that remembers, at one seat of one game.

    Parameters
    ----------
    player
        The player, which is never asked itself.
    make
        Makes the player that is asked, when its seat first has a turn or the game is over.
    """

    __slots__ = ("_history", "_make", "_observed", "_told", "name", "player")

    def __init__(self, player: Player, name: str, make: Callable[[], Player]) -> None:
        self.player, self.name, self._make = player, name, make
        self._history: History | None = None
        self._observed: int | None = None  # the number of events, None before the start
        self._told: list[Event] = []

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the player's action, after it has observed all that has happened."""
        return self.follow(view).act(view, rng)

    def tell(self, event: Event) -> None:
        """Take the next event of the game, so that it need not be found in the next view."""
        self._told.append(event)

    def follow(self, view: View) -> Player:
        """Let the player observe what is new in a view, and return it."""
        if self._observed is None:
            self.player, self._observed = self._make(), 0
            cast("Remembering", self.player).start(view.rules, view.seat)
        events = self._told
        if self._observed + len(events) != view.turn:  # nobody has told what happened
            if self._history is None:
                self._history = History(view.rules, view.seat, view.first_seat)
            self._history.extend(view)
            events = self._history.events[self._observed :]
        observe = cast("Remembering", self.player).observe
        for event in events:
            observe(event)
        self._observed += len(events)
        self._told.clear()
        return self.player

    def finish(self, view: View) -> None:
        """Let the player observe the end of the game."""
        player = self.follow(view)
        if isinstance(player, Finishing):
            player.finish(view)


class ForfeitError(PlayerError):
    """A failure of a player that forfeits the game, which scores 0, instead of ending the run."""


class Finishing(ABC):
    """A player of this package that has work to do when a game is over."""

    @abstractmethod
    def finish(self, view: View, /) -> None:
        """End the game of which this is the last view."""


class Seatable(ABC):
    """A player of this package that holds another one, which may remember."""

    __slots__ = ()

    @abstractmethod
    def seated(self) -> Player:
        """Return it for one seat of one game."""


def seated(player: Player) -> Player:
    """Return a player for one seat of one game: itself, unless it remembers.

    One that remembers is made anew when it is first asked, and observes the events of the view that
    it is asked about. So it can also be asked about deals that a search makes up.

    >>> from hanabi.players import FirstLegal
    >>> seated(FirstLegal())
    FirstLegal()
    """
    if isinstance(player, Seatable):
        return player.seated()
    if not remembers(player):
        return player
    return Seated(player, name_of(player), partial(copied, player))


def copied(player: Player) -> Player:
    """Return a copy of a player.

    Raises
    ------
    PlayerError
        If it cannot be copied.

    >>> from hanabi.players import FirstLegal
    >>> copied(FirstLegal())
    FirstLegal()
    """
    try:
        return deepcopy(player)
    except Exception as error:
        raise PlayerError(
            f"{name_of(player)} remembers, and cannot be copied for each seat: {text_of(error)}"
        ) from error


def name_of(player: object) -> str:
    """Return a player's name for messages: that of your own player, or else of the class.

    >>> from hanabi.players import FirstLegal
    >>> name_of(FirstLegal())
    'FirstLegal'
    """
    return str(getattr(player, "name", type(player).__name__))


def comes_with_package(player: object) -> bool:
    """Whether a player, including the one that it improves or holds, is part of this package.

    >>> from hanabi.players import FirstLegal
    >>> comes_with_package(FirstLegal()), comes_with_package(object())
    (True, False)
    """
    while _is_ours(player):
        player = getattr(player, "player", None)
        if player is None:
            return True
    return False


def _is_ours(player: object) -> bool:
    return type(player).__module__.partition(".")[0] == _PACKAGE.name


# Single games, in which players see the table through views.


def play_game(players: Sequence[Player], game: Game, rng: Stream) -> Game:
    """Play a game with one player per seat until nobody can act, and return its end.

    Players see the table through `Game.view`, and draw from `rng`.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats.
    IllegalActionError
        If a player chooses an illegal action.
    PlayerError
        If a player that does not come with this package fails; names the place in its code.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import RandomLegal, RuleBased
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([RuleBased(), RandomLegal()], game, Stream(1))
    >>> end.is_over
    True
    """
    for turn in turns(players, game, rng):
        game = turn.after
    return game


class Turn(NamedTuple):
    """A decision: the game and the random stream before it, the action, and the game after it.

    Attributes
    ----------
    before, after
        The game.
    state
        The state of the stream, before the player drew from it.
    action
        The player's action.
    """

    before: Game
    state: int
    action: Action
    after: Game


def turns(players: Sequence[Player], game: Game, rng: Stream) -> Iterator[Turn]:
    """Yield the turns of a game as `play_game` plays it.

    After the last one, players that remember observe the rest of the game.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(next(turns([FirstLegal()] * 2, game, Stream(1))).action)
    play slot 0
    """
    if len(players) != game.rules.seats:
        raise InvalidInputError(f"{len(players)} players for {game.rules.seats} seats")
    players = [seated(player) for player in players]
    told = _Told(players, game)
    while game.can_act:
        before, state = game, rng.state
        action = decision(players[game.seat_to_act], game, rng)
        game = game.apply(action)
        told.tell(game)
        yield Turn(before, state, action, game)
    for seat, player in enumerate(players):
        if isinstance(player, Seated):
            with blaming(player, when=f"the end, seat {seat}: "):
                player.finish(game.view(seat))


class _Told:
    """The events of a game, found once and told to each player that remembers."""

    def __init__(self, players: Sequence[Player], game: Game) -> None:
        self._seated = [
            (seat, player) for seat, player in enumerate(players) if isinstance(player, Seated)
        ]
        if self._seated:
            self._history = History(game.rules, None, game.first_seat)
            self.tell(game)

    def tell(self, game: Game) -> None:
        if self._seated:
            for event in self._history.extend(game):
                for seat, player in self._seated:
                    player.tell(event.seen_by(seat, game.rules))


def decision(player: Player, game: Game, rng: Stream) -> Action:
    """Return a player's action for the seat to act; errors are those of `play_game`.

    A player that remembers is `seated`.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(decision(FirstLegal(), game, Stream(1)))
    play slot 0
    """
    return decision_of(player, game.view(game.seat_to_act), rng)


def decision_of(player: Player, view: View, rng: Stream) -> Action:
    """Return a player's action for a view of the seat to act; errors are those of `play_game`.

    A player that remembers is `seated`. Whether the action is legal is not checked.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(decision_of(FirstLegal(), view, Stream(1)))
    play slot 0
    """
    now = f"turn {view.turn + 1}, seat {view.seat}: "
    with blaming(player, when=now):
        action = player.act(view, rng)
    try:
        return action_of(int(action.code))
    except Exception:  # noqa: BLE001 (the player's object may raise anything)
        raise IllegalActionError(f"{now}{shown(action)} is not an action") from None


# The reasons for actions, in words.

_LONGEST_REASON = 500


def why(player: Player, game: Game, turn: int, *, names: Sequence[str] = ()) -> str | None:
    """Return why a player takes the action of a turn in a game, in one sentence.

    The sentence depends on nothing but the view of the seat to act and the action, so past moves
    can be explained, too. If the player would not take the action, it names the one that it would
    take.

    Parameters
    ----------
    player
        The player. It need not have played the game.
    game
        The game, with its history.
    turn
        The number of the turn, from 0.
    names
        The seats' names, which replace `seat 0`, `seat 1`, ... in the sentence.

    Returns
    -------
    str or None
        None if the player has no `why`.

    Raises
    ------
    InvalidInputError
        If there is no such turn, the game has no history, or the player does not support its rules.
    PlayerError
        If a player that does not come with this package fails, or returns no text.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import RuleBased
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([RuleBased()] * 2, game, Stream(1))
    >>> print(end.actions[0], "because:", why(RuleBased(), end, 0))
    hint 1 to seat 1 because: names the next playable card that no hint has touched
    """
    if not 0 <= turn < len(game.actions):
        raise InvalidInputError(
            f"turn {quote(turn)} is not one of the game's {counted(len(game.actions), 'turn')}"
        )
    before = Game.start(game.rules, game.deck, first_seat=game.first_seat)
    for action in game.actions[:turn]:
        before = before.apply(action)
    said = why_of(player, before.view(before.seat_to_act), game.actions[turn])
    return None if said is None else said.to(Audience(names))


def why_of(player: Player, view: View, action: Action) -> Said | None:
    """Return a player's sentence about a legal action of the viewing seat, or None if it has none.

    Seats, slots and hints are parts of it, for `Said.to`. A player that does not come with this
    package returns plain text; they are found in it here, where no name has been put in yet.

    Raises
    ------
    PlayerError
        If a player that does not come with this package fails, or returns no text.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> why_of(FirstLegal(), view, view.legal_actions[0])
    'the first of 15 legal actions'
    """
    with blaming(player, when=f"turn {view.turn + 1}, seat {view.seat}: "):
        player = seated(player)
        explaining = player.follow(view) if isinstance(player, Seated) else player
        explain = getattr(explaining, "why", None)
        reason = None if explain is None else explain(view, action)
    if reason is None or isinstance(reason, Said):
        return reason
    if not isinstance(reason, str):
        raise PlayerError(f"{name_of(player)}: why returned {shown(reason)}, which is not a text")
    return heard(printable(reason, _LONGEST_REASON))


# Errors in players of your own, reported with the place in their code.

_PACKAGE = Path(__file__).parents[1]
_LONGEST_TEXT = 300
_BETWEEN = ("importlib", "numba")  # libraries that call the player's code on our behalf
_END_PROCESS = os._exit
# Numba writes in colors, and once more for each function that called the one that fails.
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_FAILED = re.compile(r"Failed in nopython mode pipeline \(step: [^)]*\)\s*")


class blaming:  # noqa: N801 (a context manager; as a class it costs half of a generator)
    """Raise a `PlayerError` for a failure in a user's player, with file, line and exception.

    Errors in the package itself and in its own players pass unchanged. So do interrupts, and the
    error raised when nobody reads standard output any more. Meanwhile `os._exit`, which would end
    the process silently, is an error.

    Parameters
    ----------
    player
        The player that decides; None for code that is about to create one.
    when
        The beginning of the message.
    where
        The place to report if the error has none.

    >>> with blaming(when="turn 3: "):
    ...     1 / 0
    Traceback (most recent call last):
    hanabi.ground.errors.PlayerError: turn 3: <doctest ...>:2: ZeroDivisionError: division by zero
    """

    __slots__ = ("_before", "_player", "_when", "_where")

    def __init__(self, player: object = None, when: str = "", *, where: str | None = None) -> None:
        self._player, self._when, self._where = player, when, where

    def __enter__(self) -> None:
        self._before, os._exit = os._exit, partial(_refuse_exit, os.getpid())

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        os._exit = self._before
        if error is None or isinstance(error, PlayerError | KeyboardInterrupt):
            return
        if comes_with_package(self._player):
            return
        place = _place(error) or self._where or getattr(self._player, "name", None)
        if place is not None and not _is_unread(error):
            raise PlayerError(f"{self._when}{place}: {text_of(error)}") from error


@contextmanager
def blaming_policy(team: Sequence[object]) -> Iterator[None]:
    """Raise a `PlayerError` for a failure in a user's policy, while it compiles or runs.

    >>> with blaming_policy([object()]):
    ...     1 / 0
    Traceback (most recent call last):
    hanabi.ground.errors.PlayerError: object: its policy fails: ZeroDivisionError: division by zero
    """
    try:
        yield
    except HanabiError:
        raise
    except Exception as error:
        theirs = [each for each in team if not comes_with_package(each)]
        if not theirs:
            raise
        message = f"{name_of(theirs[0])}: its policy fails: {text_of(error)}"
        raise PlayerError(message) from error


def text_of(error: BaseException) -> str:
    """Return an exception's kind and text on one line, even if its text raises.

    >>> text_of(KeyError("no weights"))
    "KeyError: 'no weights'"
    """
    message: object = error.msg if isinstance(error, SyntaxError) else error
    try:
        text = str(message)
    except Exception as failure:  # noqa: BLE001 (whatever their code raises)
        text = f"its text raises {type(failure).__name__}"
    name = type(error).__name__
    if type(error).__module__.partition(".")[0] == "numba":
        _, _, inner = _COLORS.sub("", text).rpartition("raised a specific error:")
        text = " ".join(_FAILED.sub("", inner).partition("During:")[0].split())
        text = text.removeprefix(f"{name}: ")
    return printable(f"{name}: {text}".rstrip(": "), _LONGEST_TEXT)


def shown(value: object) -> str:
    """Return a quotation of a value, or of its class if the value cannot be quoted.

    >>> shown(3)
    '3'
    """
    try:
        return quote(value)
    except Exception:  # noqa: BLE001 (whatever their code raises)
        return f"{type(value).__name__}(...)"


def _refuse_exit(process: int, status: int) -> NoReturn:
    """Replace `os._exit` while a player decides; processes that it forks end as usual."""
    if os.getpid() != process:
        _END_PROCESS(status)
    raise SystemExit(f"os._exit({status})")


def _is_unread(error: BaseException) -> bool:
    """Whether a pipe broke because nobody reads standard output any more, as after `| head`."""
    if not isinstance(error, BrokenPipeError) or not hasattr(select, "poll"):
        return False
    ends = select.poll()
    with suppress(OSError, ValueError, AttributeError):  # it is closed or is not a file
        ends.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in ends.poll(0))


def _place(error: BaseException) -> str | None:
    """Return the deepest file and line in the folder of the first code outside the package.

    Deeper frames may belong to libraries.
    """
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        return f"{_shown(Path(error.filename))}:{error.lineno}"
    places = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in _BETWEEN
    ]
    theirs = [place for place in places if not place[0].is_relative_to(_PACKAGE)]
    if not theirs:
        return None
    file, line = next(each for each in reversed(theirs) if each[0].parent == theirs[0][0].parent)
    return f"{_shown(file)}:{line}"


def _shown(file: Path) -> Path:
    """Return the name of a file, relative if it is below the working directory."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
