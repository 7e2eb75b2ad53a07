"""Sentences on a terminal and a page: they agree on cards, and take no name for a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.conventions import explain
from hanabi.conventions.notes import move_notes
from hanabi.conventions.practice import exercises
from hanabi.ground.rng import Stream
from hanabi.players import parse_player, play_game
from hanabi.players.protocol import why_of
from hanabi.rules import Game, Kind, Rules, Table
from hanabi.rules.telling import on_site
from hanabi.rules.words import Audience, Part, Said, Seat, Slots, Term, site, terminal
from hanabi.shell.viewer.games import told_of_games

EVIL = ("hint", "slot 1", "seat 2", "Clue", "{hint}", "hints", "card 1", "seat 0 plays slots 1, 2")
MARKS = ("\ue000", "\ue001", "\ue002", "\ue003")
SEATS = len(MARKS)
RULES = Rules.hanab_live(SEATS)

names_at_the_table = st.permutations(EVIL).map(lambda names: tuple(names[:SEATS]))
parts = st.one_of(
    st.text(),
    st.builds(Seat, st.integers(0, SEATS)),
    st.builds(
        Slots,
        st.none() | st.integers(0, SEATS - 1),
        st.sets(st.integers(0, 5), min_size=1).map(lambda slots: tuple(sorted(slots))),
    ),
    st.sampled_from(Term),
)


def with_names(text: str, names: Sequence[str]) -> str:
    """Put names in the place of marks that no sentence has by itself."""
    return "".join(dict(zip(MARKS, names, strict=True)).get(letter, letter) for letter in text)


@lru_cache
def played(text: str, seed: int) -> tuple[Game, ...]:
    game = Game.start(RULES, RULES.spec.shuffle(seed=seed))
    positions = [game]
    for action in play_game([parse_player(text)] * SEATS, game, Stream(seed)).actions:
        positions.append(positions[-1].apply(action))
    return tuple(positions)


def card_numbers(text: str) -> list[int]:
    found = re.findall(r"\bcards? (\d+(?:, \d+)*(?: and \d+)?)", text)
    return [int(number) for each in found for number in re.findall(r"\d+", each)]


def check(said: Said, table: Table, names: Sequence[str]) -> None:
    held = [
        len(table.hands[part.seat]) - number
        for part in said.parts
        if isinstance(part, Slots) and part.seat is not None
        for number in part.numbers
    ]
    for readers in (terminal((), table), site((), table)):
        assert card_numbers(said.to(readers)) == held
        assert "slot" not in said.to(readers)
    for readers in (Audience(), terminal((), table), site((), table)):
        text = said.to(readers._replace(names=names))
        assert text == with_names(said.to(readers._replace(names=MARKS)), names)


@given(st.lists(parts), names_at_the_table)
def test_no_name_is_changed_in_any_sentence(found: list[Part], names: tuple[str, ...]) -> None:
    said = Said(part for part in found if not (isinstance(part, str) and set(part) & {*MARKS}))
    for hands in ((), (5, 5, 5, 5), (5, 4, 5, 4)):
        text = said.to(Audience(names, "clue", hands))
        assert text == with_names(said.to(Audience(MARKS, "clue", hands)), names)


@pytest.mark.parametrize("text", ["information", "rule-based", "hgroup:level=5", "smart"])
@settings(max_examples=3)
@given(names=names_at_the_table)
def test_no_name_is_changed_in_a_players_sentence(text: str, names: tuple[str, ...]) -> None:
    player, n_named = parse_player(text), 0
    for before, after in pairwise(played(text, 1)):
        view = before.view(before.seat_to_act)
        said = why_of(player, view, after.actions[-1])
        assert said is not None
        check(said, before, names)
        n_named += any(isinstance(part, Seat) for part in said.parts)
        moved = on_site(names, before, after)
        assert moved == with_names(on_site(MARKS, before, after), names)
    assert n_named or text not in ("information", "hgroup:level=5")


@settings(max_examples=2)
@given(names_at_the_table)
def test_no_name_is_changed_in_notes_of_conventions(names: tuple[str, ...]) -> None:
    positions = played("hgroup:level=5", 1)[:12]
    for before, after in pairwise(positions):
        notes = move_notes(before, after, 5)
        for said in (*notes.sentences(), *notes.ahead()):
            check(said, before, names)
    evil = told_of_games(positions, names=names).frames
    marked = told_of_games(positions, names=MARKS).frames
    assert [each.words for each in evil] == [with_names(each.words, names) for each in marked]


def garbled(_: str, *__: object) -> Said:
    return Said(["seat 0 plays r1 blindly from slot 0"])


def test_a_sentences_words_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conventions stay the same if all sentences of readings, slips and plays are exchanged."""

    games, level = [played("hgroup:level=5", seed)[:36] for seed in (3, 5)], 5

    def found() -> tuple[set[str], list[object]]:
        """Return the conventions of blind plays, and those of all that is explained."""
        blind = set()
        others: list[object] = [
            (at, each.action, each.convention)
            for positions in games
            for at, each in exercises(positions, level)
        ]
        for before, after in chain.from_iterable(map(pairwise, games)):
            view, action = before.view(before.seat_to_act), after.actions[-1]
            others += [each.convention for each in explain.slips(view, action, level)]
            if action.kind is Kind.PLAY and not view.hinted_at[view.seat][action.target]:
                order = view.hand_indices[view.seat][action.target]
                convention, _ = explain.why_playable(view, order, action.target, level)
                blind.add(convention.name)
        return blind, others

    usual = found()
    monkeypatch.setattr(explain, "say", garbled)
    assert found() == usual
    assert len(usual[0]) > 1
