"""Kernels without reference counts and without negative indices, for the hottest loops.

Numba counts references to every array passed to a function, with atomic instructions, and allows
negative indices. Small, frequently called functions spend more time on these two than on their
work: without them, whole games take a third of the time. A kernel compiled here cannot create
arrays (its caller does), and must not index from an array's end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba.core.compiler_machinery
import numba.core.ir
import numba.core.types
import numba.core.typing
from numba.core.compiler_machinery import FunctionPass
from numba.core.typed_passes import NopythonRewrites

from hanabi.ground.compiled import _compile
from hanabi.ground.compiled.parts import Pipeline

__all__ = ["jit_hot", "jit_hot_inline"]

# Much of Numba is not annotated.
machinery: Any = numba.core.compiler_machinery
types: Any = numba.core.types
typing: Any = numba.core.typing
ir: Any = numba.core.ir
P = ParamSpec("P")
R = TypeVar("R")


@machinery.register_pass(mutates_CFG=False, analysis_only=False)
class _UnsignedIndices(FunctionPass):
    """Make array indices unsigned, so that no code checks their sign."""

    _name = "hanabi_unsigned_indices"

    def __init__(self) -> None:
        machinery.FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            body = []
            for statement in block.body:
                access = statement
                if isinstance(statement, ir.Assign):
                    access = statement.value
                if _is_signed(state.typemap, access):
                    body.append(_cast_index(state, block.scope, access))
                body.append(statement)
            block.body = body
        return True


def _is_signed(typemap: Any, access: Any) -> bool:
    if isinstance(access, ir.SetItem):
        array = access.target
    elif isinstance(access, ir.Expr) and access.op == "getitem":
        array = access.value
    else:
        return False
    index = typemap[access.index.name]
    return (
        isinstance(typemap[array.name], types.Array)
        and isinstance(index, types.Integer)
        and bool(index.signed)
    )


def _cast_index(state: Any, scope: Any, access: Any) -> Any:
    """Give an array access an unsigned index, and return the statement that computes it."""
    index = scope.redefine("$unsigned_index", loc=access.loc)
    state.typemap[index.name] = types.uintp
    cast = ir.Assign(ir.Expr.cast(access.index, loc=access.loc), index, loc=access.loc)
    typed = state.calltypes.pop(access)
    access.index = index
    array, _, *value = typed.args
    state.calltypes[access] = typing.signature(typed.return_type, array, types.uintp, *value)
    return cast


class _Lean(Pipeline):
    def add_passes(self, passes: Any) -> None:
        passes.add_pass_after(_UnsignedIndices, NopythonRewrites)


def jit_hot(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as `jit` does, without reference counts and negative indices."""
    return _compile(function, _nrt=False, pipeline=_Lean)


def jit_hot_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as `jit_hot` does, into its callers.

    See `hanabi.ground.compiled.jit_inline`.
    """
    return _compile(function, _nrt=False, pipeline=_Lean, forceinline=True)
