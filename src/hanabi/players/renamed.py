"""Repeated games of one deck, each with suits and initial slots renamed at random."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from hanabi.ground import InvalidInputError, Stream
from hanabi.players.arena import play_team
from hanabi.players.compiled import play_decks
from hanabi.players.own import play_watched
from hanabi.players.protocol import Player
from hanabi.players.registry import as_player, compile_team
from hanabi.rules import RULES_OF_2026, VARIANT_OF_2026, Deck, Game, Kind, Rules, Understanding

__all__ = [
    "MOST_SUITS",
    "best_player",
    "relabelled",
    "renamed",
    "renamed_outcomes",
    "suit_symmetries",
]

_UNDERSTOOD = Understanding("the search for alike suits", RULES_OF_2026, VARIANT_OF_2026)
"""The rules that treat suits alike, apart from the properties compared here."""


@lru_cache(maxsize=64)
def suit_symmetries(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return every relabelling of the suits under which the game is the same, the identity first.

    A relabelling maps each suit to the one that stands for it. It must preserve copies, the orders
    of the piles, inverted suits and the cards that each rank clue touches. The color clues, perhaps
    under other names, must touch the same cards. So the relabelled deck is the same game with other
    names for the suits. A player does equally well on average, since the rules give the names no
    meaning. Takes O(suits!) comparisons of the table of clues.

    >>> from hanabi.rules import Rules
    >>> [len(suit_symmetries(Rules.hanab_live(2, variant=v))) for v in (0, "Rainbow (5 Suits)")]
    [120, 24]
    """
    _UNDERSTOOD.check(rules)
    colors, ranks = range(rules.colors), range(1, rules.ranks + 1)
    by_color = [hint for hint in rules.clues if hint.kind is Kind.HINT_COLOR]
    by_rank = [hint for hint in rules.clues if hint.kind is Kind.HINT_RANK]
    inverted = (False,) * rules.colors if rules.variant is None else rules.variant.inverted
    kinds = [
        (
            rules.spec.copies[color],
            rules.orders(color),
            inverted[color],
            tuple(rules.touches(hint, (color, rank)) for hint in by_rank for rank in ranks),
        )
        for color in colors
    ]
    touched = [
        [tuple(rules.touches(hint, (color, rank)) for rank in ranks) for color in colors]
        for hint in by_color
    ]
    clues = sorted(touched)
    return tuple(
        order
        for order in permutations(colors)
        if all(kinds[other] == kinds[color] for color, other in enumerate(order))
        and sorted([row[other] for other in order] for row in touched) == clues
    )


def relabelled(deck: Deck, order: tuple[int, ...]) -> Deck:
    """Return a deck with each suit replaced by its relabelling.

    >>> relabelled(Deck([(0, 1), (2, 5)]), (2, 1, 0))
    <Deck of 2 cards: g1 r5>
    """
    return Deck((order[color], rank) for color, rank in deck)


def renamed(deck: Deck, rules: Rules, rng: Stream) -> Deck:
    """Return the same deal with random names of the suits and random initial slots.

    Each seat's initial cards are in another order, which the rules do not distinguish either, since
    they do not number the slots of a hand. Each seat's cards and the order of draws stay the same.

    >>> rules = Rules.hanab_live(2)
    >>> deck = rules.spec.shuffle(seed=1)
    >>> other = renamed(deck, rules, Stream(1))
    >>> sorted(card.rank for card in deck[:5]) == sorted(card.rank for card in other[:5])
    True
    """
    symmetries, size = suit_symmetries(rules), rules.hand_size
    cards = list(relabelled(deck, symmetries[rng.below(len(symmetries))]))
    for start in range(0, rules.seats * size, size):
        cards[start : start + size] = rng.shuffled(cards[start : start + size])
    return Deck(cards)


MOST_SUITS = 6
"""Most suits to rename, as many as the site has; n suits need n! trials."""

_CONVENTION = "endgame:budget=20,samples=20,deck=5/convention"
_INFORMATION = "endgame:budget=30,samples=10,deck=6/information"
_RULE_BASED = "endgame:budget=30,samples=10,deck=6/rule-based"


def best_player(rules: Rules) -> tuple[str, str | None]:
    """Return our best player at a table, and the reason if a better one does not support it.

    The choice is among players of some hundred games per second (docs/players.md): the convention
    player for two seats, the information player for more, and the rule-based one if those do not
    support the rules. All of them search the endgame.

    >>> best_player(Rules.hanab_live(2))
    ('endgame:budget=20,samples=20,deck=5/convention', None)
    >>> best_player(Rules.hanab_live(3, variant="White (5 Suits)"))[1]
    'the information player does not play White (5 Suits): ...'
    """
    refusal = None
    candidates = [_CONVENTION] if rules.seats == 2 else []
    for name in (*candidates, _INFORMATION):
        try:
            compile_team([as_player(name)] * rules.seats, rules)
        except InvalidInputError as error:
            refusal = refusal or str(error)
        else:
            return name, refusal
    return _RULE_BASED, refusal


def renamed_outcomes(
    player: str | Player, rules: Rules, deck: Deck, games: int, *, seed: int
) -> list[int]:
    """Play a deck several times with a player at every seat, and return one outcome per game.

    Each game has its own names of suits and its own initial slots
    (`hanabi.players.renamed.renamed`), and its own stream of decisions. So deterministic players,
    which take the first of equals, play different games of the same deal.

    Returns
    -------
    list of int
        As `hanabi.players.arena.outcomes` does: `points << 1 | is_bombed`.

    Raises
    ------
    InvalidInputError
        If the player does not support these rules, or the deck does not match them or has too many
        suits.

    >>> rules = Rules.hanab_live(2)
    >>> len(set(renamed_outcomes("random", rules, rules.spec.shuffle(seed=1), 20, seed=1))) > 1
    True
    """
    if rules.colors > MOST_SUITS:
        raise InvalidInputError(f"{rules.colors} suits: at most {MOST_SUITS} can be renamed")
    Game.start(rules, deck)  # check that it is a deck of the rules
    names, decisions = Stream(seed, 0).word(), Stream(seed, 1).word()
    decks = [renamed(deck, rules, Stream(names, number)) for number in range(games)]
    team = [as_player(player)] * rules.seats

    def plain(place: int, number: int) -> Game:
        game = Game.start(rules, decks[place])
        return play_watched(team, game, Stream(decisions, place), number)

    return play_team(
        team, rules, games, lambda policy: play_decks(policy, rules, decks, decisions), plain
    )
