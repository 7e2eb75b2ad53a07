"""Games written by hand: a hanab.live seed, and the moves in words."""

from __future__ import annotations

import re
from dataclasses import replace

from hanabi.ground import IllegalActionError, InvalidInputError, quote
from hanabi.players import ENTRIES
from hanabi.rules import (
    Action,
    GameProblem,
    GameRecord,
    Kind,
    PositionInput,
    SolitaireInput,
    Table,
    actions_from_json,
    clue_colors,
    discard,
    discard_deck,
    export_needed,
    game_of_seed,
    hint_color,
    hint_rank,
    hinted,
    is_link,
    is_range,
    is_seed,
    load,
    parse_input,
    play,
    play_deck,
    pose_deck,
    pose_game,
    variant_names,
)

__all__ = ["move_in_words", "move_of", "read_game"]

_MOST_MOVES = 1_000
_A_GAME = "a replay link, a game's number or its JSON from hanab.live, or a seed such as p2v0s1"
_FORMS = re.compile(r"[{\[</]|(?s:.*)\b(players|position|treatment|cnf|edge|col)\b", re.IGNORECASE)


def read_game(
    text: str, *, most_cards: int | None = None, most_hand: int | None = None
) -> GameProblem:
    """Read a hanab.live game, a deck to deal, or a seed followed by moves.

    Moves follow a seed either as the site's JSON list of actions, or in words, as `move_of` takes
    them, one a line or separated by commas.

    Parameters
    ----------
    most_cards, most_hand
        The largest deck and hand; None for no limit. A larger deck is rejected before it is dealt.

    Raises
    ------
    InvalidInputError
        If it is none of these, or too large; names a move that cannot be read or made.

    >>> read_game("p2v0s1  clue Bob 1, discard 5").moves[1]
    Action(kind=<Kind.DISCARD: 1>, target=0, value=0)
    """
    first, *rest = text.split(maxsplit=1) or [""]
    if is_seed(first.rstrip(",;:")):
        return _with_moves(game_of_seed(first.rstrip(",;:")), "".join(rest).strip())
    if needed := export_needed(text):
        raise InvalidInputError(needed)
    try:
        given = parse_input(text)
    except InvalidInputError:
        if why := _no_game(text.strip()):
            raise InvalidInputError(why) from None
        raise
    if isinstance(given, SolitaireInput | PositionInput):
        is_stream = isinstance(given, SolitaireInput)
        what = "cards for one player: see Solitaire" if is_stream else "a position: it has no moves"
        raise InvalidInputError(f"{quote(text.strip())} is {what}. Here give {_A_GAME}")
    if most_cards is not None and len(given.deck) > most_cards:
        raise InvalidInputError(f"a deck of {len(given.deck):,} cards; at most {most_cards:,}")
    problem = pose_deck(given)
    hand = problem.game.rules.hand_size
    if most_hand is not None and hand > most_hand:
        raise InvalidInputError(f"hands of {hand:,} cards; at most {most_hand:,}")
    return problem


def _no_game(text: str) -> str:
    """Return why words are no game, or "" if they have a form whose errors say more."""
    if not text or is_link(text) or is_range(text) or _FORMS.match(text):
        return ""
    name = text.lower().partition(" (")[0]
    if any(each.name == name.partition(":")[0] for each in ENTRIES):
        return f"{quote(text)} is a player, which Play and Watch have: here give {_A_GAME}"
    if any(each.lower().partition(" (")[0] == name for each in variant_names()):
        return f"{quote(text)} is a variant, which Play and Watch deal: here give {_A_GAME}"
    return f"{quote(text)} is not a game: give {_A_GAME}"


def _with_moves(record: GameRecord, text: str) -> GameProblem:
    game = pose_deck(record).game
    if text.startswith("["):
        data = load(text)
        actions = actions_from_json(data, record.players, len(record.deck), record.variant_data)
        return pose_deck(replace(record, actions=actions))
    words = [each.strip() for each in re.split(r"[,;\n]", text) if each.strip()]
    if len(words) > _MOST_MOVES:
        raise InvalidInputError(f"{len(words):,} moves; at most {_MOST_MOVES:,}")
    for number, each in enumerate(words, start=1):
        try:
            game = game.apply(move_of(game, each, record.names))
        except (InvalidInputError, IllegalActionError) as error:
            raise InvalidInputError(f"move {number}, {quote(each)}: {error}") from None
    return pose_game(game)


def move_of(game: Table, text: str, names: tuple[str, ...]) -> Action:
    """Return the action that a text means: `play 1`, `discard 5`, `clue Bob red`, `clue Bob 3`.

    Cards are counted from the left as on the site: 1 is the newest. The first letters of a color
    will do if no other color has them. `play deck` and `discard deck`
    use the deck's last card, where the rules allow that.

    Raises
    ------
    InvalidInputError
        If the text is no move.

    >>> from hanabi import deal
    >>> print(move_of(deal(2), "clue Bob Red", ("Alice", "Bob")))
    hint red to seat 1
    >>> print(move_of(deal(2), "clue bob r", ("Alice", "Bob")))
    hint red to seat 1
    """
    match text.lower().split():
        case ["play", "deck"]:
            return play_deck()
        case ["discard", "deck"]:
            return discard_deck()
        case ["play" | "discard" as verb, place] if place.isascii() and place.isdigit():
            size = len(game.hands[game.seat_to_act])
            if not 1 <= int(place[:9]) <= size:
                raise InvalidInputError(f"there are cards 1 to {size}")
            slot = size - int(place)
            return play(slot) if verb == Kind.PLAY.name.lower() else discard(slot)
        case ["clue" | "hint", name, *what] if what:
            seats = [seat for seat, each in enumerate(names) if each.lower() == name]
            if not seats:
                raise InvalidInputError(f"no player {quote(name)}; there are {', '.join(names)}")
            told = " ".join(what)
            if told.isascii() and told.isdigit():
                return hint_rank(seats[0], int(told[:2]))
            colors = clue_colors(game.rules)[: game.rules.colors]
            found = [color for color in colors if color == told] or [
                color for color in colors if color.startswith(told)
            ]
            if len(found) != 1:
                raise InvalidInputError(f"the colors are {', '.join(colors)}")
            return hint_color(seats[0], colors.index(found[0]))
    raise InvalidInputError('no move: as in "play 1", "discard 5", "clue Bob red" or "clue Bob 3"')


def move_in_words(game: Table, action: Action, names: tuple[str, ...]) -> str:
    """Return an action of the seat to act in the words that `move_of` reads.

    >>> from hanabi import deal
    >>> move_in_words(deal(2), hint_color(1, 0), ("Alice", "Bob"))
    'clue Bob red'
    """
    if action.is_hint:
        return f"clue {names[action.target]} {hinted(action, clue_colors(game.rules)).lower()}"
    if action.is_from_deck:
        return str(action)
    return f"{action.kind} {len(game.hands[game.seat_to_act]) - action.target}"
