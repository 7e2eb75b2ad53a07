"""What is shown step by step: pictures with words, and what is known of them all."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Frame", "Show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A step: its picture as SVG, what is done in words, and a remark if it is to be noticed."""

    svg: str
    words: str
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Steps, the first of which is the start.

    Attributes
    ----------
    title
        What it is.
    facts
        Sentences about all of it.
    frames
        The steps.
    shared
        An SVG with definitions that the pictures refer to, or "".
    chart
        An SVG about all steps, whose links lead to `#move-17`, or "".
    link
        Where it can be seen elsewhere, or "".
    """

    title: str
    facts: tuple[str, ...]
    frames: tuple[Frame, ...]
    shared: str = ""
    chart: str = ""
    link: str = ""
