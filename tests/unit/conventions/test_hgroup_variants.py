"""The conventions in variants: a text-book after the guide's pages, and what holds in every game.

Positions are written as in `test_hgroup`, with the letters of the variant's suits.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from hanabi.conventions import HGroup, expected, readings, slips
from hanabi.conventions.conventions import LEVELS
from hanabi.conventions.following import Follower
from hanabi.conventions.practice import exercises
from hanabi.conventions.table import bits
from hanabi.conventions.variants import refuse_variant
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Rules, hint_rank
from hanabi.rules.variants import VARIANT_COUNT, find_variant, variant_names
from property.test_game import hide_otherwise
from unit.conventions.test_hgroup import Board

# Variant, level, piles, discards, hands from B, circumstances, hint, reader, meaning.

TEXTBOOK = """
Rainbow (5 Suits) | 1 | | | y4 r1 g3 b4 b3 / y4 g3 b4 m4 r4 | | red B | B | 2: Play Clue r1,m1
Rainbow (5 Suits) | 1 | | | y4 m1 g3 b4 b3 / y4 g3 b4 m4 r4 | | 1 B | B | \
2: Play Clue r1,y1,g1,b1,m1
Rainbow (5 Suits) | 1 | m1 | m3 | y4 r4 g2 b4 m3 / y4 g3 b4 m4 r4 | | red B | B | \
5: Critical Save m3; Play Clue r1,m2
Rainbow (5 Suits) | 1 | | | y4 r4 g3 b4 m2 / y4 g3 b4 m4 r4 | | 2 B | B | 5: 2 Save r2,y2,g2,b2,m2
Rainbow (5 Suits) | 1 | | | y4 r4 g3 b4 m2 / y4 g3 b4 m4 r4 | | blue B | B | 5: Play Clue b1,m1
Rainbow (5 Suits) | 1 | r1 | | y3 m1:r g4 b4 b3 / y2 g3 m2 y5 g4 | | red C | B | \
3: Prompt m2 <B2=m1
Rainbow (5 Suits) | 1 | r1 | | m1 r4:r g4 b4 b3 / y2 g3 m2 y5 g4 | | blue C | B | \
3: Finesse m2 <B1=m1!
Rainbow (5 Suits) | 1 | r1 | | y3 m1:r g4 b4 b3 / y2 g3 m2 r5 g4 | | blue C | B | \
3: Prompt m2 <B2=m1
Dual-Color (5 Suits) | 1 | | | l4 t1 l3 l4 i3 / t4 l3 i4 l4 l4 | | red B | B | 2: Play Clue t1,a1
Pink (5 Suits) | 1 | r2 i1 | | y4 r3 g4 b4 b2 / y4 g3 b4 i4 r4 | | 3 B | B | 2: Play Clue r3
Pink (5 Suits) | 1 | | | y4 r3 g3 b4 i5 / y4 g3 b4 i4 r4 | | 5 B | B | 5: 5 Save r5,y5,g5,b5,i5
Pink (5 Suits) | 1 | | | y4 r3 g3 b4 i2 / y4 g3 b4 i4 r4 | | 2 B | B | 5: 2 Save r2,y2,g2,b2,i2
Pink (5 Suits) | 1 | i2 | | y4 r4 g4 b4 i3 / y4 g3 b4 i4 r4 | | 5 B | C | 5:
Pink (5 Suits) | 1 | | | y4 i1 g3 b4 b3 / y4 g3 b4 i4 r4 | | pink B | B | 2: Play Clue i1
Pink (5 Suits) | 1 | r2 y2 g2 b2 i2 | | i3 y4:4 g4:4 b4 b5 / y4 i4 b4 r3 r4 | | pink C | B | \
2: Finesse i4 <B1=i3!
Pink (5 Suits) | 1 | r2 y2 g2 b2 i2 | | y5 i3:3 g4:4 b4 b5 / y4 i4 b4 r3 r4 | | pink C | B | \
2: Prompt i4 <B2=i3
Pink (5 Suits) | 1 | r1 y1 g1 b1 i2 | | y5 i3:1 g4:4 b4 b5 / y4 i4 b4 r3 r4 | | pink C | B | \
2: Prompt i4 <B2=i3
Pink (5 Suits) | 1 | r1 | | y5 r2:2 y2:2 b4 g2:2 / y4 r3 b4 g3 g4 | | red C | B | \
2: Prompt r3 <B2=r2
Pink (5 Suits) | 4 | r1 y1 g1 b1 i1 | | y4 g3 y3 r1 b4 / y4 g3 b4 r4 b3 | | 1 B | B | \
4: Trash Chop Move - +5 -4
Pink (5 Suits) | 2 | | | r5 g5 y4 b3 b4 / y4 g3 b4 r4 b3 | early | 5 B | B | \
2: 5 Stall r5,y5,g5,b5,i5
Light Pink (5 Suits) | 1 | | | y4 r3 g3 b4 i2 / y4 g3 b4 i4 r4 | | 2 B | B | \
5: 2 Save r2,y2,g2,b2,i2
White (5 Suits) | 1 | | | y4 w1 g3 b4 b3 / y4 g3 b4 w4 r4 | | 1 B | B | 2: Play Clue r1,y1,g1,b1,w1
White (5 Suits) | 1 | r2 w2 | b3 | g1:1g r5 g4 b4 w3 / y4 g3 b4 w4 r4 | | 3 B | B | \
5: Play Clue r3,w3
White (5 Suits) | 1 | r2 w2 | b3 | g4 r5 g5 b4 w3 / y4 g3 b4 w4 r4 | | 3 B | B | \
5: Critical Save b3; Play Clue r3,w3
Brown (5 Suits) | 1 | | | y4 r3 g3 b4 n2 / y4 g3 b4 n4 r4 | | brown B | B | \
5: Brown Saves n2,n5; Play Clue n1
Brown (5 Suits) | 1 | | | y4 r3 g3 b4 n2 / y4 g3 n2 b4 r4 | | brown B | B | \
5: Brown Saves n5; Play Clue n1
Brown (5 Suits) | 1 | | | r1:1r g4 g3 b4 n1 / y4 g3 b4 n4 r4 | | brown B | B | 5: Play Clue n1
Brown (5 Suits) | 1 | | | y4 n1 g3 b4 b3 / y4 g3 b4 n4 r4 | | brown B | B | 2: Play Clue n1
Brown (5 Suits) | 1 | | | y4 g3 b3 b4 r2 / y4 g3 b4 n4 r4 | | 2 B | B | 5: 2 Save r2,y2,g2,b2
Brown (5 Suits) | 1 | n1 | | y4 n3:n g3 n2:n b4 / y4 g3 b4 n4 r4 | | brown B | B | 4: Play Clue n2
Brown (5 Suits) | 6 | n1 | | y4 n2:n g3 r4 b4 / y4 g3 b4 n4 r4 | | brown B | B | \
2: Valuable Tempo Clue n2
Pink (5 Suits) | 6 | i1 | | y4 i2:i g3 r4 b4 / y4 g3 b4 i4 r4 | | pink B | B | \
2: Valuable Tempo Clue i2
Dark Pink (5 Suits) | 6 | i1 | | y4 i2:i g3 r4 b4 / y4 g3 b4 b3 r4 | | pink B | B | \
2: Tempo Clue Chop Move i2 +5
Prism (5 Suits) | 6 | r3 y3 g3 b3 i3 | | y1 i4:b g3 b4:b g5 / y4 g3 b1 r4 r4 | | blue B | B | \
4: Valuable Tempo Clue b4,i4
Black (5 Suits) | 1 | | | y4 r3 g3 b4 k3 / y4 g3 b4 k4 r4 | | black B | B | \
5: Black 3 & Black 4 Saves k3; Play Clue k1
Black (5 Suits) | 1 | | | y4 r3 g3 k2 k5 / y4 g3 b4 g4 r4 | | black B | B | \
5: Black 3 & Black 4 Saves k2,k3,k4,k5; Play Clue k1
Black (5 Suits) | 1 | | | y4 r4 g4 b4 k3 / y4 g3 b4 k4 r4 | | 3 B | B | 5:
Black (5 Suits) | 1 | | r3 | y4 r4 g3 b4 k3 / y4 g3 b4 k4 r4 | | 3 B | B | \
5: Critical Save r3; Black 3 & Black 4 Saves k3
Black (5 Suits) | 1 | | | y4 r4 g3 b4 k2 / y4 g3 b4 k4 r4 | | 2 B | B | 5: 2 Save r2,y2,g2,b2,k2
Black (5 Suits) | 1 | | | y4 r4 g3 b4 k5 / y4 g3 b4 k4 r4 | | 5 B | B | 5: 5 Save r5,y5,g5,b5,k5
Dark Rainbow (5 Suits) | 1 | | | y4 r4 g4 b4 m3 / y4 g3 b4 m4 r4 | | 3 B | B | \
5: Dark Rainbow Saves m3
Dark Rainbow (5 Suits) | 1 | | | y4 g4 b4 b5 m3 / y4 g3 b4 m4 r4 | | red B | B | 5: Play Clue r1,m1
Dark Rainbow (5 Suits) | 1 | r5 | | y4 g4 b4 b5 m3 / y4 g3 b4 b3 y2 | | red B | B | \
5: Dark Rainbow Saves m3,m4; Play Clue m1
Dark Rainbow (5 Suits) | 1 | r2 | | y1:1y r4 g4 b4 r3 / y4 g3 b4 m4 r4 | | 3 B | B | 5: Play Clue r3
Black & Dark Rainbow (6 Suits) | 1 | | | y4 g4 b4 b5 m3 / y4 g3 b4 k4 y2 | | black B | B | \
5: Black 3 & Black 4 Saves k3; Dark Rainbow Saves m3,m4; Play Clue k1,m1
Gray (5 Suits) | 1 | | | y4 r4 g4 b4 a3 / y4 g3 b4 a4 r4 | | 3 B | B | \
5: Gray 3 and Gray 4 Saves a3
Dark Prism (5 Suits) | 1 | | | y4 r4 g4 b4 i3 / y4 g3 b4 i4 r4 | | 3 B | B | 5: Dark Prism Saves i3
Dark Pink (5 Suits) | 1 | | | y4 r4 g4 b4 i3 / y4 g3 b4 i5 r4 | | pink B | B | \
5: Black 3 & Black 4 Saves i3,i4; Play Clue i1
Dark Brown (5 Suits) | 1 | | | y4 r4 g4 b4 n3 / y4 g3 b4 n4 r4 | | brown B | B | \
5: Brown Saves n2,n3,n5; Play Clue n1
Dark Omni (5 Suits) | 1 | | | y4 r4 g4 b4 o3 / y4 g3 b4 b3 r4 | | 5 B | B | \
5: 5 Save r5,y5,g5,b5,o5; Pseudo 5 Saves o2,o3,o4,o5
Dark Omni (5 Suits) | 1 | | | y4 r4 g4 b4 o2 / y4 g3 b4 b3 r4 | | 2 B | B | \
5: 2 Save r2,y2,g2,b2,o2
Dark Omni (5 Suits) | 1 | | | y2 r4 g4 b4 o4 / y4 g3 b4 b3 r4 | | 2 B | B | \
5: 2 Save r2,y2,g2,b2,o2; Pseudo 5 Saves o2,o3,o4,o5
Muddy Rainbow (5 Suits) | 1 | | | y4 g4 b4 b5 m2 / y4 g3 b4 m4 r4 | | red B | B | \
5: Muddy Rainbow Saves m2,m5; Play Clue r1,m1
Muddy Rainbow (5 Suits) | 1 | | | y4 g4 b4 g5 m2 / y4 g3 b4 m4 r4 | | blue B | B | \
5: Play Clue b1,m1
Muddy Rainbow (6 Suits) | 1 | r2 y2 g2 b2 p2 m2 | | y4 g4 m4:ry m3:ry b4 / y4 g3 b4 p4 r4 | \
| red B | B | 4: Play Clue m3
Muddy Rainbow (6 Suits) | 1 | r2 y2 g2 b2 p2 m2 | | y4 g4 m4:ry m3:ry p4 / y4 g3 b4 p4 r4 | \
| blue B | B | 3: Play Clue m3
Cocoa Rainbow (5 Suits) | 1 | | | y4 g4 b4 b5 m3 / y4 g3 b4 b3 r4 | | red B | B | \
5: Muddy Rainbow Saves m2,m3,m4,m5; Play Clue r1,m1
Omni (5 Suits) | 1 | r2 | | y4 r3 g4 b4 b2 / y4 g3 b4 o4 r4 | | 3 B | B | 2: Play Clue r3
Omni (5 Suits) | 1 | | | y4 o1 g3 b4 b3 / y4 g3 b4 o4 r4 | | red B | B | 2: Play Clue r1,o1
Omni (5 Suits) | 1 | r1 y1 g1 b1 o1 | | b4 o2:1 g4 y4 b5 / y4 o3 b4 g3 r4 | | blue C | B | \
2: Prompt o3 <B2=o2
Prism (5 Suits) | 1 | | | y4 i1 g3 b4 b3 / y4 g3 b4 i4 r4 | | red B | B | 2: Play Clue r1,i1
Prism (5 Suits) | 1 | i1 | | y1 i4 g3 b4 b3 / y4 g3 b4 r4 r4 | | yellow B | B | 1: Play Clue y1,i2
Prism (5 Suits) | 1 | r3 y3 g3 b3 i3 | | y1 i4:b g3 b4:b g5 / y4 g3 b1 r4 r4 | | blue B | B | \
4: Play Clue b4,i4
Prism (5 Suits) | 1 | r3 y3 g3 b3 i3 | | y1 i4:b g3 b4:b g5 / y4 g3 b1 r4 r4 | | 4 B | B | \
2: Play Clue b4,i4
Null (5 Suits) | 1 | | | y4 r4 g3 b4 u2 / y4 r5 b1 r4 r4 | | 5 C | B | \
2: The Null 5's Chop Move r5,y5,g5,b5 +5
Null (5 Suits) | 2 | | | y4 r4 g3 b4 u2 / y4 r5 b1 r4 r4 | early | 5 C | C | \
2: The Null 5's Chop Move r5,y5,g5,b5 +5
Null (5 Suits) | 1 | u1 | | r1:1r r4 g3 b4 u2 / y4 r5 b1 r4 r4 | | 5 C | C | \
2: The Loaded 5 Null Play Clue r5,y5,g5,b5 <B5=u2!
Null (5 Suits) | 1 | | | r1 r4 g3 b4 u2 / y4 r4 b1 r4 r5 | | 5 C | C | 5: 5 Save r5,y5,g5,b5
Null (5 Suits) | 2 | u5 | | y4 r4 g3 b4 y2 / y4 r5 b1 r4 r4 | early | 5 C | B | \
2: 5 Stall r5,y5,g5,b5
White-Ones & Brown (5 Suits) | 2 | | | y4 r5 g3 b4 n3 / y4 g3 b4 n4 r4 | early | 5 B | B | \
2: 5 Stall r5,y5,g5,b5
Critical Fours (5 Suits) | 1 | | | y3 r3 g3 b3 r4 / y5 g3 b4 p4 r3 | | 4 B | B | \
5: The 4 Save r4,y4,g4
Pink-Fives (5 Suits) | 1 | | | y3 r3 g3 b3 r5 / y5 g3 b4 p4 r3 | | 2 B | B | \
5: 2 Save r2,y2,g2,b2,p2; Special 5 Saves for Pink-Fives r5,g5,b5,p5
Pink-Fives (5 Suits) | 1 | r4 | | y3 r5 g3 b3 r3 / y5 g3 b4 p4 r3 | | 1 B | C | 2:
Pink-Ones (5 Suits) | 1 | | | y3 r1 g3 b4 b3 / y4 g3 b4 p4 r4 | | 4 B | B | \
2: Play Clue r1,y1,g1,b1,p1
Brown-Fives (5 Suits) | 1 | | | y3 g3 g4 b3 r5 / y5 g3 b4 p4 r3 | | red B | B | \
5: Brown Saves r5; Play Clue r1
Muddy-Rainbow-Fives (5 Suits) | 1 | | | y3 g3 g4 b3 p5 / y4 g3 b4 p4 r3 | | red B | B | \
5: Muddy Rainbow Saves r5,y5,g5,b5,p5; Play Clue r1
Deceptive-Fives (5 Suits) | 1 | | | y3 g3 g4 b3 r5 / y4 g3 b4 p4 r3 | | red B | B | \
5: Deceptive 5 Saves r5; Play Clue r1
Rainbow-Fives (5 Suits) | 1 | r4 y4 | | y3 r5 g3 b3 p3 / y1 g3 b1 p1 r3 | | red B | B | \
2: Play Clue r5
White-Ones (5 Suits) | 1 | | | y3 r2 g3 b3 p3 / y1 g3 b1 p1 r3 | | red B | B | 2:
Ambiguous (4 Suits) | 1 | | | b4 t1 b3 n4 n3 / t4 b3 b4 n4 t4 | | red B | B | 2: Play Clue t1,m1
Brown (5 Suits) | 2 | | | y4 r5 g3 b4 n3 / y4 g3 b4 n4 r4 | early | 5 B | B | 2: 5 Stall r5,y5,g5,b5
Clue Starved (5 Suits) | 1 | r1 | b4 | r2:2r y5 g3 p3 b4 / y4 g3 b1 p4 r3 | | 4 B | B | 5:
Clue Starved (5 Suits) | 1 | r1 | b4 | r2:2r y5 g3 p3 b4 / y4 g3 b1 p4 r3 | early | 4 B | B | \
5: Critical Save b4
Clue Starved (5 Suits) | 1 | r1 | b4 | r3:3r y5 g3 p3 b4 / y4 g3 b1 p4 r4 | | 4 B | B | \
5: Critical Save b4
Clue Starved (5 Suits) | 1 | r1 | | r2:2r y4 g3 p3 b5 / y4 g3 b1 p4 r3 | | 5 B | B | \
5: 5 Save r5,y5,g5,b5,p5
Clue Starved (5 Suits) | 4 | | | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 | early | 5 B | B | \
4: 5's Chop Move r5,y5,g5,b5,p5 +5
Clue Starved (5 Suits) | 4 | | | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 | early full | 5 B | B | \
4: 5 Stall r5,y5,g5,b5,p5
No Variant | 1 | r1 | b4 | r2:2r y5 g3 p3 b4 / y4 g3 b1 p4 r3 | | 4 B | B | 5: Critical Save b4
3 Suits | 2 | | | r5 g3 b4 b3 r4 / r4 g3 b4 b3 g4 | early | 5 B | B | \
1: Double Prompt or Finesse r5 <B2=r1! <B3=r2! <B4=r3! <C1=r4!
4 Suits | 2 | | | r5 g3 b4 b3 r4 / r4 g3 b4 b3 g4 | early | 5 B | B | 1: 5 Stall r5,y5,g5,b5
3 Suits | 4 | | | b4 g3 b3 r5 r4 / r4 g3 b4 b3 g4 | | 5 B | B | \
4: Double Prompt or Finesse r5 <B1=r1! <B2=r2! <B3=r3! <C1=r4!
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in TEXTBOOK.strip().splitlines()]


def board_of(
    variant: str, level: str, piles: str, out: str, hands: str, how: str, reader: str
) -> Board:
    letters = find_variant(variant).letters
    giver = " ".join(f"{letters[at % 3]}1" for at in range(5))  # matters to nobody
    return Board(int(level), piles, out, [giver, *hands.split(" / ")], how, reader, variant)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[4]}-{row[6]}-{row[7]}")
def test_a_hint_means_what_the_guide_says(row: list[str]) -> None:
    variant, level, piles, out, hands, how, hint, reader, meaning = row
    board = board_of(variant, level, piles, out, hands, how, reader)
    assert board.read(hint).strip() == meaning


# Lines of play: variant, level, piles, hands from B, moves, and what B believes then.

LINES = """
Pink (5 Suits) | 1 | | r1 g4 i3 y1 b1 / y4 g3 b4 i4 r4 | 1 B | \
B1=r1,y1,g1,b1,i1; B3=r1,y1,g1,b1,i1; B5=r1,y1,g1,b1,i1
Pink (5 Suits) | 1 | r1 y1 g1 | b1 g4 i3 y4 r5 / y4 g3 b4 i1 r4 | 1 B | B1=b1,i1; B3=b1,i1
Pink (5 Suits) | 1 | r1 y1 g1 b1 | i1 g4 i3 y4 r5 / y4 g3 b4 i4 r4 | 1 B, plays 1 | B3=i2,i3,i4,i5
Pink (5 Suits) | 1 | r1 y1 g1 | b1 g5 i3 y3 r2 / y4 g3 b4 i2 r4 | \
1 B, discards 5, discards 5, 5 B | B2=b1; B4=i1,i2,i3,i4,i5
Pink (5 Suits) | 1 | r1 | r2 g4 i3 y2 b1 / y4 g3 b4 i4 r4 | 2 B | B1=r2; B3=y2,g2,b2,i1,i2,i3,i4,i5
Omni (5 Suits) | 1 | b3 o5 | b4 b5 g4 r3 r4 / y4 g3 b1 r4 r4 | blue B | B1=b4; B2=b5,o1,o2,o3,o4
Rainbow (5 Suits) | 1 | b3 m5 | b4 b5 g4 r3 r4 / y4 g3 b1 r4 r4 | blue B | B1=b4; B2=b5
Rainbow (5 Suits) | 1 | | m1 g4 g3 y3 y4 / y4 g3 b1 r4 r4 | red B | B1=r1,m1
Rainbow (5 Suits) | 1 | | m1 g4 g3 y3 y4 / y4 g3 b1 r4 r4 | \
red B, discards 5, discards 5, blue B | B2=m1
"""
PLAYED = [[cell.strip() for cell in row.split("|")] for row in LINES.strip().splitlines()]


@pytest.mark.parametrize("row", PLAYED, ids=lambda row: f"{row[0]}-{row[3]}-{row[4]}")
def test_what_follows_changes_what_is_believed(row: list[str]) -> None:
    variant, level, piles, hands, moves, said = row
    board = board_of(variant, level, piles, "", hands, "", "B")
    for move in moves.split(", "):
        board.move(move)
    for each in said.split("; "):
        where, cards = each.split("=")
        assert (where, board.belief(where)) == (where, cards)


# Whole games.

PLAYED_VARIANTS = (
    "Rainbow (5 Suits)",
    "Black (5 Suits)",
    "Pink (4 Suits)",
    "White (3 Suits)",
    "Brown (4 Suits)",
    "Omni (4 Suits)",
    "Muddy Rainbow (4 Suits)",
    "Dark Rainbow (5 Suits)",
    "Gray & Dark Prism (6 Suits)",
    "Cocoa Rainbow & Gray Pink (6 Suits)",
    "Dark Omni (5 Suits)",
    "Null (4 Suits)",
    "Pink-Fives & Brown (4 Suits)",
    "Deceptive-Fives & Light Pink (4 Suits)",
    "Dual-Color & Rainbow (4 Suits)",
    "Clue Starved & Prism (5 Suits)",
    "Alternating Clues (3 Suits)",
)


@pytest.mark.parametrize("variant", PLAYED_VARIANTS)
def test_a_game_of_it_is_played_by_what_seats_know(variant: str) -> None:
    """What hints leave is what the engine says; no play is refuted by them; no hidden card matters.

    What everybody knows is also alike in all followers, who see different hands.
    """
    number = PLAYED_VARIANTS.index(variant)
    seats, player = 2 + number % 4, HGroup(1 + number % LEVELS)
    rules = Rules.hanab_live(seats, variant=variant)
    game = Game.start(rules, rules.spec.shuffle(11, number))
    followers = [Follower(game.view(seat), player.level) for seat in range(seats)]
    while game.can_act:
        seat = game.seat_to_act
        minds = [follower.follow(game.view(each)) for each, follower in enumerate(followers)]
        for other, hand in enumerate(game.hand_indices):
            for order, known in zip(hand, game.knowledge[other], strict=True):
                kinds = {
                    kind
                    for kind, card in enumerate(minds[0].deal.cards)
                    if minds[0].deal.full >> kind & 1 and known.is_possible(card)
                }
                assert all(set(bits(mind.allowed[order])) == kinds for mind in minds)
        view = game.view(seat)
        action = player.act(view, Stream(1))
        if action.kind.name == "PLAY":
            order = game.hand_indices[seat][action.target]
            assert minds[seat].allowed[order] & minds[seat].playable
        if game.turn % 9 == number % 9:
            hidden = Game.start(rules, hide_otherwise(game, seat, Stream(2, game.turn)))
            for past in game.actions:
                hidden = hidden.apply(past)
            other_view = hidden.view(seat)
            assert player.act(other_view, Stream(1)) == action
            assert player.why(other_view, action) == player.why(view, action)
            assert slips(other_view, action, player.level) == slips(view, action, player.level)
            assert expected(other_view, player.level) == expected(view, player.level)
            hints = [event.turn for event in view.events if event.action.is_hint]
            for turn in hints[-1:]:
                told = readings(view, turn, player.level)
                assert told == readings(other_view, turn, player.level)
        game = game.apply(action)
    assert game.lives
    assert 2 * game.score > rules.max_score


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        ("Orange (5 Suits)", "a suit is discarded to be played"),
        ("Rainbow Reversed (5 Suits)", "a suit is not built upwards from 1"),
        ("Null-Ones (5 Suits)", "all cards of a rank are touched by no hint"),
        ("Null-Fives (5 Suits)", "all cards of a rank are touched by no hint"),
        ("Pink-Fives & Null (5 Suits)", "a suit is touched by no hint, and none names 5"),
        ("Number Mute (5 Suits)", "less than two colors or two numbers"),
        ("Extremely Ambiguous & Black (5 Suits)", "a color that four suits share means a slot"),
        ("Pink & Omni (3 Suits)", "half of its cards are touched by all numbers"),
        ("Dual-Color (3 Suits)", "its colors mean the cards that they do not touch"),
        ("Color Blind (5 Suits)", "color_clues_touch_nothing"),
        ("Number Blind (5 Suits)", "rank_clues_touch_nothing"),
        ("Synesthesia (5 Suits)", "synesthesia"),
        ("Odds and Evens (5 Suits)", "odds_and_evens"),
        ("Funnels (5 Suits)", "funnels"),
        ("Chimneys (5 Suits)", "chimneys"),
        ("Up or Down (5 Suits)", "up_or_down"),
        ("Sudoku (5 Suits)", "sudoku"),
        ("Throw It in a Hole (5 Suits)", "throw_it_in_a_hole"),
    ],
)
def test_a_variant_that_is_not_covered_is_refused_by_name(variant: str, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as error:
        refuse_variant(Rules.hanab_live(3, variant=variant))
    assert variant in str(error.value)


def test_a_number_that_is_not_the_pink_card_s_is_a_slip() -> None:
    rules = Rules.hanab_live(3, variant="Pink (5 Suits)")
    for number in range(99):
        game = Game.start(rules, rules.spec.shuffle(3, number))
        if game.hands[1][0].color == 4 and game.hands[1][0].rank == 3:
            break
    broken = [each.says for each in slips(game.view(0), hint_rank(1, 5), 1)]
    assert broken[0] == "slot 0 is i3, not of the number named"
    assert not any("number named" in each.says for each in slips(game.view(0), hint_rank(1, 3), 1))


def test_exercises_name_the_cards_of_the_variant() -> None:
    rules = Rules.hanab_live(2, variant="Pink (4 Suits)")
    positions = [Game.start(rules, rules.spec.shuffle(1))]
    while positions[-1].can_act and len(positions) < 30:
        view = positions[-1].view(positions[-1].seat_to_act)
        positions.append(positions[-1].apply(HGroup(2).act(view, Stream(1))))
    found = [each for _, each in exercises(positions, 2)]
    named = {card for each in found for card in re.findall(r"\b[a-z]\d\b", each.solution)}
    assert {card[0] for card in named} == set(find_variant("Pink (4 Suits)").letters)


def test_the_page_says_how_many_variants_are_played() -> None:
    played = 0
    for name in variant_names():
        with suppress(InvalidInputError):
            refuse_variant(Rules.hanab_live(3, variant=name))
            played += 1
    page = (Path(__file__).parents[3] / "docs" / "hgroup.md").read_text("utf-8")
    assert f"It plays {played:,} of hanab.live's {VARIANT_COUNT:,} variants" in page


def test_readings_of_a_variant_that_is_not_covered_are_refused_too() -> None:
    rules = Rules.hanab_live(3, variant="Orange (5 Suits)")
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="does not play Orange"):
        expected(game.view(0), 1)
