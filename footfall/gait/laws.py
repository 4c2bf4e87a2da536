"""The laws of a gait: stride, cadence, swing time and stance by speed."""

from __future__ import annotations

from footfall.compile import inline


@inline
def stride_at(gait, speed):
    """Way of the body in one cycle at a speed [m] (row A12)."""
    grown = gait["stride"]
    if gait["stride_growth"] > 0.0:
        grown *= max(speed / gait["stride_reference_speed"], 0.01) ** gait["stride_growth"]
    return min(max(grown, gait["stride_min"]), gait["stride_max"])


@inline
def cadence_at(gait, speed):
    """Cadence at a speed [cycles/s] (row A13)."""
    return min(max(speed / stride_at(gait, speed), gait["cadence_min"]), gait["cadence_max"])


@inline
def swing_time_at(gait, duty, cadence, legs):
    """Time of a swing that begins at a cadence [s].

    A fixed swing time gives way where the limit of feet in the air asks for it (row C12: 0.24 s, but never more than
    4.99 of the 16 steps of the wave).
    """
    if cadence <= 0.0:
        return gait["swing_time_max"] if gait["swing_time"] <= 0.0 else gait["swing_time"]
    if gait["swing_time"] > 0.0:
        time = min(gait["swing_time"], (gait["airborne_limit"] - 0.01) / (legs * cadence))
    else:
        time = min((1.0 - duty) / cadence, gait["swing_time_max"])
    return max(time, gait["swing_time_min"])


@inline
def stance_share(gait, duty, cadence, legs):
    """Share of the cycle on the ground that a leg lifts at the end of."""
    if gait["swing_time"] > 0.0 and cadence > 0.0:
        return min(max(1.0 - swing_time_at(gait, duty, cadence, legs) * cadence, 0.0), 1.0)
    return duty
