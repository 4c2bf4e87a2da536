"""The joint drive: motors turn the joints of the articulated model, by a script of joint angles over the gait's phase.

No foot is planned and nothing is held to the ground: what a foot does there is what the physics makes of the torques.
"""

from footfall.drives.joint.frames import JointFrames
from footfall.drives.joint.phase import JointPhases, PhaseController, joint_phases, joint_targets
from footfall.drives.joint.servo import gain_share, motor_commands
from footfall.drives.joint.simulation import Measured, Simulation
from footfall.drives.joint.start import StartNoise, draw_start_noise

__all__ = [
    "JointFrames",
    "JointPhases",
    "Measured",
    "PhaseController",
    "Simulation",
    "StartNoise",
    "draw_start_noise",
    "gain_share",
    "joint_phases",
    "joint_targets",
    "motor_commands",
]
