"""Games with all their actions, and what they gained on another player, with luck removed.

**Gains.** A baseline B can play any position on. Let V be its expected score from a position on, if
the cards left to draw come in a uniformly random order, and Q(a) the same after an action a. The
*gain* of a game adds Q(a) - Q(b) over its turns, where a is the action taken and b the baseline's.

The gain is an unbiased estimate of how much better the players score than B. Q(b) averages to V of
the position. As nobody has seen the deck, V after the draw averages to Q(a). So the expected gain
is that of all changes of V, whose sum is the score minus V of the deal. What is left out is luck
that B would have too: that of the deal and of the draws. This holds for any players that do not
know the order of the deck, whatever they believe. Play-outs estimate Q, in the same random orders
for a and b; as they are unbiased, the gain is. Turns at which both agree cost nothing.

The idea is AIVAT's [Burch2018]: control variates made of a heuristic's values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

from hanabi.ground import (
    IllegalActionError,
    InvalidInputError,
    PlayerError,
    StoreError,
    Stream,
    counted,
    quote,
)
from hanabi.lab.stats import CONFIDENCE, Comparison, Estimate, compare
from hanabi.lab.work import JSON, Simulation, revisions_of
from hanabi.players import (
    Player,
    Policy,
    as_player,
    blaming_policy,
    borrow,
    compile_team,
    decision_seed,
    format_player,
    outcome_of,
    outcomes,
    play_deal,
    play_team,
    settle_player,
)
from hanabi.rules import (
    DEFAULT_NAMES,
    PLAYER_COUNTS,
    Action,
    Game,
    GameRecord,
    Rules,
    follow,
    game_to_json,
    record_actions,
    starting_option,
    variant_of,
)
from hanabi.rules import layout as k
from hanabi.solitaire import normal_reach

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "FORFEITED",
    "ORDERS",
    "Gain",
    "Gains",
    "Recorded",
    "compare_gains",
    "estimate_mean",
    "gain_in",
    "gain_of",
    "recorded",
    "summarize_gains",
    "without_luck",
]

ORDERS = 100
"""Orders of the cards left to draw, for each decision in which players differ."""

FORFEITED = 2**16 - 1
"""The entry `turns` of a forfeited game, whose outcome is 0: no points, and not bombed."""

_MOST_ORDERS = 10_000


def _game_layout(rules: Rules) -> np.dtype[Any]:
    """Return the entries of the record of a game."""
    import numpy as np

    # An action is a hint, or removes a card, which gives back one hint token at most.
    most = 2 * rules.deck_size + rules.hints
    return np.dtype([("outcome", "<u2"), ("turns", "<u2"), ("codes", "<u2", (most,))])


def _gain_layout(rules: Rules) -> np.dtype[Any]:
    """Return the entries of the record of a game and its gain."""
    import numpy as np

    sums = [("points", "<i4"), ("perfect", "<i4"), ("differing", "<u2"), ("baseline", "<u2")]
    return np.dtype([*_game_layout(rules).descr, *sums])


@dataclass(frozen=True, slots=True)
class Recorded(Simulation):
    """The games of a `Simulation`, with all their actions.

    A record holds the outcome and the actions, a few hundred bytes. Compiled players are followed
    action by action, which takes about a millisecond a game.

    >>> from hanabi.players import RuleBased
    >>> work = Recorded(("rule-based",), Rules.hanab_live(2), seed=1)
    >>> ends = [*work.ends(work.run(0, 2))]
    >>> [outcome_of(end) for end in ends] == outcomes(RuleBased(), work.rules, 2, seed=1)
    True
    """

    kind: ClassVar[str] = "recorded games"
    version: ClassVar[int] = 1

    @property
    def is_compiled(self) -> bool:
        """False: threads would not help."""
        return False

    @property
    def width(self) -> int:
        """Number of bytes of a record."""
        return int(self._layout().itemsize)

    def run(self, first: int, count: int, /) -> bytes:
        """Play the deals `first` .. `first + count - 1`."""
        return self._played(first, count).tobytes()

    def ends(self, records: bytes, first: int = 0) -> Iterator[Game | None]:
        """Yield the end of each game, replayed by the rules; None for a forfeited game.

        Parameters
        ----------
        records
            The result of `run` from the deal `first` on.
        first
            The number of the first deal.

        Raises
        ------
        StoreError
            If a game has another outcome than its record says.
        """
        yield from self._ends(self._rows(records), first)

    def forfeited(self, records: bytes) -> int:
        """Return the number of forfeited games in the result of `run`."""
        return int((self._rows(records)["turns"] == FORFEITED).sum())

    def documents(self, records: bytes, first: int = 0) -> Iterator[dict[str, object]]:
        """Yield each game as hanab.live's JSON, which every reader of games reads back.

        Rules that are not the site's are an entry `rules`. Further entries are `score`, how the
        game `ended`, and the `simulation` that it belongs to. Forfeited games are left out.

        The parameters and errors are those of `ends`; InvalidInputError if hanab.live has no
        variant with these cards, or no table for so many seats.

        >>> work = Recorded(("first-legal",), Rules.bergh2016(2), seed=1)
        >>> game = next(work.documents(work.run(0, 1)))
        >>> game["score"], game["rules"]["empty_hints"], game["simulation"]["deal"]
        (0, True, 0)
        """
        about = {"players": list(self.team()), "seed": self.seed}
        for deal, end in enumerate(self.ends(records, first), start=first):
            if end is not None:
                data = game_to_json(recorded(end))
                data |= {"score": end.score, "ended": end.end_reason.name.lower()}
                yield data | {"simulation": about | {"deal": deal, "repeat": self.repeat}}

    def _ends(self, rows: npt.NDArray[Any], first: int) -> Iterator[Game | None]:
        for deal, row in enumerate(rows, start=first):
            if row["turns"] == FORFEITED:
                yield None
                continue
            game = Game.start(self.rules, self.rules.spec.shuffle(self.seed, deal))
            for code in row["codes"][: row["turns"]].tolist():
                game = game.apply(Action.from_code(code))
            if not game.is_over or outcome_of(game) != row["outcome"]:
                raise StoreError(f"deal {deal} of {quote(self.kind)} is not what its record says")
            yield game

    def _layout(self) -> np.dtype[Any]:
        """Return the entries of a record."""
        return _game_layout(self.rules)

    def _rows(self, records: bytes) -> npt.NDArray[Any]:
        import numpy as np

        return np.frombuffer(records, self._layout())

    def _played(self, first: int, count: int) -> npt.NDArray[Any]:
        """Return the records of some deals."""
        import numpy as np

        team = self._seated()
        rows = np.zeros(count, self._layout())
        rows["turns"] = FORFEITED

        def keep(place: int, end: Game) -> Game:
            codes = [action.code for action in end.actions]
            rows[place]["turns"] = len(codes)
            rows[place]["codes"][: len(codes)] = codes
            return end

        def compiled(policy: Policy) -> npt.NDArray[np.int64]:
            found = np.full(count, -1)
            for place in range(count):
                end = self._follow(policy, first + place)
                if end is not None:
                    found[place] = outcome_of(keep(place, end))
            return found

        def plain(place: int, number: int) -> Game:
            deal = first + place
            end = play_deal(
                team, self.rules, deal, seed=self.seed, repeat=self.repeat, number=number
            )
            return keep(place, end)

        rows["outcome"] = play_team(team, self.rules, count, compiled, plain)
        return rows

    def _follow(self, policy: Policy, deal: int) -> Game | None:
        """Return the end of a game of a policy; None if it has to be played from views."""
        import numpy as np

        from hanabi.players import policy as policies

        game = Game.start(self.rules, self.rules.spec.shuffle(self.seed, deal))
        position = game.packed
        memory = np.empty(policies.memory_size(policy, position.rules), np.int64)
        scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
        with borrow(Stream(decision_seed(self.seed, self.repeat), deal)) as words:
            policies.start(policy, position, memory, scratch)
            while not game.is_over:
                code = int(policies.decide(policy, position, words, memory, scratch))
                policies.advance(policy, position, memory, code, scratch)
                try:
                    game = game.apply(Action.from_code(code))
                except IllegalActionError as error:
                    raise IllegalActionError(f"seed {self.seed}, deal {deal}: {error}") from error
        return game if policies.is_shared(policy, position.rules, memory) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains(Recorded):
    """The games of a `Simulation`, and what each gained on a baseline.

    Attributes
    ----------
    baseline
        The player that plays positions on, at all seats; it needs a compiled policy.
    orders
        Number of orders of the cards left to draw, for each decision in which players differ.

    Raises
    ------
    InvalidInputError
        As `Simulation`; if the baseline has no compiled policy for the rules, or the number of
        orders is out of range.

    >>> work = Gains(("rule-based:play=1",), Rules.bergh2016(3), seed=1, baseline="rule-based")
    >>> gain = summarize_gains([(work, work.run(0, 4))])
    >>> gain.deals, gain.points.value < 0
    (4, True)
    """

    baseline: str | Player | type[Player]
    orders: int = ORDERS

    kind: ClassVar[str] = "gains"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        Recorded.__post_init__(self)
        object.__setattr__(self, "baseline", settle_player(self.baseline))
        if not 1 <= self.orders <= _MOST_ORDERS:
            raise InvalidInputError(
                f"orders = {quote(self.orders)} is not in 1 .. {_MOST_ORDERS:,}"
            )
        self._policy()

    def _policy(self) -> Policy:
        player = as_player(self.baseline)
        policy = compile_team([player] * self.rules.seats, self.rules)
        if policy is None:
            name = format_player(player)
            raise InvalidInputError(
                f"{quote(name)} cannot play positions on: only compiled players can, such as"
                " rule-based or convention. Compare with it on the same deals in a tournament, or"
                " make it a policy (hanabi.players.policies)"
            )
        return policy

    def config(self) -> dict[str, JSON]:
        """Return the configuration of the games, the baseline and the number of orders."""
        player = as_player(self.baseline)
        revisions = revisions_of(*self._seated(), player)
        baseline: dict[str, JSON] = {"baseline": format_player(player), "orders": self.orders}
        return {**Recorded.config(self), **baseline, **revisions}

    def _layout(self) -> np.dtype[Any]:
        return _gain_layout(self.rules)

    def _played(self, first: int, count: int) -> npt.NDArray[Any]:
        rows = Recorded._played(self, first, count)
        player, policy = as_player(self.baseline), self._policy()
        rows["baseline"] = outcomes(
            player, self.rules, count, seed=self.seed, first=first, repeat=self.repeat
        )
        # Neither the deals nor any decisions draw from these streams.
        orders = decision_seed(decision_seed(self.seed, self.repeat))
        for deal, (row, end) in enumerate(zip(rows, self._ends(rows, first), strict=True), first):
            if end is None:
                raise PlayerError(f"seed {self.seed}, deal {deal}: a forfeited game has no gain")
            with blaming_policy([player]):
                found = gain_of(policy, end, self.orders, Stream(orders, deal))
            row["points"], row["perfect"], row["differing"] = found
        return rows


def recorded(end: Game) -> GameRecord:
    """Return a game in hanab.live's form, with its rules where they are not the site's.

    Raises InvalidInputError if the site has no such cards, or no table for so many seats.

    >>> end = Recorded(("first-legal",), Rules.hle(2), seed=1).play(0)
    >>> from hanabi.rules.replay import rules_of
    >>> rules_of(recorded(end)) == end.rules
    True
    """
    rules = end.rules
    variant = variant_of(rules)
    if variant is None or rules.seats not in PLAYER_COUNTS:
        raise InvalidInputError(
            f"games of {counted(rules.seats, 'seat')} and {rules.deck_size} such cards have no"
            " recorded form: hanab.live has no such table"
        )
    site = Rules.hanab_live(rules.seats, variant=variant)
    names = (each.name for each in fields(rules) if each.name not in ("spec", "seats", "variant"))
    others = {
        name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(site, name)
    }
    return GameRecord(
        players=rules.seats,
        deck=end.deck,
        actions=record_actions(follow(end.deal, end.actions)),
        variant=variant.name,
        names=DEFAULT_NAMES[: rules.seats],
        options=starting_option(end),
        rules=others or None,
    )


def gain_of(policy: Policy, end: Game, orders: int, stream: Stream) -> tuple[int, int, int]:
    """Return what a finished game gained on a policy, times `orders`, and where they differ.

    Parameters
    ----------
    policy
        The baseline's policy for the game's rules.
    end
        The game, with its whole history.
    orders
        Number of orders of the cards left to draw, for each decision that differs.
    stream
        The source of the orders; it must be independent of the deal and of all decisions.

    Returns
    -------
    tuple of int
        The gains in points and in perfect games, each the sum over all orders; the number of
        decisions that differ.

    >>> from hanabi.players import RuleBased
    >>> rules = Rules.bergh2016(3)
    >>> end = Recorded(("first-legal",), rules, seed=1).play(0)
    >>> points, perfect, differing = gain_of(RuleBased().compiled(rules), end, 10, Stream(1))
    >>> points < 0, perfect, differing <= len(end.actions)
    (True, 0, True)
    """
    import numpy as np

    from hanabi.players import open_trial, play_out
    from hanabi.players import policy as policies

    position = end.deal.packed
    memory = np.empty(policies.memory_size(policy, position.rules), np.int64)
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    policies.start(policy, position, memory, scratch)
    best = end.rules.max_score
    points = perfect = differing = 0
    with borrow(Stream(stream.word())) as words:
        for action in end.actions:
            own = int(policies.decide(policy, position, words, memory, scratch))
            if own != action.code:
                differing += 1
                trial = open_trial(position, memory, words, scratch)
                drawn = int(position.state[k.DRAWN])
                left = position.deck[drawn:].tolist()
                for _ in range(orders):
                    left = stream.shuffled(left)
                    trial.start.deck[drawn:] = left
                    taken = int(play_out(policy, trial, action.code))
                    instead = int(play_out(policy, trial, own))
                    points += taken - instead
                    perfect += (taken == best) - (instead == best)
            policies.advance(policy, position, memory, action.code, scratch)
    return points, perfect, differing


@dataclass(frozen=True, slots=True)
class Gain:
    """What players gained on a baseline: `deals` deals, each played `repeats` times.

    Attributes
    ----------
    points, perfect
        The gain in points and in the share of perfect games, with luck removed.
    plain
        The baseline compared on the same deals, by scores alone.
    differing
        Mean number of decisions a game that differ from the baseline's.
    """

    deals: int
    repeats: int
    points: Estimate
    perfect: Estimate
    plain: Comparison
    differing: float

    @property
    def saved(self) -> float:
        """How many times as many deals the plain difference needs for the same error; or nan."""
        plain, own = self.plain.difference.standard_error, self.points.standard_error
        return (plain / own) ** 2 if own > 0 else math.nan

    def __str__(self) -> str:
        return f"gain {self.points} in {counted(self.deals, 'deal')}, with luck removed"

    def __repr__(self) -> str:
        return f"<Gain {self}>"


def summarize_gains(runs: Sequence[tuple[Gains, bytes]], *, confidence: float = CONFIDENCE) -> Gain:
    """Summarize the gains of the same deals, once for each repeat.

    The difference of the scores on a deal and the gain have the same mean, so their own difference
    is pure luck. The estimate is the difference of the scores minus c times that luck, a control
    variate: c = 0 is the plain difference, c = 1 the gain. The best c is fitted on the deals with
    an even number for those with an odd number, and the other way round, so that the estimate stays
    unbiased.

    Parameters
    ----------
    runs
        Each work, and its records from the first deal on.
    confidence
        The probability that an interval holds the true mean.

    Raises
    ------
    InvalidInputError
        If there are no games, or the runs differ in length or orders.

    >>> rules = Rules.bergh2016(3)
    >>> work = Gains(("rule-based",), rules, seed=1, baseline="rule-based", orders=1)
    >>> same = summarize_gains([(work, work.run(0, 3))])
    >>> same.points.value, same.plain.equal, same.differing
    (0.0, 3, 0.0)
    """
    if len({work.orders for work, _ in runs}) != 1:
        raise InvalidInputError("runs: one or more, each of the same deals and orders")
    work = runs[0][0]
    records = [each for _, each in runs]
    return gain_in(work.rules, work.orders, records, confidence=confidence)


def gain_in(
    rules: Rules, orders: int, runs: Sequence[bytes], *, confidence: float = CONFIDENCE
) -> Gain:
    """Return the gain in the records of `Gains` works that differ in nothing but their repeat.

    Parameters
    ----------
    rules, orders
        The rules and the number of orders of the works.
    runs, confidence
        The records of each work from the first deal on; the others are as in `summarize_gains`.

    Raises
    ------
    InvalidInputError
        If there are no games, the runs differ in length, or are no such records.

    >>> rules = Rules.bergh2016(3)
    >>> work = Gains(("rule-based",), rules, seed=1, baseline="rule-based", orders=1)
    >>> gain_in(rules, 1, [work.run(0, 3)]).differing
    0.0
    """
    rows = [_gain_rows(rules, records) for records in runs]
    if len({len(each) for each in rows}) != 1 or not len(rows[0]):
        raise InvalidInputError("runs: one or more, each of the same deals and orders")
    ours, theirs = _scores(rows, "outcome", rules), _scores(rows, "baseline", rules)
    perfect = ((ours == rules.max_score) * 1.0 - (theirs == rules.max_score)).mean(axis=0)
    return Gain(
        deals=len(rows[0]),
        repeats=len(rows),
        points=estimate_mean(_points(rows, orders, rules), confidence),
        perfect=estimate_mean(without_luck(perfect, _mean(rows, "perfect") / orders), confidence),
        plain=compare(
            [each["outcome"] for each in rows], [each["baseline"] for each in rows], rules,
            confidence=confidence,
        ),
        differing=float(_mean(rows, "differing").mean()),
    )  # fmt: skip


def compare_gains(
    first: Sequence[tuple[Gains, bytes]],
    second: Sequence[tuple[Gains, bytes]],
    *,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Return the difference of two gains over the same player on the same deals.

    Its error is that of the differences by deal, as in `compare`. The parameters and errors are
    those of `summarize_gains`.

    >>> rules = Rules.bergh2016(3)
    >>> work = Gains(("random",), rules, seed=1, baseline="rule-based", orders=1)
    >>> run = [(work, work.run(0, 3))]
    >>> compare_gains(run, run).value
    0.0
    """
    ours, theirs = (
        _points([work._rows(records) for work, records in runs], runs[0][0].orders, rules)
        for runs in (first, second)
        for rules in (runs[0][0].rules,)
    )
    return estimate_mean(ours - theirs, confidence)


def _gain_rows(rules: Rules, records: bytes) -> npt.NDArray[Any]:
    """Return the entries of each record of a `Gains` work."""
    import numpy as np

    layout = _gain_layout(rules)
    if len(records) % layout.itemsize:
        raise InvalidInputError(f"{len(records)} bytes are no records of gains")
    return np.frombuffer(records, layout)


def _mean(rows: Sequence[npt.NDArray[Any]], name: str) -> npt.NDArray[np.float64]:
    """Return the mean of an entry over the repeats of each deal."""
    import numpy as np

    return np.asarray(np.array([each[name] for each in rows]).mean(axis=0), np.float64)


def _scores(rows: Sequence[npt.NDArray[Any]], name: str, rules: Rules) -> npt.NDArray[np.int64]:
    """Return the scores of outcomes, by repeat and deal."""
    import numpy as np

    outcomes = np.array([each[name] for each in rows], np.int64)
    return (outcomes >> 1) * (1 - (outcomes & 1) * rules.bombed_scores_zero)


def _points(rows: Sequence[npt.NDArray[Any]], orders: int, rules: Rules) -> npt.NDArray[np.float64]:
    """Return each deal's gain in points, with luck removed."""
    plain = (_scores(rows, "outcome", rules) - _scores(rows, "baseline", rules)).mean(axis=0)
    return without_luck(plain, _mean(rows, "points") / orders)


_FITTED = 10
"""Deals in each half for fitting; with fewer, the gain is taken as it is."""


def without_luck(
    plain: npt.NDArray[np.float64], gain: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return each deal's difference of scores minus c times its luck, as `summarize_gains` does.

    Parameters
    ----------
    plain, gain
        The difference of the scores on each deal, and the gain; shape (deals,).

    >>> import numpy as np
    >>> skill, luck = np.array([1.0, 2.0] * 15), np.arange(30.0)
    >>> bool(np.allclose(without_luck(skill + luck, skill), skill, atol=0.2))
    True
    """
    import numpy as np

    luck = plain - gain
    values = gain.copy()
    for half in (0, 1):
        own, other = slice(half, None, 2), slice(1 - half, None, 2)
        if len(luck[other]) >= _FITTED and luck[other].var() > 0:
            c = np.cov(plain[other], luck[other])[0, 1] / luck[other].var(ddof=1)
            values[own] = plain[own] - c * luck[own]
    return values


def estimate_mean(values: npt.NDArray[np.float64], confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of independent values, with its error.

    >>> import numpy as np
    >>> estimate_mean(np.array([1.0, 2.0, 3.0])).value
    2.0
    """
    mean, error = float(values.mean()), math.nan
    if len(values) > 1:
        error = float(values.std(ddof=1)) / math.sqrt(len(values))
    spread = normal_reach(confidence) * error
    return Estimate(mean, error, mean - spread, mean + spread)
