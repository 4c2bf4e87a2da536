"""Actions: what a machine does over its walk while its gait rests."""

from __future__ import annotations

from footfall.compile import inline


@inline
def choose_action_agent(c, body, legs, command, dt):
    """Kneel or stand up, with all feet on the ground and the gait at rest."""
    still = body["velocity"][0] == 0.0 and body["velocity"][1] == 0.0 and body["yaw_rate"] == 0.0
    still = still and body["cadence"] == 0.0
    target = 1.0 if command["kneel"] > 0.5 and c.carriage[0]["kneel_height"] > 0.0 else 0.0
    step = dt / c.carriage[0]["kneel_time"]
    for index in range(legs.shape[0]):
        still = still and legs[index]["swinging"] == 0
    if target < body["kneel"] or still:
        body["kneel"] += min(max(target - body["kneel"], -step), step)
