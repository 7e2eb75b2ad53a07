"""Run every benchmark, or those named: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    """Run the benchmark modules one after another."""
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    asked, sys.argv[1:] = sys.argv[1:], []  # each runs as if called without arguments
    for name in asked or sorted(set(names) - {"__main__"}):
        if name not in names:
            sys.exit(f"no benchmark {name!r}: one of {', '.join(sorted(names))}")
        print(f"== {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
        print(flush=True)


if __name__ == "__main__":
    main()
