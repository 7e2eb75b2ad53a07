"""A page of many reviewed games: a list of them, and a player for each."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.ground import counted
from hanabi.lab import shorten_player
from hanabi.reviews import PlayerSums, Review, ReviewDocument, losses_words, story
from hanabi.shell.viewer.html import Html, joined, parts_of
from hanabi.shell.viewer.page import page_with, player_of
from hanabi.shell.viewer.view import show_of

__all__ = ["MOST_OPENED", "GameList", "opened"]

MOST_OPENED = 300
"""The most games of a page that can be opened; each takes some 20 to 50 kilobytes."""

_MOST_LOSSES = 4  # of a game that are listed
_part = parts_of("many.html")


def opened(review: Review) -> tuple[str, list[tuple[str, str]]]:
    """Return the player of a reviewed game, packed, and its losing moves with the reasons.

    These have hanab.live's words. The player is compressed as RFC 1950 says, to a tenth of its
    size; the script of the page unpacks it.
    """
    said = [(each.said, each.reason) for each in review.mistakes("clue")]
    return b64encode(zlib.compress(player_of(show_of(review)).encode(), 9)).decode(), said


@dataclass(slots=True)
class _Game:
    """A game of the list; its player is "" if the page cannot open it."""

    name: str
    document: ReviewDocument
    player: str
    said: Sequence[Sequence[str]]
    number: int = 0

    @property
    def lost(self) -> int:
        """The points that its moves lost."""
        return sum(each.lost for each in self.document.moves)

    @property
    def about(self) -> str:
        """Its players, or the programs at their seats, and its variant."""
        found = self.document
        names = {found.program_of(each) or each.player for each in found.moves}
        told = ", ".join(sorted(map(shorten_player, names)))
        return " · ".join(filter(None, [told, found.variant]))

    @property
    def address(self) -> str:
        """Where the page shows it, before its first loss if there is one."""
        first = "".join(f"/{move.move}" for move in self.document.losing_moves[:1])
        return f"#game-{self.number}{first}"

    def linked(self, words: str, move: int | None = None) -> Html | str:
        """Return words that lead to the game, or to the turn of a move in it."""
        to = self.address if move is None else f"#game-{self.number}/{move}"
        return _part("link", address=to, words=words) if self.player else words


class GameList:
    """Reviewed games as one page, those that lost most first.

    Each game is a row with its result, what its deck allowed, and the moves that lost points. A
    click on it opens the game before its first loss. Of more than `MOST_OPENED` games, the first
    ones can be opened.

    >>> games = GameList("My games")
    >>> games.refuse("a.json", "a deck without moves")
    >>> "Left out: a.json: a deck without moves" in games.page()
    True
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._games, self._refused = list[_Game](), list[str]()

    def add(
        self, name: str, document: ReviewDocument, player: str, said: Sequence[Sequence[str]]
    ) -> None:
        """Add a game with its review, and what `opened` returned of this."""
        self._games.append(_Game(name, document, player, said))

    def refuse(self, name: str, problem: str) -> None:
        """Say why a game has no review."""
        self._refused.append(f"Left out: {name}: {problem}")

    @property
    def notes(self) -> list[str]:
        """What the page lacks: verdicts that are not decided, and games that cannot be opened."""
        notes, left = [], sum(each.document.undecided is not None for each in self._games)
        if left:
            told = counted(left, "game")
            notes.append(f"in {told} not all is decided; only losses that are certain count")
        if len(self._games) > MOST_OPENED:
            told = f"{MOST_OPENED} of {len(self._games):,} games"
            notes.append(f"the page opens the {told} that lost most; the others are only listed")
        return notes

    def page(self) -> str:
        """Return the page as HTML that needs nothing else, not even a network."""
        games = sorted(self._games, key=lambda each: -each.lost)
        for number, game in enumerate(games, start=1):
            game.number, game.player = number, game.player if number <= MOST_OPENED else ""
        documents = [each.document for each in games]
        lost = [move.lost for each in documents for move in each.losing_moves]
        abouts = {each.about for each in games}
        has_about = len(abouts) > 1
        notes = [*(f"{each[:1].upper()}{each[1:]}." for each in self.notes), *self._refused]
        main = _part(
            "list",
            about="" if has_about else joined(_part("paragraph", words=each) for each in abouts),
            summary=f"{counted(len(documents), 'game')}: {losses_words(lost)}.",
            notes=joined(_part("note", words=each) for each in notes),
            rows=joined(_row(each, has_about=has_about) for each in games),
            players=_by_player(documents),
            boards=joined(
                _part(
                    "board",
                    game=each.number,
                    name=each.name,
                    to=each.address,
                    player=each.player,
                )
                for each in games
                if each.player
            ),
        )
        return page_with(main, self._title, asset="many")


def _row(game: _Game, *, has_about: bool) -> Html:
    """Return the row of a game: what lost its points, or that nothing did, and what is open."""
    found, moves, told = game.document, game.document.losing_moves, list[Html]()
    losses = [
        _part(
            "loss",
            move=game.linked(f"Turn {move.move}: {said}", move.move),
            points=f"−{counted(move.lost, 'point')}",
            why=_part("small", words=f"Why: {reason}.") if reason else "",
        )
        for move, (said, reason) in zip(moves[:_MOST_LOSSES], game.said, strict=False)
    ]
    if more := [move.lost for move in moves[_MOST_LOSSES:]]:
        losses.append(_part("more", words=f"Then {losses_words(more)}."))
    if losses:
        told.append(_part("losses", losses=joined(losses)))
    elif (end := story(found)) is not None:
        told.append(_part("paragraph", words=f"{end.label}{end.text}"))
    if found.undecided is not None:
        told.append(_part("paragraph", words=f"Not decided: {found.undecided}."))
    return _part(
        "row",
        name=game.linked(game.name),
        about=_part("small", words=game.about) if has_about else "",
        score=f"{found.score}/{found.most}",
        end=found.end,
        best=found.best,
        lost=game.lost,
        told=joined(told),
    )


def _by_player(documents: Sequence[ReviewDocument]) -> Html:
    """Return the table of players, those who lost most a game first."""
    sums = PlayerSums()
    for each in documents:
        sums.add(each)
    found = sorted(sums.rows(), key=lambda row: -float(row["lost_per_game"] or 0))
    rows = (
        _part(
            "player",
            name=shorten_player(str(row["player"])),
            mean=f"{row['lost_per_game']:.2f}",
            **row,
        )
        for row in found
    )
    return _part("players", rows=joined(rows))
