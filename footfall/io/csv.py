"""Tables of numbers as comma-separated text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_table(columns: Mapping[str, NDArray[Any]]) -> str:
    """A header and one line a row; numbers with as many digits as bring them back exactly.

    Args:
        columns: ``[rows]`` each, by name.
    """
    names = [f'"{name.replace(chr(34), chr(34) * 2)}"' if set(name) & set(',"\n\r') else name for name in columns]
    lists = [
        [str(value) for value in column.tolist()]
        if np.issubdtype(column.dtype, np.integer)
        else [repr(value) for value in (column + 0.0).tolist()]
        for column in columns.values()
    ]
    return "".join(f"{','.join(row)}\n" for row in (names, *zip(*lists, strict=True)))
