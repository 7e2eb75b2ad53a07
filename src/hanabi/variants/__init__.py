"""The variants of hanab.live, all of them, as data; and what a variant can differ in."""

from hanabi.variants.suit import Suit
from hanabi.variants.table import VARIANT_COUNT, find_variant, plain_variant, variant_names
from hanabi.variants.variant import Variant

__all__ = ["VARIANT_COUNT", "Suit", "Variant", "find_variant", "plain_variant", "variant_names"]
