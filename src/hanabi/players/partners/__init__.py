"""What each action is worth to a seat that sees what it may see, if everybody goes on by a player.

The seat's deals are all that agree with hints, with the player's conventions, and with what the
others did, had they played like the player; all are equally likely. Each action is tried in each.
"""

from __future__ import annotations

from hanabi.players.partners.chances import MOST_DEALS, SeatChances, seat_chances

__all__ = ["MOST_DEALS", "SeatChances", "seat_chances"]
