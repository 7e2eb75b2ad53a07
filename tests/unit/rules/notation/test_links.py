from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import GameRecord, RecordedAction, format_link, parse_input, parse_link
from hanabi.rules.variants import find_variant, variant_names

DATA = Path(__file__).parents[3] / "data/hanab_live"
DECKS = DATA / "decks.json"
GAMES = sorted((DATA / "games").glob("*.json"))

# Two links that people have posted, with the seeds of their decks. The first has the site's newer
# form, with the seed behind the variant; `#33` is the turn to open.
PUBLIC = {
    "p4v0s1": (
        "https://hanab.live/shared-replay-json/415ifirpxqufunsxcwgc-tbokayavlbjdgwqvekus-pdfanhhmk"
        "rpml,03tdeh-sbxckceeeisbkdeg1bep-edodeleufaerxaexwdez-fjgcfbffeswaeywcf5en-fvfqe2eo1bgce7"
        "emf3f4-ewf0tctdeHeIecocekkb-obe1fJf8f6et,0,p4v0s1#33"
    ),
    "p4v0s10": (
        "https://hanab.live/shared-replay-json/415howrnrhjibpqadkaq-glbsvtsfvpnulfyxumcc-kxeiwkagp"
        "ufdm,02fcla-dkdpoblddqdolcefdsob-ddduejdtidicdydrdwrc-,0#23"
    ),
}


@pytest.mark.parametrize("seed", PUBLIC)
def test_public_links_hold_the_decks_of_their_seeds(seed: str) -> None:
    decks = {each["id"]: each for each in json.loads(DECKS.read_text(encoding="utf-8"))["decks"]}
    record = parse_link(PUBLIC[seed])
    assert str(record.deck) == decks[seed]["deck"]
    assert record.players == decks[seed]["players"]
    assert record.deck_mismatch is None


@pytest.mark.parametrize("seed", PUBLIC)
def test_public_links_are_written_back_letter_for_letter(seed: str) -> None:
    link = PUBLIC[seed].replace("shared-", "").split("#")[0].removesuffix(f",{seed}")
    assert format_link(parse_link(PUBLIC[seed])) == link


def test_what_a_link_holds() -> None:
    record = parse_link(PUBLIC["p4v0s1"])
    assert record.seed == "p4v0s1"
    assert record.names == ("Alice", "Bob", "Cathy", "Donald")
    assert record.actions[0].type in (2, 3)
    assert parse_link(PUBLIC["p4v0s10"]).seed is None


def test_dashes_and_addresses_do_not_matter() -> None:
    link = format_link(parse_link(PUBLIC["p4v0s10"]))
    bare = link.replace("-", "").replace("replayjson", "replay-json")
    variants = (
        bare,
        bare.replace("https://", ""),
        bare.replace("hanab.", "www.hanab."),
        link + "#5",
    )
    assert all(parse_link(each) == parse_link(link) for each in variants)


def test_dashes_after_every_twenty_characters() -> None:
    data = format_link(parse_link(PUBLIC["p4v0s1"])).rpartition("/")[2]
    assert {len(piece) for piece in data.split("-")[:-1]} == {20}


def test_ends_are_dropped_and_values_of_nothing_kept_apart() -> None:
    actions = (
        RecordedAction(0, 1),
        RecordedAction(1, 0, 0),
        RecordedAction(2, 1, 4),
        RecordedAction(3, 0, 5),
        RecordedAction(4, 1, 4),
    )
    record = GameRecord(2, Deck([(0, 1), (4, 5)]), actions, names=("Alice", "Bob"))
    again = parse_link(format_link(record))
    assert again == replace(record, actions=actions[:-1])


def test_ranks_are_counted_from_one_even_if_no_one_is_there() -> None:
    # The site's own reader would take the lowest rank for 1.
    assert "/215lw," in format_link(GameRecord(2, Deck([(2, 2), (4, 3)])))
    assert parse_link("https://hanab.live/replay-json/223ej,00,0").deck == Deck([(2, 2), (4, 3)])


@pytest.mark.parametrize("variant", ["6 Suits", "3 Suits", *variant_names()[::60]])
def test_variants_by_number(variant: str) -> None:
    deck = find_variant(variant).spec.shuffle(seed=1)
    record = GameRecord(2, deck, variant=variant, names=("Alice", "Bob"))
    link = format_link(record)
    assert link.replace("-", "").endswith(f",{find_variant(variant).id}")
    assert parse_link(link) == record


def test_a_start_card_is_rank_7_there() -> None:
    record = GameRecord(2, Deck([(0, 6), (4, 5)]), variant="Up or Down (5 Suits)")
    assert format_link(record) == "https://hanab.live/replay-json/217g6,00,24"
    assert parse_link(format_link(record)).deck == record.deck


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_real_games_of_many_variants_survive_a_link(path: Path) -> None:
    record = parse_input(path.read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    again = parse_link(format_link(replace(record, options={})))
    taken = tuple(action for action in record.actions if not action.is_end)
    assert (again.deck, again.variant) == (record.deck, record.variant)
    assert [(each.type, each.target) for each in again.actions] == [
        (each.type, each.target) for each in taken
    ]


SITE = "https://hanab.live/"


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (SITE + "replay/2906", "https://hanab.live/export/2906"),
        (SITE + "shared-replay/2906#7", "the network is never used here"),
        ("hanab.live/replay/2906", "the network is never used here"),
        ("https://example.org/x", "'https://example.org/x' is not a hanab.live link"),
        (SITE, "is not a replay link"),
        (SITE + "scores/x", "is not a replay link"),
        (SITE + "replay-json/", "character 32: the link ends too early"),
        (SITE + "replay-json/215lw,00", "character 40: the link ends too early"),
        (SITE + "replay-json/,00,0", "character 32: the link ends before the number of players"),
        (SITE + "replay-json/2,00,0", "character 33: the link ends before the lowest rank"),
        (SITE + "replay-json/x15lw,00,0", "character 32: 'x' is not a digit"),
        (SITE + "replay-json/715lw,00,0", "character 32: 7 players: there are 2 .. 6"),
        (SITE + "replay-json/251lw,00,0", "the lowest rank 5 is above the highest 1"),
        (SITE + "replay-json/215-l-w!,00,0", "character 39: '!' is not in the alphabet"),
        (SITE + "replay-json/215lz,00,0", "character 36: suit 5, rank 1 is not in No Variant"),
        (SITE + "replay-json/216l,00,0", "character 35: suit 1, rank 6 is not in No Variant"),
        (SITE + "replay-json/215lw,0,0", "character 39: the link ends before the highest type"),
        (SITE + "replay-json/215lw,00a,0", "character 41: the last action is cut in half"),
        (SITE + "replay-json/215lw,00ac,0", "character 40: actions[0].target: 2 is not in 0 .. 1"),
        (SITE + "replay-json/215lw,33aa,0", "actions[0].value: missing in a rank hint"),
        (SITE + "replay-json/215lw,99aa,0", "actions[0].type: 9 is no type of action"),
        (SITE + "replay-json/217l9,00,24", "character 36: suit 5, rank 1 is not in Up"),
        (SITE + "replay-json/217f,00,24", "character 35: suit 0, rank 6 is not in Up or Down"),
        (SITE + "replay-json/215lw,00,9999", "character 41: number 9999 is not a variant of hanab"),
        (SITE + "replay-json/215lw,00,", "character 41: '' is not the number of a variant"),
        (SITE + "replay-json/215lw,00,x", "'x' is not the number of a variant"),
        (SITE + "replay-json/215lw,00,0,p2v0s1", "seed: 'p2v0s1' deals another deck"),
        (SITE + "replay-json/" + "9" * 1_000_000 + ",00,0", "9 players: there are 2 .. 6"),
    ],
)
def test_bad_links_are_quoted_with_their_place(link: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_link(link)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GameRecord(2, Deck([(0, 6)])), r"deck\[0\]: r6 is not in 'No Variant'"),
        (GameRecord(2, Deck([(5, 1)])), r"deck\[0\]: t1 is not in 'No Variant'"),
        (GameRecord(2, Deck([]), variant="Pink"), "'Pink' is not a variant of hanab.live"),
        (
            GameRecord(2, Deck([(0, 1)] * 70), (RecordedAction(0, 69),)),
            r"actions\[0\]\.target does not fit",
        ),
        (GameRecord(2, Deck([(0, 1)]), (RecordedAction(0, 1),)), r"actions\[0\]\.target: 1"),
    ],
)
def test_what_a_link_cannot_hold(record: GameRecord, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        format_link(record)
