"""Every part is where its joints say, in the world and in the frame of what carries it."""

from __future__ import annotations

import numpy as np
import pytest

from footfall.frames import arrays
from footfall.machine import load_machine
from footfall.pose import BONE, PISTON, SOLE, TRUNK, part_table, pose_parts
from footfall.rig import Aim, Leg, Solver, Trunk, build_rig
from footfall.state import POSE, Joints

MACHINES = ["biped", "centipede", "quadruped", "spider"]


def matrix(q: np.ndarray) -> np.ndarray:
    """Matrices ``[..., 3, 3]`` of quaternions, by rotating the axes."""
    return np.stack([arrays.rotate(q, np.broadcast_to(axis, (*q.shape[:-1], 3))) for axis in np.eye(3)], axis=-1)


def random_pose(rig, agents=5, seed=3):
    """Trunks turned and placed at random, bones of the right lengths in random directions from their hips."""
    rng = np.random.default_rng(seed)

    def unit(shape):
        vectors = rng.normal(size=shape)
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

    trunks = np.zeros((agents, len(rig.trunks)), POSE)
    trunks["position"], trunks["rotation"] = rng.normal(size=trunks.shape + (3,)) * 5, unit(trunks.shape + (4,))
    position, hinge = np.zeros((agents, rig.joint_count, 3)), np.zeros((agents, rig.bone_count, 3))
    for leg, row in zip(rig.legs, rig.leg_table, strict=True):
        trunk = trunks[:, row["trunk"]]
        spot = trunk["position"] + arrays.rotate(trunk["rotation"], np.broadcast_to(row["hip"], (agents, 3)))
        position[:, row["first_joint"]] = spot
        for bone, length in enumerate([*leg.segments, leg.foot_height][: row["bones"]]):
            along = unit((agents, 3))
            across = np.cross(along, unit((agents, 3)))
            hinge[:, row["first_bone"] + bone] = across / np.linalg.norm(across, axis=-1, keepdims=True)
            spot = spot + length * along
            position[:, row["first_joint"] + bone + 1] = spot
    return trunks, Joints(position, hinge)


@pytest.fixture(scope="module", params=MACHINES)
def posed(request):
    rig = load_machine(request.param).rig
    trunks, joints = random_pose(rig)
    return rig, trunks, joints, part_table(rig), pose_parts(rig, trunks, joints)


@pytest.mark.row("A29")
def test_parts_in_their_parents_compose_to_the_world(posed):
    _, _, _, table, parts = posed
    position, rotation = np.empty_like(parts.position_world), np.empty(parts.rotation_world.shape[:2] + (3, 3))
    local = matrix(parts.rotation_parent)
    for part, parent in enumerate(table.parents):
        assert parent < part
        if parent < 0:
            position[:, part], rotation[:, part] = parts.position_parent[:, part], local[:, part]
            continue
        turn = rotation[:, parent]
        position[:, part] = position[:, parent] + np.einsum("aij,aj->ai", turn, parts.position_parent[:, part])
        rotation[:, part] = turn @ local[:, part]
    assert np.abs(position - parts.position_world).max() < 1e-9
    assert np.abs(rotation - matrix(parts.rotation_world)).max() < 1e-9


@pytest.mark.row("A29")
def test_bones_are_where_the_joints_say_whatever_carries_them(posed):
    rig, trunks, joints, table, parts = posed
    axes = matrix(parts.rotation_world)
    for row in rig.leg_table:
        for bone in range(row["bones"]):
            part = len(rig.trunks) + row["first_bone"] + bone
            start, end = (
                joints.position[:, row["first_joint"] + bone],
                joints.position[:, row["first_joint"] + bone + 1],
            )
            x = (end - start) / np.linalg.norm(end - start, axis=-1, keepdims=True)
            y = joints.hinge[:, row["first_bone"] + bone]
            target = np.stack([x, y, np.cross(x, y)], axis=-1)
            assert np.abs(axes[:, part] - target).max() < 1e-9
            assert np.abs(parts.position_world[:, part] - start).max() < 1e-9
        first = len(rig.trunks) + row["first_bone"]
        assert table.parents[first] == row["trunk"]
        assert np.abs(parts.position_parent[:, first] - row["hip"]).max() < 1e-9
    assert np.array_equal(parts.position_world[:, : len(rig.trunks)], trunks["position"])


def test_all_but_trunks_sit_at_a_constant_place_of_their_parents(posed):
    _, _, _, table, parts = posed
    fixed = table.kinds != TRUNK
    assert np.abs(parts.position_parent[:, fixed] - table.anchors[fixed]).max() < 1e-9


def test_soles_end_the_legs_and_point_up_along_the_last_bone(posed):
    rig, _, joints, table, parts = posed
    soles = np.flatnonzero(table.kinds == SOLE)
    assert tuple(table.names[part] for part in soles) == tuple(f"{leg}_sole" for leg in rig.leg_names)
    last = rig.leg_table["first_joint"] + rig.leg_table["bones"]
    assert np.abs(parts.position_world[:, soles] - joints.position[:, last]).max() < 1e-9
    up = matrix(parts.rotation_world)[:, soles][..., 2]
    along = joints.position[:, last - 1] - joints.position[:, last]
    assert np.abs(up - along / np.linalg.norm(along, axis=-1, keepdims=True)).max() < 1e-9


@pytest.mark.row("D22")
def test_both_ends_of_every_piston_stay_on_their_anchors():
    rig = load_machine("quadruped").rig
    trunks, joints = random_pose(rig, agents=40)
    table, parts = part_table(rig), pose_parts(rig, trunks, joints)
    turns = matrix(parts.rotation_world)
    assert sum(aim.base_part == "hull" for aim in rig.aims) == 4
    assert sum(aim.base_part != "hull" for aim in rig.aims) == 3

    def anchor(name, point):
        part = table.names.index(name)
        return parts.position_world[:, part] + np.einsum("aij,j->ai", turns[:, part], np.array(point))

    for aim in rig.aims:
        cylinder, rod = (table.names.index(f"{aim.name}_{half}") for half in ("cylinder", "rod"))
        base, end = anchor(aim.base_part, aim.base), anchor(aim.end_part, aim.end)
        apart = np.linalg.norm(end - base, axis=-1, keepdims=True)
        assert np.abs(parts.position_world[:, cylinder] - base).max() < 1e-6
        assert np.abs(parts.position_world[:, rod] - end).max() < 1e-6
        # from either anchor, the other one lies on the half's own x axis
        assert np.abs(base + apart * turns[:, cylinder, :, 0] - end).max() < 1e-6
        assert np.abs(end + apart * turns[:, rod, :, 0] - base).max() < 1e-6


def test_a_batch_is_its_agents_alone(posed):
    rig, trunks, joints, table, parts = posed
    for agent in range(len(trunks)):
        one = slice(agent, agent + 1)
        alone = pose_parts(rig, trunks[one], Joints(joints.position[one], joints.hinge[one]), table)
        for whole, single in zip(parts, alone, strict=True):
            assert np.array_equal(whole[one], single)


@pytest.mark.nojit
def test_degenerate_parts_stay_finite():
    leg = Leg("leg", (0.0, 0.0, 0.0), (0.0, 0.0), (1.0, 1.0), solver=Solver.two_bone)
    aim = Aim("piston", "hull", (0.0, 0.0, 0.0), "leg/0", (0.0, 0.0, 0.0))  # both ends in one place
    rig = build_rig((Trunk("hull", (1.0, 1.0, 1.0)),), (leg,), 1.8, aims=(aim,))
    trunks = np.zeros((1, 1), POSE)
    trunks["rotation"] = (1.0, 0.0, 0.0, 0.0)
    parts = pose_parts(rig, trunks, Joints(np.zeros((1, 3, 3)), np.zeros((1, 2, 3))))
    table = part_table(rig)
    assert all(np.isfinite(array).all() for array in parts)
    assert np.allclose(np.linalg.norm(parts.rotation_world, axis=-1), 1.0)
    assert list(table.kinds) == [TRUNK, BONE, BONE, SOLE, PISTON, PISTON]
