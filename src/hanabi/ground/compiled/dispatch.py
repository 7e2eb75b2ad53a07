"""Functions that dispatch on the type of their first argument, in compiled code and in Python.

Numba recompiles a function for each function passed to it as an argument, and caches none of the
results. A record (a NamedTuple) whose class stands for the functions costs nothing: the compiler
knows the class, so it knows what to call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global

from hanabi.ground.compiled import config
from hanabi.ground.compiled.cache import note_registered
from hanabi.ground.compiled.parts import Dispatcher, Kernel
from hanabi.ground.errors import InvalidInputError

if TYPE_CHECKING:
    from functools import _SingleDispatchCallable

__all__ = ["by_type"]

P = ParamSpec("P")
R = TypeVar("R")


def by_type(default: Callable[P, R]) -> _SingleDispatchCallable[R]:
    """Return a function that dispatches to the kernel registered for its first argument's class.

    Both kernels and plain code can call it. The kernel `default` serves all other classes.
    Registering anything but a kernel raises InvalidInputError: compiled code could not call it.

    >>> from typing import NamedTuple
    >>> from hanabi.ground.compiled import jit
    >>> class Square(NamedTuple):
    ...     side: int
    >>> @by_type
    ... @jit
    ... def area(shape):
    ...     return 0
    >>> @area.register(Square)
    ... @jit
    ... def _(square):
    ...     return square.side**2
    >>> area(Square(3))
    9
    """
    generic = singledispatch(default)
    if not config.DISABLE_JIT:
        generic.register = _strictly(generic.register)  # type: ignore[method-assign]
        template: Any = _template(generic)
        infer_global(generic, types.Function(template))  # type: ignore[no-untyped-call]
    return generic


def _strictly(register: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `register` so that it accepts kernels only."""

    def checked(kind: type, function: Any = None) -> Any:
        if function is None:
            return partial(checked, kind)
        if not isinstance(function, Kernel):
            name = f"{getattr(function, '__name__', function)} for {kind.__name__}"
            is_numba = isinstance(function, Dispatcher)
            how = "by Numba's own decorator" if is_numba else "as a function that is not compiled"
            raise InvalidInputError(f"{name} is registered {how}: use hanabi.ground.compiled.jit")
        note_registered(kind, function.py_func.__module__)
        return register(kind, function)

    return checked


def _template(function: Any) -> Any:
    """Return the template by which Numba finds the kernel of a call."""
    kernels: dict[Any, Any] = {}

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            first = args[0]
            if first not in kernels:
                kernel = function.dispatch(getattr(first, "instance_class", object))
                kernels[first] = _again(kernel)
            dispatcher = types.Dispatcher(kernels[first])  # it keeps no kernel alive
            signature: Any = dispatcher.get_call_type(self.context, args, kws)
            self._overload = dispatcher.get_overload(signature)
            return signature

        def get_impl_key(self, _signature: Any) -> Any:
            return self._overload

        def get_template_info(self) -> dict[str, Any]:
            code = function.__wrapped__
            return {
                "kind": "by_type",
                "name": code.__name__,
                "sig": code.__name__,
                "filename": code.__module__,
                "lines": ("unknown", "unknown"),
                "docstring": code.__doc__,
            }

    return Template


def _again(kernel: Any) -> Any:
    """Return a copy of a kernel, to be compiled for one type alone.

    A policy inside another one needs the same kernel while it is being compiled. Numba would take
    that for recursion, for which it caches no usable code.
    """
    pipeline = kernel._compiler.pipeline_class
    # A kernel inherits unset options from its caller, which may be one that creates no arrays.
    options = {"_nrt": True, **kernel.targetoptions}
    return Kernel(kernel.py_func, targetoptions=options, pipeline_class=pipeline)
