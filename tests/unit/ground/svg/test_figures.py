"""The figures of the documentation are those that its script draws."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from pictures import checked

DOCS = Path(__file__).parents[4] / "docs"


def test_the_figures_of_the_documentation_are_up_to_date() -> None:
    spec = spec_from_file_location("make_pictures", DOCS / "make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (DOCS / "pictures.md").read_text("utf-8")
    drawn = module.pictures()
    assert drawn
    assert all(f"figures/{name})" in page for name in drawn)
    for name, svg in (drawn | module.proofs()).items():
        checked(svg)
        assert (DOCS / "figures" / name).read_text("utf-8") == svg + "\n"
