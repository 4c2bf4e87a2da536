"""The kernels are plain Python too: without the JIT the same walk."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

WALK = """
import sys
import numpy as np
import footfall as ff
from footfall.world import Boxes, Plane, build_world
walks = []
for name in ("quadruped", "crawler"):
    machine = ff.load_machine(name)
    size = machine.leg_length
    world = build_world([Plane(), Boxes([[0.6 * size, -9.0, -1.0]], [[9.0, 9.0, 0.05 * size]])])
    state = ff.initial_state(machine, world)
    command = ff.idle_command(1)
    command["speed"], command["yaw_rate"] = machine.file.cruise_speed, 0.1
    for _ in range(40):
        frame = ff.step(machine, state, command, world, 1 / 50)
        state = frame.state
        walks.append(np.append(frame.joints.position.ravel(), state.legs["steps"].ravel()))
    assert state.legs["steps"].sum() > 0
np.save(sys.argv[1], np.concatenate(walks))
"""


def walked(path, disabled):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
    subprocess.run([sys.executable, "-c", WALK, str(path)], env=environment, check=True)
    return np.load(path)


@pytest.mark.slow
def test_a_walk_without_the_jit_is_the_compiled_walk(tmp_path):
    """Both do the same float64 operations; 1e-9 m leaves room for another library's sine over 48 ticks."""
    plain, compiled = walked(tmp_path / "plain.npy", "1"), walked(tmp_path / "compiled.npy", "0")
    assert np.abs(plain - compiled).max() <= 1e-9
    assert np.ptp(plain) > 1.0
