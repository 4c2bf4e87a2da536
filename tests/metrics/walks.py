"""Frames built by hand: a machine that is posed, not walked, so that every number is known beforehand."""

from __future__ import annotations

import dataclasses

import numpy as np

from footfall.ik.legs import fresh_memory, solve_legs
from footfall.rig import Hinge, Leg, Rig, Solver, Trunk, build_rig
from footfall.state import BODY, CONTACT, FOOT, HEAD, KNOT, LEG, MOTION, POSE, STEP, Actual, Frame, Plan, State

HEIGHT = 0.8
PLACES = {"left_fore": (0.5, 0.3), "right_fore": (0.5, -0.3), "left_hind": (-0.5, 0.3), "right_hind": (-0.5, -0.3)}
DT = 1.0 / 60.0


def four_legs(solver: Solver = Solver.two_bone) -> Rig:
    """Four legs, alike, at the corners of 1.0 m × 0.6 m."""
    more = {"segments": (0.5, 0.5)}
    if solver == Solver.chain:
        more = {
            "segments": (0.1, 0.5, 0.5),
            "hinges": (Hinge((0.0, 0.0, 1.0), -0.4, 0.4), Hinge((0.0, 1.0, 0.0), -1.5, 1.5, -0.6),
                       Hinge((0.0, 1.0, 0.0), 0.1, 2.5, 1.2)),
            "directions": ((0.0, 0.0, -1.0),) * 3,
        }  # fmt: skip
    legs = tuple(Leg(name, (*place, 0.0), place, solver=solver, **more) for name, place in PLACES.items())
    return build_rig((Trunk("hull", (1.2, 0.6, 0.3)),), legs, HEIGHT)


def mixed_legs() -> Rig:
    """Legs of three and of two bones."""
    legs = [Leg(name, (*place, 0.0), place, (0.5, 0.5)) for name, place in PLACES.items()]
    legs[1] = dataclasses.replace(legs[1], segments=(0.4, 0.4, 0.4), solver=Solver.pantograph)
    return build_rig((Trunk("hull", (1.2, 0.6, 0.3)),), tuple(legs), HEIGHT)


def three_trunks() -> Rig:
    """Six legs on three trunks."""
    legs = tuple(
        Leg(f"{side}_{trunk}", (0.0, y, 0.0), (0.0, y), (0.5, 0.5), trunk=trunk)
        for trunk in ("front", "middle", "rear")
        for side, y in (("left", 0.3), ("right", -0.3))
    )
    return build_rig(tuple(Trunk(name, (0.4, 0.4, 0.2)) for name in ("front", "middle", "rear")), legs, HEIGHT, 0.7)


def flat(points):
    """Flat ground at zero."""
    return np.zeros(len(points))


def fresh(rig: Rig, agents: int = 1) -> State:
    """A state with all feet at rest."""
    legs = np.zeros((agents, len(rig.legs)), LEG)
    legs["lift_off"], legs["touchdown"], legs["surface"] = -1e6, -1e6 + 1.0, -1
    body = np.zeros(agents, BODY)
    body["root_rotation"][:, 0] = 1.0
    trunks = np.zeros((agents, len(rig.trunks)), POSE)
    trunks["position"][..., 0] = rig.trunk_offsets
    trunks["position"][..., 2], trunks["rotation"][..., 0] = HEIGHT, 1.0
    return State(
        body, legs, trunks, np.zeros((agents, 0), KNOT), np.zeros((agents, 4, 3)), fresh_memory(rig, agents),
        np.zeros(agents, HEAD), np.zeros((agents, 0), CONTACT), np.zeros((agents, 0)),
    )  # fmt: skip


def soles_at_rest(rig: Rig, agents: int = 1) -> np.ndarray:
    """``[agents, legs, 3]`` on flat ground."""
    rest = rig.leg_table["rest"].copy()
    rest[:, 0] += rig.trunk_offsets[rig.leg_table["trunk"]]
    return np.broadcast_to(rest, (agents, len(rig.legs), 3)).copy()


def pose(rig: Rig, time: float, *, soles=None, swinging=None, state=None, position=None, rotation=None, planned=None):
    """A frame with goal soles ``[agents, legs, 3]`` that inverse kinematics has solved."""
    agents = 1 if soles is None else len(soles)
    state = fresh(rig, agents) if state is None else state
    agents = len(state.body)
    soles = soles_at_rest(rig, agents) if soles is None else soles
    trunks = state.trunks.copy()
    if position is not None:
        trunks["position"] += np.asarray(position)
    if rotation is not None:
        trunks["rotation"] = rotation
    feet = np.zeros((agents, len(rig.legs)), FOOT)
    feet["sole"], feet["normal"] = soles, (0.0, 0.0, 1.0)
    if swinging is not None:
        feet["swinging"] = swinging
    heading = np.zeros((agents, 4))
    heading[:, 0] = 1.0
    joints, _ = solve_legs(rig, state.memory, trunks, heading, feet, np.zeros(agents))
    motion = np.zeros(agents, MOTION)
    motion["heading"], motion["up"], motion["time"] = heading, (0.0, 0.0, 1.0), time
    motion["root_rotation"] = heading
    plan = feet.copy()
    if planned is not None:
        plan["sole"] = planned
    steps = np.zeros((agents, len(rig.legs)), STEP)
    legs = state.legs.copy()
    legs["swinging"] = feet["swinging"]
    legs["stood"] = np.where(legs["swinging"][..., None] == 0, feet["sole"], legs["stood"])
    state = state._replace(legs=legs)
    return Frame(
        time, state, state.body.copy(), legs, motion, Plan(steps, trunks.copy(), plan), Actual(trunks, feet), joints,
        state.head,
    )  # fmt: skip


def put_joint(rig: Rig, frame: Frame, leg: int, joint: int, place, agent: int = 0) -> None:
    """Move one joint by hand, whatever its bones are then."""
    frame.joints.position[agent, rig.leg_table["first_joint"][leg] + joint] = place


def joint(rig: Rig, frame: Frame, leg: int, number: int, agent: int = 0) -> np.ndarray:
    """One joint's place."""
    return frame.joints.position[agent, rig.leg_table["first_joint"][leg] + number].copy()
