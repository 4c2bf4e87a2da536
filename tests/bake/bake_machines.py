"""Two rigs and their frames, made by hand: bodies that sway over planted and swinging feet."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from footfall.frames import arrays
from footfall.ik.legs import fresh_memory, solve_legs
from footfall.rig import Aim, Camera, Leg, Rig, Solver, Trunk, build_rig
from footfall.state import BODY, FOOT, HEAD, LEG, MOTION, POSE, STEP, Actual, Frame, Joints, Plan, State

CYCLE = 1.2  # [s]
SPEED = 0.6  # [m/s]


@lru_cache
def quadruped() -> Rig:
    """Four legs with pads, three bones each, and pistons from the hull and from bone to bone."""
    legs = tuple(
        Leg(
            f"{side}_{end}", hip=(x, y, -0.05), rest=(1.1 * x, 1.6 * y), segments=(0.5, 0.55, 0.3),
            solver=Solver.three_segment, pole=(1.0, 0.1 * np.sign(y), 0.1), metatarsus=(-0.4, 0.0, 0.9),
            foot_height=0.12, foot_radius=0.12,
        )
        for end, x in (("hind", -0.6), ("fore", 0.6))
        for side, y in (("left", 0.3), ("right", -0.3))
    )  # fmt: skip
    aims = (
        Aim("lift", "hull", (-0.3, 0.3, 0.2), "left_hind/0", (0.2, 0.0, 0.06)),
        Aim("bend", "right_fore/0", (0.3, 0.0, -0.06), "right_fore/1", (0.2, 0.0, -0.06), 0.02),
    )
    cameras = (
        Camera("ahead", "hull", (0.9, 0.0, 0.2), (1.0, 0.2, -0.3)),
        Camera("hull", "hull", (0.0, 0.0, -0.3), (0.0, 0.0, -2.0), (1.0, 0.0, 0.5), 1.2),  # the name of a trunk too
    )
    return build_rig((Trunk("hull", (1.6, 0.7, 0.5)),), legs, 1.05, aims=aims, cameras=cameras)


@lru_cache
def biped() -> Rig:
    """Two legs that end in tips, under a pelvis with a torso on it."""
    legs = tuple(
        Leg(name, hip=(0.0, y, 0.0), rest=(0.0, y), segments=(0.4, 0.5, 0.35), solver=Solver.pantograph,
            pole=(1.0, 0.0, 0.0), trunk="pelvis")
        for name, y in (("left", 0.2), ("right", -0.2))
    )  # fmt: skip
    return build_rig((Trunk("pelvis", (0.3, 0.5, 0.2)), Trunk("torso", (0.5, 0.6, 0.7), (0.0, 0.0, 0.5))), legs, 0.95)


RIGS = {"quadruped": quadruped, "biped": biped}


def walk(rig: Rig, times: np.ndarray, start: float = 0.0, origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
         still: bool = False, agents: int = 1) -> list[Frame]:  # fmt: skip
    """Frames at ``start`` + times [s]: a body that goes ahead, sways, rolls and turns, and legs that step in turn."""
    table, count = rig.leg_table, len(rig.legs)
    memory = fresh_memory(rig, agents)
    frames = []
    for time in np.zeros_like(times) if still else times:
        phase = time / CYCLE
        root = np.array([SPEED * time, 0.0, 0.0]) + origin
        trunks = np.zeros((agents, len(rig.trunks)), POSE)
        turn = 0.05 * np.sin(2.0 * np.pi * phase)
        q = arrays.multiply(
            arrays.about_z(np.array(turn)), np.array([np.cos(0.4 * turn), np.sin(0.4 * turn), 0.0, 0.0])
        )
        trunks["rotation"] = q
        sway = np.array([0.0, 0.02 * np.cos(2.0 * np.pi * phase), rig.stand_height - 0.03 * np.sin(4 * np.pi * phase)])
        trunks["position"] = root + sway
        if len(rig.trunks) > 1:
            trunks["rotation"][:, 1] = arrays.multiply(q, arrays.about_z(np.array(-2.0 * turn)))
            trunks["position"][:, 1] += (0.0, 0.0, 0.15)
        feet, legs = np.zeros((agents, count), FOOT), np.zeros((agents, count), LEG)
        feet["normal"] = (0.0, 0.0, 1.0)
        for leg in range(count):
            cycles = phase + leg / count
            steps, part = int(np.floor(cycles)), cycles - np.floor(cycles)
            stance = 0.75
            swing = max(part - stance, 0.0) / (1.0 - stance)
            stride = SPEED * CYCLE
            spot = stride * (steps - leg / count + 0.5 * stance) + stride * swing**2 * (3.0 - 2.0 * swing)
            feet["sole"][:, leg] = table["rest"][leg] + origin + (spot, 0.0, 0.1 * np.sin(np.pi * swing))
            feet["swinging"][:, leg] = swing > 0.0
            legs["swinging"][:, leg] = swing > 0.0
            legs["touchdowns"][:, leg], legs["steps"][:, leg] = steps, steps + (swing > 0.0)
            legs["touchdown"][:, leg] = start + CYCLE * (steps - leg / count)
            legs["lift_off"][:, leg] = start + CYCLE * (steps + stance - leg / count)
            legs["stood"][:, leg] = table["rest"][leg] + origin + (stride * (steps - leg / count + 0.5 * stance), 0, 0)
        heading = np.tile([1.0, 0.0, 0.0, 0.0], (agents, 1))
        joints, _ = solve_legs(rig, memory, trunks, heading, feet, np.zeros(agents))
        body = np.zeros(agents, BODY)
        body["root_position"], body["root_rotation"] = root, (1.0, 0.0, 0.0, 0.0)
        frames.append(frame_of(start + float(time), body, legs, trunks, feet, joints))
    if still:
        frames = [frame._replace(time=start + float(time)) for frame, time in zip(frames, times, strict=True)]
    return frames


def frame_of(time, body, legs, trunks, feet, joints) -> Frame:
    """A frame of what a bake looks at; the rest is empty."""
    agents, count = legs.shape
    nothing = np.zeros((agents, 0))
    head = np.zeros(agents, HEAD)
    state = State(**{name: nothing for name in State._fields})._replace(legs=legs)
    plan = Plan(np.zeros((agents, count), STEP), trunks, feet)
    return Frame(
        time, state, body, legs, np.zeros(agents, MOTION), plan, Actual(trunks, feet),
        Joints(joints.position.copy(), joints.hinge.copy()), head,
    )  # fmt: skip


def soles_of(rig: Rig, frames: list[Frame]) -> np.ndarray:
    """``[frames, legs, 3]`` of the first agent, z up."""
    last = rig.leg_table["first_joint"] + rig.leg_table["bones"]
    return np.stack([frame.joints.position[0, last] for frame in frames])
