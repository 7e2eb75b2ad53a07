"""Seeds of hanab.live: from the name of a deal to its deck."""

from hanabi.rules.seeds.seed import (
    Seed,
    SeedRange,
    deal_many,
    is_range,
    is_seed,
    parse_range,
    parse_seed,
)

__all__ = ["Seed", "SeedRange", "deal_many", "is_range", "is_seed", "parse_range", "parse_seed"]
