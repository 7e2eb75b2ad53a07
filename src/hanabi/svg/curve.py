"""The former place of names that are now in `hanabi.svg.charts`."""

from hanabi.svg.charts import draw_curve

__all__ = ["draw_curve"]
