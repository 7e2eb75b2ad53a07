"""Your own players, loaded by text and named with a hash of their source code.

`./my_bot.py:MyPlayer` is a class in a file, `package.module:MyPlayer` an importable one; parameters
follow another colon. A player's name ends with a hash of its source, which is the file or the whole
package. So results of an edited player never mix with older ones.
"""

from __future__ import annotations

import importlib
import pickle
import re
import sys
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from hanabi.ground import (
    IllegalActionError,
    InvalidInputError,
    PlayerError,
    Stream,
    did_you_mean,
    digest_of,
    naming,
    quote,
    sources_below,
)
from hanabi.players.protocol import (
    CompiledPlayer,
    Player,
    Policy,
    Seatable,
    Seated,
    Turn,
    Wrapper,
    blaming,
    comes_with_package,
    copied,
    decision,
    inner_of,
    name_of,
    play_game,
    remembers,
    seated,
    text_of,
    turns,
    why_of,
)
from hanabi.rules import (
    Action,
    Game,
    Rules,
    View,
    missing_parameters,
    parameters_of,
    read_parameters,
    write_parameters,
)

if TYPE_CHECKING:
    from hanabi.rules import Rules

__all__ = [
    "Own",
    "check_acts",
    "decide_watched",
    "fresh_copy",
    "fresh_player",
    "is_own",
    "kind_of",
    "load_player",
    "module_of",
    "own_player",
    "play_and_ask_again",
    "play_watched",
]

_FORM = re.compile(r"(.*\.py|[^\W\d]\w*(?:\.\w+)*):(\w+)(?::(.*))?", re.DOTALL)
_SIMPLE = (bool, int, float)  # types whose values are equal if their texts are
_loaded: dict[str, Own] = {}


@dataclass(frozen=True, slots=True)
class Own(Seatable):
    """A player that does not come with this package, and its name.

    Other processes load the player again if it was loaded from a text; otherwise they receive a
    copy.
    """

    name: str
    player: Player = field(compare=False)
    text: str | None = field(default=None, compare=False)
    make: Callable[[], Player] | None = field(default=None, compare=False, repr=False)

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the player's action; one that remembers observes the events of the view first."""
        return (self.seated() if remembers(self.player) else self.player).act(view, rng)

    def seated(self) -> Player:
        """Return it for one seat of one game: a new one if it remembers, or else itself."""
        if not remembers(self.player):
            return self
        make = self.make if self.text is not None else None
        return Seated(self.player, self.name, make or partial(copied, self.player))

    def why(self, view: View, action: Action, /) -> str | None:
        """Return the player's sentence about an action, or None if it has no `why`."""
        return why_of(self.seated() if remembers(self.player) else self.player, view, action)

    def fresh(self) -> Own:
        """Return the same player before any decision, newly made or copied.

        A player that cannot be copied is returned itself.
        """
        if self.make is None:
            return Own(self.name, fresh_copy(self.player))
        with blaming(where=self.name):
            return Own(self.name, self.make())

    def compiled(self, rules: Rules, /) -> Policy | None:
        """Return the player's policy, if it has one."""
        if not isinstance(self.player, CompiledPlayer):
            return None
        with blaming(self.player):
            return self.player.compiled(rules)

    @property
    def needs_same_partners(self) -> bool:
        """Whether other partners mislead each of its seats differently; see `compile_team`."""
        return bool(getattr(self.player, "needs_same_partners", False))

    @property
    def draws_nothing(self) -> bool:
        """Whether it declares that it is deterministic; see `Belief`."""
        return bool(getattr(self.player, "draws_nothing", False))

    @property
    def needs_open_hands(self) -> bool:
        """Whether it declares that it must see its own cards."""
        return bool(getattr(self.player, "needs_open_hands", False))

    def __reduce__(self) -> tuple[Callable[..., Own], tuple[object, ...]]:
        if self.text is None:
            return Own, (self.name, self.player)
        return _load_again, (self.text, self.name)


def is_own(text: str) -> bool:
    """Whether a text has the form that names a player of your own.

    >>> is_own("./my_bot.py"), is_own("bots.mine:MyPlayer"), is_own("rule-based:hint=3")
    (True, True, False)
    """
    return _FORM.fullmatch(text) is not None or ".py" in text


def load_player(text: str) -> Own:
    """Return the player that a text names: a class in a file or a module, with parameters.

    A file is read each time, but run only once per content; a module is imported once.

    Raises
    ------
    InvalidInputError
        If there is no such file, module or class, or the class is not a player or has no such
        parameter.
    PlayerError
        If its code fails; names the place.

    >>> load_player("hanabi.players.baselines:FirstLegal").name
    'hanabi.players.baselines:FirstLegal (...)'
    """
    home, name, rest = _parts(text)
    kind, digest = _class_in(home, name)
    given = read_parameters(name, kind, rest or "")
    if missing := missing_parameters(kind, given):
        raise InvalidInputError(f"{quote(text)}: {name} needs {', '.join(missing)}")
    values = {each: given.get(each, at.default) for each, at in parameters_of(kind).items()}
    called = f"{Path(home).name}:{name}{write_parameters(values)} ({digest})"
    if called not in _loaded:
        make = partial(kind, **given)
        with blaming(where=f"{home}:{name}"):
            player = make()
        is_file = home.endswith(".py")
        there = f"{Path(home).resolve()}{text.removeprefix(home)}" if is_file else text
        _loaded[called] = Own(called, player, there, make)
    return _loaded[called]


def kind_of(text: str) -> type[Player]:
    """Return the class of a player in a file or a module, `module:Class`.

    Raises InvalidInputError and PlayerError as `load_player` does.

    >>> kind_of("hanabi.players.baselines:FirstLegal").__name__
    'FirstLegal'
    """
    home, name, _ = _parts(text)
    return _class_in(home, name)[0]


def module_of(home: str) -> ModuleType:
    """Return the module in a file whose name ends in .py, or the importable module of a name.

    Raises InvalidInputError and PlayerError as `load_player` does.

    >>> module_of("hanabi.players.baselines").__name__
    'hanabi.players.baselines'
    """
    return (_run if home.endswith(".py") else _import)(home)[0]


def _parts(text: str) -> tuple[str, str, str | None]:
    """Return the file or module, the class and the parameters that a text names."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise InvalidInputError(f"{quote(text)}: name a class, as in ./my_bot.py:MyPlayer")
    return match[1], match[2], match[3]


def _class_in(home: str, name: str) -> tuple[type[Player], str]:
    """Return the class of a player, and the hash of its source."""
    module, digest = _run(home) if home.endswith(".py") else _import(home)
    kind = getattr(module, name, None)
    if not isinstance(kind, type):
        players = _players_in(module)
        has = did_you_mean(name, players, "it has") if players else "; it has no player"
        raise InvalidInputError(f"{quote(home)} has no class {quote(name)}{has}")
    check_acts(kind, f"{home}:{name}")
    return kind, digest


def _load_again(text: str, name: str) -> Own:
    """Return the same player that another process has loaded."""
    own = _loaded.get(name) or load_player(text)
    if own.name != name:
        raise PlayerError(f"{text} is {own.name} here, not {name}: it was edited meanwhile")
    return own


def _run(home: str) -> tuple[ModuleType, str]:
    """Return the module of a file, and the hash of the content that was run."""
    try:
        file = Path(home).resolve()
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"{quote(home)}: {reason}") from None
    digest = digest_of([(file.name, content)])
    name = f"{file}@{digest}"
    if name not in sys.modules:
        module = sys.modules[name] = ModuleType(name)  # dataclasses look it up there
        module.__file__ = str(file)
        try:
            with blaming(where=home):
                exec(compile(content, file, "exec", dont_inherit=True), vars(module))  # noqa: S102
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name], digest


def _import(name: str) -> tuple[ModuleType, str]:
    """Return a module, which may be in the working directory, and the hash of its sources."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        with blaming(where=name):
            module = importlib.import_module(name)
    except PlayerError as error:
        cause = error.__cause__
        if isinstance(cause, ModuleNotFoundError) and f"{name}.".startswith(f"{cause.name}."):
            raise InvalidInputError(f"{quote(name)}: {cause}") from None
        raise
    return module, _digest_of_module(module)


def _digest_of_module(module: ModuleType) -> str:
    """Return the hash of a module's file, or of all sources of its package."""
    top = sys.modules.get(module.__name__.partition(".")[0], module)
    folders = getattr(top, "__path__", None)
    if folders is not None:
        return digest_of(source for each in folders for source in sources_below(Path(each)))
    file = Path(str(module.__file__))
    return digest_of([(file.name, file.read_bytes())])


def _players_in(module: ModuleType) -> list[str]:
    return [
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__ and hasattr(each, "act")
    ]


def check_acts(player: object, name: str) -> None:
    """Check that an object is a player.

    >>> check_acts(int, "my_bot.py:Number")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'my_bot.py:Number' is not a player: it has no act(view,
        rng)
    """
    if not callable(getattr(player, "act", None)):
        raise InvalidInputError(f"{quote(name)} is not a player: it has no act(view, rng)")
    with naming(quote(name)):
        remembers(player)


def fresh_copy(player: Player) -> Player:
    """Return a copy of a player, or itself if it cannot be copied."""
    with suppress(Exception):  # the player's objects may raise anything
        return deepcopy(player)
    return player


def own_player(player: Player) -> Own:
    """Return a player with its name: its class, its attributes, and a hash of its source.

    If the source is unknown, as for a class typed at a prompt, the hash is random: results are
    stored, but never found again.

    Raises
    ------
    InvalidInputError
        If an attribute cannot be pickled.

    >>> from hanabi.players import RandomLegal
    >>> own_player(RandomLegal()).name
    'hanabi.players.baselines:RandomLegal (...)'
    """
    kind = type(player)
    home, digest = _source_of(kind)
    name = f"{home}:{kind.__qualname__}{_state_of(player)} ({digest})"
    return Own(name, player, make=partial(fresh_copy, fresh_copy(player)))


@cache
def _source_of(kind: type) -> tuple[str, str]:
    """Return the name of the file or module of a class, and the hash of its source."""
    module = sys.modules.get(kind.__module__)
    file = Path(getattr(module, "__file__", None) or "")
    if module is None or not file.is_file() or getattr(module, kind.__qualname__, 0) is not kind:
        return kind.__module__, uuid.uuid4().hex[:16]
    is_script = module.__name__ == "__main__"
    return file.name if is_script else module.__name__, _digest_of_module(module)


def _state_of(player: object) -> str:
    """Return the attributes of a player as parameters, or a hash of them."""
    state: object = player.__getstate__()
    if is_dataclass(player):
        state = {each.name: getattr(player, each.name) for each in fields(player)}
    if state is None:
        return ""
    if isinstance(state, dict) and all(type(each) in _SIMPLE for each in state.values()):
        return write_parameters(state)
    try:
        return f":{digest_of([('', pickle.dumps(state))])}"
    except Exception as error:  # noqa: BLE001 (the player's objects may raise anything)
        kind = type(player).__name__
        raise InvalidInputError(f"{kind} holds what cannot be pickled: {text_of(error)}") from None


# Checks that players keep no state, by repeating their decisions with fresh players.
#
# Decisions must depend on views and streams alone. One player sits at all seats and at all
# tables, so state kept from one decision would change another one, and no game could be repeated.
# A player that remembers is new at each seat of each game, and a fresh one observes the events of
# the view before it decides: its memory must be made of nothing else.

_played: dict[tuple[tuple[Player, ...], Rules], int] = {}


def play_watched(team: Sequence[Player], game: Game, rng: Stream, number: int) -> Game:
    """Play a game as `play_game` does, and check some games with fresh players.

    Parameters
    ----------
    team, game, rng
        As for `play_game`.
    number
        Number of games that the caller has played with the team. The first game is checked. If all
        players of your own have names, so that fresh ones can be made at any time, the check covers
        the 1st, 10th, 100th, ... game of this process instead.

    Raises
    ------
    IllegalActionError, PlayerError
        As `play_and_ask_again`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> play_watched([FirstLegal()] * 2, game, Stream(1), 0).is_over
    True
    """
    theirs = [each for each in team if not comes_with_package(each)]
    if not theirs:
        return play_game(team, game, rng)
    if not all(isinstance(inner_of(each), Own) for each in theirs):
        return (play_game if number else play_and_ask_again)(team, game, rng)
    key = tuple(team), game.rules
    number = _played.get(key, 0) + 1
    is_due = str(number).strip("0") == "1"
    end = (play_and_ask_again if is_due else play_game)(team, game, rng)
    _played[key] = number  # not after an error, so that the next game is checked again
    return end


def play_and_ask_again(team: Sequence[Player], game: Game, rng: Stream) -> Game:
    """Play a game as `play_game` does, then repeat its decisions, last first, with fresh players.

    In this order, a fresh player has seen nothing of the game except its view.

    Raises
    ------
    PlayerError
        If a fresh player decides differently or fails; names the turn. A player may keep state as
        long as its decisions do not change. Other errors are those of `play_game`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> play_and_ask_again([FirstLegal()] * 2, game, Stream(1)).is_over
    True
    """
    fresh = {key: fresh_player(each) for key, each in {id(each): each for each in team}.items()}
    played = list(turns(team, game, rng))
    for turn in reversed(played):
        player = team[turn.before.seat_to_act]
        if not comes_with_package(player):
            _ask_again(fresh[id(player)], turn)
    return played[-1].after if played else game


def decide_watched(player: Player, game: Game, rng: Stream, unasked: Player) -> Action:
    """Return a player's action for the seat to act, and check it with a fresh player.

    Parameters
    ----------
    player, game, rng
        As for `decision`.
    unasked
        The same player, from which fresh ones are made; it never decides itself.

    Raises
    ------
    IllegalActionError, PlayerError
        As `play_and_ask_again`.

    >>> from hanabi.players import FirstLegal
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(decide_watched(FirstLegal(), game, Stream(1), FirstLegal()))
    play slot 0
    """
    turn = next(turns([player] * game.rules.seats, game, rng))
    if not comes_with_package(player):
        _ask_again(fresh_player(unasked), turn)
    return turn.action


def fresh_player(player: Player) -> Player:
    """Return a player that has made no decision yet, if possible.

    >>> from hanabi.players import FirstLegal
    >>> fresh_player(FirstLegal())
    FirstLegal()
    """
    if comes_with_package(player):
        return player
    if isinstance(player, Wrapper):
        return player.around(fresh_player(player.inner))
    return player.fresh() if isinstance(player, Own) else fresh_copy(player)


def _ask_again(player: Player, turn: Turn) -> None:
    cause: Exception | None = None
    stream = Stream(0)
    stream.state = turn.state
    try:
        action = decision(seated(player), turn.before, stream)
    except (PlayerError, IllegalActionError) as error:
        again, cause = f"a fresh one fails ({error})", error
    else:
        if action == turn.action:
            return
        again = f"a fresh one chose {action}"
    inner = inner_of(player)
    keeps = "a player may keep nothing between turns"
    if remembers(inner.player if isinstance(inner, Own) else inner):
        keeps = "a player that remembers may keep nothing but what start and observe give it"
    raise PlayerError(
        f"turn {turn.before.turn + 1}, seat {turn.before.seat_to_act}: {name_of(inner)} chose"
        f" {turn.action}, and {again}, asked with the same view and rng: {keeps}, and draw from"
        " nothing but rng"
    ) from cause
