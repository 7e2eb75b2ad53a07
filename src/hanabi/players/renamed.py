"""One deck played many times: under names of suits and slots that are drawn anew each time."""

from __future__ import annotations

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError
from hanabi.game import Game, Rules
from hanabi.game.symmetry import renamed
from hanabi.players.arena import outcome_of
from hanabi.players.blame import blaming_policy
from hanabi.players.compiled import play_decks
from hanabi.players.fresh import play_watched
from hanabi.players.protocol import Player
from hanabi.players.registry import as_player
from hanabi.players.teams import compile_team
from hanabi.rng import Stream

__all__ = ["MOST_SUITS", "best_player", "renamed_outcomes"]

MOST_SUITS = 6
"""Suits that are named anew: as many as the site has; of n suits n! orders are tried."""

_CONVENTION = "endgame:budget=20,samples=20,deck=5/convention"
_INFORMATION = "endgame:budget=30,samples=10,deck=6/information"
_RULE_BASED = "endgame:budget=30,samples=10,deck=6/rule-based"


def best_player(rules: Rules) -> tuple[str, str | None]:
    """Return our best player at a table, and why a better one does not play there, if one does not.

    Of those that play some hundred games a second (docs/players.md): the convention player for two
    seats, the information player for more, the rule-based one where they refuse; all search the
    endgame.

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
    """Let a player at every seat play a deck several times, and return an outcome each.

    Each game has its own names of suits and of first slots (`hanabi.game.symmetry.renamed`), and
    its own stream of decisions. So players that decide without chance, by the first of equals, do
    not play the same game again, and play no other one than this deal.

    Returns
    -------
    list of int
        As `hanabi.players.arena.outcomes` does: `points << 1 | is_bombed`.

    Raises
    ------
    InvalidInputError
        If the player does not play by these rules, the deck is not theirs, or has too many suits.

    >>> rules = Rules.hanab_live(2)
    >>> len(set(renamed_outcomes("random", rules, rules.spec.shuffle(seed=1), 20, seed=1))) > 1
    True
    """
    if rules.colors > MOST_SUITS:
        raise InvalidInputError(f"{rules.colors} suits: at most {MOST_SUITS} can be named anew")
    Game.start(rules, deck)  # whether it is a deck of the rules
    names, decisions = Stream(seed, 0).word(), Stream(seed, 1).word()
    decks = [renamed(deck, rules, Stream(names, number)) for number in range(games)]
    team = [as_player(player)] * rules.seats
    policy = compile_team(team, rules)
    if policy is not None:
        with blaming_policy(team):
            found: list[int] = play_decks(policy, rules, decks, decisions).tolist()
    else:
        found = [-1] * games
    for number, outcome in enumerate(found):
        if outcome < 0:  # not told by compiled games
            game = Game.start(rules, decks[number])
            found[number] = outcome_of(play_watched(team, game, Stream(decisions, number), number))
    return found
