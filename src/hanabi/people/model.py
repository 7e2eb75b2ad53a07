"""The model: a softmax over actions of what a logit or small networks make of their features.

Weights are kept as JSON, with what they were fitted to.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from hanabi.ground import InvalidInputError, naming, quote
from hanabi.people.features import COLUMNS
from hanabi.rules import as_array, as_integer, as_object, as_text, decode, load, show

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float32]

__all__ = ["DEFAULT", "Model", "Net", "read_model"]

DEFAULT = Path(__file__).with_name("weights.json")
"""The weights that ship with the package."""

_FORMAT = "hanabi people 1"
_MOST_HIDDEN = 256
_LEAST = 1e-300


class Net(NamedTuple):
    """A network with a hidden layer of rectified units beside direct weights; a logit has no unit.

    Attributes
    ----------
    direct
        By feature, its direct weight in the utility of an action, in nats.
    inner, bias
        By feature and hidden unit, the weight of the feature there; by hidden unit, its offset.
    outer
        By hidden unit, its weight in the utility.
    """

    direct: Floats
    inner: Floats
    bias: Floats
    outer: Floats

    def utilities(self, features: Floats) -> Any:
        """Return the utility of each action, by a row of its features."""
        import numpy as np

        hidden = np.maximum(features @ self.inner + self.bias, 0)
        return features @ self.direct + hidden @ self.outer


@dataclass(frozen=True)
class Model:
    """A fitted model.

    Attributes
    ----------
    features
        The labels of the features that it uses, in the order of its weights.
    nets
        Its networks, the chances of which are averaged.
    fitted
        What it was fitted to, how, and how well; see `docs/people.md`.
    """

    features: tuple[str, ...]
    nets: tuple[Net, ...]
    fitted: Mapping[str, Any]

    @cached_property
    def _columns(self) -> list[int]:
        return [COLUMNS[label] for label in self.features]

    def chances(self, features: Floats, temperature: float = 1.0) -> Any:
        """Return the probability of each action, in double precision.

        Parameters
        ----------
        features
            What `features_of` returns.
        temperature
            Above 1, the chances become more equal; below 1, less.
        """
        import numpy as np

        used = features[:, self._columns]
        mean = np.mean([_softmax(net.utilities(used)) for net in self.nets], axis=0)
        return _softmax(np.log(np.maximum(mean, _LEAST)) / temperature)

    def written(self) -> str:
        """Return the text of its file; each weight has the precision of 16 bits."""
        nets = [
            {name: base64.b64encode(part.astype("<f2")).decode() for name, part in each.items()}
            for each in (net._asdict() for net in self.nets)
        ]
        data = {
            "format": _FORMAT,
            "fitted": dict(self.fitted),
            "features": self.features,
            "hidden": len(self.nets[0].bias),
            "nets": nets,
        }
        lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in data.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _softmax(utilities: Any) -> Any:
    import numpy as np

    raised = np.exp(utilities.astype(np.float64) - utilities.max())
    return raised / raised.sum()


def read_model(path: Path) -> Model:
    """Read a file of weights.

    Raises
    ------
    InvalidInputError
        If there is no such file, or it does not hold weights for features of this version.
    """
    with naming(str(path)):
        try:
            text = decode(path.read_bytes())
        except OSError as error:
            raise InvalidInputError(error.strerror or "cannot be read") from None
        keys = "format", "fitted", "features", "hidden", "nets"
        data = as_object(load(text), "weights", *keys)
        if data["format"] != _FORMAT:
            raise InvalidInputError(f"format: {show(data['format'])} is not {quote(_FORMAT)}")
        labels = list[str]()
        for at, each in enumerate(as_array(data["features"], "features")):
            label = as_text(each, f"features[{at}]")
            if label not in COLUMNS or label in labels:
                wrong = "is given twice" if label in labels else "is no feature of this version"
                raise InvalidInputError(f"features[{at}]: {quote(label)} {wrong}")
            labels.append(label)
        hidden = as_integer(data["hidden"], "hidden", 0, _MOST_HIDDEN)
        nets = as_array(data["nets"], "nets")
        if not nets:
            raise InvalidInputError("nets: there are none")
        shapes = [(len(labels),), (len(labels), hidden), (hidden,), (hidden,)]
        parts = dict(zip(Net._fields, shapes, strict=True))
        found = [_net_of(each, f"nets[{at}]", parts) for at, each in enumerate(nets)]
        return Model(tuple(labels), tuple(found), as_object(data["fitted"], "fitted"))


def _net_of(data: object, where: str, shapes: Mapping[str, tuple[int, ...]]) -> Net:
    import numpy as np

    values, parts = as_object(data, where, *shapes), list[Any]()
    for name, shape in shapes.items():
        at, n = f"{where}.{name}", math.prod(shape)
        text = as_text(values[name], at)
        try:
            numbers = np.frombuffer(base64.b64decode(text, validate=True), "<f2")
        except ValueError:
            raise InvalidInputError(f"{at}: {quote(text)} is no base64 of numbers") from None
        if len(numbers) != n or not np.isfinite(numbers).all():
            raise InvalidInputError(f"{at}: {quote(text)} is not {n} finite numbers")
        parts.append(numbers.astype(np.float32).reshape(shape))
    return Net(*parts)
