"""``footfall walk --drive joint``: what may be asked of a walk by the joints, and what its numbers are held to."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from footfall.errors import FootfallError

if TYPE_CHECKING:
    from footfall.joint_run import JointRun
    from footfall.machine import Machine
    from footfall.scenario import Scenario
    from footfall.world.terrain import Terrain

#: What holds for torques as for any other cause of motion. Soles slide and hover: physics decides, and it is measured.
LIMITS = ("e_ik_max_mm", "limit_hits", "joint_step_max_deg", "not_finite")
COMMANDS = ("speed", "lateral", "yaw_rate", "gait")


def joint_frames(machine: Machine, options: Namespace) -> float:
    """Frames a second [Hz], where nothing is asked for that a script of joint angles cannot follow.

    Raises:
        FootfallError: a command is asked for, or the machine has no joints to drive.
    """
    from footfall.joint_run import joint_rate

    for name in COMMANDS:
        if getattr(options, name) is not None:
            raise FootfallError(f"--{name.replace('_', '-')}: the joint drive plays its scenario's script")
    if options.jitter > 0.0:
        raise FootfallError("--jitter: frames of the joint drive are whole physics steps")
    rate = joint_rate(machine)
    return rate if options.rate is None else float(options.rate)


def walk_joints(
    machine: Machine, terrain: Terrain, scenario: Scenario, seconds: float, rate: float, options: Namespace
) -> JointRun:
    """The walk; a seed of 0 starts it without noise."""
    from footfall.joint_run import run_joints

    return run_joints(
        machine, terrain, scenario, seconds=seconds, rate=rate, agents=options.agents, seed=options.seed or None
    )


def joint_limits() -> dict[str, float]:
    """What the numbers are held to."""
    from footfall.metrics import DEFAULT_LIMITS

    return {key: DEFAULT_LIMITS[key] for key in LIMITS}
