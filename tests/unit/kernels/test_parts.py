"""Kernels that other kernels call: no machine code of their own until Python calls them."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from hanabi.ground.compiled import config, jit, jit_inline

from .test_cache import edit, package, run_script


@jit
def last(x: int) -> int:
    if x == 13:
        raise ValueError("thirteen")
    return x + 1


@jit_inline
def left(x: int) -> int:
    return 2 * last(x)


@jit
def right(x: int) -> int:
    return 3 * last(x) + left(x)


@jit
def first(words: Any) -> int:
    total = 0
    for word in words:
        total += left(word) + right(word) + last(word)
    return total


def test_parts_are_linked_whoever_calls_them() -> None:
    words = np.arange(5)
    assert first(words) == sum(8 * (x + 1) for x in range(5))
    # Each is called by Python after it was a part, and goes on being one.
    assert [f(4) for f in (last, left, right)] == [5, 10, 25]
    assert first(words.astype(np.int32)) == 120


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_machine_code_is_made_for_python_alone() -> None:
    @jit
    def inner(x: int) -> int:
        return x + 1

    @jit
    def outer(x: int) -> int:
        return 2 * inner(x)

    kernel: Any = inner
    assert outer(3) == 8
    (part,) = kernel.overloads.values()
    assert not part.library._finalized
    assert inner(3) == 4
    (whole,) = kernel.overloads.values()
    assert whole.library._finalized


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize("usual", [(700, 10, 10), (0, 10, 10), (60_000, 3, 3)])
def test_the_collector_of_garbage_rests_while_the_compiler_works(
    usual: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, int]] = []

    @jit
    def doubled(x: Any) -> Any:
        return x * 2

    compiler: Any = doubled._compiler  # type: ignore[attr-defined]
    compiled = compiler.compile

    def watched(*given: Any) -> Any:
        seen.append(gc.get_threshold())
        return compiled(*given)

    monkeypatch.setattr(compiler, "compile", watched)
    before = gc.get_threshold()
    try:
        gc.set_threshold(*usual)
        assert doubled(3) == 6
        with pytest.raises(TypingError):
            doubled({})
        after = gc.get_threshold()
    finally:
        gc.set_threshold(*before)
    assert after == usual
    assert seen[0] == ((50_000, 20, 100) if usual[0] == 700 else (usual[0], *seen[0][1:]))


def test_what_a_part_raises_reaches_python() -> None:
    with pytest.raises(ValueError, match="thirteen"):
        first(np.array([13]))
    with pytest.raises(ValueError, match="thirteen"):
        left(13)


ANOTHER = """
from hanabi.ground.compiled import jit
from hanabi.kernels.callee import step

@jit
def another(n: int) -> int:
    return 100 * step(n)
"""
SCRIPT = """
import json
from hanabi.kernels.callee import step
from hanabi.kernels.{module} import {name}
found = {name}(7), len({name}.stats.cache_hits), len(step.stats.cache_hits)
print(json.dumps(found))
"""


def test_parts_are_read_from_disk_by_kernels_that_need_them(tmp_path: Path) -> None:
    place = package(tmp_path / "place")
    (place / "hanabi/kernels/another.py").write_text(ANOTHER)

    def run(module: str, name: str) -> list[int]:
        script = SCRIPT.format(module=module, name=name)
        return list(json.loads(run_script(place, script, tmp_path / "cache")))

    assert run("caller", "total") == [22, 0, 0]
    assert run("another", "another") == [2100, 0, 1]
    assert run("another", "another") == [2100, 1, 0]
    edit(place, factor=5)
    assert run("another", "another") == [3500, 0, 0]
