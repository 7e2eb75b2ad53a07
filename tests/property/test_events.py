"""The past of a view, compared with the game's own positions."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Action, Event, Game, Kind, Rules, hint_rank, play
from hanabi.rules.events import History
from hanabi.rules.telling import moved_card, outcome
from property.test_game import ANY, SEEDS, choose, hide_otherwise


def positions_of(rules: Rules, seed: int, turns: int) -> list[Game]:
    stream = Stream(seed)
    found = [Game.start(rules, stream.shuffled(rules.spec.cards()))]
    while found[-1].can_act and found[-1].turn < turns:
        found.append(found[-1].apply(choose(found[-1], stream)))
    return found


def slow_event(before: Game, after: Game, seat: int) -> Event:
    """Read an event off two positions, with all cards in sight."""
    action, actor = after.actions[-1], before.seat_to_act
    if action.is_hint:
        return Event(before.turn, actor, action, before.touched(action))
    drawn_from = before.rules.deck_size - before.deck_left
    if action.is_from_deck:
        index, drawn = drawn_from, None
    else:
        index = before.hand_indices[actor][action.target]
        drawn = drawn_from if before.deck_left else None
    sees = drawn is not None and (actor != seat or before.rules.open_hands)
    return Event(
        before.turn,
        actor,
        action,
        (),
        index,
        moved_card(before, after),
        outcome(before, after),
        drawn,
        before.deck[drawn] if sees and drawn is not None else None,
    )


@settings(max_examples=50)
@given(ANY, SEEDS, st.integers(0, 60))
def test_events_are_what_happened(rules: Rules, seed: int, turns: int) -> None:
    positions = positions_of(rules, seed, turns)
    end, stream = positions[-1], Stream(seed, index=1)
    for seat in range(rules.seats):
        view = end.view(seat)
        wanted = [slow_event(*each, seat) for each in pairwise(positions)]
        assert list(view.events) == wanted
        # As the game goes on, a history gives the same events, whenever it is asked.
        history, found = History(rules, seat), list[Event]()
        for position in positions:
            if stream.below(3) == 0:
                found += history.extend(position.view(seat))
        assert found == wanted[: len(found)]
        assert found + history.extend(view) == wanted == history.events
        # By card: the turn of its draw, and those of the hints that touched it.
        drawn = {event.drawn_index: event.turn for event in wanted}
        for owner, hand in enumerate(end.hand_indices):
            hints = [
                [
                    each.turn
                    for each, before in zip(wanted, positions, strict=False)
                    if each.action.is_hint
                    and index in before.hand_indices[each.action.target]
                    and before.hand_indices[each.action.target].index(index) in each.touched
                ]
                for index in hand
            ]
            assert [list(turns) for turns in view.hinted_at[owner]] == hints
            assert view.drawn_at[owner] == tuple(map(drawn.get, hand))
            assert view.touched[owner] == tuple(map(bool, hints))
            bare = [index for index, turns in zip(hand, hints, strict=True) if not turns]
            assert view.chop[owner] == (hand.index(min(bare)) if bare else None)


@settings(max_examples=50)
@given(ANY, SEEDS, st.integers(0, 40))
def test_events_hide_what_is_hidden(rules: Rules, seed: int, turns: int) -> None:
    stream = Stream(seed, index=1)
    game = positions_of(rules, seed, turns)[-1]
    for seat in range(rules.seats):
        other = Game.start(rules, hide_otherwise(game, seat, stream))
        for action in game.actions:
            other = other.apply(action)
        assert other.view(seat).events == game.view(seat).events


def test_an_inverted_card_does_the_opposite() -> None:
    rules = Rules.hanab_live(2, variant="Orange (5 Suits)")
    suit = next(color for color in range(rules.colors) if rules.is_inverted((color, 1)))
    deck = sorted(rules.spec.cards(), key=lambda card: (card[0] != suit, card[1]))
    game = Game.start(rules, deck).apply(Action(Kind.DISCARD, 0)).apply(Action(Kind.PLAY, 0))
    first, second = game.view(0).events
    assert (first.outcome, second.outcome) == ("play", "discard")


def test_past_hints_name_cards_as_they_were() -> None:
    """The oracle plays the game again and looks at the position before each hint."""
    for rules in (Rules.hanab_live(3), Rules.hanab_live(2, variant="Rainbow (6 Suits)")):
        games, stream = [Game.start(rules, rules.spec.shuffle(5))], Stream(2)
        while not games[-1].is_over:
            legal = games[-1].legal_actions
            hints = [each for each in legal if each.is_hint]
            some = hints if hints and stream.below(4) else legal
            games.append(games[-1].apply(some[stream.below(len(some))]))
        for seat in range(rules.seats):
            past = iter(games[-1].view(seat).past_hints)
            for before, after in pairwise(games):
                action = after.known_actions[-1]
                if not action.is_hint:
                    continue
                hint, view = next(past), before.view(seat)
                hand, old = before.hand_indices[action.target], view.touched[action.target]
                slots, chop = before.touched(action), view.chop[action.target]
                assert hint[:3] == (before.turn, before.seat_to_act, action)
                assert hint.cards == tuple(hand[slot] for slot in slots)
                assert hint.new == tuple(hand[slot] for slot in slots if not old[slot])
                assert hint.chop == (None if chop is None else hand[chop])
                if seat == before.seat_to_act:
                    assert view.preview(action) == hint
            assert next(past, None) is None
    view = games[0].view(0)
    for action in (play(0), hint_rank(0, 1), hint_rank(7, 1)):
        with pytest.raises(InvalidInputError, match="is not a hint to another seat"):
            view.preview(action)
