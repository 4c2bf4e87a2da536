"""The whole program: every kernel that one kernel reaches, as one file of plain C."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from footfall.bench.c_expression import PRIMARY, Code, number_text
from footfall.bench.c_function import FunctionWriter
from footfall.bench.c_types import Bundle, Record, Tuple, Type, TypeNames, is_vector, type_of

#: Names of the C library that a kernel must not take.
TAKEN = {
    "abs", "acos", "asin", "atan", "ceil", "cos", "div", "exp", "fabs", "floor", "fma", "fmax", "fmin", "fmod", "gamma",
    "hypot", "index", "j0", "j1", "jn", "ldexp", "log", "max", "min", "modulo", "pow", "remainder", "round", "sin",
    "sqrt", "tan", "trunc", "y0", "y1", "yn",
}  # fmt: skip

HEAD = """\
/*
 * {title}
 *
 * Written by `footfall bench` from footfall's own kernels, for comparison: plain scalar C, the same work in the same
 * order. Build: {build}
 */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

"""

#: What Python has and C has not: min and max of the first of equals, and division that rounds down.
PRELUDE = """\
static inline double min(double a, double b) { return b < a ? b : a; }
static inline double max(double a, double b) { return b > a ? b : a; }
static inline int64_t min_whole(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t max_whole(int64_t a, int64_t b) { return b > a ? b : a; }

static inline int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

static inline int64_t modulo(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline double modulo_real(double a, double b)
{
    double r = fmod(a, b);
    return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;
}

static inline double floor_divide_real(double a, double b) { return floor((a - modulo_real(a, b)) / b + 0.5); }

"""


class Program:
    """A C program that grows with what its functions call."""

    def __init__(self, record_names: dict[np.dtype[Any], str]) -> None:
        self.types = TypeNames(record_names)
        self.writers: dict[tuple[Any, tuple[Type, ...]], FunctionWriter] = {}
        self.emitted: dict[FunctionWriter, str] = {}
        self.texts: list[str] = []
        self.constants: dict[str, tuple[Any, str]] = {}

    def writer(self, kernel: Any, arguments: tuple[Type, ...]) -> FunctionWriter:
        """Translator of a kernel for arguments of these types, with its types settled."""
        key = (kernel, arguments)
        if key not in self.writers:
            self.writers[key] = FunctionWriter(self, kernel, arguments)
        return self.writers[key]

    def emit(self, writer: FunctionWriter) -> str:
        """Write a function, after those that it calls; its name."""
        if writer not in self.emitted:
            plain = writer.python_name.lstrip("_")
            name = f"{plain}_" if plain in TAKEN else plain
            number = 2
            while name in self.emitted.values():
                name, number = f"{plain}_{number}", number + 1
            self.emitted[writer] = name
            self.texts.append(writer.text(name))
        return self.emitted[writer]

    def constant(self, name: str, value: Any) -> Code:
        """A constant of a module, under its name."""
        name = name if name.isupper() or "_" in name else name.upper()
        plain, number = name, 2
        while name in self.constants and self.constants[name][0] != value:
            name, number = f"{plain}_{number}", number + 1
        kind = type_of(value)
        if name not in self.constants:
            self.constants[name] = (value, self.constant_text(kind, value))
        return Code(name, kind, PRIMARY)

    def constant_text(self, kind: Type, value: Any) -> str:
        """A constant's value."""
        if isinstance(kind, Tuple):
            inner = ", ".join(number_text(part) for part in value)
            inner = f"{{{inner}}}" if is_vector(kind) else inner
            return f"(({self.types.struct(kind)}){{{inner}}})"
        text = number_text(value)
        return f"({text})" if text.startswith("-") else text

    def text(self, title: str, build: str) -> str:
        """The file."""
        constants = "".join(f"#define {name} {text}\n" for name, (_, text) in self.constants.items())
        return "\n".join(
            [HEAD.format(title=title, build=build) + PRELUDE + constants, *self.types.declarations, *self.texts]
        )


def record_names(arguments: tuple[Any, ...]) -> dict[np.dtype[Any], str]:
    """Names of record types: of the module constant that declares one, else of the bundle's field that holds it."""
    names: dict[np.dtype[Any], str] = {}
    for module_name in sorted(sys.modules):
        if module_name.startswith("footfall."):
            for name, value in sorted(vars(sys.modules[module_name]).items()):
                if isinstance(value, np.dtype) and value.names and name.isupper():
                    names.setdefault(value, name.lower())
    for argument in arguments:
        kind = type_of(argument)
        if isinstance(kind, Bundle):
            for name, array in kind.parts:
                part = getattr(array, "part", None)
                if isinstance(part, Record):
                    names.setdefault(part.dtype, name)
    return names


def write_program(kernel: Any, arguments: tuple[Any, ...], build: str) -> tuple[str, Program]:
    """C of a kernel and all that it calls, for such arguments; its own name is its name in Python.

    Raises:
        TranslationError: a kernel uses what the translator does not know.
    """
    program = Program(record_names(arguments))
    writer = program.writer(kernel, tuple(type_of(argument) for argument in arguments))
    name = program.emit(writer)
    for kind in ("static", "static inline"):
        program.texts[-1] = program.texts[-1].replace(f"{kind} void {name}(", f"void {name}(", 1)
    return program.text(f"One tick of many walking machines: {name}", build), program
