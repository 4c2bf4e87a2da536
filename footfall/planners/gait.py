"""The gait planner: one step of a procedural walk, from schedule to body."""

from __future__ import annotations

from footfall.arc import lift_share, move_share, swing_progress
from footfall.body import carry_body_agent, carry_trunks_agent
from footfall.compile import inline
from footfall.foothold import find_footholds_agent
from footfall.frames.scalar import add, load3, load4, rotate, store3
from footfall.gait import frac, leg_phase, schedule_agent, stance_share, stride_at
from footfall.swing import place_feet_agent


@inline
def landings(legs, start, now):
    """Feet that touched down within (start, now]."""
    count = 0
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["touchdowns"] > 0 and start < leg["touchdown"] <= now and leg["swinging"] == 0:
            count += 1
    return count


@inline
def loop_feet(c, body, legs, trunks, feet, motion):
    """Feet that play one fixed loop in their trunk's frame: the comparison that ignores the ground (row C2)."""
    swing = c.swing[0]
    gait = c.gaits[body["gait"]]
    for index in range(legs.shape[0]):
        rig = c.legs[index]
        if rig["fixed_loop"] == 0:
            continue
        leg = legs[index]
        share = stance_share(gait, body["duty"], body["cadence"], legs.shape[0])
        half = 0.5 * share * stride_at(gait, gait["stride_reference_speed"])
        height = 0.0
        if leg["swinging"] != 0:
            u = swing_progress(leg, motion["time"])
            along = -half + 2.0 * half * move_share(swing, u, 0)
            height = swing["height"] * lift_share(swing, u)
        else:
            past = frac(leg_phase(body["phase"], leg["phase_offset"])) / max(share, 1e-9)
            along = half - 2.0 * half * min(past, 1.0)
        trunk = trunks[rig["trunk"]]
        rest = load3(rig["rest"])
        local = (rest[0] + along, rest[1], height - c.machine[0]["stand_height"])
        sole = add(load3(trunk["position"]), rotate(load4(trunk["rotation"]), local))
        store3(feet[index]["sole"], sole)
        store3(feet[index]["normal"], load3(motion["up"]))


@inline
def plan_gait_agent(
    c, world, body, legs, contacts, steps, path, before, trunks, feet, motion, command, hands, agent, start
):
    """Plan one agent's tick: ``before`` are its trunks at the last tick, ``trunks`` and ``feet`` become the plan."""
    now = motion["time"]
    schedule_agent(c, world, body, legs, contacts, steps, path, motion, command, hands, start, now)
    find_footholds_agent(c, world, body, legs, steps, before, path, motion, start, agent)
    place_feet_agent(c, world, legs, contacts, feet, motion, hands, start)
    if path.shape[0] == 0:
        carry_body_agent(c, body, legs, trunks, feet, motion, command, landings(legs, start, now), now - start)
    else:
        carry_trunks_agent(c, body, path, trunks, motion, command, now - start)
    loop_feet(c, body, legs, trunks, feet, motion)
