"""Axes are permuted exactly, and what goes into a document keeps its sums and units."""

from __future__ import annotations

import numpy as np

from footfall.frames import arrays
from footfall.io.axes import to_xyzw, to_y_up, y_up_matrix
from footfall.io.gltf import unit32, whole_weights


def test_axes_are_an_exact_permutation_that_keeps_handedness():
    x, y, z = np.eye(3)
    assert np.array_equal(to_y_up(z), [0, 1, 0]) and np.array_equal(to_y_up(x), [0, 0, 1])
    assert np.array_equal(np.cross(to_y_up(x), to_y_up(y)), to_y_up(np.cross(x, y)))


def test_turning_and_permuting_commute():
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(50, 4)), rng.normal(size=(50, 3))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    turned = np.einsum("nij,nj->ni", y_up_matrix(q, np.zeros((50, 3)))[:, :3, :3], to_y_up(v))
    assert np.abs(turned - to_y_up(arrays.rotate(q, v))).max() < 1e-12
    xyzw = to_xyzw(q)
    again = arrays.rotate(xyzw[:, [3, 0, 1, 2]], to_y_up(v))
    assert np.abs(turned - again).max() < 1e-12


def test_weights_become_bytes_that_sum_to_the_whole():
    shares = np.random.default_rng(2).dirichlet(np.ones(4), 500)
    whole = whole_weights(shares)
    assert whole.dtype == np.uint8 and (whole.sum(axis=1, dtype=int) == 255).all()
    assert np.abs(whole / 255.0 - shares).max() < 0.01


def test_units_stay_units_in_float32():
    vectors = unit32(np.random.default_rng(3).normal(size=(1000, 4)) * 1e3)
    assert vectors.dtype == np.float32
    assert np.abs(np.linalg.norm(vectors.astype(float), axis=1) - 1.0).max() < 2e-7
