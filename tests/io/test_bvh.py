"""BVH read back by a reader of our own shows the joints of the motion."""

from __future__ import annotations

import numpy as np
import pytest
from bvh_reader import read, turn

from footfall.frames import arrays
from footfall.io.bvh import Joint, euler_zxy, write_bvh
from footfall.io.csv import write_table


def smooth_turns(frames: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, frames)[:, None]
    q = rng.normal(size=4) + np.sin(2.0 * np.pi * t * rng.integers(1, 3, 4) + rng.normal(size=4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def test_joints_and_ends_are_where_they_were():
    frames = 12
    root_q, arm_q, hand_q, head_q = (smooth_turns(frames, seed) for seed in range(4))
    root_p = np.random.default_rng(9).normal(size=(frames, 3))
    arm_p = root_p + arrays.rotate(root_q, np.array([0.2, 0.4, 0.1]))
    hand_p = arm_p + arrays.rotate(arm_q, np.array([0.7, 0.0, 0.0]))
    head_p = root_p + np.cumsum(np.full((frames, 3), 0.05), axis=0)  # moves on its own
    end = np.array([0.3, 0.0, 0.0])
    joints = [
        Joint("root", -1, root_p, root_q, True),
        Joint("arm", 0, arm_p, arm_q, False),
        Joint("hand", 1, hand_p, hand_q, False, end),
        Joint("head", 0, head_p, head_q, True, end),
    ]
    text = write_bvh(joints, 1.0 / 60.0)
    assert "Frame Time: 0.0166666667" in text
    for frame in range(frames):
        shown = read(text, frame)
        for name, place in (
            ("root", root_p), ("arm", arm_p), ("hand", hand_p), ("head", head_p),
            ("hand_end", hand_p + arrays.rotate(hand_q, end)), ("head_end", head_p + arrays.rotate(head_q, end)),
        ):  # fmt: skip
            assert np.linalg.norm(shown[name] - place[frame][[1, 2, 0]]) < 2e-6, (name, frame)


def test_angles_are_continuous_and_finite_where_they_lock():
    turns = np.stack([turn(2, 30.0) @ turn(0, degrees) @ turn(1, 170.0 + degrees) for degrees in range(-90, 91, 5)])
    angles = euler_zxy(turns)
    assert np.isfinite(angles).all()
    inner = angles[1:-1]
    assert np.abs(np.diff(inner, axis=0)).max() < 5.0 + 1e-6
    for matrix, (z, x, y) in zip(turns, angles, strict=True):
        assert np.abs(turn(2, z) @ turn(0, x) @ turn(1, y) - matrix).max() < 1e-6


def test_a_table_brings_every_number_back():
    numbers = np.array([0.1, -0.0, 1e-300, 12345.678901234567])
    text = write_table({"time": numbers, 'a "b", c': np.arange(4)})
    lines = text.splitlines()
    assert lines[0] == 'time,"a ""b"", c"'
    assert [float(line.split(",")[0]) for line in lines[1:]] == pytest.approx(numbers.tolist(), abs=0.0, rel=0.0)
    assert [line.split(",")[1] for line in lines[1:]] == ["0", "1", "2", "3"]
