"""The comparison: legs that play one loop in body space, on the same body and timer (rows C2 to C5)."""

from __future__ import annotations

import numpy as np
import pytest
from centipede_walks import CRUISE, PERIOD

from footfall.planners.gait import frac
from footfall.world.builtin import ROCK_CELL, ROCK_CELLS, rock_heights

ROUGH = 5e-3  # what the walking one keeps to [m]


def rock_height(points, unit):
    """Height of the built-in rocks under points ``[…, 3]`` [m]: triangles on the cells' diagonal, in NumPy."""
    heights = rock_heights(0) * unit
    x, y = (points[..., axis] / (ROCK_CELL * unit) + ROCK_CELLS // 2 for axis in (0, 1))
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    u, v = x - i, y - j
    a, b = i % ROCK_CELLS, (i + 1) % ROCK_CELLS
    c, d = j % ROCK_CELLS, (j + 1) % ROCK_CELLS
    h00, h01, h10, h11 = heights[c, a], heights[c, b], heights[d, a], heights[d, b]
    return np.where(u >= v, h00 + u * (h01 - h00) + v * (h11 - h01), h00 + v * (h10 - h00) + u * (h11 - h10))


@pytest.mark.row("C2")
def test_only_the_walking_one_minds_the_ground(centipede, fixed):
    assert centipede.ground and not fixed.ground
    assert all(leg.fixed_loop for leg in fixed.rig.legs) and not any(leg.fixed_loop for leg in centipede.rig.legs)


@pytest.mark.row("C2")
def test_the_fixed_legs_play_the_same_loop_on_rocks_as_on_flat_ground(walks):
    flat, rocks = (walks("fixed", terrain) for terrain in ("flat", "rocks"))
    loops = [walk.in_trunk(walk.sole) for walk in (flat, rocks)]
    np.testing.assert_allclose(loops[0], loops[1], atol=1e-12)
    assert np.ptp(loops[0][..., 0], axis=0).min() > 0.3 and np.ptp(loops[0][..., 2], axis=0).min() > 0.13  # it moves


@pytest.mark.row("C2")
def test_the_fixed_loop_repeats_every_period_and_is_the_same_for_every_leg(walks):
    """At cruising speed: place over phase is one curve for all legs and cycles, but for sides."""
    walk = walks("fixed", "rocks")
    late = walk.t > 3.0
    local = walk.in_trunk(walk.sole)[late]
    local[..., 1] = np.abs(local[..., 1])
    since = walk.t[late][:, None] - walk.lift_off[late]
    phase = np.array([frac(x) for x in (since / PERIOD).ravel()]).reshape(since.shape)
    order = np.argsort(phase.ravel())
    curve = local.reshape(-1, 3)[order]
    gaps = np.diff(phase.ravel()[order])
    jumps = np.linalg.norm(np.diff(curve, axis=0), axis=-1)
    # neighbours in phase, whichever leg and cycle they are of, are as near as the fastest foot allows: the swing goes
    # 0.413 m with a peak of 1.5 of the mean, and up and down 0.14 m with 3.1 of the mean of a half, in 0.24 s
    fastest = np.hypot(1.5 * 0.413 / 0.24, 3.1 * 0.14 / 0.12)
    assert (jumps <= fastest * PERIOD * gaps + 1e-9).all()
    assert len(gaps) > 10_000


@pytest.mark.row("C2", "C19")
def test_the_walking_legs_go_otherwise_on_rocks_than_on_flat_ground(walks):
    flat, rocks = (walks("centipede", terrain) for terrain in ("flat", "rocks"))
    apart = np.linalg.norm(flat.in_trunk(flat.sole) - rocks.in_trunk(rocks.sole), axis=-1)
    assert (apart.max(axis=0) > 0.02).all()


@pytest.mark.row("C3")
@pytest.mark.parametrize("terrain", ["flat", "rocks"])
def test_path_and_height_of_the_body_are_equal_bit_for_bit(walks, terrain):
    walking, playing = walks("centipede", terrain), walks("fixed", terrain)
    np.testing.assert_array_equal(walking.trunk, playing.trunk)
    np.testing.assert_array_equal(walking.rotation, playing.rotation)
    assert np.ptp(walking.trunk[:, 4, 0]) > 10.0
    if terrain == "rocks":
        assert np.ptp(walking.trunk[..., 2]) > 0.03  # there is something to follow
        assert np.linalg.norm(walking.sole - playing.sole, axis=-1).max() > 0.02  # only the legs differ


@pytest.mark.row("C4")
@pytest.mark.parametrize("terrain", ["flat", "rocks"])
def test_both_lift_their_feet_at_the_same_instants(walks, terrain):
    """From when the walking one's start is over: no rescue step in that time, and no foothold refused."""
    walking, playing = walks("centipede", terrain), walks("fixed", terrain)
    found = [[(t, leg) for t, leg, _ in walk.lift_offs() if t > 3.0] for walk in (walking, playing)]
    assert len(found[0]) > 250 and walking.rescues == 0
    assert [leg for _, leg in found[0]] == [leg for _, leg in found[1]]
    np.testing.assert_allclose([t for t, _ in found[0]], [t for t, _ in found[1]], atol=1e-9)


@pytest.mark.row("C5")
def test_the_fixed_legs_sink_into_rocks_and_paddle_over_dips(walks):
    walk = walks("fixed", "rocks")
    over = walk.sole[..., 2] - rock_height(walk.sole, walk.machine.leg_length)
    standing = ~walk.swinging
    print(f"fixed: sinks {-over[standing].min() * 1e3:.0f} mm, hovers {over[standing].max() * 1e3:.0f} mm")
    assert over[standing].min() < -0.02  # 20 mm: four times what the walking one is held to
    assert over[standing].max() > 0.02
    assert (np.abs(over[standing]) > ROUGH).mean() > 0.5


@pytest.mark.row("C5", "C19")
def test_the_walking_feet_stand_on_the_rocks_and_never_sink(walks):
    walk = walks("centipede", "rocks")
    over = walk.sole[..., 2] - rock_height(walk.sole, walk.machine.leg_length)
    assert np.abs(over[~walk.swinging]).max() < ROUGH
    assert over.min() > -ROUGH
    assert walk.swinging.any() and np.ptp(walk.sole[~walk.swinging][:, 2]) > 0.05  # stands high and low
    assert CRUISE == walk.machine.file.cruise_speed
