"""The C program, built and called on the arrays that the kernel would get."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from footfall.cache import cache_folder

#: No fast-math. No fused multiply-add, which Numba does not form either, so that results can be compared to the bit.
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")


class CompileError(Exception):
    """There is no C compiler, or it refused the program."""


def compiler() -> str | None:
    """Path of gcc, if there is one."""
    return shutil.which("gcc")


def build_line(name: str = "tick") -> str:
    """How the program is built."""
    return f"gcc {' '.join(FLAGS)} -o {name}.so {name}.c -lm"


def build(text: str, name: str) -> Any:
    """Compile a program and return its function of that name.

    Raises:
        CompileError: with what the compiler said.
    """
    gcc = compiler()
    if gcc is None:
        raise CompileError("there is no gcc")
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=cache_folder()))
    try:
        source, library = folder / "tick.c", folder / "tick.so"
        source.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [gcc, *FLAGS, "-o", str(library), str(source), "-lm"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CompileError(f"gcc refused the program: {' '.join(done.stderr.split())[:500]}")
        return getattr(ctypes.CDLL(str(library)), name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def pass_array(array: np.ndarray[Any, Any]) -> ctypes.Structure:
    """An array as the program takes it: its address and its shape."""
    fields = [("at", ctypes.c_void_p), ("shape", ctypes.c_int64 * array.ndim)]
    kind = type("Array", (ctypes.Structure,), {"_fields_": fields})
    if not array.flags.c_contiguous:
        raise ValueError("an array is not C-contiguous")
    return kind(array.ctypes.data, (ctypes.c_int64 * array.ndim)(*array.shape))  # type: ignore[no-any-return]


def pass_value(value: Any) -> Any:
    """An argument as the program takes it."""
    if isinstance(value, (bool, np.bool_)):
        return ctypes.c_bool(value)
    if isinstance(value, (int, np.integer)):
        return ctypes.c_int64(int(value))
    if isinstance(value, (float, np.floating)):
        return ctypes.c_double(float(value))
    if isinstance(value, np.ndarray):
        return pass_array(value)
    parts = [pass_array(array) for array in value]
    kind = type("Bundle", (ctypes.Structure,), {"_fields_": [(f"f{n}", type(part)) for n, part in enumerate(parts)]})
    return ctypes.pointer(kind(*parts))


def bind(function: Any, arguments: tuple[Any, ...]) -> Callable[[], None]:
    """A call of the program on these arguments, without cost to speak of."""
    passed = [pass_value(argument) for argument in arguments]
    function.restype = None
    function.argtypes = [type(value) for value in passed]
    kept = arguments  # the memory that is pointed at

    def call() -> None:
        function(*passed)
        assert kept is not None

    return call
