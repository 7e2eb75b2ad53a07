"""The laboratory: plans of seeded work, computed by any number of workers, with results in a store.

Importing this package imports neither NumPy nor Numba.
"""

from hanabi.lab.runner import Progress, default_executor, outcomes, run, unfinished
from hanabi.lab.store import Chunk, Store, Stored
from hanabi.lab.work import JSON, Job, Simulation, Work, key_of, rules_from_json, rules_to_json
from hanabi.workers.pool import Pool, cores, open_executor

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
