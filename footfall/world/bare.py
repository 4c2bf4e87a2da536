"""Kernels that count no references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from footfall.compile import _jit


def bare(function: Callable[..., Any]) -> Any:
    """Compile a kernel that allocates nothing, without counting references to the arrays that it is given.

    A ``World`` is many arrays. Counting each of them in and out of every call costs several times as much as a ray.
    """
    return _jit(_nrt=False)(function)
