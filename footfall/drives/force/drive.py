"""The force drive: rigid bodies chase the plan, and what becomes of it is what was measured.

One tick of one agent: goals from the plan, wrenches from the servos, one frame of physics, contacts. The physics' own
state, contacts and the goals' samples live in ``State.drive``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footfall.drives.force.contact import Flags, anchor_holds, at_rest, contact_valid, stable_feet
from footfall.drives.force.goals import sample_goals, standing_on
from footfall.drives.force.host import Host, Reading
from footfall.drives.force.memory import memory_dtype, memory_of
from footfall.drives.force.settings import Force
from footfall.drives.force.sole import centre_over, project_on_plane, sole_of, sole_velocity, split_speed
from footfall.drives.force.wrench import Wrenches, apply_servos, servo_gains
from footfall.frames import arrays
from footfall.records import Records
from footfall.state import Actual, Array, Plan, State

Owners = NDArray[np.int64]

UP = np.array([0.0, 0.0, 1.0])


class ForceDrive:
    """What executes the plans of one machine on one world; all that it remembers stands in the state."""

    def __init__(self, host: Host, force: Force, leg_length: float, main_trunk: int = 0) -> None:
        """Drive the proxies of a host.

        Args:
            host: physics of this machine's proxies on its world.
            force: settings.
            leg_length: unit of lengths that are given in legs [m].
            main_trunk: index of the trunk that the body's proxy is.
        """
        self.host, self.force, self.main = host, force, main_trunk
        self.proxies = host.proxies
        self.feet = len(host.proxies.feet)
        self.dt = host.proxies.dt
        self.gains = servo_gains(force, self.dt, host.proxies.substeps)
        self.gap = force.contact_gap * leg_length
        self.numbers = len(host.save())
        corners = [[(x, y, 0.0) for x, y in foot.polygon] for foot in host.proxies.feet]
        self.corners = np.array(corners).reshape(self.feet, -1, 3)

    def memory(self, state: State) -> Records:
        """Records ``[agents]`` of what the drive remembers."""
        return memory_of(state.drive, self.feet)

    @property
    def size(self) -> int:
        """Numbers that it remembers of one agent."""
        return memory_dtype(self.numbers, self.feet).itemsize // 8

    def seat(self, state: State, agent: int, time: float) -> None:
        """Place the proxies of an agent that stands at rest: the body at its trunk, the feet on their anchors."""
        memory = self.memory(state)[agent]
        trunk = state.trunks[agent, self.main]
        legs = state.legs[agent]
        normal, sole = legs["anchor_normal"], legs["stood"]
        yaw = float(arrays.yaw(trunk["rotation"]))
        turns = standing_on(normal, np.full(self.feet, yaw))
        centres = centre_over(sole, turns, self.proxies.sole_offsets)
        position, rotation = np.vstack([trunk["position"], centres]), np.vstack([trunk["rotation"], turns])
        self.host.place(position, rotation, np.zeros_like(position))
        memory["host"] = self.host.save()
        for row, place, turn in ((memory["body"], position[0], rotation[0]), (memory["feet"], centres, turns)):
            row["goal"], row["goal_before"], row["turn"], row["turn_before"] = place, place, turn, turn
        feet = memory["feet"]
        feet["planted"], feet["yaw"], feet["contact_time"] = 1.0, yaw, time
        feet["point"], feet["normal"], feet["first_substep"] = sole, normal, 0.0
        memory["body"]["still_since"] = math.inf
        contacts = state.contacts[agent]
        contacts["met"], contacts["measured"], contacts["measured_normal"], contacts["since"] = 1, sole, normal, time

    def act(self, state: State, motion: Records, plan: Plan, actual: Actual, dt: float) -> None:
        """Bring all agents' proxies one tick further, and write what was measured.

        Args:
            state: its drive's memory and contacts are written, and how far the body is from its plan.
            motion: ``MOTION [agents]``.
            plan: for the end of the tick.
            actual: written.
            dt: length of the tick [s]; 0 only measures.
        """
        records = self.memory(state)
        headings, now, up = arrays.yaw(motion["heading"]), motion["time"], motion["up"]
        for agent in range(len(records)):
            memory = records[agent]
            self.host.restore(memory["host"])
            if dt > 0.0:
                reading = self.advance(state, plan, memory, agent, float(headings[agent]), float(now[agent]))
            else:
                reading = self.host.read()
            self.report(plan, actual, reading, agent)
            away = reading.position[0] - plan.trunks[agent, self.main]["position"]
            state.body[agent]["error"] = away - (away @ up[agent]) * up[agent]

    def advance(self, state: State, plan: Plan, memory: Records, agent: int, heading: float, now: float) -> Reading:
        """One frame of physics for one agent."""
        reading = self.host.read()
        feet, legs, contacts = plan.feet[agent], state.legs[agent], state.contacts[agent]
        goals = sample_goals(
            self.force, self.proxies, memory["body"], memory["feet"], reading, plan.trunks[agent, self.main], feet,
            legs, heading, now, self.dt,
        )  # fmt: skip
        carrying = goals.planted & (contacts["met"] != 0)
        supports, owners = self.supports(reading, carrying)
        wrenches = apply_servos(self.force, self.gains, self.proxies, reading, goals, supports, owners)
        self.host.apply(wrenches.forces, wrenches.torques)
        after = self.host.step()
        memory["host"] = self.host.save()
        self.note(memory, contacts, after, wrenches, carrying, len(supports), now)
        return after

    def supports(self, reading: Reading, carrying: Flags) -> tuple[Array, Owners]:
        """Points that carry the body ``[n, 3]`` [m], and the foot of each ``[n]``: soles, or their corners."""
        owners = np.flatnonzero(carrying)
        soles = sole_of(reading.position[1:], reading.rotation[1:], self.proxies.sole_offsets)
        if not self.force.sole_points:
            return soles[owners], owners
        corners = self.corners[owners]
        points = soles[owners][:, None] + arrays.rotate(reading.rotation[1:][owners][:, None], corners)
        return points.reshape(-1, 3), np.repeat(owners, corners.shape[1])

    def note(
        self, memory: Records, contacts: Records, after: Reading, wrenches: Wrenches, carrying: Flags, supports: int,
        now: float,
    ) -> None:  # fmt: skip
        """Remember the contacts of a frame and what was applied in it; judge which feet are stable."""
        body, feet = memory["body"], memory["feet"]
        seen = after.latched > 0
        feet["contact_time"][seen] = now
        feet["point"][seen], feet["normal"][seen] = after.point[seen], after.normal[seen]
        feet["first_substep"] = after.first_substep
        feet["force"], feet["reaction"] = wrenches.servo[1:], -wrenches.shares
        offsets = self.proxies.sole_offsets
        sole = sole_of(after.position[1:], after.rotation[1:], offsets)
        _, gap = project_on_plane(sole, feet["point"], feet["normal"])
        met = contact_valid(now - feet["contact_time"], gap, self.force.contact_window, self.gap)
        across, along = split_speed(
            sole_velocity(after.velocity[1:], after.angular_velocity[1:], after.rotation[1:], offsets), feet["normal"]
        )
        weight = self.proxies.masses[1:, None] * np.array(self.proxies.gravity)
        anchored = anchor_holds(feet["force"] + feet["reaction"] + weight, feet["normal"], self.force.friction)
        stable = stable_feet(met, carrying, anchored, along, across, self.force.still_along, self.force.still_across)
        contacts["met"], contacts["stable"], contacts["slip"] = met, stable, along
        contacts["measured"] = sole
        contacts["measured_normal"] = arrays.rotate(after.rotation[1:], UP)
        contacts["load"] = np.sum(after.force * feet["normal"], axis=-1)
        body["force"], body["torque"], body["asked"] = wrenches.servo[0], wrenches.torques[0], wrenches.asked
        body["residual"], body["supports"] = wrenches.residual, supports
        speed, turn = np.linalg.norm(after.velocity[0]), np.linalg.norm(after.angular_velocity[0])
        body["too_fast"] += float(speed > self.force.body_speed)
        still = at_rest(stable, float(speed), float(turn), self.force.still_body, self.force.still_turn)
        body["still_since"] = min(body["still_since"], now) if still else math.inf

    def report(self, plan: Plan, actual: Actual, reading: Reading, agent: int) -> None:
        """What became of one agent's plan: the body and the soles as they were measured."""
        trunks, planned = actual.trunks[agent], plan.trunks[agent]
        lead = planned[self.main]
        turned = arrays.multiply(reading.rotation[0], arrays.conjugate(lead["rotation"]))
        trunks["position"] = reading.position[0] + arrays.rotate(turned, planned["position"] - lead["position"])
        trunks["rotation"] = arrays.multiply(turned, planned["rotation"])
        trunks["position"][self.main], trunks["rotation"][self.main] = reading.position[0], reading.rotation[0]
        feet = actual.feet[agent]
        feet[:] = plan.feet[agent]
        feet["excess"] = 0.0
        feet["sole"] = sole_of(reading.position[1:], reading.rotation[1:], self.proxies.sole_offsets)
        feet["normal"] = arrays.rotate(reading.rotation[1:], UP)
