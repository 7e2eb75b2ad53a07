"""`hanabi practise` asks for the right action of positions, by the conventions of a player."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from hanabi.cli import options
from hanabi.cli.answers import action_json
from hanabi.cli.moves import card_piece, pile_pieces
from hanabi.cli.terminal import Piece, Screen, print_json
from hanabi.errors import HanabiError, InvalidInputError, counted, naming, quote
from hanabi.game import Action, Game, View
from hanabi.game.picture import names_of
from hanabi.game.replay import record_action
from hanabi.game.telling import card_name, clue_colors, hinted, hints_in_hands, told
from hanabi.players.hgroup import HGroup
from hanabi.players.hgroup.practice import Exercise, draw_exercise, exercises, mark
from hanabi.players.hgroup.variants import refuse_variant
from hanabi.players.protocol import with_names
from hanabi.players.registry import parse_player
from hanabi.session.game import find_link, pose_game
from hanabi.session.problem import Question, pose_position
from hanabi.viewer.games import in_site_words
from hanabi.web.moves import move_in_words, move_of

__all__ = ["practise_command"]

_SEATS, _NUMBER, _NAME = 3, 5, 10


@dataclass(frozen=True, slots=True)
class _Posed:
    """An exercise, the positions of its game up to it, and the names at the table."""

    exercise: Exercise
    positions: tuple[Game, ...]
    names: tuple[str, ...]

    def in_words(self, text: str) -> str:
        """Return a sentence of the exercise with names, and cards that count from the newest."""
        return in_site_words(with_names(text, self.names), self.exercise.view)

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
    show: bool = False,
    json: options.Json = False,
) -> int:
    """Ask for the one right action of positions, and say why an answer is right or wrong.

    Parameters
    ----------
    player
        The player whose conventions you practise: hgroup, hgroup:level=2 and so on.
    game
        Take the positions from this game, a file or a link, rather than from random deals.
    games
        So many positions. Default: 5.
    seats
        Players at the table. Default: 3.
    first
        The number of the first position of the seed. Default: 0.
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
    source: dict[str, object] = {}
    posed: Iterator[_Posed]
    if game is not None:
        options.refuse("is for random deals, not for a game", seats=seats, seed=seed)
        posed = islice(_from_game(game, teacher.level), first, None)
        source["game"] = options.name_of(game)
    else:
        seed = options.new_seed(seed)
        posed = _from_deals(teacher.level, seed, first, _SEATS if seats is None else seats)
        source["seed"] = seed
    posed = islice(posed, games)
    if json:
        print_json({"level": teacher.level} | source | {"positions": [*map(_document, posed)]})
        return 0
    screen = Screen()
    about = ", ".join(f"{name} {value}" for name, value in source.items())
    screen.entry("", f"level {teacher.level}, {about}; cards count from the newest, 1")
    asked = right = 0
    for number, each in enumerate(posed, start=first):
        _print_position(screen, each, number)
        if show:
            _print_solution(screen, each, with_hints=True)
            continue
        found = _ask(screen, each)
        if found is None:
            break
        asked, right = asked + 1, right + found
    else:
        if game is not None and not asked and not show:
            screen.entry("", "the game has no position where one action is clearly right")
    if not show:
        screen.line()
        screen.entry("", f"{right} of {counted(asked, 'position')} right at the first try")
    return 0


def _from_deals(level: int, seed: int, first: int, seats: int) -> Iterator[_Posed]:
    number = first
    while True:
        positions, found = draw_exercise(level, seed, number, seats)
        yield _Posed(found, positions, names_of(positions[0].rules, ()))
        number += 1


def _from_game(source: str, level: int) -> Iterator[_Posed]:
    with naming(options.name_of(source)):
        problem = pose_position(options.read_input(source), Question())
        if not problem.has_history or not problem.moves:
            raise InvalidInputError("no moves: positions to practise come from a game")
        refuse_variant(problem.by_rules[0].rules)
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
    screen.line((f"{number}. {names[view.seat]} is to act, turn {view.turn + 1}", "bold"))
    seen = [each.view(view.seat) for each in posed.positions[-view.rules.seats - 1 :]]
    for before, after in pairwise(seen):
        screen.line((f"  {names[before.seat_to_act]} {_told(names, before, after)}", "dim"))
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


def _told(names: Sequence[str], before: View, after: View) -> str:
    return in_site_words(told(names, before, after).replace("hints ", "clues ", 1))


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
        if text.lower() == "hint":
            is_first = False
            says = posed.in_words(hints.pop(0)) if hints else "there are no more hints"
            screen.entry("hint", says)
            continue
        if text.lower() == "solution":
            _print_solution(screen, posed, with_hints=False)
            return False
        try:
            marked = mark(found, move_of(found.view, text, posed.names))
        except HanabiError as error:
            message = posed.in_words(str(error))
            screen.entry("", f"{quote(text)}: {message}; or hint, solution, quit")
            continue
        if marked.is_right:
            screen.entry("right", posed.in_words(marked.says), "bold green")
            return is_first
        screen.entry("wrong", posed.in_words(marked.says), "bold red")
        is_first = False
