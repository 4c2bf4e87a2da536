"""What players show between keys, and which keys can be left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from footfall.state import Array

Mask = NDArray[np.bool_]


def between(a: Array, b: Array, share: Array, rotation: bool) -> Array:
    """What a player shows between keys: straight lines, or great circles between rotations of like sign."""
    share = np.asarray(share)[..., None]
    if not rotation:
        return np.asarray(a + share * (b - a))
    dot = (a * b).sum(axis=-1, keepdims=True)
    b = np.where(dot < 0.0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-6
    safe = np.where(small, 1.0, sine)
    first = np.where(small, 1.0 - share, np.sin((1.0 - share) * angle) / safe)
    second = np.where(small, share, np.sin(share * angle) / safe)
    found = first * a + second * b
    return np.asarray(found / np.linalg.norm(found, axis=-1, keepdims=True))


def difference(a: Array, b: Array, rotation: bool) -> Array:
    """Distance [m] or angle [rad] between values."""
    if rotation:
        chord = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
        return np.asarray(4.0 * np.arcsin(np.clip(0.5 * chord, 0.0, 1.0)))
    return np.asarray(np.linalg.norm(a - b, axis=-1))


def kept_keys(times: Array, values: Array, rotation: bool, bound: float) -> Mask:
    """Keys to keep so that at every one that is left out the track is within the bound of its value.

    Pairs of neighbouring stretches are joined while that holds (a stretch of 2ⁿ frames at most in n rounds), so the
    work grows with the frames times the rounds.

    Args:
        times: ``[keys]`` [s].
        values: ``[keys, 3]`` [m] or ``[keys, 4]`` unit quaternions.
        rotation: which of the two.
        bound: [m] or [rad].
    """
    count = len(times)
    kept = np.ones(count, np.bool_)
    if count <= 2:
        return kept
    if difference(values, values[:1], rotation).max() <= bound:  # nothing moves
        kept[1:-1] = False
        return kept
    while True:
        keys = np.flatnonzero(kept)
        tried = False
        for parity in (1, 2):  # every second inner key can be judged at once: its neighbours stay
            keys = np.flatnonzero(kept)
            candidates = np.arange(parity, len(keys) - 1, 2)
            if not len(candidates):
                continue
            left, right = keys[candidates - 1], keys[candidates + 1]
            lengths = right - left - 1
            frames = np.repeat(left + 1, lengths) + _ramp(lengths)
            a, b = np.repeat(left, lengths), np.repeat(right, lengths)
            shown = between(
                values[a], values[b], (times[frames] - times[a]) / (times[b] - times[a]), rotation
            )  # fmt: skip
            error = difference(shown, values[frames], rotation)
            starts = np.cumsum(lengths) - lengths
            fine = np.maximum.reduceat(error, starts) <= bound
            if fine.any():
                kept[keys[candidates[fine]]] = False
                tried = True
        if not tried:
            return kept


def _ramp(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, … for each length in turn."""
    total = int(lengths.sum())
    return np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
