"""Types of the C program: what a kernel's values are, and how C declares them.

Numbers are ``double``, ``int64_t`` and ``bool``; tuples are small structs that are passed by value; a record is a
struct with the layout of its dtype, passed by pointer; an array is a pointer and its shape; a ``NamedTuple`` of arrays
is a struct of them, passed by pointer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


class TranslationError(Exception):
    """A kernel uses what the translator does not know."""


@dataclass(frozen=True)
class Number:
    """A scalar."""

    name: str


@dataclass(frozen=True)
class Tuple:
    """A tuple of values: a small struct."""

    parts: tuple[Type, ...]


@dataclass(frozen=True)
class Record:
    """One record of a structured array: a pointer to a struct."""

    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Fixed:
    """An array of known length inside a record: a pointer to its first entry."""

    part: Type
    length: int


@dataclass(frozen=True)
class Array:
    """A C-contiguous array of numbers or records, or the rows under one index of it."""

    part: Type
    dimensions: int


@dataclass(frozen=True)
class Bundle:
    """A ``NamedTuple`` of arrays: a pointer to a struct."""

    declaration: type
    parts: tuple[tuple[str, Type], ...]


Type = Number | Tuple | Record | Fixed | Array | Bundle

DOUBLE, INTEGER, BOOL, INTEGER_32 = Number("double"), Number("int64_t"), Number("bool"), Number("int32_t")
NUMBERS = {np.dtype(np.float64): DOUBLE, np.dtype(np.int64): INTEGER, np.dtype(np.int32): INTEGER_32,
           np.dtype(np.bool_): BOOL}  # fmt: skip
RANK = {BOOL: 0, INTEGER: 1, DOUBLE: 2}


def type_of_dtype(dtype: np.dtype[Any]) -> Type:
    """Type of one entry of an array."""
    if dtype.names is not None:
        return Record(dtype)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        if len(shape) == 1:
            return Fixed(NUMBERS[base], shape[0])
    if dtype in NUMBERS:
        return NUMBERS[dtype]
    raise TranslationError(f"no C type for the dtype {dtype}")


def type_of(value: Any) -> Type:
    """Type of an argument or a module's constant."""
    if isinstance(value, (bool, np.bool_)):
        return BOOL
    if isinstance(value, (int, np.integer)):
        return INTEGER
    if isinstance(value, (float, np.floating)):
        return DOUBLE
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise TranslationError("an array is not C-contiguous")
        return Array(type_of_dtype(value.dtype), value.ndim)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return Bundle(
            type(value), tuple((name, type_of(part)) for name, part in zip(value._fields, value, strict=True))
        )
    if isinstance(value, tuple):
        return Tuple(tuple(type_of(part) for part in value))
    raise TranslationError(f"no C type for {value!r}")


def unify(a: Type, b: Type) -> Type | None:
    """The type that holds values of both, as Numba finds it; None where there is none."""
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return a if RANK[a] > RANK[b] else b
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.parts) == len(b.parts):
        parts = [unify(*pair) for pair in zip(a.parts, b.parts, strict=True)]
        if all(part is not None for part in parts):
            return Tuple(tuple(part for part in parts if part is not None))
    return None


class TypeNames:
    """Names of all structs of a program, and their declarations in the order in which C needs them."""

    def __init__(self, record_names: dict[np.dtype[Any], str]) -> None:
        self.record_names = record_names
        self.names: dict[Type, str] = {}
        self.declarations: list[str] = []

    def claim(self, wish: str) -> str:
        """A name that no other struct has."""
        name, number = f"{wish}_t", 2
        while name in self.names.values():
            name, number = f"{wish}_{number}_t", number + 1
        return name

    def declare(self, kind: Type, wish: str, fields: list[str], tail: str = "") -> str:
        """Write a struct down."""
        name = self.names[kind] = self.claim(wish)
        body = "".join(f"    {field};\n" for field in fields)
        self.declarations.append(f"typedef struct {{\n{body}}} {name};\n{tail.replace('@', name)}")
        return name

    def struct(self, kind: Type, wish: str = "tuple") -> str:
        """Name of a struct; declared when it is first asked for. ``wish`` names a tuple of mixed parts."""
        if kind in self.names:
            return self.names[kind]
        if isinstance(kind, Tuple):
            if is_vector(kind):
                return self.declare(kind, f"vec{len(kind.parts)}", [f"double v[{len(kind.parts)}]"])
            return self.declare(kind, wish, [self.value(part, f"_{n}") for n, part in enumerate(kind.parts)])
        if isinstance(kind, Record):
            return self.declare_record(kind)
        if isinstance(kind, Array):
            part = self.value(kind.part, "*at") if isinstance(kind.part, Number) else f"{self.struct(kind.part)} *at"
            of = kind.part.name.removesuffix("_t") if isinstance(kind.part, Number) else self.struct(kind.part)[:-2]
            return self.declare(kind, f"{of}_array{kind.dimensions}", [part, f"int64_t shape[{kind.dimensions}]"])
        if isinstance(kind, Bundle):
            fields = [self.value(part, name) for name, part in kind.parts]
            return self.declare(kind, kind.declaration.__name__.lower(), fields)
        raise TranslationError(f"{kind} is no struct")

    def declare_record(self, kind: Record) -> str:
        """A struct with the layout of a dtype; the compiler checks that it is the same."""
        fields, checks = [], []
        described: Any = kind.dtype.fields
        for name in kind.dtype.names or ():
            part = type_of_dtype(described[name][0])
            if isinstance(part, Fixed):
                fields.append(f"{self.value(part.part, name)}[{part.length}]")
            else:
                fields.append(self.value(part, name))
            checks.append(f'_Static_assert(offsetof(@, {name}) == {described[name][1]}, "{name}");\n')
        checks.append(f'_Static_assert(sizeof(@) == {kind.dtype.itemsize}, "size");\n')
        return self.declare(kind, self.record_names.get(kind.dtype, "record"), fields, "".join(checks))

    def value(self, kind: Type, name: str) -> str:
        """Declaration of a variable, parameter or field."""
        if isinstance(kind, Number):
            return f"{kind.name} {name}"
        if isinstance(kind, Fixed):
            return f"{self.value(kind.part, '*' + name)}"
        if isinstance(kind, (Record, Bundle)):
            return f"{self.struct(kind)} *{name}"
        return f"{self.struct(kind)} {name}"


def field_type(kind: Record, name: str) -> Type:
    """Type of a record's field."""
    described: Any = kind.dtype.fields
    return type_of_dtype(described[name][0])


def is_vector(kind: Type) -> bool:
    """Whether all parts of a tuple are floats."""
    return isinstance(kind, Tuple) and all(part == DOUBLE for part in kind.parts)
