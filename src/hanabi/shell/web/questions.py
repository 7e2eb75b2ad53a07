"""Questions for a `Workshop`; each reports its results through `tell`, its first argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hanabi.ground import Clock, InvalidInputError, Stream
from hanabi.reviews import late_chances
from hanabi.rules import Game, GameProblem, Rules, site
from hanabi.solvers import Prospect, prospect

if TYPE_CHECKING:
    from hanabi.players import Tally
    from hanabi.solitaire import Formula, Instance
    from hanabi.solvers import PossibilityTable

__all__ = [
    "DealsPlayed",
    "GameJudged",
    "ask_advice",
    "ask_conventions",
    "ask_counts",
    "ask_deals",
    "ask_decisions",
    "ask_exercise",
    "ask_exercises",
    "ask_formula",
    "ask_game",
    "ask_games",
    "ask_partition",
    "ask_people",
    "ask_reasons",
    "ask_review",
    "ask_solitaire",
    "ask_values",
    "ask_winnable_deal",
]

Tell = Callable[[Any], None]

_SEED = 1
_SAMPLES = 100, 100_000  # fewest and most
_MOMENT = 0.5  # seconds from one result to the next
_WORK = 250_000_000  # of an estimate: samples times cards squared, about ten seconds


def ask_review(tell: Tell, problem: GameProblem, seconds: float) -> None:
    """Report each position's `Prospect`, then why points are lost, and each `Late` position.

    Each loss is reported as `Explained`. The last result is the reason why the top score is out of
    reach, or None if it is reachable. A deck without moves has one position.

    >>> from hanabi import deal
    >>> from hanabi.rules.problem import pose_game
    >>> told = []
    >>> game = deal(players=2, seed=1)
    >>> ask_review(told.append, pose_game(game.apply(game.legal_actions[-1])), 60)
    >>> [each.lower for each in told[:2]], told[2]
    ([25, 25], None)
    """
    from hanabi.reviews import explain_losses
    from hanabi.reviews import review_game as review
    from hanabi.solvers import why_lost

    clock = Clock(seconds)
    if problem.moves:
        found = review(problem, seconds=seconds, tell=tell)
        for explained in explain_losses(found, clock):
            tell(explained)
        for late in late_chances(problem.by_rules, clock):
            tell(late)
        tell(found.because)
        return
    alone = prospect(problem.game, None, clock)
    tell(alone)
    is_lost = alone.upper < problem.game.rules.max_score
    tell(why_lost(problem.game, clock.left) if is_lost else None)


def ask_decisions(
    tell: Tell, problem: GameProblem, prospects: Sequence[Prospect], partners: str, seconds: float
) -> None:
    """Report what `judge_moves` finds in a game, given the best score of each position.

    >>> from hanabi.shell.web.moves import read_game
    >>> told, game = [], read_game("p2v0s2 clue Bob 3")
    >>> ask_decisions(told.append, game, [Prospect(25, 25, None)] * 2, "convention", 60)
    >>> told[0], told[1].move
    ('convention', 1)
    """
    from hanabi.reviews import judge_moves

    for each in judge_moves(problem, prospects, Clock(seconds), partners):
        tell(each)


def ask_advice(tell: Tell, problem: GameProblem, at: int, partners: str, seconds: float) -> None:
    """Report the advice on a position each time it is better, without its game.

    Without the name of a player, `partners` are those of `hanabi.advise`.

    >>> from hanabi.shell.web.moves import read_game
    >>> told = []
    >>> ask_advice(told.append, read_game("p2v0s2 clue Bob 3"), 1, "random", 0.3)
    >>> told[-1]["partners"].name
    'random'
    """
    from hanabi.reviews import advice_on

    def without_game(found: Any) -> None:
        tell({name: getattr(found, name) for name in ("partners", "certified", "games", "seconds")})

    without_game(
        advice_on(problem, at=at, partners=partners or None, seconds=seconds, tell=without_game)
    )


def ask_conventions(tell: Tell, problem: GameProblem, level: int) -> None:
    """Report what the conventions of a level say of each move of a game.

    >>> from hanabi.shell.web.moves import read_game
    >>> ask_conventions(lambda notes: print(notes.move), read_game("p2v0s2 clue Bob 3"), 1)
    1
    """
    from hanabi.conventions import convention_notes

    for each in convention_notes(problem.by_rules, level):
        tell(each)


def ask_people(tell: Tell, problem: GameProblem) -> None:
    """Report what people would do where each move of a game was made.

    >>> from hanabi.shell.web.moves import read_game
    >>> ask_people(lambda notes: print(notes.move), read_game("p2v0s2 clue Bob 3"))
    1
    """
    from hanabi.people import people_notes

    for each in people_notes(problem.by_rules):
        tell(each)


def ask_exercise(
    tell: Tell, level: int, seed: int, number: int, seats: int, convention: str
) -> None:
    """Report the positions up to an exercise of a level, and the exercise.

    >>> ask_exercise(lambda found: print(found[1].level), 1, 5, 0, 3, "")
    1
    """
    from hanabi.conventions import draw_exercise

    tell(draw_exercise(level, seed, number, seats, convention))


def ask_exercises(tell: Tell, problem: GameProblem, level: int) -> None:
    """Report each exercise of a game, with the positions up to it.

    >>> from hanabi.shell.web.moves import read_game
    >>> ask_exercises(print, read_game("p2v0s2 clue Bob 3"), 1)
    """
    from hanabi.conventions import exercises

    for at, found in exercises(problem.by_rules, level):
        tell((problem.by_rules[: at + 1], found))


@dataclass(frozen=True, slots=True)
class GameJudged:
    """What a game lost: moves, from 1, with points; the best that its deck allowed, surely.

    Where not all is decided, only losses that are certain are named.
    """

    lost: tuple[tuple[int, int], ...]
    best: int
    is_decided: bool


def ask_games(tell: Tell, games: Sequence[GameProblem], seconds: float, total: float) -> None:
    """Report each game as `GameJudged`, with at most `seconds` for one and `total` for all.

    >>> from hanabi.shell.web.moves import read_game
    >>> told = []
    >>> ask_games(told.append, [read_game("p2v0s2 clue Bob 3, discard 4")], 60, 60)
    >>> told[0].is_decided, told[0].best
    (True, 25)
    """
    from hanabi.reviews import review_game as review

    clock = Clock(total)
    for problem in games:
        left = total if clock.left is None else clock.left
        found = review(problem, seconds=min(seconds, left))
        tell(GameJudged(tuple(found.lost), found.prospects[0].upper, found.undecided is None))


def ask_values(
    tell: Tell, game: Game, known: Prospect | None, seconds: float, with_people: bool = False
) -> None:
    """Report the scores reachable from a position, and what each of its actions keeps.

    The first result is a `Prospect`, the others are `Judged` actions; if few cards are left to
    draw, the last one is the position as `Late`. `with_people` reports the shares of people, too,
    as a mapping by actions, before all others; nothing under rules that they do not play.

    >>> from hanabi import deal
    >>> told = []
    >>> ask_values(told.append, deal(players=2, seed=1), None, 60)
    >>> told[0].lower, [each.kept.lower for each in told[1:]]
    (25, [24, 25, 25, 25, 25, 25])
    """
    from hanabi.people import people_chances
    from hanabi.reviews import judge_actions
    from hanabi.solvers import warm_up

    if with_people:
        with suppress(InvalidInputError):
            tell(people_chances(game))
    warm_up()
    clock = Clock(seconds)
    found = prospect(game, None, clock) if known is None else known
    tell(found)
    for judged in judge_actions(game, found, clock):
        tell(judged)
    for late in late_chances([game], clock):
        tell(late)


def ask_winnable_deal(tell: Tell, rules: Rules, seed: int, seconds: float) -> None:
    """Report the number of a seed's first deal that can be won.

    >>> told = []
    >>> ask_winnable_deal(told.append, Rules.hanab_live(3), 1, 60)
    >>> told
    [0]
    """
    from hanabi.shell.web.match import find_winnable
    from hanabi.solvers import warm_up

    warm_up()
    tell(find_winnable(rules, seed=seed, seconds=seconds))


def ask_game(tell: Tell, team: Sequence[str], start: Game, seed: int, index: int) -> None:
    """Report the end of the game that players play from a deal.

    For the deal of this seed and index, it is the same game as in `hanabi play`.

    >>> from hanabi import deal
    >>> told = []
    >>> ask_game(told.append, ["first-legal", "random"], deal(2, seed=1), 1, 0)
    >>> told[0].is_over
    True
    """
    from hanabi.players import decision_seed, parse_player, play_game

    players = [parse_player(name) for name in team]
    tell(play_game(players, start, Stream(decision_seed(seed), index)))


def ask_reasons(tell: Tell, problem: GameProblem, team: Sequence[str]) -> None:
    """Report why the player at each seat would make each move of a game, or what it would do.

    A reason is a sentence, or "" if the player gives none.

    >>> from hanabi.shell.web.moves import read_game
    >>> told = []
    >>> ask_reasons(told.append, read_game("p2v0s2 clue Bob 3, discard 4"), ["first-legal"] * 2)
    >>> told[0]
    'would play card 5 instead: the first of 12 legal actions'
    """
    from hanabi.players import parse_player, why_of

    players = [parse_player(name) for name in team]
    for before, action in zip(problem.positions, problem.moves, strict=False):
        seat = before.seat_to_act
        said = why_of(players[seat], before.view(seat), action)
        tell("" if said is None else said.to(site(problem.names, before)))


@dataclass(frozen=True, slots=True)
class DealsPlayed:
    """The results of players in consecutive deals; those of parts add up.

    Attributes
    ----------
    tally
        All games by points.
    lost
        The lost deals with the lowest scores, and these scores, lowest first; up to `MOST_LOST`.
    seconds
        How long the games took; compilation is not counted.
    """

    tally: Tally
    lost: tuple[tuple[int, int], ...] = ()
    seconds: float = 0.0

    MOST_LOST: ClassVar[int] = 50

    def __add__(self, other: DealsPlayed) -> DealsPlayed:
        lost = sorted((*self.lost, *other.lost), key=lambda pair: pair[1])[: self.MOST_LOST]
        seconds = self.seconds + other.seconds
        return DealsPlayed(self.tally + other.tally, tuple(lost), seconds)


def ask_deals(
    tell: Tell,
    team: Sequence[str],
    rules: Rules,
    seed: int,
    deals: tuple[int, int],
    seconds: float,
) -> None:
    """Report the results in a seed's deals as they come, for so many seconds.

    Deals are those from the first of `deals` up to, not including, the second; one is always
    played. Each result, a `DealsPlayed`, is of the deals since the previous one.

    >>> told = []
    >>> ask_deals(told.append, ["random", "random"], Rules.official(2), 1, (0, 10), 60)
    >>> found = sum(told[1:], told[0])
    >>> found.tally.games, found.tally.kept.perfect, len(found.lost)
    (10, 0, 10)
    """
    from hanabi.lab import find_worst, summarize
    from hanabi.players import Tally, outcomes, parse_player

    players = [parse_player(name) for name in team]
    clock, (at, end), games = Clock(), deals, 1
    while at < end:
        before = clock.elapsed
        played = outcomes(players, rules, min(games, end - at), seed=seed, first=at)
        took = clock.elapsed - before
        worst = [deal for deal, _ in find_worst([played], rules, DealsPlayed.MOST_LOST)]
        scores = [round(summarize([[played[deal]]], rules).score.value) for deal in worst]
        lost = [(at + deal, score) for deal, score in zip(worst, scores, strict=True)]
        lost = [pair for pair in lost if pair[1] < rules.max_score]
        tell(DealsPlayed(Tally.of(rules, played), tuple(lost), took))
        at += len(played)
        left = seconds - clock.elapsed
        if left <= 0:
            return
        # As many as take a moment, and at most twice as many as before, as some take longer.
        games = max(1, min(2 * games, int(len(played) * min(left, _MOMENT) / max(took, 1e-6))))


def ask_formula(tell: Tell, formula: Formula, variant: str, seconds: float) -> None:
    """Report the `Decision` on a formula's cards, then a proof that no play wins.

    The proof, in DRAT format, refutes the output of `hanabi.solitaire.sat.write_dimacs` with
    `cut=False`. It is None if there is a winning play, or if time was up.

    >>> from hanabi.solitaire.hardness import Formula
    >>> told = []
    >>> ask_formula(told.append, Formula(1, ((1,), (-1,))), "four_values", 60)
    >>> told[0].is_satisfiable, told[1][-1]
    (False, '0')
    """
    from hanabi.solitaire import certify_by_sat as certify
    from hanabi.solitaire import decide_by_cards

    clock = Clock(seconds)
    decision = decide_by_cards(formula, variant=variant, seconds=clock.left)
    tell(decision)
    proof = None
    if decision.is_satisfiable is False:
        proof = certify(decision.reduction, seconds=clock.left).proof
    tell(None if proof is None else proof.rstrip("\n"))


def ask_solitaire(tell: Tell, instance: Instance, seconds: float) -> None:
    """Report the answer on a stream of cards, with the most cards that can be played.

    >>> from hanabi.solitaire.instance import Instance
    >>> told = []
    >>> ask_solitaire(told.append, Instance(1, [(0, 2), (0, 1)]), 60)
    >>> str(told[0].status), told[0].most_cards
    ('winnable', 2)
    """
    from hanabi.shell.session.problem import Question, SolitaireProblem
    from hanabi.shell.session.solving import answer_of

    question = Question(most_cards=True, seconds=seconds)
    tell(answer_of(SolitaireProblem(instance), question))


def ask_partition(tell: Tell, table: PossibilityTable, seconds: float) -> None:
    r"""Report a partition of the hints for a hand into as many parts as possible.

    >>> from hanabi.solvers.hints import parse_table
    >>> told = []
    >>> ask_partition(told.append, parse_table("r y g\n1 1 0\n0 0 1\n"), 60)
    >>> told[0].parts
    ((0, 1), (2,))
    """
    from hanabi.solvers import find_partition

    tell(find_partition(table, seconds=seconds))


def ask_counts(
    tell: Tell, copies: str, colors: int, hand_sizes: Sequence[int], seconds: float
) -> None:
    """Report the decks that can be won with each of these hands, as pairs of hand and `DeckCount`.

    With several colors and a hand there are soon too many states to count. Shares of hands that
    are not counted in a third of the time are estimated from shuffled decks, and reported as a
    `Point` instead.

    >>> told = []
    >>> ask_counts(told.append, "3,2,2,2,1", 1, (0, 1), 60)
    >>> [(hand, found.good) for hand, found in told]
    [(0, 5934), (1, 41692)]
    """
    from hanabi.shell.session.counts import count
    from hanabi.solitaire import UncountedError, estimate_curve, expand_groups, parse_groups

    clock, counting = Clock(seconds), Clock(seconds / 3)
    for place, hand in enumerate(hand_sizes):
        try:
            tell((hand, count(copies, colors=colors, hand_size=hand, seconds=counting.left)))
        except UncountedError:
            rows = [expand_groups(parse_groups(copies))] * colors
            fewest, most = _SAMPLES
            samples = max(fewest, min(most, _WORK // sum(map(sum, rows)) ** 2))
            for point in estimate_curve(
                rows,
                samples=samples,
                seed=_SEED,
                hand_sizes=hand_sizes[place:],
                seconds=max(0.0, seconds - clock.elapsed),
            ):
                tell((point.hand_size, point))
            return
