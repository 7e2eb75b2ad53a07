"""Reviews: what happened in a game, what it cost, and what was known."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.reviews.advice import advise as advice_on
    from hanabi.reviews.chances import Late, chances as chances_of, late_chances
    from hanabi.reviews.decisions import judge_moves
    from hanabi.reviews.document import Best, Judged, Mistake, ReviewDocument, lost_by_player
    from hanabi.reviews.remarks import (
        Emphasis, action_words, decisions_of, findings, kept_words, losses_words, percent,
        played_words, remarks as remarks_on, score_words, story,
    )
    from hanabi.reviews.review import (
        Explained, Review, explain_losses, judge_actions, review as review_game,
    )
    from hanabi.reviews.rows import Players as PlayerSums

open_door(__name__)
