"""The laboratory: plans of seeded work, computed by any workers, with results in a store."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.ground import Pool, cores, open_executor
    from hanabi.lab.decks import RenamedGames, renamed_games
    from hanabi.lab.lines import LineFile, in_order
    from hanabi.lab.playability import Playability, curve
    from hanabi.lab.recorded import Gain, Recorded, recorded as recorded_of
    from hanabi.lab.report.charts import open_figure, plot_playability
    from hanabi.lab.report.results import (
        LONG, RECORDS, record_row, shorten_player, table_of_documents, write_parquet,
    )
    from hanabi.lab.runner import Progress, default_executor, outcomes, run, unfinished
    from hanabi.lab.stats import (
        Estimate, Outcomes, Summary, deals_needed, find_worst, summarize, wilson,
    )
    from hanabi.lab.store import Chunk, MEMORY, Store, Stored
    from hanabi.lab.tournament import Goal
    from hanabi.lab.work import (
        JSON, Job, Simulation, Work, key_of, missing, rules_from_json, rules_to_json,
    )

__all__ = [
    "JSON",
    "Chunk",
    "Job",
    "Pool",
    "Progress",
    "Simulation",
    "Store",
    "Stored",
    "Work",
    "cores",
    "default_executor",
    "key_of",
    "open_executor",
    "outcomes",
    "rules_from_json",
    "rules_to_json",
    "run",
    "unfinished",
]

open_door(__name__)
