"""Play: a person among players. Everything shown follows from what the person's seat sees."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from inspect import getdoc

from starlette.responses import Response
from starlette.routing import Route

from hanabi.conventions import LEVELS
from hanabi.ground import IllegalActionError, InvalidInputError, counted, quote
from hanabi.rules import (
    Action,
    Game,
    Kind,
    Rules,
    View,
    ending,
    find_link,
    game_of_seed,
    is_seed,
    pace,
    pose_deck,
)
from hanabi.shell import (
    BLIND,
    COMMON_VARIANTS,
    CONVENTIONS,
    FIRST_PLAYER,
    MOST_SEATS,
    NOBODY,
    Asked,
    Match,
    answer,
    ask_winnable_deal,
    asked_rules,
    can_be,
    notes_in_words,
    players_for,
    possible_cards,
    render,
    resume_match,
    see_other,
    start_match,
)
from hanabi.shell import BoardPictures as Pictures

__all__ = [
    "ROUTES",
    "TABLES",
]

_SEEDS = 10**9


@dataclass(frozen=True, slots=True)
class Offer:
    """A table to sit down at: so many of one player, of this style and strength."""

    seats: int
    strength: str
    player: str
    mean: float

    @property
    def name(self) -> str:
        """The name of its choice."""
        return f"{self.seats}-{self.strength.replace(' ', '-')}"

    @property
    def about(self) -> str:
        """The offer in words."""
        return f"{self.seats} players, {self.strength}: {STYLES[self.strength]}"


STYLES = {
    "easy": "a clue means what it says",
    "strong": "the same, with a search at the end",
    "level 1": "the first conventions of hanab.live",
    "level 5": "the same, with more of them",
}
"""The partners to choose from, by their strength, in words."""

_PLAYERS = {
    "easy": FIRST_PLAYER,
    "strong": "endgame/rule-based",
    "level 1": "hgroup:level=1",
    "level 5": "hgroup:level=5",
}
_MEANS = {
    "easy": (12.4, 15.6, 15.2, 14.6),
    "strong": (13.6, 16.9, 16.6, 15.9),
    "level 1": (23.4, 24.2, 23.9, 23.4),
    "level 5": (23.3, 24.1, 24.1, 23.7),
}
"""Their mean scores when all of 2, 3, 4 and 5 seats are theirs, as `docs/page.md` has them."""

TABLES = tuple(
    Offer(seats, strength, _PLAYERS[strength], mean)
    for strength, means in _MEANS.items()
    for seats, mean in enumerate(means, start=2)
)
"""The tables to sit down at."""

_USUAL = "3-easy"


@dataclass(frozen=True, slots=True)
class Table:
    """A request for a table: the players, with one seat free."""

    team: tuple[str | None, ...]
    rules: Rules
    seed: int
    is_known: bool
    dealt: Game | None = None
    site_seed: str = ""

    @property
    def partners(self) -> tuple[str, ...]:
        """The players, without the free seat."""
        return tuple(name for name in self.team if name is not None)

    def begin(self, index: int = 0) -> Match:
        """Return the match at this table."""
        return start_match(
            self.team,
            self.rules,
            seed=self.seed,
            index=index,
            is_known=self.is_known,
            dealt=self.dealt,
            site_seed=self.site_seed,
        )


def _new(asked: Asked, problem: str = "") -> Response:
    return render(
        "play_new.html",
        problem=problem or asked.lost,
        words=asked.words,
        players=players_for(asked.desk.settings),
        about={each.name: (getdoc(each.kind) or "").partition("\n")[0] for each in BLIND},
        most=MOST_SEATS,
        variants=COMMON_VARIANTS,
        tables=TABLES,
        styles=STYLES,
        usual=_USUAL,
    )


def _partners(asked: Asked, seats: int | None) -> list[str | None]:
    """Return the chosen partners, one by one or as a table; a deal may fix how many play."""
    known = players_for(asked.desk.settings)
    named = [asked.choice(f"partner{n}", (NOBODY, *known), NOBODY) for n in range(1, MOST_SEATS)]
    team: list[str | None] = [name for name in named if name != NOBODY]
    if not team:
        names = {table.name: table for table in TABLES}
        chosen = names[asked.choice("table", tuple(names), _USUAL)]
        team = [chosen.player] * ((seats or chosen.seats) - 1)
    elif seats is not None and len(team) != seats - 1:
        raise InvalidInputError(f"this deal is for {seats}: choose {counted(seats - 1, 'partner')}")
    return team


def _start(asked: Asked) -> Response:
    text = asked.text("seed").strip()
    dealt = pose_deck(game_of_seed(text)).game if is_seed(text) else None
    team = _partners(asked, None if dealt is None else dealt.rules.seats)
    team.insert(asked.number("seat", 1, len(team) + 1, 1) - 1, None)
    if dealt is None:
        seed = asked.number("seed", 0, 2**63 - 1, secrets.randbelow(_SEEDS))
        table = Table(tuple(team), asked_rules(asked, len(team)), seed, bool(text))
    else:
        table = Table(tuple(team), dealt.rules, 0, True, dealt, text)
    visitor = asked.enter()
    if visitor.jobs.get("play") is not None:
        visitor.jobs.pop("play").cancel()
    asked.keep("play", "")
    if asked.text("winnable") and dealt is None:
        table.begin()  # raises if a player does not support the rules
        seconds = asked.desk.settings.solve_seconds
        asked.work_out(
            "play", ask_winnable_deal, table.rules, table.seed, seconds, seconds=4 * seconds
        )
        visitor.rooms["play"] = table
    else:
        is_ready = not asked.desk.compiling(*table.partners)
        visitor.rooms["play"] = _kept(asked, table.begin()) if is_ready else table
    return see_other("/play")


def _play(asked: Asked, problem: str = "") -> Response:
    waiting = asked.room("play", Table)
    if waiting is not None:
        return _wait(asked, waiting)
    match = _resumed(asked)
    if match is None:
        return _new(asked, problem)
    last = match.game.turn
    at = min(asked.number("at", 0, 10_000, last), last)
    if match.is_over or at == last:
        return _show(match, problem)
    return _look_back(match, at, is_moving=bool(asked.text("on")))


def _kept(asked: Asked, match: Match) -> Match:
    """Let the browser keep a match while it goes on, and return it."""
    asked.keep("play", "" if match.is_over else match.written)
    return match


def _resumed(asked: Asked) -> Match | None:
    """Return the match of this session, or if that is gone, the one that the browser kept."""
    match = asked.room("play", Match)
    if match is None and (text := asked.brought("play")):
        asked.keep("play", "")  # unless it can go on
        match = _kept(asked, resume_match(text, players_for(asked.desk.settings)))
        asked.enter().rooms["play"] = match
    return match


def _look_back(match: Match, at: int, *, is_moving: bool) -> Response:
    """Show what the person saw before an earlier turn; `is_moving` goes on from there."""
    (view, before), pictures = match.seen_at(at), Pictures()
    moved = match.heard[at - 1] if at else None
    told = "The deal." if moved is None else f"{match.names[moved.seat]} {moved.words}."
    return render(
        "play_back.html",
        match=match,
        at=at,
        last=match.game.turn,
        strikes=view.rules.lives - view.lives,
        is_moving=is_moving,
        told=told,
        board=pictures.board(view, names=match.names, before=before, hands=False),
        hands=pictures.hands(view, names=match.names, acts="nobody", first=match.seat),
        sheet=pictures.sheet,
        by_conventions=notes_in_words(match.notes(max(at - 1, 0), at), match.names),
        news=told,
    )


def _wait(asked: Asked, waiting: Table) -> Response:
    """Say what is waited for, until it is there: partners that are compiled, or a deal."""
    visitor = asked.enter()
    job, compiling = asked.report("play"), asked.desk.compiling(*waiting.partners)
    if compiling or (job is not None and not job.is_over):
        is_searching = job is not None and not job.is_over
        return render(
            "play_wait.html",
            waiting=asked.desk.workshop.n_waiting,
            is_searching=is_searching,
            compiling=(*(asked.desk.compiling("solve") if is_searching else ()), *compiling),
        )
    del visitor.rooms["play"]
    if job is not None and not job.results:
        return _new(asked, job.problem or "nothing was found")
    match = _kept(asked, waiting.begin(0 if job is None else job.results[0]))
    visitor.rooms["play"] = match
    return _show(match, "")


def _show(match: Match, problem: str, doubt: Doubt | None = None) -> Response:
    view, pictures = match.view, Pictures()
    open_cards = match.game if match.is_over else None
    table = view if open_cards is None else open_cards
    link, no_link = find_link(match.problem) if match.is_over else (None, "")
    return render(
        "play.html",
        problem=problem,
        doubt=doubt,
        match=match,
        view=view,
        pace=pace(view),
        strikes=view.rules.lives - view.lives,
        board=pictures.board(table, names=match.names, before=match.before, hands=False),
        hands=pictures.hands(
            table, names=match.names, acts="nobody" if match.is_over else "viewer", first=match.seat
        ),
        sheet=pictures.sheet,
        deck_actions=[each for each in view.legal_actions if each.is_from_deck],
        ending=ending(view) if match.is_over else "",
        link=link,
        no_link=no_link,
        levels=CONVENTIONS,
        by_conventions=notes_in_words(match.notes(_since(match)), match.names),
        news=_news(match),
    )


def _since(match: Match) -> int:
    """Return the turn, from 0, of the person's last move; 0 before the first one."""
    return match.own_turns[-1] if match.own_turns else 0


def _news(match: Match) -> str:
    """Return the announcement for screen readers after a move."""
    last = match.heard[_since(match) :]
    told = [f"{match.names[each.seat]} {each.words}." for each in last]
    return " ".join([*told, ending(match.view) if match.is_over else "Your turn."])


def _act(asked: Asked) -> Response:
    match = _match(asked)
    if asked.number("turn", 0, 10_000) != match.game.turn:
        raise IllegalActionError("the game has moved on since that page was made: look again")
    action = Action.from_code(asked.number("action", 0, 2**32))
    if action not in match.view.legal_actions:
        raise IllegalActionError(f"{quote(str(action))} cannot be done now")
    if not asked.text("sure") and _surely_fails(match.view, action):
        slot = action.target
        place = len(match.view.hands[match.seat]) - slot
        doubt = Doubt(action.code, place, can_be(match.view, match.seat, slot))
        return _show(match, "", doubt)
    turn = match.game.turn
    asked.enter().rooms["play"] = _kept(asked, match.act(action))
    return see_other(f"/play?at={turn + 1}&on=1" if asked.text("slow") else "/play")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A play to ask about before it is made: its code, the card's place, and what it can be."""

    code: int
    place: int
    can_be: str


def _surely_fails(view: View, action: Action) -> bool:
    """Whether the person plays a card that, by all that the person knows, cannot be played now."""
    if action.kind is not Kind.PLAY:
        return False
    possible = possible_cards(view, view.seat, action.target)
    return not any(view.is_playable(each) for each in possible)


def _conventions(asked: Asked) -> Response:
    """Choose the level of the conventions by which moves are read."""
    level = asked.number("level", 0, LEVELS)
    match = replace(_match(asked), level=level)
    asked.enter().rooms["play"] = _kept(asked, match)
    return see_other("/play")


def _back(asked: Asked) -> Response:
    """Take the person's last move back."""
    match = _match(asked).taken_back()
    asked.enter().rooms["play"] = _kept(asked, match)
    return see_other("/play")


def _stop(asked: Asked) -> Response:
    """End the game here, and show all cards."""
    match = _match(asked).stop()
    asked.enter().rooms["play"] = _kept(asked, match)
    return see_other("/play")


def _leave(asked: Asked) -> Response:
    """Clear the table for a new game."""
    visitor = asked.enter()
    visitor.rooms.pop("play", None)
    asked.keep("play", "")
    if "play" in visitor.jobs:
        visitor.jobs["play"].cancel()
    return see_other("/play")


def _match(asked: Asked) -> Match:
    return _resumed(asked) or asked.kept("play", Match, "game")  # which says that there is none


ROUTES = (
    Route("/play", answer(_play, _play)),
    Route("/play/new", answer(_start, _new), methods=["POST"]),
    Route("/play/act", answer(_act, _play), methods=["POST"]),
    Route("/play/conventions", answer(_conventions, _play), methods=["POST"]),
    Route("/play/back", answer(_back, _play), methods=["POST"]),
    Route("/play/stop", answer(_stop, _play), methods=["POST"]),
    Route("/play/leave", answer(_leave, _play), methods=["POST"]),
)
