"""`hanabi practise` asks for the right action of positions, by the conventions of a player."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, pairwise

from hanabi.conventions.player import HGroup
from hanabi.conventions.practice import Exercise, convention_named, draw_exercise, exercises, mark
from hanabi.conventions.variants import refuse_variant
from hanabi.ground import HanabiError, InvalidInputError, counted, naming, quote
from hanabi.players import parse_player
from hanabi.rules import (
    Action,
    Game,
    GameProblem,
    Said,
    View,
    card_name,
    clue_colors,
    find_link,
    hinted,
    hints_in_hands,
    names_of,
    on_site,
    parse_input,
    pose_game,
    record_action,
    site,
)
from hanabi.shell import (
    Item,
    Piece,
    Question,
    Screen,
    action_json,
    card_piece,
    complain,
    move_in_words,
    move_of,
    opened_items,
    options,
    pile_pieces,
    pose_position,
    print_json,
)

__all__ = ["practise_command"]

_SEATS, _NUMBER, _NAME, _IN_ROW = 3, 5, 10, 3

_HELP = (
    "play 1, discard 5, clue Bob red (or r), clue Bob 3: cards count from the newest, 1; "
    "hint: say a little more; solution: show the answer; quit: end"
)


@dataclass(frozen=True, slots=True)
class _Posed:
    """An exercise, the positions of its game up to it, and the names at the table."""

    exercise: Exercise
    positions: tuple[Game, ...]
    names: tuple[str, ...]

    def in_words(self, said: Said) -> str:
        """Return a sentence of the exercise with names, and cards that count from the newest."""
        return said.to(site(self.names, self.exercise.view))

    def is_of(self, convention: str) -> bool:
        """Whether it practises a convention, by its name; "" for any."""
        return convention in ("", self.exercise.convention.name)

    def move(self, action: Action) -> str:
        """Return an action as it can be typed."""
        return move_in_words(self.exercise.view, action, self.names)


def practise_command(
    player: str,
    game: options.Source | None = None,
    /,
    *,
    games: options.Games = _NUMBER,
    seats: options.Players = None,
    seed: options.Seed = None,
    first: options.Count = 0,
    convention: str = "",
    course: bool = False,
    show: bool = False,
    json: bool = False,
) -> int:
    """Practise conventions: find the one right action of positions.

    Cards count from the newest, which is 1. Answer with a move as in play 1, discard 5, clue Bob
    red (or r) or clue Bob 3; or with hint, solution, quit or ?, which explains these.

    Parameters
    ----------
    player
        The player whose conventions you practise: hgroup, hgroup:level=2 and so on.
    game
        Take the positions from this game, a file or a link, or from the games of a folder or of
        any other many inputs that "hanabi solve" takes, rather than from random deals.
    games
        So many positions. Default: 5.
    seats
        Players at the table. Default: 3.
    first
        The number of the first position of the seed. Default: 0.
    convention
        Only positions of this convention, such as "5 Save".
    course
        Begin with level 1, and go up to the level of the player: after three positions in a row
        that you get right at the first try comes the next level.
    show
        Ask nothing: print the positions with their hints and solutions.
    json
        Print one JSON document with the positions, hints and solutions.
    """
    if show and json:
        raise InvalidInputError("give one of --show and --json")
    teacher = parse_player(player)
    if not isinstance(teacher, HGroup):
        raise InvalidInputError(f"{quote(player)} has no conventions to practise; hgroup has")
    if course and (show or json or convention or game is not None):
        raise InvalidInputError("--course asks for positions of random deals, of all conventions")
    wanted = convention_named(convention, teacher.level).name if convention else ""
    source: dict[str, object] = {}
    posed: Iterator[_Posed]
    if game is not None:
        options.refuse("is for random deals, not for a game", seats=seats, seed=seed)
        found = (each for each in _from_games(game, teacher.level) if each.is_of(wanted))
        posed = islice(found, first, None)
        source["game"] = options.name_of(game)
    else:
        seed = options.new_seed(seed)
        drawn = _Drawn(1 if course else teacher.level, seed, _SEATS if seats is None else seats)
        posed = drawn.each(first, wanted)
        source["seed"] = seed
    if wanted:
        source["convention"] = wanted
    posed = islice(posed, games)
    if json:
        print_json({"level": teacher.level} | source | {"positions": [*map(_document, posed)]})
        return 0
    screen = Screen()
    about = ", ".join(f"{name} {value}" for name, value in source.items())
    screen.entry("", f"level {teacher.level}, {about}; cards count from the newest, 1")
    asked = right = in_row = 0
    for number, each in enumerate(posed, start=first):
        _print_position(screen, each, number)
        if show:
            _print_solution(screen, each, with_hints=True)
            continue
        was_right = _ask(screen, each)
        if was_right is None:
            break
        asked, right, in_row = asked + 1, right + was_right, (in_row + 1) * was_right
        if course and in_row == _IN_ROW and drawn.level < teacher.level:
            drawn.level, in_row = drawn.level + 1, 0
            screen.line()
            screen.entry("", f"{_IN_ROW} in a row: on to level {drawn.level}", "bold")
    else:
        if game is not None and not asked and not show:
            what = f"a position of {wanted}" if wanted else "a position"
            screen.entry("", f"{options.name_of(game)}: no {what[2:]} where one action is right")
    if not show:
        screen.line()
        screen.entry("", f"{right} of {counted(asked, 'position')} right at the first try")
    return 0


@dataclass
class _Drawn:
    """Positions from random deals, of a level that may rise meanwhile."""

    level: int
    seed: int
    seats: int

    def each(self, first: int, convention: str) -> Iterator[_Posed]:
        """Yield a position for each number."""
        for number in count(first):
            positions, found = draw_exercise(self.level, self.seed, number, self.seats, convention)
            yield _Posed(found, positions, names_of(positions[0].rules, ()))


def _from_games(source: str, level: int) -> Iterator[_Posed]:
    """Return the positions of a game or, one game after the other, of many."""
    with opened_items(source) as given:
        if isinstance(given, str):
            with naming(options.name_of(source)):
                problem = _problem_of(given)
            return _exercises_in(problem, level)
        return _from_items([*given.each], level)


def _from_items(items: Sequence[Item], level: int) -> Iterator[_Posed]:
    """Yield the positions of many games; one that does not do is named and left out."""
    for item in items:
        try:
            with naming(item.label):
                problem = _problem_of(item.text())
        except HanabiError as error:
            complain(f"note: left out: {error}")
            continue
        yield from _exercises_in(problem, level)


def _problem_of(text: str) -> GameProblem:
    """Read a game that has moves, of a variant that the conventions cover."""
    problem = pose_position(parse_input(text), Question())
    if not problem.has_history or not problem.moves:
        raise InvalidInputError("no moves: positions to practise come from a game")
    refuse_variant(problem.by_rules[0].rules)
    return problem


def _exercises_in(problem: GameProblem, level: int) -> Iterator[_Posed]:
    return (
        _Posed(found, problem.by_rules[: at + 1], problem.names)
        for at, found in exercises(problem.by_rules, level)
    )


def _document(posed: _Posed) -> dict[str, object]:
    """Return a position with its solution."""
    found, view = posed.exercise, posed.exercise.view
    return {
        "turn": view.turn,
        "seat": view.seat,
        "player": posed.names[view.seat],
        "link": find_link(pose_game(posed.positions[-1]))[0],
        "hands": [
            [None if card is None else card_name(card, view.rules) for card in hand]
            for hand in view.hands
        ],
        "piles": list(view.piles),
        "hints_left": view.hints,
        "lives": view.lives,
        "convention": {
            "name": found.convention.name,
            "level": found.convention.level,
            "link": found.convention.link,
        },
        "hints": [posed.in_words(each) for each in found.hints],
        "action": action_json(record_action(posed.positions[-1], found.action)),
        "move": posed.move(found.action),
        "solution": posed.in_words(found.solution),
    }


def _print_position(screen: Screen, posed: _Posed, number: int) -> None:
    """Write what the seat sees: the last round, the hands, newest card first, piles and tokens."""
    view, names = posed.exercise.view, posed.names
    screen.line()
    title = f"{number}. {posed.exercise.convention.name}"
    screen.line((f"{title}: {names[view.seat]} is to act, turn {view.turn + 1}", "bold"))
    seen = [each.view(view.seat) for each in posed.positions[-view.rules.seats - 1 :]]
    for before, after in pairwise(seen):
        screen.line((f"  {on_site(names, before, after)}", "dim"))
    given = hints_in_hands(view)
    for seat, name in enumerate(names):
        head = f"{'>' if seat == view.seat else ' '} {name[:_NAME]:{_NAME}}"
        screen.line((head, ""), *_hand(view, seat, given[seat]))
    screen.line(("  piles     ", "dim"), *pile_pieces(view))
    gone: list[Piece] = []
    for card in sorted(view.discards):
        gone += [card_piece(card, view.rules.variant), (" ", "")]
    if gone:
        screen.line(("  discards  ", "dim"), *gone)
    deck = f"deck {view.deck_left}"
    if view.turns_left is not None:
        deck = f"{counted(view.turns_left, 'turn')} left"
    screen.line((f"  clues {view.hints}, lives {view.lives}, {deck}", ""))


def _hand(view: View, seat: int, given: Sequence[Sequence[Action]]) -> Iterator[Piece]:
    """Yield the cards of a hand, newest first, each with the hints that touched it."""
    for card, hints in reversed([*zip(view.hands[seat], given, strict=True)]):
        text, style = ("??", "dim") if card is None else card_piece(card, view.rules.variant)
        marks = ",".join(hinted(each, clue_colors(view.rules)) for each in hints)
        yield text, style
        yield (f":{marks}  " if marks else "  "), "dim"


def _print_solution(screen: Screen, posed: _Posed, *, with_hints: bool) -> None:
    found = posed.exercise
    if with_hints:
        for each in found.hints:
            screen.entry("hint", posed.in_words(each))
    screen.entry("solution", posed.move(found.action), "bold")
    screen.entry("why", posed.in_words(found.solution))
    convention = found.convention
    screen.entry("read", f"{convention.name}, level {convention.level}: {convention.link}")


def _ask(screen: Screen, posed: _Posed) -> bool | None:
    """Ask until the answer is right or given up; return whether the first was, None at the end."""
    found, hints, is_first = posed.exercise, list(posed.exercise.hints), True
    while True:
        sys.stdout.write("your move> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        text = line.strip()
        if not sys.stdin.isatty():
            sys.stdout.write("\n")
        if not line or text.lower() in ("quit", "q"):
            return None
        if text.lower() in ("?", "help"):
            screen.entry("help", _HELP)
            continue
        if text.lower() == "hint":
            is_first = False
            says = posed.in_words(hints.pop(0)) if hints else "there are no more hints"
            screen.entry("hint", says)
            continue
        if text.lower() == "solution":
            _print_solution(screen, posed, with_hints=False)
            return False
        try:
            action = move_of(found.view, text, posed.names)
        except InvalidInputError as error:
            problem = str(error)
        else:
            problem = "" if action in found.view.legal_actions else "this is not legal here"
        if problem:
            screen.entry("", f"{quote(text)}: {problem}; or hint, solution, ?, quit")
            continue
        marked = mark(found, action)
        if marked.is_right:
            screen.entry("right", posed.in_words(marked.says), "bold green")
            return is_first
        screen.entry("wrong", posed.in_words(marked.says), "bold red")
        is_first = False
