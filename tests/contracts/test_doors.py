"""Rooms import from each other what stands at a door, and a door has nothing that nobody uses."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks import house

from hanabi.doors import names_behind

MOST_NAMES = 915  # at all doors
TYPES = {"Outcomes"}  # for type checkers alone


def behind(room: str) -> dict[str, tuple[str, str]]:
    return names_behind((house.ROOT / room / "__init__.py").read_text(encoding="utf-8"))


def test_no_import_reaches_inside_a_room() -> None:
    crossed = house.crossings()
    assert len(crossed) > 1000
    inside = [each for each in crossed if each.is_inside and not each.is_of_kernel]
    assert inside == []


def test_there_are_few_rooms_on_few_floors() -> None:
    assert len(house.rooms()) <= 13
    assert len(house.floors()) <= 8
    assert len({(each.room, each.name) for each in house.crossings()}) <= MOST_NAMES


@pytest.mark.parametrize("room", sorted(house.rooms()))
def test_a_door_leads_to_what_it_names(room: str) -> None:
    """A module of the room would take the place of a name that is spelled like it."""
    module = import_module(f"hanabi.{room}")
    for name, (home, own) in behind(room).items():
        assert not {"commands", "pages"} & set(home.split(".")), name  # they are on the top floor
        if name in TYPES:
            continue
        found = getattr(module, name)
        inside = import_module(home)
        assert found is (getattr(inside, own, None) or import_module(f"{home}.{own}")), name
        is_module = find_spec(f"hanabi.{room}.{name}") is not None
        assert not is_module or f"{home}.{own}" == f"hanabi.{room}.{name}", name
    assert set(module.__all__ if hasattr(module, "__all__") else ()) <= behind(room).keys()


@pytest.mark.parametrize("room", sorted(house.rooms()))
def test_a_door_has_no_name_that_nobody_uses(room: str) -> None:
    used = {each.name for each in house.crossings() if each.room == room}
    public = set(getattr(import_module(f"hanabi.{room}"), "__all__", ()))
    top = (house.ROOT / "__init__.py").read_text(encoding="utf-8")
    main = (house.ROOT / "__main__.py").read_text(encoding="utf-8")
    assert [
        name for name in behind(room) if name not in used | public and name not in top + main
    ] == []


def test_only_doors_are_lazy() -> None:
    files = [path for path in house.sources() if "open_door(" in path.read_text(encoding="utf-8")]
    doors = [path for path in files if path != house.ROOT / "doors.py"]
    assert {path.relative_to(house.ROOT) for path in doors} <= {
        Path(room) / "__init__.py" for room in ("", *house.rooms())
    }
