"""A game between a person at one seat and players at the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from secrets import token_hex
from urllib.parse import parse_qsl, urlencode

from hanabi.conventions import ConventionNotes, HGroup, level_of, refuse_variant, seat_notes
from hanabi.ground import IllegalActionError, InvalidInputError, Stream, counted, quote
from hanabi.players import CompiledPlayer, Player, decide_watched, decision_seed, fresh_player
from hanabi.rules import (
    DEFAULT_NAMES,
    Action,
    Game,
    GameProblem,
    Rules,
    View,
    game_of_seed,
    pose_deck,
    pose_game,
    told,
)  # fmt: skip
from hanabi.shell.session.tables import winnable_games

__all__ = ["Heard", "Match", "find_winnable", "resume_match", "start_match"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A move as announced to the whole table.

    Attributes
    ----------
    turn
        The turn, counted from 1.
    seat
        The seat that moved.
    words
        The rest of the sentence, as in "clues Bob: red (2 cards)".
    """

    turn: int
    seat: int
    words: str


@dataclass(frozen=True, slots=True)
class Match:
    """A game with a person at one seat and players at the others.

    Each decision of a player depends only on the seed, the turn and what its seat sees: the same
    moves by the person give the same game.

    Attributes
    ----------
    game
        The current state with all cards; the person sees `view`.
    team
        The player at each seat, None for the person.
    called
        What these players were asked for by, None for the person.
    unasked
        Copies of these players from before the match, to check that they keep no state.
    seed, index
        Which deal; the seed also determines the players' decisions.
    heard
        The moves so far, oldest first.
    before
        The person's view before the last move.
    is_stopped
        Whether the person ended the game early.
    is_known
        Whether the person chose the seed, which determines all cards.
    is_practice
        Whether the person has taken a move back, and so may know cards that nobody could.
    key
        A random name of this match, which says nothing about it.
    site_seed
        The seed of hanab.live that the deck was dealt from, or "".
    level
        The level of the conventions by which moves are read; 0 for none.
    """

    game: Game = field(repr=False)
    team: tuple[Player | None, ...]
    called: tuple[str | None, ...]
    unasked: tuple[Player | None, ...] = field(repr=False)
    seed: int
    index: int = 0
    heard: tuple[Heard, ...] = ()
    before: View | None = field(default=None, repr=False)
    is_stopped: bool = False
    is_known: bool = False
    is_practice: bool = False
    key: str = field(default="", compare=False)
    site_seed: str = ""
    level: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game is finished, so that all cards may be shown."""
        return self.is_stopped or not self.game.can_act

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.team.index(None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return DEFAULT_NAMES[: len(self.team)]

    @property
    def view(self) -> View:
        """Everything that the person may know."""
        return self.game.view(self.seat)

    @property
    def problem(self) -> GameProblem:
        """The game so far with all cards, ready for a review; use it once the match is over."""
        return replace(pose_game(self.game), names=self.names)

    @property
    def written(self) -> str:
        """The match as text for `resume_match`; how long it is does not depend on hidden cards."""
        variant = self.game.rules.variant
        entries = {
            "team": "\n".join(name or "" for name in self.called),
            "variant": "" if variant is None else variant.name,
            "seed": f"{self.seed:020}",
            "index": f"{self.index:020}",
            "site_seed": self.site_seed,
            "moves": ".".join(str(action.code) for action in self.game.actions),
            "is_known": int(self.is_known),
            "is_practice": int(self.is_practice),
            "level": self.level,
            "key": self.key,
        }
        return urlencode(entries)

    def act(self, action: Action) -> Match:
        """Return the match after the person's move and the players' replies.

        Raises
        ------
        IllegalActionError
            If it is not the person's turn, or someone makes an illegal move.
        PlayerError
            If a player from outside this package fails, or decides differently from a fresh copy;
            the message names the turn.

        >>> match = start_match(["random", None], Rules.hanab_live(2), seed=1)
        >>> len(match.act(match.view.legal_actions[0]).heard)
        3
        """
        if self.game.seat_to_act != self.seat or self.is_over:
            raise IllegalActionError("it is not your turn")
        return self._after(action).answered()

    def stop(self) -> Match:
        """Return the match ended at this point, with all cards to be shown."""
        return replace(self, is_stopped=True)

    @property
    def own_turns(self) -> tuple[int, ...]:
        """The numbers of the turns at which the person has moved, from 0."""
        return tuple(heard.turn - 1 for heard in self.heard if heard.seat == self.seat)

    def seen_at(self, turn: int) -> tuple[View, View | None]:
        """Return the person's view before a turn of the game so far, and the one before that.

        It shows what the person saw then, and nothing of what came after.
        """
        positions = pose_game(self.game).positions
        before = positions[turn - 1].view(self.seat) if turn else None
        return positions[turn].view(self.seat), before

    def notes(
        self, first: int, last: int | None = None
    ) -> Iterator[tuple[View, View, ConventionNotes]]:
        """Yield what conventions say of the moves between two turns, as far as the person can know.

        The person's views before and after the move come with the notes. There are none if `level`
        is 0. `last` is the present turn by default.

        Raises
        ------
        InvalidInputError
            If the conventions do not cover the rules.
        """
        if not self.level:
            return
        last = self.game.turn if last is None else last
        positions = pose_game(self.game).positions[first : last + 1]
        views = [each.view(self.seat) for each in positions]
        for before, after in pairwise(views):
            yield before, after, seat_notes(before, after, self.level)

    def taken_back(self) -> Match:
        """Return the match before the person's last move, from now on as practice.

        Raises
        ------
        IllegalActionError
            If the person has not moved, or the game is over and its cards are face up.

        >>> match = start_match(["random", None], Rules.hanab_live(2), seed=1)
        >>> back = match.act(match.view.legal_actions[0]).taken_back()
        >>> back.game == match.game, back.is_practice
        (True, True)
        """
        if self.is_over:
            raise IllegalActionError("the game is over, and its cards are face up")
        if not self.own_turns:
            raise IllegalActionError("there is no move of yours to take back")
        turn = self.own_turns[-1]
        game = pose_game(self.game).positions[turn]
        _, before = self.seen_at(turn)
        return replace(self, game=game, heard=self.heard[:turn], before=before, is_practice=True)

    def answered(self) -> Match:
        """Return the match once it is the person's turn again, or once it is over."""
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
        words = told(self.names, before, after, hint="clue")
        heard = Heard(after.turn, before.seat_to_act, words)
        view = before.view(self.seat)
        return replace(self, game=after, heard=(*self.heard, heard), before=view)


def start_match(
    team: Sequence[str | Player | None],
    rules: Rules,
    *,
    seed: int,
    index: int = 0,
    is_known: bool = False,
    dealt: Game | None = None,
    site_seed: str = "",
    past: Iterable[Action] = (),
) -> Match:
    """Deal a match, and let the players before the person act.

    Parameters
    ----------
    team
        A player or its name for each seat, and None for the person, exactly once.
    rules
        The rules, including the number of seats.
    seed, index
        Which deal, as for `hanabi.deal`.
    is_known
        Whether the person chose the seed.
    dealt, site_seed
        Another deal instead, such as one of hanab.live, and its seed.
    past
        All moves so far, if the match goes on; nobody is asked for them again.

    Raises
    ------
    InvalidInputError
        If the numbers of players and seats differ, if there is not exactly one person, or if a
        player does not support the rules.
    IllegalActionError, PlayerError
        The same as for `Match.act`.

    >>> start_match([None, "random"], Rules.hanab_live(2), seed=1).game.turn
    0
    """
    from hanabi.players import as_player

    if len(team) != rules.seats:
        raise InvalidInputError(f"{counted(len(team), 'player')} for {rules.seats} seats")
    if list(team).count(None) != 1:
        raise InvalidInputError("one seat is for a person, the others are for players")
    seated = tuple(None if each is None else as_player(each) for each in team)
    for player in seated:
        if getattr(player, "needs_open_hands", False) and not rules.open_hands:
            raise InvalidInputError(f"{quote(player)} sees its own cards: nobody to play with")
        if isinstance(player, CompiledPlayer):
            player.compiled(rules)  # raises if it does not support the variant
        if isinstance(player, HGroup):
            refuse_variant(rules)
    game = Game.start(rules, rules.spec.shuffle(seed, index)) if dealt is None else dealt
    unasked = tuple(None if each is None else fresh_player(each) for each in seated)
    match = Match(
        game,
        seated,
        tuple(None if each is None else str(each) for each in team),
        unasked,
        seed,
        index,
        is_known=is_known,
        key=token_hex(8),
        site_seed=site_seed,
        level=level_of(seated),
    )
    for action in past:
        match = match._after(action)
    return match.answered()


def resume_match(text: str, players: Collection[str]) -> Match:
    """Return the match that was `written` so, if all its players are among these.

    Raises
    ------
    InvalidInputError, IllegalActionError
        If it cannot be read, as another version wrote it, or if a player is not here.

    >>> match = start_match(["random", None], Rules.hanab_live(2), seed=1)
    >>> match = match.act(match.view.legal_actions[0])
    >>> again = resume_match(match.written, ["random"])
    >>> again == match, again.key == match.key
    (True, True)
    """
    entries = dict(parse_qsl(text, keep_blank_values=True))
    try:
        team = [name or None for name in entries["team"].split("\n")]
        seed, index = int(entries["seed"]), int(entries["index"])
        moves = [Action.from_code(int(code)) for code in entries["moves"].split(".") if code]
        variant, site_seed, key = entries["variant"], entries["site_seed"], entries["key"]
        is_known, is_practice = (entries[name] == "1" for name in ("is_known", "is_practice"))
        level = int(entries["level"])
    except (KeyError, ValueError):
        raise InvalidInputError("the game that this browser kept cannot be read") from None
    for name in team:
        if name is not None and name not in players:
            raise InvalidInputError(f"the game cannot go on: {quote(name)} is not offered here")
    dealt = pose_deck(game_of_seed(site_seed)).game if site_seed else None
    rules = Rules.hanab_live(len(team), variant=variant or None) if dealt is None else dealt.rules
    match = start_match(
        team, rules, seed=seed, index=index, is_known=is_known, dealt=dealt,
        site_seed=site_seed, past=moves,
    )  # fmt: skip
    return replace(match, key=key, level=level, is_practice=is_practice)


def find_winnable(rules: Rules, *, seed: int, seconds: float | None = None) -> int:
    """Return the index of a seed's first deal that can be won, with all cards face up.

    `seconds`, the limit for each deal, and the errors are those of
    `hanabi.shell.session.tables.winnable_games`.

    >>> find_winnable(Rules.hanab_live(3), seed=1)
    0
    """
    games = (Game.start(rules, rules.spec.shuffle(seed, index)) for index in count())
    return next(winnable_games(games, seconds=seconds))[1]
