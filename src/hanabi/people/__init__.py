"""What people do: a player fitted to their games, by features of actions that conventions give."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.people.notes import PeopleNotes, people_chances, people_notes, share_words
    from hanabi.people.player import People

__all__ = ["People", "PeopleNotes", "people_chances", "people_notes", "share_words"]

open_door(__name__)
