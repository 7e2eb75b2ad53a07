"""The difficulty of a deck: how often our best players win it, compared with similar decks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, Verdict, counted, quote
from hanabi.rules import (
    DeckInput,
    Game,
    GameProblem,
    GameRecord,
    PositionInput,
    Rules,
    SolitaireInput,
    pose_deck,
)
from hanabi.shell.session.inputs import Source, read
from hanabi.solvers import decide_game

if TYPE_CHECKING:
    from hanabi.lab import Job, Store, Summary
    from hanabi.solvers import Line

__all__ = ["Difficulty", "SampleOf", "deal_of", "difficulty", "plan_sample"]

Given: TypeAlias = (
    "Game | GameProblem | GameRecord | DeckInput | PositionInput | SolitaireInput | Source"
)

GAMES, SAMPLE, EACH = 200, 100, 20
"""Defaults: games of the deck, random decks to compare with, and games of each of these."""

_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The share of games won on a deck, compared with random decks of the same rules.

    `str` gives it in one line.

    Attributes
    ----------
    game
        The deal.
    player
        The player at all seats.
    refusal
        Why a better player cannot play at such a table; None if the best one played.
    verdict
        Whether the deck can be won at all, with all cards face up.
    summary
        The results of the deck's games.
    each
        How many of these are compared with an equal number of games of each random deck.
    easier, alike, harder
        The number of random decks that were won more often than this one, or equally often with
        more points in all; of those equal in both; and of the rest.
    seed
        The seed of the games and the random decks.
    """

    game: Game
    player: str
    refusal: str | None
    verdict: Verdict[Line]
    summary: Summary
    each: int
    easier: int
    alike: int
    harder: int
    seed: int

    @property
    def won(self) -> int:
        """The number of games that were won."""
        return self.summary.scores.perfect

    @property
    def rate(self) -> float:
        """The share of games that were won."""
        return self.won / self.summary.games

    @property
    def standard_error(self) -> float:
        """The standard error of the rate; 0 if all games were won, or none."""
        return _error(self.rate, self.summary.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate."""
        from hanabi.lab import wilson

        return wilson(self.won, self.summary.games)

    @property
    def sample(self) -> int:
        """The number of random decks in the comparison."""
        return self.easier + self.alike + self.harder

    @property
    def percentile(self) -> float:
        """The percentage of random decks that are easier, counting half of the ties; 0 to 100."""
        return 100 * (self.easier + self.alike / 2) / self.sample

    @property
    def percentile_error(self) -> float:
        """The standard error of the percentile, from the number of random decks."""
        return 100 * _error(self.percentile / 100, self.sample)

    def __str__(self) -> str:
        won = f"{self.won:,} of {counted(self.summary.games, 'game')} won ({self.verdict.status})"
        decks = counted(self.sample, "random deck")
        return f"{won}: harder than {self.percentile:.1f} % of {decks}"

    def __repr__(self) -> str:
        return f"<Difficulty {self}>"


def difficulty(
    given: Given,
    *,
    players: int | None = None,
    rules: object = None,
    player: str | None = None,
    games: int = GAMES,
    sample: int = SAMPLE,
    each: int = EACH,
    seed: int = 1,
    store: Store | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    progress: Callable[[str], None] = lambda _: None,
) -> Difficulty:
    """Measure how often our best players win a deck, and rank it among random decks.

    Parameters
    ----------
    given
        A deal, or anything `hanabi.read` takes or returns; a recorded game stands for its deal.
    players, rules
        As for `hanabi.solve`.
    player
        The player at all seats; by default `hanabi.players.renamed.best_player`.
    games
        How often the deck is played, each time with its suits and slots renamed.
    sample, each
        How many random decks of the same rules are played, and how many games of each.
    seed
        The same seed gives the same games and the same random decks.
    store
        Where games of random decks are stored; stored games are not played again.
    seconds
        Time limit for deciding whether the deck can be won at all.
    progress
        Receives progress reports.

    Raises
    ------
    InvalidInputError
        If there is no such deck or player, if the player does not support these rules, or if a
        number is out of range.

    >>> found = difficulty("p2v0s40", player="random", games=20, sample=5, each=4)
    >>> found.rate, found.sample, str(found.verdict.status)
    (0.0, 5, 'unwinnable')
    """
    from hanabi.ground import Stream, open_executor
    from hanabi.lab import Store, renamed_games, run, summarize
    from hanabi.players import renamed_outcomes

    game = deal_of(given, players=players, rules=rules)
    if game.missing:
        raise InvalidInputError(f"{counted(game.missing, 'card')} of the deck missing")
    if game.first_seat:
        raise InvalidInputError(f"seat {game.first_seat} goes first: players begin with seat 0")
    plan = plan_sample(game.rules, player=player, games=games, sample=sample, each=each, seed=seed)
    progress("whether it can be won")
    verdict = decide_game(game, seconds=seconds)
    progress(f"{games:,} games of the deck")
    # The sample's streams are numbered as its decks are, so none of them is this one.
    own = Stream(seed, 2**64 - 1).word()
    played = renamed_outcomes(plan.player, game.rules, game.deck, games, seed=own)
    kept = Store.memory() if store is None else store
    with open_executor("serial") as pool:
        run([plan.job], kept, executor=pool, progress=lambda done: progress(str(done)))
    others = [_key(row, game.rules) for row in renamed_games(kept, plan.job).tolist()]
    this = _key(played[:each], game.rules)
    return Difficulty(
        game=game,
        player=plan.player,
        refusal=plan.refusal,
        verdict=verdict,
        summary=summarize([played], game.rules),
        each=each,
        easier=sum(other > this for other in others),
        alike=others.count(this),
        harder=sum(other < this for other in others),
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class SampleOf:
    """The player of a table's random decks and the games to play, for workers elsewhere."""

    player: str
    refusal: str | None
    job: Job


def plan_sample(
    rules: Rules,
    *,
    player: str | None = None,
    games: int = GAMES,
    sample: int = SAMPLE,
    each: int = EACH,
    seed: int = 1,
) -> SampleOf:
    """Return the work on the random decks; arguments and errors are those of `difficulty`."""
    from hanabi.lab import Job, RenamedGames
    from hanabi.players import MOST_SUITS, as_player, best_player, compile_team

    for name, number in (("games", games), ("sample", sample), ("each", each)):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number <= _MOST:
            raise InvalidInputError(f"{name}: {quote(number)} is not in 1 .. {_MOST:,}")
    if each > games:
        raise InvalidInputError(f"each: {each} games of each random deck, {games} of this one")
    if rules.colors > MOST_SUITS:
        raise InvalidInputError(f"{rules.colors} suits: at most {MOST_SUITS} can be named anew")
    refusal = None
    if player is None:
        player, refusal = best_player(rules)
    compile_team([as_player(player)] * rules.seats, rules)  # whether it supports the rules
    return SampleOf(player, refusal, Job(RenamedGames(player, rules, seed, each), sample))


def deal_of(given: Given, *, players: int | None = None, rules: object = None) -> Game:
    """Return the deal of the given input.

    >>> deal_of("p2v0s5").rules == Rules.hanab_live(2)
    True
    """
    if isinstance(given, Game):
        return given.deal
    if isinstance(given, GameProblem):
        return _first(given)
    parsed = (
        given
        if isinstance(given, GameRecord | DeckInput | PositionInput | SolitaireInput)
        else read(given)
    )
    if not isinstance(parsed, GameRecord | DeckInput | PositionInput | SolitaireInput):
        raise InvalidInputError("a formula is no deck")
    return _first(pose_deck(parsed, players=players, rules=rules))


def _first(problem: GameProblem) -> Game:
    if not problem.has_history:
        raise InvalidInputError("a position without its history has no deal")
    return problem.positions[0]


def _key(outcomes: Sequence[int], rules: Rules) -> tuple[int, int]:
    """Return the games won and the total points, the key by which decks are ordered."""
    scores = [
        0 if outcome & 1 and rules.bombed_scores_zero else outcome >> 1 for outcome in outcomes
    ]
    return scores.count(rules.max_score), sum(scores)


def _error(share: float, number: int) -> float:
    return math.sqrt(share * (1 - share) / number)
