"""Landing of feet that physics moves: contact is observed, not assumed.

A foot stands from the tick on in which it has met the ground, on the spot where it was measured. Where its swing is
over and it has not, it waits: it feels for the ground below its foothold, the gait's clock and the root stand still,
and no other foot lifts. After a while it goes back to where it stood, and looks for another foothold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Le

from footfall.arc import step_height, swing_progress
from footfall.compile import inline
from footfall.frames.scalar import distance, load3, store3
from footfall.world.surface_pose import to_surface

Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]


@dataclass(frozen=True)
class Landing:
    """How a foot that physics moves comes to stand. A foot of the kinematic drive is where it is planned to be."""

    early: Annotated[float, Gt(0), Le(1)] = 0.85
    """Progress of a swing from which contact with the ground ends it."""
    press: NotNegative = 2e-3
    """Depth below the ground that a foot about to land aims at, so that it meets it [leg lengths]."""
    depth: NotNegative = 0.01
    """Greatest depth below its foothold at which a foot feels for the ground [leg lengths]."""
    depth_time: Positive = 0.3
    """Time in which it goes that deep [s]."""
    wait_limit: Positive = 2.0
    """A foot that has waited this long goes back to where it stood [s]."""
    settle_time: NotNegative = 0.3
    """Time after contact in which a foot settles: it holds its spot, and does not count as stable [s]."""


@inline
def stand_measured(world, leg, contact, now):
    """The foot stands where it was measured: that is its anchor."""
    leg["swinging"] = 0
    leg["touchdown"] = min(leg["touchdown"], now)
    leg["surface"] = leg["target_surface"]
    store3(leg["anchor"], to_surface(world, leg["surface"], load3(contact["measured"])))
    store3(leg["anchor_normal"], load3(leg["target_normal"]))
    leg["touchdowns"] += 1
    contact["waiting"] = 0
    contact["since"] = now


@inline
def go_back(c, world, leg, contact, now):
    """Give up a foothold that was not there: a new swing, from here to where the foot stood."""
    time = leg["touchdown"] - leg["lift_off"]
    here = load3(contact["measured"])
    store3(leg["origin"], to_surface(world, leg["surface"], here))
    store3(leg["origin_normal"], load3(leg["target_normal"]))
    store3(leg["target"], to_surface(world, leg["surface"], load3(leg["stood"])))
    store3(leg["target_normal"], load3(leg["anchor_normal"]))
    leg["target_surface"] = leg["surface"]
    leg["lift"] = step_height(c.swing[0], distance(here, load3(leg["stood"])))
    leg["steep"] = 0
    leg["lift_off"] = now
    leg["touchdown"] = now + time
    leg["rejected"] += 1
    contact["waiting"] = 0
    contact["given_up"] += 1


@inline
def wait_for_ground(c, world, leg, contact, now, dt):
    """The foot is where it should have landed: it feels for the ground a little deeper."""
    landing = c.landing[0]
    if contact["waiting"] == 0:
        contact["waiting"] = 1
        contact["waited"] = 0.0
        contact["deeper"] = 0.0
    contact["waited"] += dt
    deepest = landing["depth"] * c.machine[0]["leg_length"]
    contact["deeper"] = min(contact["deeper"] + deepest * dt / landing["depth_time"], deepest)
    if contact["waited"] > landing["wait_limit"]:
        go_back(c, world, leg, contact, now)


@inline
def land_feet(c, world, body, legs, contacts, now, dt):
    """End the swings of feet that have met the ground; the others wait for it."""
    body["waiting"] = 0
    for index in range(legs.shape[0]):
        leg = legs[index]
        contact = contacts[index]
        if leg["swinging"] == 0 or leg["held"] != 0:
            continue
        if contact["met"] != 0 and swing_progress(leg, now) >= c.landing[0]["early"]:
            stand_measured(world, leg, contact, now)
        elif leg["touchdown"] <= now - dt:  # it has had a tick to arrive in
            wait_for_ground(c, world, leg, contact, now, dt)
        body["waiting"] = max(body["waiting"], contact["waiting"])


@inline
def depth_below(c, contact, leg, time):
    """How far below its arc a foot aims, to meet the ground for certain [m]."""
    landing = c.landing[0]
    if contact["waiting"] != 0:
        return landing["press"] * c.machine[0]["leg_length"] + contact["deeper"]
    early = landing["early"]
    late = max((swing_progress(leg, time) - early) / max(1.0 - early, 1e-9), 0.0)
    return landing["press"] * c.machine[0]["leg_length"] * late
