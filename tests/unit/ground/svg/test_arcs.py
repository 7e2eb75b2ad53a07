"""Windows as arcs: what is drawn of plays, of lost streams, and of streams that are too long."""

from __future__ import annotations

import re

from hypothesis import given as drawing
from hypothesis import settings
from hypothesis import strategies as st

from hanabi import solve
from hanabi.ground.svg.looks import looks_of
from hanabi.ground.svg.records import Arc, Arcs, Lane, SmallCard
from hanabi.ground.svg.strip import draw_arcs
from hanabi.rules.deck import DeckSpec
from hanabi.shell.session.pictures import svg_of
from hanabi.shell.session.windows import explain_answer, explain_play
from hanabi.solitaire import Instance, Play, least_hand
from hanabi.solitaire.picture import arcs_of
from hanabi.solitaire.windows import loads_of, ways_of
from pictures import SVG, checked


def words_of(svg: str) -> list[str]:
    return [each.text or "" for each in checked(svg).iter(f"{SVG}text")]


@settings(max_examples=60, deadline=None)
@drawing(st.integers(1, 5), st.integers(1, 6), st.integers(0, 6), st.integers(0, 10**6))
def test_arcs_of_answers(c: int, n: int, hand: int, seed: int) -> None:
    instance = Instance(hand, DeckSpec.uniform(colors=c, ranks=n, copies=2).shuffle(seed=seed))
    answer = solve(instance, seconds=600)
    explained = explain_answer(answer)
    arcs = explained.arcs()
    drawn = draw_arcs(arcs, title="Arcs")
    checked(drawn)
    assert len(arcs.cards) == len(arcs.numbers)
    assert list(arcs.numbers) == sorted({*arcs.numbers})
    shown = dict(enumerate(arcs.numbers))
    chosen = [
        (arc.rank, shown[arc.opens], shown[arc.closes])
        for lane in arcs.lanes
        for arc in lane.arcs
        if arc.is_chosen and arc.opens >= 0 and arc.closes in shown
    ]
    held = [(str(window.value), window.opens, window.closes) for window in explained.held]
    assert {*chosen} <= {*held}
    assert len(chosen) == len({*chosen}) or len(held) != len({*held})
    loads = loads_of(explained.held, instance.N)
    if explained.play is not None:
        assert len(arcs.full) <= sum(load == hand for load in loads)
        assert all(0 < loads[shown[place] - 1] == hand for place in arcs.full)
        assert words_of(drawn).count("no place") == 0
    elif explained.moments:
        [(position, weight), *others] = explained.moments
        if not others:
            assert loads[position - 1] > hand
            assert f"before {position}" in " ".join(words_of(drawn))
            assert "no place" in words_of(drawn)
        assert not arcs.full
        assert weight >= 1
    if instance.N <= 32:
        assert len(arcs.cards) == instance.N
        assert not any(note.startswith("Cards ") for note in arcs.notes)


def test_a_long_stream_shows_the_windows_that_are_open_at_its_moment() -> None:
    stream = Instance(60, DeckSpec.uniform(colors=20, ranks=5, copies=2).shuffle(seed=4))
    lost = stream.with_hand_size(least_hand(stream).upper - 1)  # type: ignore[operator]
    explained = explain_answer(solve(lost))
    arcs = explained.arcs()
    assert len(arcs.cards) < 60 < lost.N
    assert any(f"of {lost.N} cards" in note for note in arcs.notes)
    ends = {at for window in explained.held for at in (window.opens, window.closes)}
    positions = {position for position, _ in explained.moments}
    assert {*arcs.numbers} <= ends | positions
    drawn = draw_arcs(arcs, title="Lost")
    assert words_of(drawn).count("…") > 3
    n_chosen = sum(arc.is_chosen for lane in arcs.lanes for arc in lane.arcs)
    if len(positions) == 1:
        assert n_chosen == lost.hand_size + 1


def test_a_part_of_a_stream_cuts_the_arcs_at_its_edges() -> None:
    cards = [(0, 3), (0, 2), *[(1, value) for value in range(1, 4)], (0, 1)]
    instance = Instance(2, cards)
    explained = explain_answer(solve(instance))
    arcs = explained.arcs(first=3, last=5)
    assert arcs.numbers == (3, 4, 5)
    [lane] = arcs.lanes
    assert [(arc.opens, arc.closes) for arc in lane.arcs] == [(-1, 3), (-1, 3)]
    assert arcs.full == (0, 1, 2)
    assert arcs.notes[-1] == "Cards 3 to 5 of 6."
    checked(draw_arcs(arcs, title="A part"))


def test_what_does_not_fit_is_counted() -> None:
    pairs = [(0, value + step) for value in range(1, 13) for step in (1, 0)]
    arcs = arcs_of(Instance(1, pairs), ways_of(Instance(1, pairs)))
    assert len(arcs.lanes[0].arcs) == 6
    assert arcs.notes == ("6 alternatives not drawn.",)
    many = Instance(30, [(color, value) for value in (2, 1) for color in range(16)])
    arcs = arcs_of(many, ways_of(many), explain_answer(solve(many)).held)
    assert len(arcs.lanes) == 14
    assert arcs.notes == ("2 more colors with windows here not drawn.",)
    checked(draw_arcs(arcs, title="Many"))


def test_a_window_that_never_closes_goes_on_to_the_edge() -> None:
    instance = Instance(1, [(0, 2), (0, 3)])
    play = Play([(1, "store"), (2, "discard")])
    arcs = arcs_of(instance, (), explain_play(instance, play).held, play=play)
    assert [(arc.opens, arc.closes) for lane in arcs.lanes for arc in lane.arcs] == [(0, 2)]
    checked(draw_arcs(arcs, title="Never"))


def test_streams_without_cards_or_windows() -> None:
    for given in (Instance(1, []), "hand 0 r1", "hand 3 r1 r2 r3", "hand 1 r2"):
        checked(svg_of(solve(given)))
    assert not explain_answer(solve("hand 3 r1 r2 r3")).arcs().lanes


def test_names_from_anywhere_are_escaped() -> None:
    look = looks_of(("<&>",), ("<",))[0]
    lane = Lane(look=look, arcs=(Arc(rank="&", opens=0, closes=1, is_chosen=True),), note="<b>")
    cards = (SmallCard(look=look, rank="&"),) * 2
    arcs = Arcs(cards=cards, numbers=(1, 2), lanes=(lane,), hand_size=1, words="<", notes=("<i>",))
    svg = draw_arcs(arcs, title="<title>")
    checked(svg)
    assert not re.search(r"<(?:b|i|&)>", svg)


def test_color_is_never_needed() -> None:
    """Each arc and each place in hand has the letter and value of its card."""
    words = words_of(svg_of(solve("hand 2 r2 y2 g2 r1 g1 y1 g2")))
    assert words.count("r2") == words.count("y2") == 2
    assert words.count("full") == 1
    assert {"Red", "Yellow", "stream", "hand: 2"} <= {*words}
