"""Motors as servos: a command from how far a joint is off its target, and how fast it turns (PD)."""

from __future__ import annotations

import numpy as np

from footfall.articulation import Articulation
from footfall.drives.joint.phase import PhaseController
from footfall.state import Array


def gain_share(controller: PhaseController, interval: float, count: int) -> float:
    """Share of the position gain for the command after ``count`` others, which hold for ``interval`` [s] each."""
    start = controller.ramp_start
    ramp = round(controller.ramp_time / interval)
    return 1.0 if count >= ramp else start + (1.0 - start) * (count + 1) / ramp


def motor_commands(articulation: Articulation, share: float, targets: Array, angles: Array, rates: Array) -> Array:
    """Commands of the motors, from -1 to 1: share · k_p (target − angle) − k_d rate.

    Args:
        articulation: has the gains.
        share: of the position gain.
        targets: ``[...]`` [rad].
        angles: ``[...]`` measured [rad].
        rates: ``[...]`` measured [rad/s].
    """
    wish = share * articulation.position_gain * (targets - angles) - articulation.velocity_gain * rates
    return np.asarray(np.clip(wish, -1.0, 1.0))
