"""MuJoCo runs the articulated model of one machine on level ground."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from footfall.articulation import Articulation
from footfall.drives.joint.phase import JointPhases, PhaseController, joint_targets
from footfall.drives.joint.servo import gain_share, motor_commands
from footfall.drives.joint.start import StartNoise
from footfall.errors import FootfallError
from footfall.io.mjcf import foot_name, to_mjcf
from footfall.rig import Rig
from footfall.state import Array


class Measured(NamedTuple):
    """What can be measured of one machine at an instant."""

    position: Array
    """``[3]`` trunk's origin, world [m]."""
    rotation: Array
    """``[4]`` q_world_trunk."""
    velocity: Array
    """``[3]`` of the trunk's origin, world [m/s]."""
    spin: Array
    """``[3]`` of the trunk, trunk frame [rad/s]."""
    angles: Array
    """``[legs, hinges]`` [rad]."""
    feet: Array
    """``[legs, 3]`` centres of the balls, world [m]."""
    load: Array
    """``[legs]`` force of the floor on each foot along its normal [N]."""
    slip: Array
    """``[legs]`` speed of each ball's lowest point along the floor [m/s]."""
    targets: Array
    """``[legs, hinges]`` angles asked for [rad]."""
    phase: float
    """Phase of the gait [cycles]."""


def import_mujoco() -> Any:
    """MuJoCo's module.

    Raises:
        FootfallError: it is not installed.
    """
    try:
        import mujoco
    except ImportError as error:
        if error.name != "mujoco":
            raise
        missing = "the joint drive needs MuJoCo, which is not installed: pip install 'footfall[physics]'"
        raise FootfallError(missing) from None
    return mujoco


class Simulation:
    """One articulated machine, its phase controller and its motors.

    Each command is held for ``articulation.control_steps`` physics steps; the phase moves on after them.
    """

    def __init__(
        self, rig: Rig, articulation: Articulation, controller: PhaseController, phases: JointPhases, name: str
    ) -> None:
        """The model at rest on its start; see ``start``.

        Raises:
            FootfallError: MuJoCo is not installed.
        """
        self.mujoco = mujoco = import_mujoco()
        self.articulation, self.controller, self.phases = articulation, controller, phases
        self.model = mujoco.MjModel.from_xml_string(to_mjcf(rig, articulation, name))
        self.data = mujoco.MjData(self.model)
        self.feet = np.array([self.model.geom(foot_name(leg)).id for leg in rig.leg_names])
        self.foot_radius = self.model.geom_size[self.feet, 0]
        self.steps = 0
        """Physics steps done."""
        self.phase = 0.0
        """Phase of the gait [cycles]."""
        self.targets = phases.rest.copy()
        """``[legs, hinges]`` angles asked for now [rad]."""

    def start(self, place: Array, heading: float, noise: StartNoise | None = None) -> None:
        """Hang the machine over a place with its joints at rest, and add noise to that.

        Args:
            place: x and y, and the ground's height [m]; the model's floor is there.
            heading: [rad]
            noise: none by default.
        """
        data, rest = self.data, self.phases.rest
        self.mujoco.mj_resetData(self.model, data)
        self.model.geom("floor").pos = (0.0, 0.0, place[2])
        data.qpos[:3] = place
        data.qpos[2] += self.articulation.drop_height
        data.qpos[3:7] = (np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading))
        data.qpos[7:] = rest.ravel()
        if noise is not None:
            data.qpos[2] += noise.height
            data.qpos[7:] += noise.angles
            data.qvel[6:] = noise.rates
        self.steps, self.phase, self.targets = 0, 0.0, rest.copy()
        self.mujoco.mj_forward(self.model, data)

    def advance(self, steps: int) -> None:
        """Go on by a number of physics steps."""
        every = self.articulation.control_steps
        end = self.steps + steps
        while self.steps < end:
            if self.steps % every == 0:
                self.command()
            count = min(every - self.steps % every, end - self.steps)
            self.mujoco.mj_step(self.model, self.data, count)
            self.steps += count
            if self.steps % every == 0:
                self.phase = (self.phase + self.controller.frequency * self.articulation.control_interval) % 1.0

    def command(self) -> None:
        """Ask the motors for the angles of this phase; while the machine settles, for those of rest."""
        interval = self.articulation.control_interval
        count = self.steps // self.articulation.control_steps
        settling = count < round(self.controller.settle_time / interval)
        self.targets = self.phases.rest.copy() if settling else joint_targets(self.controller, self.phases, self.phase)
        share = gain_share(self.controller, interval, count)
        angles, rates = self.data.qpos[7:], self.data.qvel[6:]
        self.data.ctrl[:] = motor_commands(self.articulation, share, self.targets.ravel(), angles, rates)

    def measure(self) -> Measured:
        """What can be measured now; forces are those of the last physics step."""
        mujoco, data = self.mujoco, self.data
        load = self.loads()
        mujoco.mj_kinematics(self.model, data)  # a step leaves places behind by one; nothing that moves is touched
        mujoco.mj_comPos(self.model, data)
        mujoco.mj_comVel(self.model, data)
        return Measured(
            data.qpos[:3].copy(), data.qpos[3:7].copy(), data.qvel[:3].copy(), data.qvel[3:6].copy(),
            data.qpos[7:].reshape(self.phases.rest.shape).copy(), data.geom_xpos[self.feet].copy(), load,
            self.slips(), self.targets.copy(), self.phase,
        )  # fmt: skip

    def loads(self) -> Array:
        """``[legs]`` force of the floor on each foot along its normal in the last physics step [N]."""
        load, wrench = np.zeros(len(self.feet)), np.zeros(6)
        contacts = self.data.contact
        for index in range(self.data.ncon):
            for leg in np.flatnonzero(np.isin(self.feet, contacts.geom[index])):
                self.mujoco.mj_contactForce(self.model, self.data, index, wrench)
                load[leg] += wrench[0]
        return load

    def slips(self) -> Array:
        """``[legs]`` speed of each ball's lowest point along the floor [m/s]."""
        slip, twist = np.zeros(len(self.feet)), np.zeros(6)
        for leg, geom in enumerate(self.feet):
            self.mujoco.mj_objectVelocity(self.model, self.data, self.mujoco.mjtObj.mjOBJ_GEOM, geom, twist, 0)
            lowest = twist[3:] + np.cross(twist[:3], (0.0, 0.0, -self.foot_radius[leg]))
            slip[leg] = np.hypot(lowest[0], lowest[1])
        return slip

    def save(self) -> Array:
        """All that the run goes on from, as numbers."""
        kind = self.mujoco.mjtState.mjSTATE_INTEGRATION
        state = np.empty(self.mujoco.mj_stateSize(self.model, kind))
        self.mujoco.mj_getState(self.model, self.data, state, kind)
        return np.concatenate([[float(self.steps), self.phase], self.targets.ravel(), state])

    def restore(self, numbers: Array) -> None:
        """Go back to what ``save`` returned."""
        count = self.targets.size
        self.steps, self.phase = int(numbers[0]), float(numbers[1])
        self.targets = numbers[2 : 2 + count].reshape(self.targets.shape).copy()
        kind = self.mujoco.mjtState.mjSTATE_INTEGRATION
        self.mujoco.mj_setState(self.model, self.data, numbers[2 + count :].copy(), kind)
