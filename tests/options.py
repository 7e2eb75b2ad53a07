"""The options of commands, those in groups among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints


def options_of(command: Callable[..., Any]) -> dict[str, str]:
    """Return the parameters of a command, each with its annotation as it is written."""
    hints, found = get_type_hints(command, include_extras=True), dict[str, str]()
    for name, parameter in inspect.signature(command).parameters.items():
        kind = next(iter(get_args(hints[name])), hints[name])
        if is_dataclass(kind):
            found |= inspect.get_annotations(kind)  # type: ignore[arg-type]
        else:
            found[name] = str(parameter.annotation)
    return found
