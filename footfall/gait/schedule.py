"""The stage: which legs lift in this tick, in the order in which their turns came."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.gait.airborne import free_instant
from footfall.gait.choice import choose_gait, effective_speed
from footfall.gait.laws import stance_share, swing_time_at
from footfall.gait.phase import advance_phase, frac, leg_phase, move_offsets
from footfall.gait.reasons import BY_HAND, LET_GO, NOTHING, RESCUE, TURN, WAITING
from footfall.gait.stance import end_swings, overstretched, rest_offset, stance_after


@inline
def note_turn(c, body, leg, lifts_at, sooner, progress, start, dt, walking, away):
    """Note that a leg's turn to lift has come in this step, or that it has passed unused.

    The phase went on by the progress, and the phase to lift at came nearer by ``sooner`` [cycles].
    """
    gait = c.gaits[body["gait"]]
    now = leg_phase(body["phase"], leg["phase_offset"])
    past = frac(now - lifts_at)  # since the turn came [cycles]
    if leg["due"] != 0 and past >= 1.0 - lifts_at:
        leg["due"] = 0  # the swing would be over by now: wait for the next turn
    met = progress + sooner
    if progress > 0.0 and past < met and leg["swinging"] == 0:
        wanted = walking or away > gait["settle_share"] * gait["settle_radius"] * c.machine[0]["leg_length"]
        if wanted:
            leg["due"] = WAITING
            leg["due_since"] = start + (met - past) / met * dt


@inline
def schedule_agent(c, world, body, legs, steps, path, motion, command, hands, start, now):
    """Decide for one agent which legs lift within (start, now], when, and for how long.

    Writes ``steps``; a step that finds no foothold later is not begun.
    """
    dt = now - start
    count = legs.shape[0]
    end_swings(legs, now)
    speed = effective_speed(c, motion)
    walking = speed > 0.0
    lifted_at = stance_share(c.gaits[body["gait"]], body["duty"], body["cadence"], count)
    choose_gait(c, body, command, speed, dt)
    gait = c.gaits[body["gait"]]
    kneeling = body["kneel"] > 0.0 or command["kneel"] > 0.0
    settle = gait["settle_radius"] * c.machine[0]["leg_length"]

    unsettled = False
    for index in range(count):
        steps[index]["reason"] = NOTHING
        steps[index]["search"] = 0
        steps[index]["refused"] = 0
        steps[index]["time"] = math.inf
        if not walking and legs[index]["swinging"] == 0:
            unsettled = unsettled or rest_offset(c, world, body, legs, path, motion, index) > settle

    progress = advance_phase(c, body, motion, speed, walking, unsettled, dt)
    at_rest = not walking and not unsettled
    moving = move_offsets(c, body, legs, progress, at_rest)
    limit = gait["airborne_limit"]
    if moving:
        limit = min(limit, max(1, count // 4))

    lifts_at = stance_share(gait, body["duty"], body["cadence"], count)
    sooner = max(lifted_at - lifts_at, 0.0)
    for index in range(count):
        leg = legs[index]
        away = 0.0
        if not walking and leg["swinging"] == 0:
            away = rest_offset(c, world, body, legs, path, motion, index)
        note_turn(c, body, leg, lifts_at, sooner, progress, start, dt, walking, away)
        if at_rest:
            leg["due"] = 0

    for _ in range(count):  # in the order in which their turns came
        first = -1
        reason = NOTHING
        since = math.inf
        for index in range(count):
            leg = legs[index]
            if steps[index]["reason"] != NOTHING or steps[index]["search"] != 0:
                continue
            if leg["held"] != 0:
                if hands[index]["held"] == 0 and start < since:
                    first, reason, since = index, LET_GO, start
            elif leg["swinging"] != 0:
                continue
            elif hands[index]["held"] != 0:
                if start < since:
                    first, reason, since = index, BY_HAND, start
            elif leg["due"] != 0 and not kneeling:
                if leg["due_since"] < since:
                    first, reason, since = index, TURN, leg["due_since"]
            elif not kneeling and overstretched(c, body, leg, c.legs[index], motion):
                if start < since:
                    first, reason, since = index, RESCUE, start
        if first < 0:
            break
        step = steps[first]
        nominal = swing_time_at(gait, body["duty"], body["cadence"], count)
        time = start if reason == LET_GO else free_instant(legs, steps, limit, max(since, start), now)
        if time > now:
            step["search"] = -1  # seen, and it has to wait
            continue
        late = time - since if reason == TURN else 0.0
        step["reason"] = reason
        step["time"] = time
        step["swing_time"] = max(nominal - late, max(0.7 * nominal, gait["swing_time_min"]))
        step["stance_time"] = stance_after(c, body, legs, first, time, step["swing_time"], now)
        step["search"] = 1
    for index in range(count):
        if steps[index]["search"] < 0:
            steps[index]["search"] = 0
