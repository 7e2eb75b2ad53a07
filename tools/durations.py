"""Print the slowest tests, and list those that `make test` leaves to `make test-all`.

    python tools/durations.py REPORT ...

REPORT is what pytest prints with `--durations=0 --durations-min=0.01`, as `make durations` asks for
it on a quiet machine: for all tests, and for the quick ones by themselves. A test counts with all
of its parameters, with what it compiles, with what is set up for it and with what it cleans up, by
the report in which it takes longest. Those that take `MOST` seconds or more are written to
`tests/thorough.txt`, which `conftest.py` reads. Tests that are marked `quick` stay quick.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

MOST = 0.9
LIST = Path(__file__).parents[1] / "tests" / "thorough.txt"
LINE = re.compile(r"(?m)^(\d+\.\d+)s (?:call|setup|teardown) +(\S+?)(?:\[.*)?$")
_SHOWN = 40


def totals(report: str) -> dict[str, float]:
    r"""Return the seconds of each test, whatever its parameters.

    >>> totals("1.50s call     tests/a.py::test_b[c d]\n0.25s setup    tests/a.py::test_b[e]")
    {'tests/a.py::test_b': 1.75}
    """
    found = defaultdict[str, float](float)
    for seconds, name in LINE.findall(report):
        found[name] += float(seconds)
    return dict(found)


def main(paths: Sequence[str]) -> None:
    """Print the slowest tests of some reports, and write the list."""
    found = dict[str, float]()
    for path in paths:
        times = totals(Path(path).read_text(encoding="utf-8"))
        if not times:
            raise SystemExit(f"{path}: no durations")
        for name, seconds in times.items():
            found[name] = max(seconds, found.get(name, 0.0))
    slow = sorted(name for name, seconds in found.items() if seconds >= MOST)
    LIST.write_text("".join(f"{name}\n" for name in slow), encoding="utf-8")
    for name in sorted(found, key=found.__getitem__, reverse=True)[:_SHOWN]:
        sys.stdout.write(f"{found[name]:7.1f} s  {name}\n")
    total, rest = sum(found.values()), sum(found[name] for name in slow)
    sys.stdout.write(
        f"{len(slow)} tests of {MOST} s or more take {rest:,.0f} of {total:,.0f} s: {LIST.name}\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
