"""How footfall compiles: three decorators, and calls that do without Numba's look at every argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import registry, types
from numba.core.compiler_lock import global_compiler_lock
from numba.np import arrayobj

from footfall.cache import cache_folder


def _count_from_the_start() -> None:
    """Leave out, for the kernels of this package, Numba's test whether an index counts from the end; none does.

    The test stands before every access and costs a twentieth of a tick. Other users of Numba keep it.
    """
    original = getattr(arrayobj, "fix_integer_index", None)  # a name that Numba does not promise to keep
    if original is None or hasattr(original, "footfall"):
        return

    def fix_integer_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
        if idxty.signed and builder.function.name.startswith(_MANGLED):
            return context.cast(builder, idx, idxty, types.intp)
        return original(context, builder, idxty, idx, size)

    fix_integer_index.footfall = True  # type: ignore[attr-defined]
    arrayobj.fix_integer_index = fix_integer_index


_MANGLED = "_ZN8footfall"  # how the names of compiled functions of this package begin
_count_from_the_start()


class Inlined(registry.CPUDispatcher):  # type: ignore[misc]
    """A function that is inlined into kernels and optimised there: by itself it is compiled in haste.

    What Python needs to call it is compiled only when Python does, for a test. The two save a third of all compiling.
    """

    def compile(self, signature: Any) -> Any:
        """Compile for these types, with few optimisations."""
        with global_compiler_lock:
            kept = numba.config.OPT
            numba.config.OPT = type(kept)(1)
            try:
                return super().compile(signature)
            finally:
                numba.config.OPT = kept

    def add_overload(self, compiled: Any) -> None:
        """Keep what was compiled, out of the reach of Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        if "called" not in self.__dict__:
            self.called = _jit("called", _nrt=False, forceinline=True)(self.py_func)
        return self.called  # Numba then calls it


def _jit(part: str = "", **options: Any) -> Callable[[Callable[..., Any]], Any]:
    def decorate(function: Callable[..., Any]) -> Any:
        kept = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(Path(cache_folder(), part))  # read at decoration; other users keep their own
        try:
            # error_model "numpy": a division by zero gives inf or nan, as in C, instead of an exception.
            return numba.njit(cache=True, error_model="numpy", nogil=True, no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = kept

    return decorate


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a loop over agents, or a stage's function for one agent. No fused multiply-add, no fast-math.

    A kernel allocates nothing and counts no references to the arrays that it is given: counting them in and out of
    every call costs several times as much as a ray.
    """
    return _jit(_nrt=False)(function)


def inline(function: Callable[..., Any]) -> Any:
    """Compile a small function of scalars, tuples and records that is inlined wherever a kernel calls it."""
    made = _jit(_nrt=False, forceinline=True, no_cpython_wrapper=True)(function)
    if isinstance(made, registry.CPUDispatcher):  # not where NUMBA_DISABLE_JIT is set
        made.__class__ = Inlined
    return made


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that makes arrays of its own; for set-up, not for a tick."""
    return _jit()(function)


def straight(kernel: Any) -> Callable[..., None]:
    """A call of a kernel whose arguments always have the types of the first call.

    Numba looks at the types of all arguments of every call, and for forty arrays that takes longer than a tick of one
    agent. Here only sizes of entries and numbers of dimensions are checked; a caller sees to the rest.
    """
    entry: Any = None

    def call(*arguments: Any) -> None:
        nonlocal entry
        if entry is not None:
            entry(*arguments)
            return
        kernel(*arguments)
        if isinstance(kernel, registry.CPUDispatcher):
            entry = kernel.overloads[tuple(numba.typeof(argument) for argument in arguments)].entry_point

    return call
