"""Every number, violated by hand: none of them can be zero in silence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from walks import (
    DT,
    HEIGHT,
    flat,
    four_legs,
    fresh,
    joint,
    mixed_legs,
    pose,
    put_joint,
    soles_at_rest,
    three_trunks,
)

from footfall.errors import FootfallError
from footfall.frames.arrays import about_z
from footfall.metrics import AT_LEAST, PACE_LIMITS, Metrics, judge, state_hash, walk_limits
from footfall.metrics.support import hull_margin
from footfall.metrics.tally import histogram, percentile
from footfall.rig import Solver
from footfall.state import COMMAND
from footfall.world import Boxes, Plane, build_world, flat_world, move_surface

KEYS = """slip_max_mm slip_p95_mm penetration_max_mm hover_max_mm reach_excess_max_mm reach_excess_count e_ik_max_mm
e_track_rms_mm e_track_max_mm joint_step_max_deg pole_flips limit_hits airborne_max support_margin_min_m speed_mean
speed_commanded steps rescue_steps rejected_footholds tick_us_median tick_us_p95""".split()


@pytest.fixture(scope="module")
def rig():
    return four_legs()


def measured(rig, frames, **more):
    """Result of frames on flat ground."""
    metrics = Metrics(rig, ground=flat, **more)
    for frame in frames:
        metrics.add(frame)
    return metrics


def moved(rig, leg, offset, agents=1):
    """Soles at rest with one of them moved."""
    soles = soles_at_rest(rig, agents)
    soles[:, leg] += offset
    return soles


def in_the_air(*legs):
    flags = np.zeros((1, 4), np.int64)
    flags[0, list(legs)] = 1
    return flags


def test_a_machine_at_rest_has_no_fault_and_all_keys(rig):
    result = measured(rig, [pose(rig, k * DT) for k in range(4)], speed_commanded=0.0).result()
    assert set(KEYS) <= set(result)
    assert [v.key for v in judge(result) if not v.ok] == ["steps"]
    assert result["slip_max_mm"] == result["joint_step_max_deg"] == result["e_ik_max_mm"] == 0.0
    assert result["planted_share"] == 1.0


def test_slip_is_the_drift_from_where_the_stance_began(rig):
    frames = [pose(rig, k * DT, soles=moved(rig, 2, (0.003 * k, 0.0, 0.0))) for k in range(5)]
    metrics = measured(rig, frames)
    assert metrics.result()["slip_max_mm"] == pytest.approx(12.0)
    assert metrics.peaks()["slip_max_mm"][1:] == (pytest.approx(4 * DT), 0, "left_hind")


def test_slip_counts_drift_that_has_come_back(rig):
    frames = [pose(rig, k * DT, soles=moved(rig, 0, (0.0, 0.007 * (k == 1), 0.0))) for k in range(4)]
    assert measured(rig, frames).result()["slip_max_mm"] == pytest.approx(7.0)


def test_slip_is_of_the_solved_sole_not_of_the_goal(rig):
    frames = [pose(rig, k * DT) for k in range(2)]
    put_joint(rig, frames[1], 1, 2, joint(rig, frames[1], 1, 2) + (0.004, 0.0, 0.0))
    result = measured(rig, frames).result()
    assert result["slip_max_mm"] == pytest.approx(4.0)
    assert result["e_ik_max_mm"] == pytest.approx(4.0)
    assert result["e_track_max_mm"] == 0.0


def test_a_swing_is_no_slip_and_a_new_stance_starts_at_zero(rig):
    air = in_the_air(3)
    frames = [
        pose(rig, 0.0),
        pose(rig, DT, soles=moved(rig, 3, (0.1, 0.0, 0.1)), swinging=air),
        pose(rig, 2 * DT, soles=moved(rig, 3, (0.2, 0.0, 0.0))),
        pose(rig, 3 * DT, soles=moved(rig, 3, (0.202, 0.0, 0.0))),
    ]
    assert measured(rig, frames).result()["slip_max_mm"] == pytest.approx(2.0)


def test_a_swing_between_two_frames_ends_the_stance(rig):
    state = fresh(rig)
    state.legs["lift_off"][0, 1] = 0.5 * DT
    frames = [pose(rig, 0.0), pose(rig, DT, state=state, soles=moved(rig, 1, (0.1, 0.0, 0.0)))]
    assert measured(rig, frames).result()["slip_max_mm"] == 0.0


def test_slip_percentile_is_over_stances(rig):
    """38 stances that slip 1 mm and two that slip 50 mm: 95 % of stances do not exceed 1 mm, 97 % do."""
    metrics = Metrics(rig, ground=flat)
    time = 0.0
    for stance in range(40):
        slip = 0.05 if stance < 2 else 0.001
        for k, air in ((0, 1), (0, 0), (1, 0)):
            soles = soles_at_rest(rig)
            soles[0, :, 0] += slip * k
            metrics.add(pose(rig, time, soles=soles, swinging=np.full((1, 4), air)))
            time += DT
    result = metrics.result()
    assert result["slip_p95_mm"] == pytest.approx(1.0, rel=0.024)
    assert result["slip_max_mm"] == pytest.approx(50.0)


def test_slip_on_a_moving_surface_is_relative_to_it(rig):
    world = build_world([Plane()])
    metrics = Metrics(rig, world)
    state = fresh(rig)
    state.legs["surface"] = 0
    for k in range(3):
        ride = np.array((0.1 * k, 0.0, 0.02 * k))
        if k:
            move_surface(world, 0, ride, (1.0, 0.0, 0.0, 0.0))
        soles = soles_at_rest(rig) + ride
        soles[0, 0, 0] += 0.002 * k
        metrics.add(pose(rig, k * DT, state=state, soles=soles, position=ride))
    result = metrics.result()
    assert result["slip_max_mm"] == pytest.approx(4.0)
    assert result["penetration_max_mm"] < 1e-9
    assert result["hover_max_mm"] < 1e-9


def test_penetration_counts_stance_and_swing(rig):
    stance = measured(rig, [pose(rig, 0.0, soles=moved(rig, 0, (0.0, 0.0, -0.012)))]).result()
    assert stance["penetration_max_mm"] == pytest.approx(12.0)
    swing = measured(rig, [pose(rig, 0.0, soles=moved(rig, 1, (0.0, 0.0, -0.02)), swinging=in_the_air(1))]).result()
    assert swing["penetration_max_mm"] == pytest.approx(20.0)
    assert swing["swing_low_share"] == 1.0


def test_hover_counts_stance_only(rig):
    up = moved(rig, 2, (0.0, 0.0, 0.015))
    assert measured(rig, [pose(rig, 0.0, soles=up)]).result()["hover_max_mm"] == pytest.approx(15.0)
    swing = measured(rig, [pose(rig, 0.0, soles=up, swinging=in_the_air(2))]).result()
    assert swing["hover_max_mm"] == 0.0
    assert swing["lift_max_legs"] == pytest.approx(0.015)  # a leg is 1 m long
    assert swing["swing_low_share"] == 0.0


def test_a_hole_is_no_penetration_and_is_counted(rig):
    metrics = Metrics(rig, ground=lambda points: np.where(points[:, 0] > 0.0, np.nan, 0.0))
    metrics.add(pose(rig, 0.0, soles=moved(rig, 0, (0.0, 0.0, -0.5))))
    result = metrics.result()
    assert result["penetration_max_mm"] == 0.0
    assert result["no_ground_count"] == 2


def test_ground_of_the_world_is_what_is_under_the_hip_not_a_roof(rig):
    world = build_world([Plane(), Boxes(low=np.array([[-9.0, -9.0, 1.5]]), high=np.array([[9.0, 9.0, 1.7]]))])
    metrics = Metrics(rig, world)
    metrics.add(pose(rig, 0.0, soles=moved(rig, 0, (0.0, 0.0, -0.03))))
    assert metrics.result()["penetration_max_mm"] == pytest.approx(30.0)
    assert metrics.result()["hover_max_mm"] == 0.0


def test_reach_beyond_the_chain_is_counted_with_its_excess(rig):
    """The knee's limit is reached before the chain's end; a sole 1.5 m under the hip is 0.5 m beyond the chain."""
    metrics = measured(rig, [pose(rig, k * DT, soles=moved(rig, 1, (0.0, 0.0, HEIGHT - 1.5))) for k in range(3)])
    result = metrics.result()
    assert result["reach_excess_count"] == 3
    assert result["reach_excess_max_mm"] == pytest.approx(500.0)
    assert result["e_ik_max_mm"] == pytest.approx(500.0)


def test_reach_is_found_from_geometry_where_the_solver_reports_nothing(rig):
    frame = pose(rig, 0.0, soles=moved(rig, 1, (0.0, 0.0, HEIGHT - 1.25)))
    frame.actual.feet["excess"] = 0.0
    assert measured(rig, [frame]).result()["reach_excess_max_mm"] == pytest.approx(250.0)


def test_reach_is_found_from_the_solver_where_geometry_shows_nothing(rig):
    frame = pose(rig, 0.0)
    frame.actual.feet["excess"][0, 2] = 2e-6
    result = measured(rig, [frame]).result()
    assert result["reach_excess_count"] == 1
    assert result["reach_excess_max_mm"] == pytest.approx(2e-3)


def test_tracking_error_is_between_actual_and_plan(rig):
    planned = soles_at_rest(rig)
    planned[0, 0] += (0.003, 0.0, 0.004)
    result = measured(rig, [pose(rig, 0.0, planned=planned)]).result()
    assert result["e_track_max_mm"] == pytest.approx(5.0)
    assert result["e_track_rms_mm"] == pytest.approx(2.5)  # one of four legs
    assert result["e_ik_max_mm"] < 1e-9


@pytest.mark.parametrize("angle", [1e-7, 1e-3, 0.5, 3.0])
def test_joint_step_is_the_rotation_of_a_bone_about_its_own_axis_too(rig, angle):
    frames = [pose(rig, 0.0), pose(rig, DT)]
    first = rig.leg_table["first_joint"][2]
    bone = frames[1].joints.position[0, first + 1] - frames[1].joints.position[0, first]
    x, y = bone / np.linalg.norm(bone), frames[1].joints.hinge[0, rig.leg_table["first_bone"][2]]
    frames[1].joints.hinge[0, rig.leg_table["first_bone"][2]] = y * math.cos(angle) + np.cross(x, y) * math.sin(angle)
    metrics = measured(rig, frames)
    assert metrics.result()["joint_step_max_deg"] == pytest.approx(math.degrees(angle), rel=1e-6)
    assert metrics.peaks()["joint_step_max_deg"].leg == "left_hind"


@pytest.mark.parametrize("angle", [1e-7, 0.2, 3.0])
def test_joint_step_counts_the_body(rig, angle):
    frames = [pose(rig, 0.0), pose(rig, DT)]
    frames[1].actual.trunks["rotation"][0, 0] = -about_z(angle)  # q and −q are one rotation
    metrics = measured(rig, frames)
    assert metrics.result()["joint_step_max_deg"] == pytest.approx(math.degrees(angle), rel=1e-6)
    assert metrics.peaks()["joint_step_max_deg"].leg == ""


def test_joint_step_of_a_leg_swung_in_its_plane(rig):
    """A stretched leg swung about its hip turns as far as its sole's direction does."""

    def hanging(angle):
        soles = soles_at_rest(rig)
        hip = np.array([0.5, 0.3, HEIGHT])
        soles[0, 0] = hip + 0.9 * np.array([math.sin(angle), 0.0, -math.cos(angle)])
        return soles

    frames = [pose(rig, k * DT, soles=hanging(0.05 * k)) for k in range(3)]
    assert measured(rig, frames).result()["joint_step_max_deg"] == pytest.approx(math.degrees(0.05), rel=1e-6)


def test_a_knee_on_the_other_side_is_a_flip(rig):
    frames = [pose(rig, k * DT) for k in range(4)]
    for k in (2, 3):
        hip, knee, sole = (joint(rig, frames[k], 1, n) for n in range(3))
        put_joint(rig, frames[k], 1, 1, hip + sole - knee)  # through the middle of hip and sole: lengths are kept
    metrics = measured(rig, frames)
    assert metrics.result()["pole_flips"] == 1


def test_a_flip_through_the_straight_leg_is_a_flip(rig):
    frames = [pose(rig, k * DT) for k in range(3)]
    hip, knee, sole = (joint(rig, frames[0], 1, n) for n in range(3))
    put_joint(rig, frames[1], 1, 1, 0.5 * (hip + sole))
    put_joint(rig, frames[2], 1, 1, hip + sole - knee)
    assert measured(rig, frames).result()["pole_flips"] == 1


def test_a_knee_that_turns_less_than_a_right_angle_is_no_flip(rig):
    def turned(angle):
        frame = pose(rig, angle)
        hip, knee, sole = (joint(rig, frame, 0, n) for n in range(3))
        line = (sole - hip) / np.linalg.norm(sole - hip)
        foot = hip + line * ((knee - hip) @ line)
        across = knee - foot
        put_joint(rig, frame, 0, 1, foot + across * math.cos(angle) + np.cross(line, across) * math.sin(angle))
        return frame

    assert measured(rig, [turned(0.0), turned(math.radians(89.0))]).result()["pole_flips"] == 0
    assert measured(rig, [turned(0.0), turned(math.radians(91.0))]).result()["pole_flips"] == 1


def test_a_nearly_straight_leg_has_no_side(rig):
    frames = [pose(rig, k * DT) for k in range(2)]
    for k, side in ((0, 1.0), (1, -1.0)):
        hip, sole = joint(rig, frames[k], 0, 0), joint(rig, frames[k], 0, 2)
        put_joint(rig, frames[k], 0, 1, 0.5 * (hip + sole) + np.array([side * 0.019, 0.0, 0.0]))
    assert measured(rig, frames).result()["pole_flips"] == 0


def bent_to(rig, frame, leg, angle):
    """Place a sole so that the knee's interior angle is this."""
    hip, knee = joint(rig, frame, leg, 0), joint(rig, frame, leg, 1)
    thigh = (hip - knee) / np.linalg.norm(hip - knee)
    across = np.cross(thigh, frame.joints.hinge[0, rig.leg_table["first_bone"][leg]])
    put_joint(rig, frame, leg, 2, knee + 0.5 * (math.cos(angle) * thigh + math.sin(angle) * across))


@pytest.mark.parametrize(("angle", "hits"), [(0.35 + 1e-9, 0), (0.35 - 1e-5, 1), (3.0 - 1e-9, 0), (3.0 + 1e-5, 1)])
def test_a_knee_outside_its_limits_is_a_hit(rig, angle, hits):
    frame = pose(rig, 0.0)
    bent_to(rig, frame, 3, angle)
    assert measured(rig, [frame]).result()["limit_hits"] == hits


def test_knee_step_and_rate_are_of_the_interior_angle(rig):
    frames = [pose(rig, 0.0), pose(rig, 0.02)]
    bent_to(rig, frames[0], 1, 2.0)
    bent_to(rig, frames[1], 1, 2.1)
    result = measured(rig, frames).result()
    assert result["knee_step_max_deg"] == pytest.approx(math.degrees(0.1))
    assert result["knee_rate_max_deg_s"] == pytest.approx(math.degrees(5.0))


def chain_pose(rig, angles):
    """A frame of chain legs with these hinge angles, by rotation matrices alone."""
    frame = pose(rig, 0.0)

    def about(axis, angle):
        x, y, z = axis
        k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)

    leg = rig.leg_table[1]
    place, q = joint(rig, frame, 1, 0), np.eye(3)
    for bone, angle in enumerate(angles):
        segment = rig.segment_table[leg["first_segment"] + bone]
        q = q @ about(segment["axis"], angle)
        place = place + segment["length"] * (q @ segment["direction"])
        put_joint(rig, frame, 1, bone + 1, place)
        frame.joints.hinge[0, leg["first_bone"] + bone] = q @ segment["across"]
    return frame


@pytest.mark.parametrize(
    ("angles", "hits"),
    [
        ((0.1, -0.6, 1.2), 0),
        ((0.4, -1.5, 2.5), 0),
        ((-0.4, 1.5, 0.1), 0),
        ((0.4 + 1e-5, -0.6, 1.2), 1),
        ((0.1, -1.5 - 1e-5, 1.2), 1),
        ((0.1, -0.6, 0.1 - 1e-5), 1),
        ((0.1, -0.6, 2.5 + 1e-5), 1),
        ((0.1, -0.6, -1.2), 1),
    ],
)
def test_a_hinge_of_a_chain_outside_its_limits_is_a_hit(angles, hits):
    rig = four_legs(Solver.chain)
    assert measured(rig, [chain_pose(rig, angles)]).result()["limit_hits"] == hits


def test_a_bone_that_turns_about_what_is_no_hinge_is_a_hit():
    rig = four_legs(Solver.chain)
    frame = chain_pose(rig, (0.1, -0.6, 1.2))
    leg = rig.leg_table[1]
    first = leg["first_joint"] + 2
    x = frame.joints.position[0, first + 1] - frame.joints.position[0, first]
    x /= np.linalg.norm(x)
    y = frame.joints.hinge[0, leg["first_bone"] + 2]
    frame.joints.hinge[0, leg["first_bone"] + 2] = y * math.cos(0.01) + np.cross(x, y) * math.sin(0.01)
    assert measured(rig, [frame]).result()["limit_hits"] == 1


def test_solved_chains_keep_their_limits():
    rig = four_legs(Solver.chain)
    frames = [pose(rig, k * DT, soles=moved(rig, 0, (0.02 * k, 0.005 * k, 0.01 * k))) for k in range(8)]
    result = measured(rig, frames).result()
    assert result["limit_hits"] == result["reach_excess_count"] == 0


def test_feet_in_the_air_are_counted_at_once(rig):
    frames = [pose(rig, 0.0, swinging=in_the_air(0)), pose(rig, DT, swinging=in_the_air(1, 3)), pose(rig, 2 * DT)]
    result = measured(rig, frames).result()
    assert result["airborne_max"] == 2
    assert result["planted_share"] == pytest.approx(0.75)
    assert not dict((v.key, v.ok) for v in judge(result, walk_limits(1)))["airborne_max"]
    assert dict((v.key, v.ok) for v in judge(result, walk_limits(2)))["airborne_max"]


@pytest.mark.parametrize(
    ("position", "air", "margin"),
    [
        ((0.0, 0.0, 0.0), (), 0.3),  # to the long sides
        ((0.35, 0.1, 0.0), (), 0.15),  # to the front
        ((0.6, 0.0, 0.0), (), -0.1),
        ((0.504, 0.304, 0.0), (), -math.hypot(0.004, 0.004)),  # to the corner
        ((0.0, 0.0, 0.0), (0,), 0.0),  # on the diagonal
        ((0.2, 0.12, 0.0), (1, 2), 0.0),  # along the diagonal of two feet
        ((0.0, 0.0, 0.0), (0, 1), -0.5),
        ((0.0, 0.0, 0.0), (0, 1, 2), -math.hypot(0.5, 0.3)),
    ],
)
def test_support_margin_is_the_distance_inside_the_hull(rig, position, air, margin):
    result = measured(rig, [pose(rig, 0.0, position=position, swinging=in_the_air(*air))]).result()
    assert result["support_margin_min_m"] == pytest.approx(margin, abs=1e-12)


def test_support_margin_without_a_foot_on_the_ground_is_none(rig):
    result = measured(rig, [pose(rig, 0.0, swinging=in_the_air(0, 1, 2, 3))]).result()
    assert result["support_margin_min_m"] is None
    assert result["airborne_max"] == 4


def test_hull_margin_agrees_with_half_planes():
    """Against brute force: a point is inside where it is left of every edge that has all points on its left."""
    rng = np.random.default_rng(7)
    for _ in range(300):
        count = int(rng.integers(3, 9))
        points = np.round(rng.normal(size=(count, 2)), 1) + rng.normal(size=2) * 0.7
        edges = []
        for a in points:
            for b in points:
                d = b - a
                if d @ d > 0 and all(d[0] * (c - a)[1] - d[1] * (c - a)[0] >= -1e-12 for c in points):
                    edges.append((a, b))
        inside = all((b - a)[0] * -a[1] - (b - a)[1] * -a[0] >= 0 for a, b in edges)
        away = min(np.linalg.norm(a + np.clip(-(a @ (b - a)) / ((b - a) @ (b - a)), 0, 1) * (b - a)) for a, b in edges)
        x, y = points[:, 0].copy(), points[:, 1].copy()
        found = hull_margin(x, y, count, np.zeros(2 * count + 2, np.int64))
        assert found == pytest.approx(away if inside else -away, abs=1e-12)


@pytest.mark.parametrize("speed", [0.8, -0.5])
def test_speed_is_the_way_along_the_heading_with_its_sign(rig, speed):
    frames = [pose(rig, k * DT, position=(speed * k * DT, 0.0, 0.01 * k)) for k in range(10)]
    assert measured(rig, frames).result()["speed_mean"] == pytest.approx(speed)


def test_speed_in_a_circle_is_along_the_turning_heading(rig):
    """Radius 2 m at 0.6 m/s; a step's chord along the mean heading is 2 r sin(Δ / 2)."""
    turn = 0.6 / 2.0 * DT
    frames = []
    for k in range(400):
        frame = pose(rig, k * DT, position=(2.0 * math.sin(turn * k), 2.0 - 2.0 * math.cos(turn * k), 0.0))
        frame.motion["heading"] = about_z(turn * k)
        frames.append(frame)
    assert measured(rig, frames).result()["speed_mean"] == pytest.approx(4.0 * math.sin(turn / 2) / DT, rel=1e-9)


def test_commanded_speed_is_its_mean_over_time(rig):
    metrics = Metrics(rig, ground=flat)
    for time, speed in ((0.0, 9.0), (1.0, 1.0), (3.0, 0.4)):
        command = np.zeros(1, COMMAND)
        command["speed"] = speed
        metrics.add(pose(rig, time), command)
    assert metrics.result()["speed_commanded"] == pytest.approx((1.0 * 1.0 + 2.0 * 0.4) / 3.0)
    assert Metrics(rig, ground=flat, speed_commanded=1.5).result()["speed_commanded"] == 1.5


def test_steps_are_counted_over_agents_and_from_a_given_state(rig):
    state = fresh(rig, 2)
    state.legs["steps"], state.legs["rescues"], state.legs["rejected"] = 3, 1, 2
    frame = pose(rig, 0.0, state=state)
    result = measured(rig, [frame]).result()
    assert (result["steps"], result["rescue_steps"], result["rejected_footholds"]) == (24, 8, 16)
    assert result["rescue_share"] == 8 / 24
    result = measured(rig, [frame], since=state).result()
    assert (result["steps"], result["rescue_steps"], result["rejected_footholds"]) == (0, 0, 0)
    assert result["rescue_share"] == 0.0


def test_cost_of_ticks_is_median_and_percentile(rig):
    metrics = Metrics(rig, ground=flat)
    for k in range(1, 102):
        metrics.add_tick_time(k * 1e-6)
    result = metrics.result()
    assert result["tick_us_median"] == pytest.approx(51.0)
    assert result["tick_us_p95"] == pytest.approx(96.0)


def test_a_foot_that_snaps_shows_as_acceleration(rig):
    """Thrown up with 6 m/s², seen at three instants: the second difference is the acceleration."""
    air = in_the_air(0)
    frames = [pose(rig, k * DT, soles=moved(rig, 0, (0, 0, 3.0 * (k * DT) ** 2)), swinging=air) for k in range(4)]
    result = measured(rig, frames).result()
    assert result["sole_acceleration_max_legs"] == pytest.approx(6.0, rel=1e-6)
    assert result["sole_acceleration_p95_legs"] == pytest.approx(6.0, rel=0.03)
    assert result["sole_speed_max_legs"] == pytest.approx(3.0 * DT * (9 - 4), rel=1e-6)


def test_a_foot_that_slams_shows_as_acceleration(rig):
    frames = [pose(rig, k * DT, soles=moved(rig, 0, (0, 0, 0.03 - 0.01 * k)), swinging=in_the_air(0)) for k in range(3)]
    frames += [pose(rig, k * DT, soles=moved(rig, 0, (0, 0, 0.01))) for k in (3, 4)]
    assert measured(rig, frames).result()["sole_acceleration_max_legs"] == pytest.approx(0.01 / DT**2, rel=1e-6)


def test_a_hull_that_jerks_shows_as_acceleration_jerk_and_spin(rig):
    frames = [pose(rig, k * DT, position=(0.0, 0.0, 0.02 * (k >= 4))) for k in range(8)]
    for k, frame in enumerate(frames):
        frame.actual.trunks["rotation"][0, 0] = about_z(0.01 * (k >= 4))
    result = measured(rig, frames).result()
    assert result["body_acceleration_max_legs"] == pytest.approx(0.02 / DT**2, rel=1e-6)
    assert result["body_jerk_max_legs"] == pytest.approx(0.04 / DT**3, rel=1e-6)
    assert result["body_spin_max_deg_s2"] == pytest.approx(math.degrees(0.01 / DT**2), rel=1e-6)


def test_what_is_no_number_is_counted_and_falls_short(rig):
    frame = pose(rig, 0.0)
    put_joint(rig, frame, 1, 1, (np.nan, 0.0, 0.0))
    result = measured(rig, [frame]).result()
    assert result["not_finite"] == 1
    assert not dict((v.key, v.ok) for v in judge(result))["not_finite"]
    assert all(value is None or math.isfinite(value) for value in result.values())
    frame = pose(rig, 0.0)
    frame.actual.trunks["position"][0, 0, 1] = np.inf
    assert measured(rig, [frame]).result()["not_finite"] == 1


def test_a_break_takes_no_difference_across_it(rig):
    metrics = Metrics(rig, ground=flat)
    metrics.add(pose(rig, 0.0))
    metrics.break_off()
    metrics.add(pose(rig, DT, position=(5.0, 0.0, 0.0), soles=soles_at_rest(rig) + (5.0, 0.0, 0.0)))
    result = metrics.result()
    assert result["slip_max_mm"] == result["speed_mean"] == result["sole_speed_max_legs"] == 0.0


def test_latched_agents_are_counted(rig):
    state = fresh(rig, 2)
    state.body["latched"][1] = 1
    assert measured(rig, [pose(rig, 0.0, state=state)]).result()["latched_ticks"] == 1


@pytest.mark.parametrize("make", [four_legs, mixed_legs, three_trunks])
def test_a_crowd_is_the_sum_of_its_agents_alone(make):
    rig = make()
    legs, agents = len(rig.legs), 5
    rng = np.random.default_rng(3)
    crowd, alone = Metrics(rig, flat_world()), [Metrics(rig, flat_world()) for _ in range(agents)]
    for k in range(12):
        soles = soles_at_rest(rig, agents) + rng.normal(size=(agents, legs, 3)) * 0.02
        air = rng.integers(0, 2, size=(agents, legs))
        crowd.add(pose(rig, k * DT, soles=soles, swinging=air))
        for agent, metrics in enumerate(alone):
            metrics.add(pose(rig, k * DT, soles=soles[agent : agent + 1], swinging=air[agent : agent + 1]))
    together, single = crowd.result(), [metrics.result() for metrics in alone]
    for key in together:
        if key.startswith(("tick", "speed_comm", "speed_share", "seconds", "frames")):
            continue
        values = [result[key] for result in single]
        if "_max" in key:
            assert together[key] == max(values), key
        elif "_min" in key:
            assert together[key] == min(values), key
        elif key in ("planted_share", "speed_mean"):
            assert together[key] == pytest.approx(np.mean(values)), key
        elif key == "e_track_rms_mm":
            assert together[key] == pytest.approx(math.sqrt(np.mean(np.square(values)))), key
        elif "p95" not in key and not key.endswith("_share"):
            assert together[key] == sum(values), key
    spread = sum(metrics.tally.spreads for metrics in alone)
    assert (crowd.tally.spreads == spread).all()


def test_another_number_of_agents_is_refused(rig):
    metrics = measured(rig, [pose(rig, 0.0)])
    with pytest.raises(FootfallError, match="2 agents"):
        metrics.add(pose(rig, DT, state=fresh(rig, 2)))


def test_of_several_trunks_the_middle_one_is_the_body():
    rig = three_trunks()
    frames = [pose(rig, k * DT) for k in range(2)]
    frames[1].actual.trunks["position"][0, 1] += (0.1, 0.0, 0.0)
    assert measured(rig, frames).result()["speed_mean"] == pytest.approx(0.1 / DT)


def test_histograms_give_percentiles_to_a_bin():
    rng = np.random.default_rng(1)
    values = 10.0 ** rng.uniform(-6, 1, 5000)
    assert percentile(histogram(values), 0.95) == pytest.approx(np.percentile(values, 95), rel=0.03)
    assert percentile(histogram(np.zeros(10)), 0.95) == 0.0
    assert percentile(histogram(np.zeros(0)), 0.95) == 0.0


def test_every_limit_can_be_missed():
    limits = walk_limits(**PACE_LIMITS)
    good = {key: 0.0 for key in limits} | {"steps": 5, "speed_share": 0.9}
    assert all(verdict.ok for verdict in judge(good, limits))
    for key, limit in limits.items():
        bad = limit * 0.99 if key in AT_LEAST else limit * 1.01 + 1e-9
        for value in (bad, None, math.nan):
            missed = [verdict.key for verdict in judge({**good, key: value}, limits) if not verdict.ok]
            assert missed == [key]
        missing = {k: v for k, v in good.items() if k != key}
        assert [verdict.key for verdict in judge(missing, limits) if not verdict.ok] == [key]


def test_state_hash_sees_every_value_and_no_padding(rig):
    state, other = fresh(rig, 2), fresh(rig, 2)
    assert state_hash(state) == state_hash(other) == state_hash(state.copy())
    seen = {state_hash(state)}
    for name in ("body", "legs", "trunks", "head"):
        for field in getattr(state, name).dtype.names:
            changed = state.copy()
            values = getattr(changed, name)[field]
            values[(-1,) * values.ndim] += 1
            seen.add(state_hash(changed))
    assert len(seen) == 1 + sum(len(getattr(state, n).dtype.names) for n in ("body", "legs", "trunks", "head"))
    padded = np.dtype({"names": ["a", "b"], "formats": ["u1", "f8"], "offsets": [0, 8], "itemsize": 16})
    one, two = np.zeros(1, padded), np.frombuffer(b"\xff" * 16, padded).copy()
    two["a"], two["b"] = 0, 0.0
    assert state_hash(state._replace(body=one)) == state_hash(state._replace(body=two))
