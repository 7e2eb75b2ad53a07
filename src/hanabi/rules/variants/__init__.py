"""All variants of hanab.live as data, and the ways in which a variant can differ."""

from hanabi.rules.variants.catalog import VARIANT_COUNT, find_variant, plain_variant, variant_names
from hanabi.rules.variants.variant import FaceUp, Suit, Variant, face_up

__all__ = [
    "VARIANT_COUNT",
    "FaceUp",
    "Suit",
    "Variant",
    "face_up",
    "find_variant",
    "plain_variant",
    "variant_names",
]
