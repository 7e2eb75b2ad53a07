"""A game that somebody plays with players: at one seat a person, at the others whoever is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from hanabi.errors import IllegalActionError, InvalidInputError, counted, quote
from hanabi.game import Action, Game, Rules, View
from hanabi.game.telling import told
from hanabi.notation.hanab_live import DEFAULT_NAMES
from hanabi.players.arena import decision_seed
from hanabi.players.fresh import decide_watched, fresh_player
from hanabi.players.protocol import CompiledPlayer, Player
from hanabi.rng import Stream
from hanabi.session.game import GameProblem, pose_game
from hanabi.session.tables import winnable_games

__all__ = ["Heard", "Match", "find_winnable", "start_match"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A move as everybody at the table heard it.

    Attributes
    ----------
    turn
        From 1.
    seat
        Whose move it was.
    words
        The rest of the sentence, as in "hints Bob: red (2 cards)".
    """

    turn: int
    seat: int
    words: str


@dataclass(frozen=True, slots=True)
class Match:
    """A game in which a person has a seat; the others are players.

    Every decision of a player depends on the seed, the turn and what its seat sees, and on nothing
    else: the same moves of the person give the same game.

    Attributes
    ----------
    game
        Where it stands, with all cards; a person gets `view`.
    team
        The player at each seat, None for the person.
    unasked
        The same players as they were before the match, to check that they keep nothing.
    seed, index
        Which deal; the seed is that of the players' decisions, too.
    heard
        What was done, oldest first.
    before
        What the person saw before the last move.
    is_stopped
        Whether the person has ended it before its end.
    is_known
        Whether the person chose the seed, from which all cards follow.
    """

    game: Game = field(repr=False)
    team: tuple[Player | None, ...]
    unasked: tuple[Player | None, ...] = field(repr=False)
    seed: int
    index: int = 0
    heard: tuple[Heard, ...] = ()
    before: View | None = field(default=None, repr=False)
    is_stopped: bool = False
    is_known: bool = False

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more, so that all cards may be seen."""
        return self.is_stopped or not self.game.can_act

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.team.index(None)

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return DEFAULT_NAMES[: len(self.team)]

    @property
    def view(self) -> View:
        """All that the person may know."""
        return self.game.view(self.seat)

    @property
    def problem(self) -> GameProblem:
        """The game so far with all cards, to be reviewed: for when it is over."""
        return replace(pose_game(self.game), names=self.names)

    def act(self, action: Action) -> Match:
        """Return the match after the person's move and the answers of the others.

        Raises
        ------
        IllegalActionError
            If it is not the person's turn, or it or a player does what the rules forbid.
        PlayerError
            If a player that does not come with this package fails, or a fresh one decides
            otherwise; names the turn.

        >>> match = start_match(["random", None], Rules.hanab_live(2), seed=1)
        >>> len(match.act(match.view.legal_actions[0]).heard)
        3
        """
        if self.game.seat_to_act != self.seat or self.is_over:
            raise IllegalActionError("it is not your turn")
        return self._after(action).answered()

    def stop(self) -> Match:
        """Return the match ended where it stands, all cards to be seen."""
        return replace(self, is_stopped=True)

    def answered(self) -> Match:
        """Return the match when it is the person's turn again, or over."""
        match = self
        while match.game.can_act:
            seat = match.game.seat_to_act
            player, unasked = match.team[seat], match.unasked[seat]
            if player is None or unasked is None:
                break
            stream = Stream(decision_seed(match.seed), match.index << 16 | match.game.turn)
            match = match._after(decide_watched(player, match.game, stream, unasked))
        return match

    def _after(self, action: Action) -> Match:
        before, after = self.game, self.game.apply(action)
        heard = Heard(after.turn, before.seat_to_act, told(self.names, before, after))
        view = before.view(self.seat)
        return replace(self, game=after, heard=(*self.heard, heard), before=view)


def start_match(
    team: Sequence[str | Player | None],
    rules: Rules,
    *,
    seed: int,
    index: int = 0,
    is_known: bool = False,
) -> Match:
    """Deal a match, and let the players before the person act.

    Parameters
    ----------
    team
        A player for each seat, or its name, None for the one person.
    rules
        The rules, seats included.
    seed, index
        Which deal, as for `hanabi.deal`.
    is_known
        Whether the person chose it.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats, not one person, or a player does not play so.
    IllegalActionError, PlayerError
        As `Match.act`.

    >>> start_match([None, "random"], Rules.hanab_live(2), seed=1).game.turn
    0
    """
    from hanabi.players.registry import as_player

    if len(team) != rules.seats:
        raise InvalidInputError(f"{counted(len(team), 'player')} for {rules.seats} seats")
    if list(team).count(None) != 1:
        raise InvalidInputError("one seat is for a person, the others are for players")
    seated = tuple(None if each is None else as_player(each) for each in team)
    for player in seated:
        if getattr(player, "needs_open_hands", False) and not rules.open_hands:
            raise InvalidInputError(f"{quote(player)} sees its own cards: nobody to play with")
        if isinstance(player, CompiledPlayer):
            player.compiled(rules)  # refuses a variant that it does not play
    game = Game.start(rules, rules.spec.shuffle(seed, index))
    unasked = tuple(None if each is None else fresh_player(each) for each in seated)
    return Match(game, seated, unasked, seed, index, is_known=is_known).answered()


def find_winnable(rules: Rules, *, seed: int, seconds: float | None = None) -> int:
    """Return the first deal of a seed that can be won, all cards face up.

    `seconds` for each deal, and errors, as for `hanabi.session.tables.winnable_games`.

    >>> find_winnable(Rules.hanab_live(3), seed=1)
    0
    """
    games = (Game.start(rules, rules.spec.shuffle(seed, index)) for index in count())
    return next(winnable_games(games, seconds=seconds))[1]
