"""Where the feet go, how they get there, and the bones that bring them (rows C9 to C15)."""

from __future__ import annotations

import numpy as np
import pytest
from centipede_walks import CRUISE, PERIOD, UP, ground, record
from test_centipede_gait import above_the_line

from footfall import steady
from footfall.arc import arc_point, swing_progress
from footfall.foothold import find_ground
from footfall.state import LEG
from footfall.world.build import build_world
from footfall.world.landscape import Terrain
from footfall.world.shapes import Boxes, Plane

SWING = 0.24


def steady_steps(walk, after=3.0):
    return [found for found in walk.lift_offs() if found[0] > after]


@pytest.mark.row("C9")
@pytest.mark.parametrize("speed", [0.6, CRUISE])
def test_a_step_aims_half_a_period_of_travel_ahead_of_where_the_foot_rests(centipede, walks, speed):
    """rest + v T / 2, once: 0.3 m, where the source's doubled lead gives 0.6."""
    flat = ground(centipede, "flat")
    walk = walks("centipede", "flat") if speed == CRUISE else record(centipede, flat, steady(7.0, speed=speed))
    rests = centipede.rig.leg_table["rest"]
    found = steady_steps(walk)
    assert len(found) > 60
    for time, leg, row in found:
        trunk = walk.trunk[row - 1, walk.leg_trunk[leg]] + [speed * (time - walk.t[row - 1]), 0.0, 0.0]
        wish = trunk[:2] + rests[leg, :2] + [speed * (0.6 / speed) / 2.0, 0.0]
        np.testing.assert_allclose(walk.target[row, leg, :2], wish, atol=1e-9)


@pytest.mark.row("C10", "C24")
@pytest.mark.parametrize("share", [0.3, 0.999, 1.5, 1.999])
def test_the_ray_from_over_the_hip_meets_ground_up_to_twice_as_far_as_the_wish(centipede, share):
    """AdjustPosition: from the pole point towards the wish. The ground is a plane at a share of the ray to the wish."""
    hip, spot = np.array([0.1, 0.07, 0.24]), np.array([0.4, 0.37, 0.0])
    start = hip + 0.5 * centipede.leg_length * UP
    expected = start + share * (spot - start)
    world = build_world([Plane(position=(0.0, 0.0, expected[2]))])
    status, point, normal, surface = find_ground(centipede.constants, world, tuple(spot), tuple(hip), tuple(UP), 0)
    assert status == 1
    np.testing.assert_allclose(point, expected, atol=1e-12)
    np.testing.assert_allclose(normal, UP)


@pytest.mark.row("C10")
def test_ground_beyond_twice_the_distance_is_not_seen(centipede):
    hip, spot = np.array([0.1, 0.07, 0.24]), np.array([0.4, 0.37, 0.0])
    start = hip + 0.5 * centipede.leg_length * UP
    world = build_world([Plane(position=(0.0, 0.0, (start + 2.001 * (spot - start))[2]))])
    assert find_ground(centipede.constants, world, tuple(spot), tuple(hip), tuple(UP), 0)[0] != 1


@pytest.mark.row("C11")
def test_where_rays_miss_feet_hold_and_the_walk_ends_at_the_edge(centipede):
    """A platform that ends 2 m ahead, and nothing under it: no foothold there, nothing but finite numbers, and the
    feet that find nothing keep their anchors; the latch tells."""
    world = build_world([Boxes(np.array([[-4.0, -2.0, -0.5]]), np.array([[2.0, 2.0, 0.0]]))])
    walk = record(centipede, Terrain("platform", world, extent=(-4.0, 2.0, -2.0, 2.0)), steady(9.0))
    for array in (walk.trunk, walk.rotation, walk.joints, walk.anchor, walk.governor):
        assert np.isfinite(array).all()
    assert walk.anchor[..., 0].max() <= 2.0
    np.testing.assert_allclose(walk.anchor[~walk.swinging][:, 2], 0.0, atol=1e-9)
    assert walk.latched[-60:].any() and walk.rejected > 0
    assert walk.excess.max() == 0.0
    assert np.ptp(walk.trunk[-60:, 4, 0]) < 0.02  # it has come to a stand
    planted = ~walk.swinging
    np.testing.assert_allclose(walk.sole[planted], walk.anchor[planted], atol=1e-9)


@pytest.mark.row("C12")
@pytest.mark.parametrize("terrain", ["flat", "rocks"])
def test_a_swing_lasts_a_quarter_of_a_second_and_no_more_than_five_feet_are_in_the_air(walks, terrain):
    """0.24 s, unless it were more than 4.99 of the sixteen steps; 4.99 × 48.08 ms = 0.23990 s."""
    walk = walks("centipede", terrain)
    times = [walk.touchdown[row, leg] - t for t, leg, row in steady_steps(walk)]
    np.testing.assert_allclose(times, min(SWING, 4.99 * PERIOD / 16), atol=1e-9)
    assert np.median(times) == pytest.approx(SWING, abs=1.0 / 60.0)
    assert walk.swinging.sum(axis=1).max() == 5


@pytest.mark.row("C12")
@pytest.mark.parametrize("terrain", ["flat", "slope"])
def test_a_foot_slides_to_its_target_and_lifts_0_14_m_along_the_normal(centipede, terrain):
    """At 960 frames a second a frame is within 1/460 of a swing of its middle: the peak is met to 16 · 0.14 · δ²."""
    walk = record(centipede, ground(centipede, terrain), steady(5.0), rate=960.0)
    tilt = np.radians(15.0 if terrain == "slope" else 0.0)
    normal = np.array([-np.sin(tilt), 0.0, np.cos(tilt)])
    peaks = []
    for _, leg, row in steady_steps(walk):
        # from the next inner step on: frames before it look ahead, each for itself
        first, last = row + 16, np.searchsorted(walk.t, walk.touchdown[row, leg]) - 1
        if last >= len(walk.t) - 1 or np.ptp(walk.target[first : last + 1, leg], axis=0).max() > 1e-9:
            continue  # not over yet, or sent to another spot on its way
        # both ends are in the frame of the plane
        origin, target = (
            np.array([x * normal[2] + z * normal[0], y, z * normal[2] - x * normal[0]])
            for x, y, z in (walk.origin[first, leg], walk.target[first, leg])
        )
        way = target - origin
        gone = walk.sole[first:last, leg] - origin
        over = gone @ normal
        assert over.min() > -1e-9
        peaks.append(over.max())
        assert np.abs(gone @ np.cross(normal, way)).max() < 1e-7  # in the plane of way and normal
        along = gone @ way / (way @ way)
        assert (np.diff(along) >= -1e-12).all() and along[0] < 0.05 and along[-1] > 0.99
    assert len(peaks) > 15
    delta = 0.5 / 960.0 / SWING
    lowest = 0.14 - 16 * 0.14 * delta**2
    assert min(peaks) > lowest
    if terrain == "flat":
        assert max(peaks) <= 0.14 + 1e-9
    else:  # uphill the clearance just before the foothold asks for a little more
        assert max(peaks) < 0.14 + 0.02 * centipede.leg_length


@pytest.mark.row("C24")
@pytest.mark.parametrize("u", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_the_foot_on_its_way_is_the_line_from_lift_off_to_target_and_a_lift_along_the_normal(centipede, u):
    """UpdateIkTarget: lerp(from, to, q) + normal · H(q) · height, from the kept lift-off point (section 1.5-11)."""
    origin, target = np.array([0.1, 0.2, 0.0]), np.array([0.5, 0.25, 0.1])
    normal = np.array([-0.6, 0.0, 0.8])
    leg = np.zeros((), LEG)
    leg["lift_off"], leg["touchdown"] = 3.0, 3.24
    assert swing_progress(leg, 3.0 + 0.24 * u) == pytest.approx(u)
    found = arc_point(
        centipede.constants.swing[0], tuple(origin), tuple(normal), tuple(target), tuple(normal), 0.14, 0, u, tuple(UP)
    )
    eased = u * u * (3.0 - 2.0 * u)
    np.testing.assert_allclose(
        found, origin + eased * (target - origin) + normal * 0.14 * 16 * u**2 * (1 - u) ** 2, atol=1e-12
    )


@pytest.mark.row("C13")
@pytest.mark.parametrize("terrain", ["flat", "rocks", "jacksboro"])
def test_bones_keep_their_lengths_in_every_frame(walks, terrain):
    lengths = np.linalg.norm(np.diff(walks("centipede", terrain).joints, axis=2), axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to([0.12, 0.20, 0.26], lengths.shape), atol=1e-9)


@pytest.mark.row("C14")
@pytest.mark.parametrize("terrain", ["flat", "rocks", "steps"])
def test_the_solved_foot_is_where_it_stands(walks, terrain):
    walk = walks("centipede", terrain)
    planted = ~walk.swinging
    missed = np.linalg.norm(walk.sole - walk.anchor, axis=-1)[planted]
    print(f"not within 1 mm: {(missed > 1e-3).mean():.2%} of {len(missed)}")
    assert missed.max() < 1e-3


@pytest.mark.row("C15")
@pytest.mark.parametrize("terrain", ["flat", "rocks", "jacksboro"])
def test_knees_point_up_in_nearly_every_frame(walks, terrain):
    assert above_the_line(walks("centipede", terrain)).mean() >= 0.99
