"""What several pages offer: players, variants and sample games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.conventions import LEVELS, HGroup
from hanabi.ground import InvalidInputError, quote
from hanabi.players import ENTRIES, format_player, package_player
from hanabi.rules import Rules
from hanabi.shell.web.desk import Asked
from hanabi.shell.web.settings import Settings

__all__ = [
    "BLIND",
    "COMMON_VARIANTS",
    "FIRST_PLAYER",
    "MOST_SEATS",
    "NOBODY",
    "SAMPLES",
    "Sample",
    "asked_rules",
    "offered_player",
    "players_for",
]

FIRST_PLAYER = "rule-based"
"""The player that is offered first."""

NOBODY = "nobody"
"""The choice of no player."""

MOST_SEATS = 6
BLIND = [entry for entry in ENTRIES if not getattr(entry.kind, "needs_open_hands", False)]
"""The players of this package that play with hidden hands."""
_LEVELS = ("hgroup", *(f"hgroup:level={level}" for level in range(2, LEVELS + 1)))
COMMON_VARIANTS = (
    "No Variant", "6 Suits", "Black (5 Suits)", "Pink (5 Suits)", "White (5 Suits)",
    "Rainbow (5 Suits)", "Brown (5 Suits)", "Omni (5 Suits)", "Null (5 Suits)",
    "Muddy Rainbow (5 Suits)", "Prism (5 Suits)", "Dark Rainbow (6 Suits)", "Up or Down (5 Suits)",
    "3 Suits", "4 Suits",
)  # fmt: skip


def players_for(settings: Settings) -> tuple[str, ...]:
    """Return the players to choose from, those that play with hidden hands; wrappers come first."""
    blind = sorted(BLIND, key=lambda entry: not entry.is_wrapper)
    texts = [text for entry in blind for text in (_LEVELS if entry.kind is HGroup else entry.texts)]
    return tuple(dict.fromkeys((FIRST_PLAYER, *texts, *settings.players)))


def offered_player(text: str, offered: Sequence[str]) -> str:
    """Return the player on offer that a text spells in any way; an error lists all of them.

    >>> offered_player("hgroup:level=1", ("random", "hgroup", "hgroup:level=2"))
    'hgroup'
    """
    for each in offered:
        if text == each or _in_full(text) == _in_full(each) != "":
            return each
    raise InvalidInputError(f"no player {quote(text)} is on offer; there are {', '.join(offered)}")


def _in_full(text: str) -> str:
    """Return a player's text with all parameters, or "": nothing outside this package is loaded."""
    player = package_player(text)
    return "" if player is None else format_player(player)


def asked_rules(asked: Asked, seats: int) -> Rules:
    """Return hanab.live's rules for this many seats and the requested variant."""
    return Rules.hanab_live(seats, variant=asked.text("variant", "No Variant").strip() or None)


@dataclass(frozen=True, slots=True)
class Sample:
    """A game to begin with."""

    address: str
    title: str
    about: str


SAMPLES = (
    Sample(
        "/review/"
        "315gxxwfgqycubbodtlc-hwpmsqlaufkjikvpisme-vaundarhfnrpk,03wbla-pbaeajkb1cafkbba"
        "arsb-bbatxabdagbkgcbitblc-bvayoboaa1bsbxalwcaq-kaa3bha5kcbza2gbb0an-bcaApaapoata"
        "ausab9aH-ocsbaEa8aobwb4am,0",
        "One discard, three points",
        "No Variant, played by three bots: all 25 points were there until turn 28.",
    ),
    Sample(
        "/review/"
        "315bdjoaafkminnfilha-kmcgkbfldgche,03lcaf-amlcahbqkbbrlaaaoaao-kcatobabtclbaubi1"
        "atb-apanacxcbv,2133",
        "Three points lost late",
        "Orange (3 Suits): all 15 points were there until turn 21.",
    ),
    Sample(
        "/review/"
        "315odedpxlblikthjsaa-byn2mf1uwhzpmgic0gnk-vfcrqswqvx3ur,03kcbi-akscbpaqwcagxbaea"
        "rbo-1cavawscbhwbbdatlbaa-a1ayb2xaa4a0kab6a7tc-obactctb,2418",
        "The last red 5",
        "Scarce Ones & Gray (6 Suits): one misplay, and a color can never be completed.",
    ),
    Sample(
        "/review/"
        "315mmphexkydblirwuap-fnuqcfvaxchpfktvkdsi-saggqwlrjobnu,03obag-sagbwcaoocapakoca"
        "r1b-bctcaqaubfpbxbajamba-axtaabbtaswcbygaa0ai-anaexaaza9b11bbwa5ka-b2pablaDkcbva"
        "dahaA1b-aK1aaJ,0",
        "25 of 25",
        "No Variant: 55 moves, and nothing was lost.",
    ),
)
"""Games to look at before one has one's own: one by bots, others played on hanab.live."""
