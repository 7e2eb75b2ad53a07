"""Kernels called by other kernels: cached as parts, and optimised only where Python calls them.

Numba makes a library of every function: it links in all callees, optimises the whole, and generates
machine code. In a chain of calls it therefore optimises the last function once for each function
above it. Here only a kernel that Python calls is optimised, once, together with all of its parts. A
part is only typed and translated to LLVM IR.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding
import numba.core.codegen
import numba.core.compiler
import numba.core.compiler_lock
import numba.core.environment
import numba.core.registry
import numba.core.sigutils

__all__ = ["Kernel", "Pipeline", "is_part", "read_part", "write_kernel", "write_part"]

# Much of Numba is not annotated.
binding: Any = llvmlite.binding
Library: Any = numba.core.codegen.JITCodeLibrary
CompilerBase: Any = numba.core.compiler.CompilerBase
Builder: Any = numba.core.compiler.DefaultPassBuilder
Dispatcher: Any = numba.core.registry.CPUDispatcher
compile_result: Any = numba.core.compiler.compile_result
lookup_environment: Any = numba.core.environment.lookup_environment
sigutils: Any = numba.core.sigutils
compiler_lock: Any = numba.core.compiler_lock.global_compiler_lock

_ADDRESSES = "numba.dynamic.globals"
_ENVIRONMENT = "_ZN08NumbaEnv"
_MANGLED = "_ZN"
_RARELY = (50_000, 20, 100)  # see `gc.set_threshold`

_being_compiled: list[Kernel] = []  # each for the previous one; guarded by the compiler's lock


def is_part() -> bool:
    """Whether the kernel being compiled is needed by another kernel."""
    return len(_being_compiled) > 1


class _Library(Library):  # type: ignore[misc]
    """The code of a kernel; its callees are linked in when machine code is generated."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._calls: list[Any] = []
        self._alone: Any = None
        self._complete: Any = None
        self.enable_object_caching()

    def add_linking_library(self, library: Any) -> None:
        self._calls.append(library)

    def finalize(self) -> None:
        self.alone()  # before the callees are linked in
        for module in self._called():
            self._final_module.link_in(module, preserve=True)
        missing = [each.name for each in self._final_module.functions if each.is_declaration]
        missing = [name for name in missing if name.startswith(_MANGLED)]
        if missing:  # calling it would crash the process
            raise AssertionError(f"{self.name}: not linked: {missing[0]}")
        super().finalize()

    def alone(self) -> Any:
        """Return the kernel's own functions, ready to be linked into any number of kernels."""
        if self._alone is None:
            self._alone = self._final_module.clone()
            for function in self._alone.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._alone

    def _called(self) -> Iterator[Any]:
        """Yield all direct and indirect callees, each once and after all of its callers.

        The order matters: the linker drops functions that nothing has referred to yet.
        """
        for library in reversed(self._in_post_order(set())[:-1]):
            self._reload_init.update(library._reload_init)
            is_ours = isinstance(library, _Library)
            yield library.alone() if is_ours else library._get_module_for_linking()

    def _in_post_order(self, seen: set[Any]) -> list[Any]:
        """Return all libraries called and this one, each after those that it calls."""
        seen.add(self)
        found: list[Any] = []
        for library in self._calls:
            if library not in seen:
                is_ours = isinstance(library, _Library)
                seen.add(library)
                found += library._in_post_order(seen) if is_ours else [library]
        return [*found, self]

    def _get_module_for_linking(self) -> Any:
        if self._complete is None:
            self._complete = self.alone().clone()
            for module in self._called():
                self._complete.link_in(module, preserve=True)
        return self._complete


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's own passes, down to LLVM IR; parts get no wrapper for calls from Python."""

    def define_pipelines(self) -> list[Any]:
        """Return the single pipeline for Numba to run."""
        state = self.state
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cfunc_wrapper = True
        state.flags.no_cpython_wrapper = is_part()
        passes = Builder.define_nopython_pipeline(state)
        self.add_passes(passes)
        passes.finalize()
        return [passes]

    def add_passes(self, passes: Any) -> None:
        """Add passes to those that every kernel gets; subclasses override this."""


class Kernel(Dispatcher):  # type: ignore[misc]
    """A function compiled on call, for the types of its arguments."""

    def compile(self, sig: Any) -> Any:
        """Compile for these types unless done before, and return the entry point for Numba."""
        with compiler_lock, _few_collections():
            _being_compiled.append(self)
            try:
                types = tuple(sigutils.normalize_signature(sig)[0])
                if not is_part() and isinstance(self._entry(types), _Part):
                    del self.overloads[types]
                super().compile(sig)
                return self._entry(types)
            finally:
                _being_compiled.pop()

    def add_overload(self, cres: Any) -> None:
        """Add an overload that was compiled or read from disk."""
        if cres.entry_point is None:
            cres = _enter(cres)
        if isinstance(cres.entry_point, _Part):
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)

    def _entry(self, types: Any) -> Any:
        found = self.overloads.get(types)
        return None if found is None else found.entry_point


@contextmanager
def _few_collections() -> Iterator[None]:
    """Make garbage collections rare: most objects that the compiler creates stay alive.

    At the usual rate, collections take a tenth of the time.
    """
    usual = gc.get_threshold()
    if usual[0]:  # else collection is off
        gc.set_threshold(*map(max, usual, _RARELY))
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class _Part:
    """A stand-in for the address of a kernel without machine code."""


def _enter(result: Any) -> Any:
    """Generate machine code if Python calls the kernel, and let other kernels call it."""
    target, library, described = result.target_context, result.library, result.fndesc
    entry: Any = _Part()
    if not is_part():
        entry = target.get_executable(library, described, result.environment)
        result.reload_init.extend(library._reload_init)
        for each in _environments(library._final_module):  # of parts that were not inlined
            library.codegen.set_env(each.env_name, each)
    target.insert_user_function(entry, described, [library])
    return result._replace(entry_point=entry)


def write_kernel(result: Any) -> Any:
    """Serialize a kernel; return None if it contains addresses of this process."""
    return None if result.library.has_dynamic_globals else result._reduce()


def write_part(result: Any) -> tuple[Any, ...] | None:
    """Serialize a part; return None if it contains addresses of this process."""
    module = result.library._get_module_for_linking()
    if any(each.name.startswith(_ADDRESSES) for each in module.global_variables):
        return None
    described = result.fndesc
    described.typemap = described.calltypes = None  # not needed, and not always serializable
    library = result.library.name, module.as_bitcode()
    parts = result.environment, result.signature, result.reload_init
    return library, described, *parts, list(_environments(module))


def _environments(module: Any) -> Iterator[Any]:
    """Yield the Python-side environments that Numba keeps for a module's functions."""
    for variable in module.global_variables:
        if variable.name.startswith(_ENVIRONMENT):
            found = lookup_environment(variable.name)
            if found is not None and found.can_cache():
                yield found


def read_part(target: Any, kept: tuple[Any, ...]) -> Any:
    """Return a part from its serialized form."""
    (name, bitcode), described, environment, signature, reload_init, environments = kept
    for function in reload_init:
        function()
    library = _Library(target.codegen(), name)
    library._final_module = library._alone = binding.parse_bitcode(bitcode)
    return compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=_Part(),
        fndesc=described,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=reload_init,
        referenced_envs=environments,
    )
