"""A hash of a state, so that two runs can be compared."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footfall.state import State


def _feed(digest: Any, name: str, array: NDArray[Any]) -> None:
    """Feed an array's values, record field by record field: the padding between fields holds no values."""
    if array.dtype.names is not None:
        for field in array.dtype.names:
            _feed(digest, f"{name}.{field}", array[field])
        return
    values = np.ascontiguousarray(array)
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    digest.update(f"{name} {little.dtype.str} {array.shape}\n".encode())
    digest.update(little.tobytes())


def state_hash(state: State) -> str:
    """SHA-256 over every value of a state, as 64 hex digits: equal exactly where the states are equal bit for bit."""
    digest = hashlib.sha256()
    for name, array in zip(State._fields, state, strict=True):
        _feed(digest, name, array)
    return digest.hexdigest()
