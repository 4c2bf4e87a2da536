"""The weight goes over the feet that carry."""

from __future__ import annotations

from footfall.compile import inline
from footfall.gait import leg_phase, stance_share
from footfall.spring import follower, ring


@inline
def shift_weight(c, body, legs, dt):
    """Lean over the feet that carry: towards the middle of where they rest.

    The body follows with a lag of the time constant, so it goes by the legs that will be in the air that much later
    in the gait: it is over the others when a foot lifts.
    """
    settings = c.carriage[0]
    count = legs.shape[0]
    cadence = body["cadence"]
    lifts_at = stance_share(c.gaits[body["gait"]], body["duty"], cadence, count)
    later = body["phase"] + cadence * settings["weight_shift_time"]
    x = 0.0
    y = 0.0
    all_x = 0.0
    all_y = 0.0
    planted = 0
    for index in range(count):
        rest = c.legs[index]["rest"]
        all_x += rest[0] / count
        all_y += rest[1] / count
        if leg_phase(later, legs[index]["phase_offset"]) < lifts_at:
            x += rest[0]
            y += rest[1]
            planted += 1
    share = settings["weight_shift"] * body["amplitude"]
    if planted > 0:
        x = share * (x / planted - all_x)
        y = share * (y / planted - all_y)
    matrix = follower(settings["weight_shift_time"], dt)
    for axis in range(2):
        target = x if axis == 0 else y
        away, rate = ring(matrix, body["weight_shift"][axis] - target, body["weight_shift_rate"][axis])
        body["weight_shift"][axis] = target + away
        body["weight_shift_rate"][axis] = rate
