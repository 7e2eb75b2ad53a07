"""The players of this package, players by name, and teams of players.

A text names a player with its parameters: `rule-based:hint=3,discard=2,play=0.6`. A wrapper, which
improves another player, precedes it: `endgame:budget=50/rule-based`. Name your own player by its
class, `./my_bot.py:MyPlayer` or `package.module:MyPlayer`, or by the name that its installed
package gives it. `process:node my_bot.js` is a program in any language: all that follows the colon
is its command.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

from hanabi.conventions import HGroup
from hanabi.ground import InvalidInputError, PlayerError, did_you_mean, quote
from hanabi.people import People
from hanabi.players.baselines import FirstLegal, RandomLegal
from hanabi.players.belief import Belief
from hanabi.players.cheating import Cheating
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.players.information import Information
from hanabi.players.monte_carlo import MonteCarlo, Rollouts, Uct
from hanabi.players.open_hands import OpenHands
from hanabi.players.own import Own, check_acts, is_own, load_player, own_player
from hanabi.players.process import PREFIX, process_player
from hanabi.players.protocol import (
    CompiledPlayer,
    Player,
    Policy,
    Wrapper,
    comes_with_package,
    inner_of,
    name_of,
    shown,
)
from hanabi.players.rule_based import RuleBased
from hanabi.players.rule_lists import Flawed, Iggi, Outer, Piers, VanDenBergh
from hanabi.players.smart import Smart
from hanabi.rules import parameters_of, read_parameters, takes_text, write_parameters

if TYPE_CHECKING:
    from hanabi.rules import Rules

__all__ = [
    "ENTRIES",
    "GROUP",
    "PLAYERS",
    "WRAPPERS",
    "Entry",
    "as_player",
    "compile_team",
    "format_player",
    "installed_players",
    "package_player",
    "parse_player",
    "settle_player",
]

GROUP = "hanabi.players"
"""The entry point group by which other installed packages add players.

A package declares them in its `pyproject.toml`, under `[project.entry-points."hanabi.players"]`:
`careful = "my_package.bots:Careful"`.
"""


def installed_players() -> dict[str, str]:
    """Return the classes of installed players, as `module:Class`, by name.

    Raises
    ------
    InvalidInputError
        If two packages give different classes the same name.

    >>> "rule-based" in installed_players()  # those that come with this package are not among them
    False
    """
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found: dict[str, str] = {}
    for each in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if found.setdefault(each.name, each.value) != each.value:
            raise InvalidInputError(
                f"two installed packages name a player {quote(each.name)}:"
                f" {found[each.name]} and {each.value}"
            )
    return found


@dataclass(frozen=True, slots=True)
class Entry:
    """The registration of a player of this package.

    Texts can name the player, and `hanabi players` lists it. The page offers it unless it needs
    open hands. `hanabi compile` compiles it if its class has `compiled`.

    Attributes
    ----------
    name
        The name in texts.
    kind
        The class; its fields are the parameters.
    around
        For a wrapper, the names of the inner players that it is offered and compiled with.
    """

    name: str
    kind: Callable[..., Player]
    around: tuple[str, ...] = ()

    @property
    def is_wrapper(self) -> bool:
        """Whether it is a wrapper, whose first field is the player to improve."""
        return isinstance(self.kind, type) and issubclass(self.kind, Wrapper)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the players that this entry offers.

        >>> Entry("endgame", Endgame, around=("random",)).texts
        ('endgame/random',)
        """
        if self.is_wrapper:
            return tuple(f"{self.name}/{inner}" for inner in self.around)
        return (self.name,)


ENTRIES = (
    Entry("first-legal", FirstLegal),
    Entry("random", RandomLegal),
    Entry("rule-based", RuleBased),
    Entry("iggi", Iggi),
    Entry("piers", Piers),
    Entry("flawed", Flawed),
    Entry("outer", Outer),
    Entry("van-den-bergh", VanDenBergh),
    Entry("smart", Smart),
    Entry("monte-carlo", MonteCarlo),
    Entry("rollouts", Rollouts),
    Entry("uct", Uct),
    Entry("information", Information),
    Entry("convention", Convention),
    Entry("cheating", Cheating),
    Entry("open-hands", OpenHands),
    Entry("hgroup", HGroup),
    Entry("people", People),
    Entry("endgame", Endgame, around=("rule-based", "convention", "information")),
    Entry("belief", Belief, around=("convention", "information")),
)
"""The registered players of the package."""

PLAYERS: Mapping[str, Callable[..., Player]] = MappingProxyType(
    {entry.name: entry.kind for entry in ENTRIES if not entry.is_wrapper}
)
"""The players of the package: each name's class, whose fields are its parameters."""

WRAPPERS: Mapping[str, Callable[..., Player]] = MappingProxyType(
    {entry.name: entry.kind for entry in ENTRIES if entry.is_wrapper}
)
"""Wrappers, whose first field is the player to improve."""

_NAMES = {entry.kind: entry.name for entry in ENTRIES}


def parse_player(text: str) -> Player:
    """Return the player that a text names, with the parameters after a colon.

    Omitted parameters have their defaults. Write `yes` or `no` for truth values. The player that a
    wrapper improves follows a slash; it cannot be a wrapper itself.

    Raises
    ------
    InvalidInputError
        If there is no such player or parameter, a parameter is given twice or has a wrong value, or
        a wrapper precedes a wrapper.

    >>> parse_player("rule-based:hint=2,safe=no").play
    0.6
    >>> parse_player("endgame:budget=50/rule-based:hint=2").player.hint
    2
    """
    if text.startswith(PREFIX):
        return process_player(text.removeprefix(PREFIX))
    own, slash, improved = text.partition("/")
    name, rest = _name(own), own.partition(":")[2]
    if name in WRAPPERS:
        if not slash:
            raise InvalidInputError(
                f"{quote(own)} improves a player: name it after a slash, as in {name}/rule-based"
            )
        if _name(improved) in WRAPPERS:
            raise InvalidInputError(
                f"{quote(text)}: no player searches inside a search; name one player after {name}/"
            )
        kind = WRAPPERS[name]
        return kind(parse_player(improved), **read_parameters(name, kind, rest))
    if name in PLAYERS:
        if slash and takes_text(PLAYERS[name], rest):  # the slash is in the name of a file
            return PLAYERS[name](**read_parameters(name, PLAYERS[name], text.partition(":")[2]))
        if slash:
            raise InvalidInputError(f"{quote(name)} does not improve another player")
        return PLAYERS[name](**read_parameters(name, PLAYERS[name], rest))
    installed = installed_players()
    if name in installed:
        return load_player(f"{installed[name]}{text.removeprefix(name)}")
    if is_own(text):
        return load_player(text)
    names = ", ".join([*PLAYERS, *(f"{wrapper}/PLAYER" for wrapper in WRAPPERS), *installed])
    meant = did_you_mean(name, [*PLAYERS, *WRAPPERS, *installed]) or (
        f"; there are {names}, and your own, as ./my_bot.py:MyPlayer or process:node my_bot.js"
    )
    raise InvalidInputError(f"no player {quote(text)}{meant}")


def package_player(text: str) -> Player | None:
    """Return the player of this package that a foreign text names, or None.

    Nothing else is loaded, and no file that the text names is read.

    >>> package_player("endgame/random"), package_player("./my_bot.py:MyPlayer")
    (Endgame(player=RandomLegal(), ...), None)
    >>> package_player("people:weights=us.json") is None
    True
    """
    kinds = {**PLAYERS, **WRAPPERS}
    parts = [(kinds.get(_name(part)), part.partition(":")[2]) for part in text.split("/")]
    if all(
        kind is not None and not any(f"{name}=" in given for name in getattr(kind, "files", ()))
        for kind, given in parts
    ):
        with suppress(InvalidInputError):
            return parse_player(text)
    return None


def as_player(given: str | Player | type[Player]) -> Player:
    """Return the player for a text, for a class (made without arguments), or for a player (itself).

    Raises
    ------
    InvalidInputError
        As `parse_player`, or if the argument is not a player.

    >>> as_player(FirstLegal)
    FirstLegal()
    """
    if isinstance(given, str):
        return parse_player(given)
    check_acts(given, getattr(given, "__name__", None) or repr(given))
    return given() if isinstance(given, type) else given


def settle_player(given: str | Player | type[Player]) -> str | Player:
    """Return a player in the form in which a plan stores it and sends it to other processes.

    The text of a player of this package stays a text. Other players are loaded now and keep their
    names, so you can continue to edit their sources.

    >>> settle_player("random")
    'random'
    """
    player = as_player(given)
    if isinstance(player, Own):
        return player
    if type(player) not in _NAMES:
        return own_player(player)
    if isinstance(player, Wrapper):
        improved = settle_player(player.inner)
        if isinstance(improved, Own):
            return player.around(improved)
    return given if isinstance(given, str) else player


def format_player(player: Player) -> str:
    """Return the text of a player, with all its parameters.

    Raises
    ------
    InvalidInputError
        If it is neither a player of this package nor an `Own`.

    >>> format_player(parse_player("rule-based:play=0.7"))[:40]
    'rule-based:hint=3,discard=2,play=0.7,use'
    """
    if isinstance(player, Own):
        return player.name
    name = _NAMES.get(type(player))
    if name is None:
        raise InvalidInputError(f"{quote(player)} has no name")
    values = {each: getattr(player, each) for each in parameters_of(type(player))}
    own = f"{name}{write_parameters(values)}"
    return f"{own}/{format_player(player.inner)}" if isinstance(player, Wrapper) else own


def _name(text: str) -> str:
    """Return the registered name of a player, with which its text begins."""
    return text.partition("/")[0].partition(":")[0]


# Teams that play in compiled code alone, by one policy made of those of all seats.


def compile_team(team: Sequence[Player | None], rules: Rules) -> Policy | None:
    """Return the policy of a team, or None if some player has none.

    A seat without a player is somebody else's: whoever plays the games never asks the policy there.

    Seats of the same player share a memory. An information player treats all hints as truthful
    sums, and subtracts the others' answers to find its own. If all seats do so, the result is the
    true answer, so one memory serves them all. With partners of other kinds the result may be
    anything, and differ between seats. Then each seat has its own memory, which follows what it
    sees.

    Raises
    ------
    InvalidInputError
        If a player does not support these rules.
    PlayerError
        If a player of your own fails, or returns no policy.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import FirstLegal, RandomLegal, RuleBased
    >>> compile_team([RandomLegal(), FirstLegal()], Rules.official(2)) is None
    True
    >>> type(compile_team([RandomLegal(), RuleBased()], Rules.official(2))).__name__
    'Mixed'
    """
    players = list[CompiledPlayer]()
    for player in [player for player in team if player is not None]:
        if not isinstance(player, CompiledPlayer):
            return None
        if player not in players:
            players.append(player)
    members = list[tuple[str, int, Policy]]()
    for player in players:
        policy = player.compiled(rules)
        if policy is None:
            return None
        _check_policy(policy, player)
        seats = [seat for seat, other in enumerate(team) if other == player]
        for bits, member in _members(policy, seats, is_apart=_is_misled(player, team)):
            members.append((_policy_name(member), bits, member))
    # The order is the same for any seating, so that few different teams are compiled.
    members.sort(key=lambda member: member[0])
    *others, (_, _, mixed) = members
    for _, bits, policy in reversed(others):
        from hanabi.players.kernels.games import Mixed

        mixed = Mixed(bits, policy, mixed)
    return mixed


def _check_policy(policy: object, player: CompiledPlayer) -> None:
    """Check that a player of your own returned a policy."""
    if comes_with_package(player):
        return
    from hanabi.players.kernels import policy as policies

    decide = policies.decide
    name = name_of(player)
    if not isinstance(policy, tuple) or decide.dispatch(type(policy)) is decide.dispatch(object):
        raise PlayerError(
            f"{name}: compiled(rules) returned {shown(policy)}, which is not a policy: a NamedTuple"
            " for whose class hanabi.players.kernels.policy.decide is registered"
        )
    for function in vars(policies).values():
        kernel = function.dispatch(type(policy)) if hasattr(function, "dispatch") else None
        if kernel is not None and (bare := _find_bare(kernel, set())):
            raise PlayerError(
                f"{name}: {bare} is compiled by Numba's own decorator, and calls kernels:"
                " use hanabi.ground.compiled.jit"
            )


def _find_bare(function: Any, seen: set[int]) -> str | None:
    """Return the name of a function that uses Numba's own decorator and calls kernels.

    Its code could not be linked, and the next compilation would end the process.
    """
    from hanabi.ground import Kernel

    if id(function) in seen or hasattr(function, "dispatch") or not hasattr(function, "py_func"):
        return None  # already checked, dispatched by type and checked separately, or not compiled
    seen.add(id(function))
    plain = function.py_func
    names, known = plain.__code__.co_names, plain.__globals__
    found = [known[name] for name in names if name in known]
    found += inspect.getclosurevars(plain).nonlocals.values()
    for module in [each for each in found if isinstance(each, ModuleType)]:
        found += [vars(module)[name] for name in names if name in vars(module)]
    is_bare = not isinstance(function, Kernel)
    if is_bare and any(isinstance(each, Kernel) or hasattr(each, "dispatch") for each in found):
        return str(plain.__name__)
    return next(filter(None, (_find_bare(each, seen) for each in found)), None)


def _members(
    policy: Policy, seats: Sequence[int], *, is_apart: bool
) -> Iterator[tuple[int, Policy]]:
    """Yield a player's policies, one for all its seats or one per seat, with the seats as bits."""
    if not is_apart:
        yield sum(1 << seat for seat in seats), policy
        return
    from hanabi.players.kernels.games import Seen

    for seat in seats:
        yield 1 << seat, Seen(seat, policy)


def _is_misled(player: CompiledPlayer, team: Sequence[Player | None]) -> bool:
    """Whether partners may mislead each of a player's seats differently."""
    inner = inner_of(player)
    is_strict = getattr(inner, "needs_same_partners", False)
    return is_strict and any(other is None or inner_of(other) != inner for other in team)


def _policy_name(policy: object) -> str:
    """Return the classes of a policy and of those inside it."""
    if not isinstance(policy, tuple):
        return ""
    return f"{type(policy).__name__}({','.join(map(_policy_name, policy))})"
