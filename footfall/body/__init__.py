"""The body over its feet: height, level, lean, sway, springs.

The body rides on the plane through the ground under its feet. A planted foot counts where it stands, a swinging one
goes over from its old stance to its new one along with its swing, so the plane never jumps. On top come the motions
of the gait (bob, sway, roll, twist), lean, weight shift, an impact spring, posture, and what is asked for.

One idea a file: ``settings``, the plane of ``support``, ``impact``, ``weight_shift``, ``activity``, ``gait_motion``,
the ``attitude`` that they make, its ``adaptation`` to reach, and ``carry``, the stage.
"""

from footfall.body.carry import carry_body_agent, carry_trunks_agent
from footfall.body.settings import Carriage
from footfall.body.support import support_plane

__all__ = [
    "Carriage",
    "carry_body_agent",
    "carry_trunks_agent",
    "support_plane",
]
