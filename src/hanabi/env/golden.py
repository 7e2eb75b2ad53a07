"""A kit of games that shows whether another environment is the Hanabi Learning Environment.

The kit has decks, actions, observations, legal actions, rewards, ends and seats to act of the full
game for 2 to 5 players: random and strong play, and the same games with permuted colors. Another
environment plays them by an adapter, and the first difference is named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

import numpy as np
import numpy.typing as npt

from hanabi._version import __version__
from hanabi.env.expert import Expert, write_whole
from hanabi.env.layout import Layout
from hanabi.env.step import check_whole
from hanabi.env.vector import VectorEnv
from hanabi.ground import InvalidInputError, Stream, counted, quote
from hanabi.players import (
    RandomLegal,
    blaming,
    keep_game,
    module_of,
    new_record,
    parse_player,
    play_game,
    record_team,
)
from hanabi.rules import Card, Game, Kind, Rules, as_object, load, play

if TYPE_CHECKING:
    from hanabi.env.expert.kernels import Moves
    from hanabi.players import Record

__all__ = [
    "MANIFEST",
    "SEATS",
    "STEPS",
    "Adapter",
    "Difference",
    "Kit",
    "load_adapter",
    "make_kit",
    "read_kits",
    "write_kits",
]

SEATS = (2, 3, 4, 5)
"""The numbers of players in a kit."""

STEPS = 100_000
"""The least number of steps of a whole kit."""

MANIFEST = "golden.json"
"""The file that says what the files beside it hold."""

_AT_THE_END = " at the end of a game"

# The share of a kit's steps that each player has at every seat. The rest are games of both with
# permuted colors. Random play loses its lives and uses up all tokens; the strong player reaches the
# last round and perfect scores.
_SHARES = {"random": 0.3, "information": 0.4}


class Adapter(Protocol):
    """Another environment, as the kit plays it.

    Both methods return the observation of the seat to act, its legal actions, the reward, whether
    the game is over, and the seat to act. An observation has 0 or 1 for each entry, and the legal
    actions have a truth value for each action number. What an environment does not have may be
    None, and is then not compared.

    Once the game is over, the observation is that of the seat whose turn would be next, with the
    card drawn that replaces the last one, as the Hanabi Learning Environment's `rl_env` shows it.
    Return None if your environment shows none, or that of the next game. No seat is to act then:
    legal actions and seat are not compared.
    """

    def reset(self, deck: Sequence[tuple[int, int]], seats: int, /) -> Sequence[Any]:
        """Deal a game.

        Parameters
        ----------
        deck
            The cards in draw order, each as color and rank from 1. The hands come first, beginning
            with the whole hand of seat 0, which begins.
        seats
            The number of players.

        Returns
        -------
        result
            As above; the reward is ignored.
        """
        ...

    def step(self, action: int, /) -> Sequence[Any]:
        """Take the action with this number for the seat to act."""
        ...


@dataclass(frozen=True)
class Difference:
    """The first difference between an environment and the kit.

    Attributes
    ----------
    seats, game, step
        The number of players, the game in the kit, and how many of its actions had been taken.
    what
        What differs, in words.
    deck, actions
        The game's deck, and the numbers of the actions until then.
    """

    seats: int
    game: int
    step: int
    what: str
    deck: list[tuple[int, int]]
    actions: list[int]

    def __str__(self) -> str:
        return f"{self.seats} players, game {self.game}, step {self.step}: {self.what}"


@dataclass(frozen=True, eq=False)
class Kit:
    """The games of a kit for one number of players.

    Attributes
    ----------
    layout
        The meaning of entries and action numbers.
    decks
        int8 (games, cards, 2): the cards in draw order, each as color and rank from 1.
    permuted
        bool (games,): whether it is an earlier game with permuted colors.
    moves
        The turns of all games, packed; `deals` are the numbers of the games here.
    """

    layout: Layout
    decks: npt.NDArray[np.int8]
    permuted: npt.NDArray[np.bool_]
    moves: Moves

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.layout.rules.seats

    def observations(self) -> npt.NDArray[np.uint8]:
        """Return the observations with one byte for each entry."""
        packed = self.moves.observations
        return np.unpackbits(packed, axis=1, count=self.layout.size, bitorder="little")

    @cached_property
    def finals(self) -> npt.NDArray[np.uint8]:
        """uint8 (games, entries): each game's end as the seat whose turn would be next sees it.

        >>> kit = make_kit(2, 100, seed=1)
        >>> kit.finals.shape == (len(kit.decks), 658)
        True
        """
        ends = np.flatnonzero(self.moves.dones) + 1
        turns = np.diff(ends, prepend=0)
        env = VectorEnv(len(ends), self.layout.rules, autoreset="disabled")
        step = env.reset(decks=self.decks)
        for turn in range(int(turns.max())):
            # A game that is over ignores its action.
            step = env.step(self.moves.actions[ends - turns + np.minimum(turn, turns - 1)])
        return step.observations

    def cases(self) -> dict[str, int]:
        """Return the number of steps in each corner case of the rules.

        >>> cases = make_kit(2, 1_000, seed=1).cases()
        >>> cases["last life"] > 20, cases["perfect score"] > 0, cases["permuted"] > 200
        (True, True, True)
        """
        layout, moves, seen = self.layout, self.moves, self.observations()
        at = {each.name: seen[:, each.slice] for each in layout.sections}
        tokens, lives, left = (
            at[name].sum(1) for name in ("hint tokens", "lives", "cards to draw")
        )
        ranks = np.arange(1, layout.rules.ranks + 1)
        points = (at["piles"].reshape(len(seen), -1, len(ranks)) * ranks).sum((1, 2))
        scored, regained = at["last action: play scored, play gave a token back"].T
        fifth = at["last action: card played or discarded"][:, layout.rules.ranks - 1 :: len(ranks)]
        is_perfect = moves.dones & (points + moves.rewards == layout.rules.max_score)
        is_last_turn = moves.dones & (left == 0) & ~is_perfect
        found = {
            "all hint tokens": tokens == layout.rules.hints,
            "no hint token": tokens == 0,
            "last life": lives == 1,
            "lost with points": moves.dones & (moves.rewards < 0),
            "empty deck": left == 0,
            "a hand misses a card": at["hands that miss a card"].any(1),
            "last turn": is_last_turn,
            "perfect score": is_perfect,
            "a five gave a token back": regained,
            "a five gave none back": (scored == 1) & fifth.any(1) & (regained == 0),
            "a hint touched several cards": at["last action: slots touched"].sum(1) > 1,
            "permuted": self.permuted[moves.deals],
        }
        return {name: int(np.count_nonzero(each)) for name, each in found.items()}

    def check(
        self, adapter: Adapter, *, progress: Callable[[int], None] | None = None
    ) -> tuple[Difference | None, set[str]]:
        """Play the games in another environment.

        Parameters
        ----------
        adapter
            The environment.
        progress
            Called after each game with the number of steps so far.

        Returns
        -------
        tuple
            The first difference, or None; and the names of what was not compared in some step:
            "mask", or "mask at the end of a game" if it is missing only once a game is over.

        Raises
        ------
        PlayerError
            If the adapter fails; names the place in its code.
        InvalidInputError
            If what it returns is not understood.
        """
        moves, seen = self.moves, self.observations()
        ends = np.flatnonzero(moves.dones) + 1
        missing = set[str]()
        first = 0
        for game, end in enumerate(ends.tolist()):
            deck = [(color, rank) for color, rank in self.decks[game].tolist()]
            for step in range(end - first + 1):
                row, place = first + step, f"{self.seats} players, game {game}, step {step}"
                with blaming(when=f"{place}: ", where="the adapter"):
                    if step == 0:
                        result = adapter.reset(deck, self.seats)
                    else:
                        result = adapter.step(int(moves.actions[row - 1]))
                wanted: dict[str, Any] = {"done": step > 0 and bool(moves.dones[row - 1])}
                if step:
                    wanted["reward"] = float(moves.rewards[row - 1])
                if wanted["done"]:
                    wanted["observation"] = self.finals[game]
                else:
                    wanted["observation"] = seen[row]
                    wanted["mask"], wanted["seat"] = moves.masks[row], int(moves.seats[row])
                what = self._compare(result, wanted, missing, place)
                if what is not None:
                    taken = moves.actions[first:row].tolist()
                    return Difference(self.seats, game, step, what, deck, taken), missing
            first = end
            if progress is not None:
                progress(first)
        return None, missing

    def _compare(
        self, result: object, wanted: dict[str, Any], missing: set[str], place: str
    ) -> str | None:
        """Return the first difference of a result in words, or None."""
        names = ("observation", "mask", "reward", "done", "seat")
        if not isinstance(result, tuple | list) or len(result) != len(names):
            raise InvalidInputError(
                f"{place}: the adapter returned {quote(result)}, not {', '.join(names)}"
            )
        given = dict(zip(names, result, strict=True))
        when = _AT_THE_END if wanted["done"] else ""
        for name in ("done", "reward", "seat", "mask", "observation"):  # the plainest first
            if name == "reward" and name not in wanted:
                continue  # a deal brings none
            if name not in wanted or given[name] is None:
                missing.add(name if name in missing else name + when)
                continue
            try:
                found = np.asarray(given[name], np.float64).reshape(-1)
            except (TypeError, ValueError):
                raise InvalidInputError(
                    f"{place}: {name} = {quote(given[name])} is not understood"
                ) from None
            right = np.asarray(wanted[name], np.float64).reshape(-1)
            if found.size != right.size:
                return f"{name}{when} has {counted(found.size, 'entry')}, not {right.size}"
            wrong = np.flatnonzero(found != right)
            if wrong.size:
                at = int(wrong[0])
                return self._told(name, at, f"{found[at]:g}, not {right[at]:g}", wanted)
        return None

    def _told(self, name: str, at: int, values: str, wanted: dict[str, Any]) -> str:
        """Return a difference in words."""
        if name == "observation":
            section = next(each for each in self.layout.sections if at < each.stop)
            when = _AT_THE_END if wanted["done"] else ""
            return f"entry {at} ({section.name}, {at - section.start}){when} is {values}"
        if name == "mask":
            action = self.layout.action(at, wanted["seat"])
            return f"the mask of action {at} ({action}) is {values}"
        return f"the {name} is {values}"


def make_kit(seats: int, steps: int, *, seed: int) -> Kit:
    """Return the games of a kit for a number of players: at least that many steps, in whole games.

    Raises
    ------
    InvalidInputError
        If there is no kit for so many players, or a number is out of range.

    >>> kit = make_kit(3, 500, seed=1)
    >>> len(kit.moves.actions) >= 500, kit.decks.shape[1:]
    (True, (50, 2))
    """
    if seats not in SEATS:
        raise InvalidInputError(f"seats = {quote(seats)} is none of 2, 3, 4, 5")
    check_whole("steps", steps, 1)
    check_whole("seed", seed, None)
    from hanabi.players import Record

    rules = Rules.hle(seats)
    parts = [_fives(rules, seed)]
    parts += [
        _played(player, rules, int(share * steps) + 1, seed + number)  # other deals for each
        for number, (player, share) in enumerate(_SHARES.items())
    ]
    played = Record._make(map(np.concatenate, zip(*parts, strict=True)))
    rng = np.random.Generator(np.random.PCG64([seats, seed & (1 << 64) - 1]))
    left = max(1, steps - int(played.turns.sum()))
    record = Record._make(
        map(np.concatenate, zip(played, _permuted(played, rules, left, rng), strict=True))
    )
    expert = Expert("random", rules, packed=True)
    decks = np.stack([record.decks >> 5, record.decks & 31], axis=2).astype(np.int8)
    is_permuted = np.arange(len(decks)) >= len(played.turns)
    return Kit(expert.layout, decks, is_permuted, expert.observe(record))


def _fives(rules: Rules, seed: int) -> Record:
    """Return games whose first actions build one pile, so that its five gives no token back.

    All tokens are there then, which is rare otherwise. The rest is random play.
    """
    record = new_record(rules, rules.colors)
    for color in range(rules.colors):
        rng = Stream(seed, color)
        rest = list(rules.spec.shuffle(seed, color))
        pile = [Card(color, rank) for rank in range(1, rules.ranks + 1)]
        for card in pile:
            rest.remove(card)
        hands = [pile[seat :: rules.seats] for seat in range(rules.seats)]  # in turn
        for hand in hands:
            while len(hand) < rules.hand_size:
                hand.append(rest.pop())
        game = Game.start(rules, [card for hand in hands for card in hand] + rest)
        for _ in pile:
            game = game.apply(play(0))
        keep_game(record, color, play_game([RandomLegal()] * rules.seats, game, rng))
    return record


def _played(player: str, rules: Rules, steps: int, seed: int) -> Record:
    """Return games of a player, of at least that many steps in all."""
    team, games = [parse_player(player)] * rules.seats, 1 + steps // 50
    while True:
        record = record_team(team, rules, games, seed=seed)
        enough = int(np.searchsorted(record.turns.cumsum(), steps)) + 1
        if enough <= games:
            return type(record)._make(array[:enough] for array in record)
        games *= 2


def _permuted(played: Record, rules: Rules, steps: int, rng: np.random.Generator) -> Record:
    """Return games of a record with permuted colors, of at least that many steps in all."""
    order = rng.permutation(len(played.turns))
    repeats = -(-steps // int(played.turns.sum()))
    order = np.tile(order, repeats)
    order = order[: int(np.searchsorted(played.turns[order].cumsum(), steps)) + 1]
    # Every permutation but the identity, by chance, one for each game.
    colors = np.arange(rules.colors)
    permutations = np.array([_moved(colors, rng) for _ in order])
    rows = np.arange(len(order))[:, None]
    decks, taken = played.decks[order], played.taken[order]
    is_color = taken & 7 == Kind.HINT_COLOR
    named = permutations[rows, np.where(is_color, taken >> 3 & 31, 0)]
    return type(played)(
        permutations[rows, decks >> 5] << 5 | decks & 31,
        np.where(is_color, taken & ~(31 << 3) | named << 3, taken),
        played.turns[order],
    )


def _moved(colors: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a random permutation other than the identity."""
    while True:
        permuted = rng.permutation(colors)
        if not np.array_equal(permuted, colors):
            return permuted


# Kits in files, and adapters by their names.


def write_kits(
    folder: str | Path, *, steps: int = STEPS, seed: int = 1, seats: Iterable[int] = SEATS
) -> list[Kit]:
    """Write kits to a folder, a file for each number of players, and return them.

    The same arguments give the same bytes. `MANIFEST` says what the arrays are, and counts the
    corner cases.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, or the folder cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [kit] = write_kits(folder, steps=300, seats=[2])
    ...     sorted(each.name for each in Path(folder).iterdir())
    ['golden-2.npz', 'golden.json']
    """
    wanted = list(dict.fromkeys(seats))
    check_whole("steps", steps, 1)
    kits = [make_kit(each, -(-steps // len(wanted)), seed=seed) for each in wanted]
    document = {
        "hanabi": __version__,
        "seed": seed,
        "steps": steps,
        "arrays": "decks int8 (games, 50, 2): color, rank from 1; others one row a step, in order",
        "observations": "numpy.packbits(bitorder='little'), of the seat to act, before its action",
        "kits": [
            {
                "seats": kit.seats,
                "games": len(kit.decks),
                "steps": len(kit.moves.actions),
                "entries": kit.layout.size,
                "actions": [str(kit.layout.action(n, 0)) for n in range(kit.layout.actions)],
                "sections": [[each.name, each.start, each.stop] for each in kit.layout.sections],
                "cases": kit.cases(),
            }
            for kit in kits
        ],
    }
    text, home = json.dumps(document, indent=1) + "\n", Path(folder)
    try:
        home.mkdir(parents=True, exist_ok=True)
        for kit in kits:
            arrays = {"decks": kit.decks, "permuted": kit.permuted, **kit.moves._asdict()}
            write_whole(_file(home, kit.seats), partial(_save, arrays))
        write_whole(home / MANIFEST, lambda file: file.write(text.encode()))
    except OSError as error:
        raise InvalidInputError(f"{quote(str(folder))}: {error.strerror or error}") from None
    return kits


def read_kits(folder: str | Path, *, seats: Iterable[int] | None = None) -> list[Kit]:
    """Return the kits in a folder, all or those for these numbers of players.

    Raises
    ------
    InvalidInputError
        If a file is missing or damaged.
    """
    from hanabi.env.expert.kernels import Moves

    home = Path(folder)
    try:
        listed = as_object(load((home / MANIFEST).read_text(encoding="utf-8")), MANIFEST)["kits"]
        known = [int(each["seats"]) for each in cast("list[dict[str, int]]", listed)]
    except (OSError, ValueError, TypeError, KeyError):
        raise InvalidInputError(f"{quote(str(folder))} holds no kit") from None
    kits = []
    for each in known if seats is None else seats:
        path = _file(home, each)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                found = dict(arrays)
            decks, permuted = found.pop("decks"), found.pop("permuted")
            kit = Kit(Layout(Rules.hle(each)), decks, permuted, Moves(**found))
        except Exception as error:  # noqa: BLE001 (NumPy raises many kinds)
            raise InvalidInputError(f"{quote(path.name)} cannot be read: {error}") from None
        kits.append(kit)
    return kits


def _save(arrays: dict[str, npt.NDArray[Any]], file: BinaryIO) -> None:
    np.savez(file, **arrays)  # type: ignore[arg-type]


def _file(home: Path, seats: int) -> Path:
    return home / f"golden-{seats}.npz"


def load_adapter(text: str) -> Adapter:
    """Return the adapter that a text names: a file or a module, or a class in it.

    `my_env.py` and `package.module` have functions `reset` and `step`; `my_env.py:MyEnv` is a class
    that is made without arguments.

    Raises
    ------
    InvalidInputError
        If there is no such file, module or class, or it lacks a function.
    PlayerError
        If its code fails; names the place.
    """
    home, _, name = text.partition(":")
    found: Any
    members = vars(module_of(home))
    if name and name not in members:
        raise InvalidInputError(f"{quote(home)} has no {quote(name)}")
    with blaming(where=home):
        found = members[name]() if name else _Functions(members)
    for function in ("reset", "step"):
        if not callable(getattr(found, function, None)):
            raise InvalidInputError(f"{quote(text)} has no function {function}")
    return found  # type: ignore[no-any-return]


class _Functions:
    """The functions of a module as methods."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.reset, self.step = members.get("reset"), members.get("step")
