"""Vectors in the rows of an array."""

from __future__ import annotations

from footfall.compile import inline


@inline
def row3(array, row):
    """Row of an array [n, 3] as a tuple."""
    return (array[row, 0], array[row, 1], array[row, 2])


@inline
def put3(array, row, v):
    """Write a vector into a row of an array [n, 3]."""
    array[row, 0] = v[0]
    array[row, 1] = v[1]
    array[row, 2] = v[2]
