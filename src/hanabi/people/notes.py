"""What people would do where each move of a game was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hanabi.ground import InvalidInputError, naming
from hanabi.people.player import People
from hanabi.rules import Action, Game, Said, deed, say

__all__ = ["PeopleNotes", "people_chances", "people_notes", "share_words"]


@dataclass(frozen=True, slots=True)
class PeopleNotes:
    """What people would do where a move was made.

    Attributes
    ----------
    move, action
        The number of the move, from 1, and the move.
    first, words
        What people would do most often, as an action and in words.
    chances
        The share of people who would take each legal action.
    """

    move: int
    action: Action
    first: Action
    words: Said
    chances: Mapping[Action, float]

    @property
    def says(self) -> Said:
        """The shares as a sentence, which names the first choice if it is another action."""
        share, first = (share_words(self.chances[each]) for each in (self.action, self.first))
        if self.action == self.first:
            return say("{} of people would do this, their first choice", share)
        return say("{} of people would do this; {} would {}", share, first, self.words)


def share_words(share: float) -> str:
    """Return a share in whole per cent.

    >>> share_words(0.384), share_words(0.0), share_words(0.996), share_words(1.0)
    ('38 %', '<1 %', '>99 %', '100 %')
    """
    number = round(100 * share)
    return "<1 %" if not number else ">99 %" if number == 100 and share < 1 else f"{number} %"


def people_chances(game: Game) -> dict[Action, float]:
    """Return the share of people who would take each legal action, by what the seat to act sees.

    Raises
    ------
    InvalidInputError
        If the game does not begin with the deal, or `people` does not play its rules.
    """
    with naming("what people do"):
        if not game.has_history or game.missing:
            raise InvalidInputError("it needs the game from its deal, with all cards")
        return People().chances(game.view(game.seat_to_act))


def people_notes(positions: Sequence[Game]) -> Iterator[PeopleNotes]:
    """Yield what people would do at each move of a game, given the positions from the deal on.

    It takes some hundredths of a second a move. Errors are those of `people_chances`.

    >>> from hanabi import deal
    >>> from hanabi.rules import hint_rank
    >>> game = deal(players=3, seed=1)
    >>> (notes,) = people_notes([game, game.apply(hint_rank(1, 1))])
    >>> notes.chances[notes.first] >= notes.chances[notes.action] > 0
    True
    """
    for before, after in pairwise(positions):
        chances = people_chances(before)
        first = max(chances, key=chances.__getitem__)
        action = after.known_actions[-1]
        yield PeopleNotes(after.turn, action, first, deed(before, first), chances)
