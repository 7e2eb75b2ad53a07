"""Slow tests are marked; examples of what an extra brings are skipped where it is not installed."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from extras import why_missing

SOURCES = Path(__file__).parent / "src"
THOROUGH = Path(__file__).parent / "tests" / "thorough.txt"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests, which `make test` leaves to `make test-all`."""
    names = frozenset(THOROUGH.read_text(encoding="utf-8").split("\n"))
    for item in items:
        if item.nodeid.partition("[")[0] in names and item.get_closest_marker("quick") is None:
            item.add_marker(pytest.mark.thorough)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported without an extra."""
    report = yield
    call = getattr(report, "call", None)
    if report.failed and call is not None and call.excinfo is not None:
        reason = why_missing(call.excinfo.value)
        if reason is not None:
            _forget(collector.path)
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 1, f"Skipped: {reason}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip an example that comes to where an extra is needed."""
    try:
        return (yield)
    except doctest.UnexpectedException as error:
        reason = why_missing(error.exc_info[1])
        if reason is None:
            raise
        pytest.skip(reason)


def _forget(path: Path) -> None:
    """Forget a module that pytest, unlike Python, keeps where its import fails half-way."""
    if path.is_relative_to(SOURCES):
        name = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        sys.modules.pop(name, None)
        room, _, last = name.rpartition(".")
        if room in sys.modules:
            vars(sys.modules[room]).pop(last, None)
