"""Plain games in place of variants, so that the solvers only ever solve plain games.

With all cards face up, a variant differs from the plain game in the order of cards on the piles, in
tokens, and in the legal hints. Choose for each color one of the orders in which its pile can be
played: the *image* for that choice is the plain game in which each card's rank is its number in the
order. Orders that differ only in their first card share an image: all cards that they begin with
are 1 there. A reversed suit has one image; five suits that go up or down have 32; five Sudoku
suits, which begin with different ranks, have 120.

*The variant is lost if all its images are.* A winning line completes each pile in one of its
orders; take the image of these. Its piles grow as those of the variant do. A card that the variant
refuses does not fit there: if it did, it would be the next one in the order of its pile, which the
variant takes. Hints are legal in the image wherever they are in the variant. A card of an inverted
suit is discarded by playing it, even with all tokens available; so the image of such a variant
allows discards then. Hence the same line wins. (For fewer points choose for each pile an order that
starts with its cards.)

*A line that wins an image* wins the variant if it can be replayed there by the rules. Three things
can go wrong: a card played by mistake may fit in another order; no other player may hold a card
that a clue touches; and with all tokens available only some cards can be discarded. All are rare,
and `Image.lift` detects them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from hanabi.ground import IllegalActionError, SolverError
from hanabi.rules import (
    Action,
    Card,
    Deck,
    DeckSpec,
    Game,
    Kind,
    Rules,
    card_name,
    pack_rules,
    suit_and_rank,
)
from hanabi.solvers.winnable.position import Line, Position

__all__ = ["Image", "images", "only_image"]

Steps = tuple[int, ...]
"""For each rank of a color, from 1, its number in an order."""


@dataclass(frozen=True, slots=True)
class Image:
    """A plain game that stands for a variant game in questions about winning.

    Attributes
    ----------
    game
        The plain game.
    of
        The game of which it is an image.
    steps
        The number of each color's ranks in its order.
    """

    game: Game
    of: Game
    steps: tuple[Steps, ...]

    def lift(self, line: Line, points: int) -> Line | None:
        """Return the variant's line that does the same as a line of the image, or None.

        It is replayed by the rules, and must put at least `points` on the piles. Hints, which are
        only a way to wait, become the first legal hint; if they must alternate between colors and
        ranks, both are tried.

        Raises SolverError if the game is plain, and thus its own image, but the line cannot be
        replayed.
        """
        lifted = _lift(self.of, line)
        if lifted is not None and sum(lifted[1].piles) >= points:
            return lifted[0]
        if self.of.rules.variant is None:
            raise SolverError("a line cannot be replayed by the rules")
        return None

    def untouched(self) -> frozenset[Card]:
        """Return the cards of the image that stand for a card that no clue touches.

        >>> rules = Rules.hanab_live(2, variant="Null (6 Suits)")
        >>> [image] = images(Game.start(rules, rules.spec.shuffle(seed=1)))
        >>> sorted(map(tuple, image.untouched()))
        [(5, 1), (5, 2), (5, 3), (5, 4), (5, 5)]
        """
        rules = self.of.rules
        if rules.empty_hints:
            return frozenset()
        return frozenset(
            Card(color, number)
            for color, steps in enumerate(self.steps)
            for rank, number in enumerate(steps, start=1)
            if not any(rules.touches(hint, (color, rank)) for hint in rules.clues)
        )

    @property
    def position(self) -> Position:
        """The image's position, whose proofs name cards as the variant does."""
        position = Position.of_game(self.game)
        if self.of.rules.variant is None:
            return position
        return replace(position, spell=self.name, suit_of=self._suit_and_rank)

    def name(self, card: Card) -> str:
        """Return the variant's name of a card of the image.

        If several cards can be the first of a pile, it is that of the lowest one.

        >>> rules = Rules.hanab_live(2, variant="Black Reversed (6 Suits)")
        >>> [image] = images(Game.start(rules, rules.spec.shuffle(seed=1)))
        >>> image.name(Card(5, 1)), image.name(Card(0, 2))
        ('k5', 'r2')
        """
        return card_name(self._real(card), self.of.rules)

    def _real(self, card: Card) -> Card:
        is_plain = self.of.rules.variant is None
        return card if is_plain else Card(card.color, self.steps[card.color].index(card.rank) + 1)

    def _suit_and_rank(self, card: Card) -> tuple[str, str]:
        return suit_and_rank(self._real(card), self.of.rules)


def images(game: Game) -> Iterator[Image]:
    """Yield the images of an unfinished game; a plain game is its own image.

    >>> rules = Rules.hanab_live(3, variant="Up or Down (5 Suits)")
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> len(list(images(game)))
    32
    """
    rules = game.rules
    if rules.variant is None:
        yield Image(game, game, ())
        return
    piles = game.pile_ranks
    for choice in product(*(_choices(rules, color, pile) for color, pile in enumerate(piles))):
        starts = {start for _, start in choice}
        if not rules.variant.sudoku or len(starts) == len(choice):
            yield _image(game, tuple(steps for steps, _ in choice))


def only_image(game: Game) -> Image:
    """Return the only image of a game.

    Raises SolverError if it has several.
    """
    first, *others = images(game)
    if others:
        raise SolverError(
            f"the piles can be built in {len(others) + 1} ways, each with a formula of its own"
        )
    return first


@lru_cache(maxsize=1024)
def _choices(rules: Rules, color: int, pile: Steps) -> tuple[tuple[Steps, int], ...]:
    """Return each way to continue a pile: the numbers of its ranks, and a first rank."""
    begun = [order for order in rules.orders(color) if order[: len(pile)] == pile]
    return tuple({_steps_of(rules, color, order): order[0] for order in begun}.items())


def _image(game: Game, steps: tuple[Steps, ...]) -> Image:
    rules = _plain_rules(game.rules, steps)
    deck = Deck((color, steps[color][rank - 1]) for color, rank in game.deck)
    return Image(_game_of(game, rules, deck), game, steps)


def _game_of(game: Game, rules: Rules, deck: Deck) -> Game:
    """Return a game of other rules with every card where it is in this one."""
    import numpy as np

    from hanabi.rules import layout as k

    here, there, before = pack_rules(game.rules), pack_rules(rules), game.packed.state
    state = np.zeros(there[k.STATE_SIZE], np.int64)
    state[: k.STARTS] = before[: k.STARTS]
    state[k.PILES : k.PILES + rules.colors] = game.piles
    for index in sorted(
        set(range(rules.deck_size - game.deck_left)).difference(*game.hand_indices)
    ):
        color, rank = deck[index]
        state[there[k.DISCARDS] + color * rules.ranks + rank - 1] += 1
    for color, height in enumerate(game.piles):
        start = there[k.DISCARDS] + color * rules.ranks
        state[start : start + height] -= 1
    places = rules.seats * rules.hand_size
    for word, size in ((k.SIZES, rules.seats), (k.CARDS, places), (k.KNOWN, places)):
        state[there[word] : there[word] + size] = before[here[word] : here[word] + size]
    known = state[there[k.KNOWN] : there[k.KNOWN] + places]
    known[known != 0] = there[k.ANYTHING]
    return Game(rules, deck, game.known_actions, state.tobytes())


@lru_cache(maxsize=1024)
def _steps_of(rules: Rules, color: int, order: tuple[int, ...]) -> Steps:
    """Return the number of each rank in an order, or in one that begins with another card."""
    alike = [other for other in rules.orders(color) if other[1:] == order[1:]]
    numbers = {rank: number for number, rank in enumerate(order, start=1)}
    numbers |= {other[0]: 1 for other in alike}
    return tuple(numbers[rank] for rank in range(1, len(rules.spec.copies[color]) + 1))


@lru_cache(maxsize=1024)
def _plain_rules(rules: Rules, steps: tuple[Steps, ...]) -> Rules:
    """Return the rules of an image; its game ends only when its turns are used up."""
    rows = []
    for color, row in enumerate(rules.spec.copies):
        copies = [0] * len(rules.orders(color)[0])
        for step, number in zip(steps[color], row, strict=True):
            copies[step - 1] += number
        rows.append(tuple(copies))
    spec = DeckSpec(tuple(rows))
    return replace(
        rules,
        spec=spec,
        variant=None,
        stop_when_stuck=False,
        all_or_nothing=False,
        speedrun=False,
        discard_at_full_hints=rules.discard_at_full_hints
        or (rules.variant is not None and any(rules.variant.inverted)),
    )


def _lift(game: Game, line: Line) -> tuple[Line, Game] | None:
    """Return a line that plays and discards the same cards, and the position at its end."""
    variant = game.rules.variant
    takes_turns = variant is not None and variant.alternating_clues
    # Keyed by the kind of the last hint, if that matters; otherwise the positions are alike.
    ways: dict[Kind | None, tuple[Game, Line]] = {None: (game, ())}
    for action in line:
        if not takes_turns:
            with suppress(IllegalActionError):
                position, done = ways[None]
                meant = _exchanged(position, action)
                ways = {None: (position.apply(meant), (*done, meant))}
                continue
        following: dict[Kind | None, tuple[Game, Line]] = {}
        for last, (position, done) in ways.items():
            for meant in _meanings(position, action):
                kind = meant.kind if takes_turns and meant.is_hint else last
                following.setdefault(kind, (position.apply(meant), (*done, meant)))
        if not following:
            return None
        ways = following
    return next((done, end) for end, done in ways.values())


def _exchanged(game: Game, action: Action) -> Action:
    """Return the variant's action that does to a card what an action of the plain game does."""
    if action.is_hint or not game.rules.is_inverted(game.hands[game.seat_to_act][action.target]):
        return action
    return action._replace(kind=Kind.DISCARD if action.kind is Kind.PLAY else Kind.PLAY)


def _meanings(game: Game, action: Action) -> list[Action]:
    """Return an action if legal; for a hint, the first legal one of each kind."""
    if not action.is_hint:
        meant = _exchanged(game, action)
        return [meant] if game.is_legal(meant) else []
    hints: dict[Kind, Action] = {}
    for hint in game.legal_actions:
        if hint.is_hint:
            hints.setdefault(hint.kind, hint)
    return list(hints.values())
