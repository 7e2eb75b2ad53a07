"""Watch: players play a deal, and every position can be viewed from every seat."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from hanabi.conventions import LEVELS, ConventionNotes, level_of, move_notes, seat_notes
from hanabi.ground import InvalidInputError, Report, SolverError, counted, quote
from hanabi.players import Tally, compile_team, parse_player
from hanabi.rules import (
    Game,
    GameProblem,
    Rules,
    Table,
    ending,
    find_link,
    game_of_seed,
    is_seed,
    on_site,
    pace,
    pose_deck,
    pose_game,
)
from hanabi.shell import (
    COMMON_VARIANTS,
    CONVENTIONS,
    MOST_SEATS,
    NOBODY,
    Asked,
    ByConventions,
    DealsPlayed,
    Study,
    address_of,
    answer,
    ask_deals,
    ask_game,
    ask_reasons,
    asked_rules,
    known_hand,
    notes_in_words,
    partition,
    players_for,
    read_address,
    render,
    see_other,
)
from hanabi.shell import BoardPictures as Pictures
from hanabi.solvers import reasons_in_words

__all__ = ["ROUTES"]

_SEEDS = 10**9
_SECONDS = 600.0
_PARTITION_SECONDS = 2.0
_SAME = "the first one"
_MOST_DEALS = 100_000
_USUAL_DEALS, _RUN_SECONDS = 1000, 20.0  # whichever a run reaches first for which nothing is said
_PART_SECONDS = 4.0  # of a run: then others take their turns, and it is seen whether anyone looks
_LOOKS = ("at", "seat", "split", "conventions")
_ABOUT = (*(f"player{n}" for n in range(1, MOST_SEATS + 1)), "seed", "deal")
"""Entries of an address that are not the game's: how it is looked at, and where it comes from."""


def _new(asked: Asked, problem: str = "") -> Response:
    """Return the page for choosing players and cards."""
    return render(
        "watch_new.html",
        problem=problem or asked.lost,
        words=asked.words,
        players=players_for(asked.desk.settings),
        most=MOST_SEATS,
        most_deals=_MOST_DEALS,
        usual=_USUAL_DEALS,
        seconds=_RUN_SECONDS,
        nobody=NOBODY,
        same=_SAME,
        variants=COMMON_VARIANTS,
    )


def _read_players(asked: Asked) -> tuple[str, ...]:
    """Return the chosen player of each seat, for the largest number of seats."""
    known = players_for(asked.desk.settings)
    first, others = asked.choice("player1", known, known[0]), []
    for n in range(2, MOST_SEATS + 1):
        name = asked.choice(f"player{n}", (_SAME, *known), _SAME)
        others.append(first if name == _SAME else name)
    return first, *others


def _read_seed(asked: Asked) -> int:
    """Return the chosen seed, or a new one."""
    return asked.number("seed", 0, 2**63 - 1, secrets.randbelow(_SEEDS))


def _dealt(seed: str, deal: int, rules: Rules) -> Game:
    """Return the deal of a seed: one of hanab.live, or a number with these rules."""
    if is_seed(seed):
        return pose_deck(game_of_seed(seed)).game
    return Game.start(rules, rules.spec.shuffle(int(seed), deal))


def _start(asked: Asked) -> Response:
    text, players = asked.text("seed").strip(), _read_players(asked)
    if is_seed(text):
        seed = index = 0
        rules = _dealt(text, 0, asked_rules(asked, 2)).rules
    else:
        seed, index = _read_seed(asked), asked.number("deal", 0, 10**9, 0)
        text, rules = str(seed), asked_rules(asked, asked.number("seats", 2, MOST_SEATS, 3))
    team = players[: rules.seats]
    compile_team([parse_player(name) for name in team], rules)  # raises for unsupported rules
    game = _dealt(text, index, rules)
    asked.work_out("watch", ask_game, team, game, seed, index, seconds=_SECONDS, is_long=True)
    asked.enter().rooms["watch"] = Started(team, text, index)
    return see_other("/watch")


@dataclass(frozen=True, slots=True)
class Started:
    """A game that players play: who they are, and which deal it is."""

    team: tuple[str, ...]
    seed: str
    deal: int

    @property
    def entries(self) -> dict[str, object]:
        """What the address holds beside the game."""
        first, *others = self.team
        named = {f"player{n}": name for n, name in enumerate(others, 2) if name != first}
        deal = {"deal": self.deal} if self.deal else {}
        return {"player1": first, **named, "seed": self.seed, **deal}


def _watch(asked: Asked, problem: str = "") -> Response:
    """Go to the game that was begun here, once it is played."""
    begun = asked.room("watch", Started)
    if begun is None or asked.text("new"):
        return _new(asked, problem)
    job = asked.report("watch")
    if job is None or not job.is_over:
        return _wait(asked, begun.team)
    if not job.results:
        del asked.enter().rooms["watch"]
        return _new(asked, job.problem or "the game was given up")
    code, query = address_of(pose_game(job.results[0]))
    looks = {name: asked.queried[name] for name in _LOOKS if name in asked.queried}
    about = urlencode(begun.entries | looks)
    return see_other(f"/watch/{code}?" + "&".join(filter(None, [query, about])))


def _wait(asked: Asked, team: tuple[str, ...]) -> Response:
    return render(
        "watch_wait.html",
        waiting=asked.desk.workshop.n_waiting,
        compiling=asked.desk.compiling(*team),
    )


def _game(asked: Asked) -> Response:
    """Show a position of the game that the address holds."""
    code = asked.parameters["code"]
    if "," not in code:
        raise HTTPException(405 if code == "new" else 404)  # a form's address, loaded again
    own = {k: v for k, v in asked.queried.items() if k not in (*_LOOKS, *_ABOUT)}
    about = {k: v for k, v in asked.queried.items() if k in _ABOUT}
    whole = read_address(code, own)
    study = Study(whole, f"/watch/{code}", urlencode(own | about))
    team, last, names = _read_players(asked)[: len(whole.names)], len(whole.moves), whole.names
    usual = level_of([parse_player(name) for name in team])
    at = min(asked.number("at", 0, 10_000, 0), last)
    seat = asked.number("seat", 0, len(names), 0)
    split = asked.number("split", 0, len(names), 0)
    level = asked.number("conventions", 0, LEVELS, usual)
    game = whole.positions[at]
    before = whole.positions[at - 1] if at else None
    table = game.view(seat - 1) if seat else game
    seen = before.view(seat - 1) if seat and before is not None else before
    reasons = _reasons(asked, study, team)
    why = reasons.results[at - 1] if reasons and 0 < at <= len(reasons.results) else ""
    is_open = reasons is None or not (reasons.is_over or at <= len(reasons.results))
    pictures = Pictures()
    link, no_link = find_link(replace(whole, at=last))
    news = "The deal."
    if before is not None:
        news = on_site(names, before, game) + "."
    looks = (("seat", seat, 0), ("split", split, 0), ("conventions", level, usual))
    more = urlencode({name: chosen for name, chosen, default in looks if chosen != default})
    return render(
        "watch.html",
        study=study,
        more="".join(f"&{each}" for each in (study.query, more) if each),
        team=team,
        source=_source(asked, whole),
        names=names,
        at=at,
        last=last,
        seat=seat,
        split=split,
        why=why,
        is_thinking=at > 0 and is_open,
        told=news,
        level=level,
        levels=CONVENTIONS,
        by_conventions=_by_conventions(whole, at, seat, level),
        game=game,
        pace=pace(game),
        board=pictures.board(table, names=names, before=seen, hands=False),
        hands=pictures.hands(table, names=names, acts="nobody"),
        sheet=pictures.sheet,
        parts=_parts(game, split - 1) if split else None,
        moves=_moves(whole),
        review=f"/review/{code}" + (f"?{urlencode(own)}" if own else ""),
        has_run=asked.room("many", object) is not None,
        ending=ending(game) if game.is_over else "",
        link=link,
        no_link=no_link,
        news=news
        + (f" Because: {why}." if why else "")
        + (f" {ending(game)}." if game.is_over else ""),
    )


def _source(asked: Asked, whole: GameProblem) -> str:
    """Return which deal the address says that a game is of, in words; raise if it is another."""
    seed, deal = asked.queried.get("seed", ""), asked.number("deal", 0, 10**9, 0)
    if not seed:
        return ""
    if not is_seed(seed):
        _read_seed(asked)  # raises if it is no number
    if _dealt(seed, deal, whole.positions[0].rules) != whole.positions[0]:
        raise InvalidInputError(f"seed: {quote(seed)} deals other cards than those of this game")
    return seed if is_seed(seed) else f"seed {seed}" + (f", deal {deal}" if deal else "")


def _reasons(asked: Asked, study: Study, team: tuple[str, ...]) -> Report | None:
    """Return why the players made their moves, as far as it is known; None if too many wait."""
    key = "why", study.key, team
    with suppress(SolverError):
        return asked.share(key, ask_reasons, study.problem, team, seconds=_SECONDS, is_long=True)
    return None


def _by_conventions(whole: GameProblem, at: int, seat: int, level: int) -> ByConventions:
    """Return what conventions say of a move, to a seat that looks on (from 1) or to its players."""
    if not at or not level:
        return ByConventions()
    before, after = whole.positions[at - 1 : at + 1]

    def notes() -> Iterator[tuple[Table, Table, ConventionNotes]]:
        if seat:
            seen, sees = before.view(seat - 1), after.view(seat - 1)
            yield seen, sees, seat_notes(seen, sees, level)
        else:
            yield before, after, move_notes(before, after, level)

    return notes_in_words(notes(), whole.names)


def _moves(whole: GameProblem) -> list[str]:
    """Return all moves in words."""
    pairs = zip(whole.positions, whole.positions[1:], strict=False)
    return [on_site(whole.names, before, after) for before, after in pairs]


def _parts(game: Game, seat: int) -> dict[str, object] | None:
    """Return the partition of the clues for a hand, in words; None if nobody can clue it."""
    if game.is_over or seat == game.seat_to_act:
        return None
    try:
        hand = known_hand(game, seat)
    except InvalidInputError:  # the clues of this variant are not supported
        return None
    found = partition(game, seat=seat, seconds=_PARTITION_SECONDS)
    table, names = hand.table("joint"), hand.names("joint")
    whys = reasons_in_words(table, found)
    return {
        "size": counted(found.size, "part"),
        "is_maximum": found.is_maximum,
        "parts": [
            (", ".join(names[hint] for hint in part), why)
            for part, why in zip(found.parts, whys, strict=True)
        ],
    }


# Many deals at once: how many are won, and the lost deals to look at.


@dataclass(frozen=True, slots=True)
class Run:
    """Many deals, which the page has played a part at a time, as long as somebody looks at it.

    Attributes
    ----------
    games, seconds
        It is over once so many deals are played, or took so long.
    found
        The results so far.
    problem
        Why it cannot go on, or "".
    is_stopped
        Whether it was stopped.
    """

    team: tuple[str, ...]
    rules: Rules
    variant: str
    seed: int
    games: int
    seconds: float
    found: DealsPlayed
    problem: str = ""
    is_stopped: bool = False

    @property
    def done(self) -> int:
        """The number of deals played."""
        return self.found.tally.games

    @property
    def is_open(self) -> bool:
        """Whether more deals are to be played."""
        is_enough = self.done >= self.games or self.found.seconds >= self.seconds
        return not (is_enough or self.problem or self.is_stopped)

    @property
    def speed(self) -> float:
        """Deals in a second."""
        return self.done / max(self.found.seconds, 1e-6)

    @property
    def left(self) -> float:
        """Seconds that it takes to play the rest."""
        return min(self.seconds - self.found.seconds, (self.games - self.done) / self.speed)

    def after(self, job: Report) -> Run:
        """Return the run with the results of a part."""
        return replace(self, found=sum(job.results, self.found), problem=job.problem)

    def longer(self) -> Run:
        """Return the run with as many deals again to play, or as long again, or what is left."""
        games = self.games if self.done < self.games else min(2 * self.games, _MOST_DEALS)
        seconds = max(self.seconds, self.found.seconds + _RUN_SECONDS)
        return replace(self, games=games, seconds=seconds, problem="", is_stopped=False)


def _start_many(asked: Asked) -> Response:
    text = asked.text("seed").strip()
    if is_seed(text):
        raise InvalidInputError(f"seed: {quote(text)} is one deal; many are those of a number")
    rules = asked_rules(asked, asked.number("seats", 2, MOST_SEATS, 3))
    team, seed = _read_players(asked)[: rules.seats], _read_seed(asked)
    games = asked.number("games", 1, _MOST_DEALS, 0)
    compile_team([parse_player(name) for name in team], rules)  # raises for unsupported rules
    variant = asked.text("variant", "No Variant").strip()
    wanted = (games, math.inf) if games else (_USUAL_DEALS, _RUN_SECONDS)
    nothing = DealsPlayed(Tally.of(rules, ()))
    visitor = asked.enter()
    if (previous := visitor.jobs.pop("many", None)) is not None:
        previous.cancel()
    visitor.rooms["many"] = Run(team, rules, variant, seed, *wanted, nothing)
    return see_other("/watch/many")


def _many(asked: Asked) -> Response:
    run = asked.room("many", Run)
    if run is None:
        return see_other("/watch?new=1")
    job, visitor = asked.report("many"), asked.enter()
    if job is not None and job.is_over:
        del visitor.jobs["many"]
        visitor.rooms["many"] = run = run.after(job)
    if "many" in visitor.jobs and job is not None:
        run = run.after(job)
    elif run.is_open:
        part = (run.done, run.games), min(_PART_SECONDS, run.seconds - run.found.seconds)
        with suppress(SolverError):  # too many wait: the page asks again
            asked.work_out(
                "many", ask_deals, run.team, run.rules, run.seed, *part,
                seconds=_SECONDS, is_long=True,
            )  # fmt: skip
    if not run.done:
        is_waiting = run.is_open or "many" in visitor.jobs
        return _wait(asked, run.team) if is_waiting else _new(asked, run.problem)
    return render(
        "watch_many.html",
        run=run,
        is_open="many" in visitor.jobs or run.is_open,
        problem=run.problem,
        scores=run.found.tally.scored(run.rules),
        names=list(enumerate(run.team, start=1)),
        most=_MOST_DEALS,
    )


def _stop_many(asked: Asked) -> Response:
    """End a run, and keep what is done."""
    run, job = asked.kept("many", Run, "run"), asked.report("many")
    visitor = asked.enter()
    if job is not None:
        visitor.jobs.pop("many").cancel()
        run = run.after(job)
    visitor.rooms["many"] = replace(run, is_stopped=True)
    return see_other("/watch/many")


def _more_many(asked: Asked) -> Response:
    """Let a run that has ended go on."""
    asked.enter().rooms["many"] = asked.kept("many", Run, "run").longer()
    return see_other("/watch/many")


ROUTES = (
    Route("/watch", answer(_watch, _new)),
    Route("/watch/new", answer(_start, _new), methods=["POST"]),
    Route("/watch/many", answer(_many, _new)),
    Route("/watch/many", answer(_start_many, _new), methods=["POST"]),
    Route("/watch/many/stop", answer(_stop_many, _new), methods=["POST"]),
    Route("/watch/many/more", answer(_more_many, _new), methods=["POST"]),
    Route("/watch/{code}", answer(_game, _new)),
)
