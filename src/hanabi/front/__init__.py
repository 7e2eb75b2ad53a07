"""The front: it joins the rooms to one command line and one site."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.front.app import main

open_door(__name__)
