"""Every example in the documentation is run."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import extras
import hanabi
from hanabi.ground.errors import MissingPackageError

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_hold(page: Path) -> None:
    """Of a section that needs an extra which is not installed, the rest is left out."""
    parser, scope, missing = doctest.DocTestParser(), {"__name__": "__main__"}, []
    text, line = page.read_text(encoding="utf-8"), 0
    runner = _Runner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for section in re.split(r"(?m)^(?=## )", text):
        examples = parser.get_doctest(section, scope, page.name, str(page), line)
        line += section.count("\n")
        try:
            runner.run(examples, clear_globs=False)
        except _MissingExtraError as error:
            missing.append(f"{section.partition(chr(10))[0]}: {error}")
        scope = examples.globs
    assert runner.failures == 0
    if missing:
        pytest.skip("; ".join(missing))


class _MissingExtraError(Exception):
    """Some extra is not installed."""


class _Runner(doctest.DocTestRunner):
    """Stops where an extra is missing, and goes on after any other failure."""

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        if (reason := extras.why_missing(exc_info[1])) is not None:
            raise _MissingExtraError(reason)
        super().report_unexpected_exception(out, test, example, exc_info)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MissingPackageError("plots need matplotlib", extra="plots"), "plots need matplotlib"),
        (ModuleNotFoundError("", name="starlette.responses"), "comes with the extra web"),
        (ModuleNotFoundError("", name="hanabi.none"), None),
        (ValueError("1"), None),
    ],
)
def test_only_a_missing_extra_is_a_reason_to_skip(
    error: Exception, reason: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    led_to = RuntimeError()
    led_to.__cause__ = error
    monkeypatch.setitem(extras.MODULES, "no_module_of_this_name", "none")
    assert (reason or "None") in str(extras.why_missing(led_to))
    for name in list(extras.MODULES):
        monkeypatch.delitem(extras.MODULES, name)
    assert extras.why_missing(led_to) is None  # all that there is, is installed


def test_the_extras_are_those_of_the_package() -> None:
    """Each extra that a module can be missing of is one of the package, and the other way round."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = project["optional-dependencies"].keys() - {"docs", "all"}
    assert set(extras.MODULES.values()) == known


def test_the_pages_with_algorithms_have_examples() -> None:
    parser = doctest.DocTestParser()
    page = next(page for page in PAGES if page.name == "linear-time.md")
    assert len(parser.get_examples(page.read_text(encoding="utf-8"))) > 20


def test_every_public_name_is_in_the_reference() -> None:
    """What a room exports, and what `import hanabi` gives, is on a page of the reference."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    shown = {
        line[4:] for page in pages for line in page.read_text().splitlines() if line[:4] == "::: "
    }
    rooms = {
        path.parent
        for path in (ROOT / "src" / "hanabi").glob("*/__init__.py")
        if "__all__" in path.read_text(encoding="utf-8") and path.parent.name != "compiled"
    }
    assert {f"hanabi.{room.name}" for room in rooms} <= shown
    for name in set(hanabi.__all__) - {"__version__", "players"}:
        home = getattr(hanabi, name).__module__
        assert {home, home.rpartition(".")[0], ".".join(home.split(".")[:2])} & shown, name
