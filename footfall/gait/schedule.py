"""The stage: which legs lift in this tick, in the order in which their turns came."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.gait.airborne import free_instant
from footfall.gait.choice import choose_gait, effective_speed
from footfall.gait.landing import land_feet
from footfall.gait.laws import stance_share, swing_time_at
from footfall.gait.phase import advance_phase, frac, leg_phase, move_offsets
from footfall.gait.reasons import BY_HAND, LET_GO, NOTHING, RESCUE, TURN, WAITING
from footfall.gait.stance import away_from_rest, end_swings, overstretched, rest_offset, stance_after


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
def note_turns(c, world, body, legs, path, motion, lifted_at, progress, start, dt, walking, at_rest):
    """Note whose turn has come in this step, in which the phase to lift at came from ``lifted_at`` [cycles]."""
    lifts_at = stance_share(c.gaits[body["gait"]], body["duty"], body["cadence"], legs.shape[0])
    sooner = max(lifted_at - lifts_at, 0.0)
    for index in range(legs.shape[0]):
        leg = legs[index]
        away = 0.0
        if not walking and leg["swinging"] == 0:
            away = rest_offset(c, world, body, legs, path, motion, index)
        note_turn(c, body, leg, lifts_at, sooner, progress, start, dt, walking, away)
        if at_rest:
            leg["due"] = 0


@inline
def clear_steps(steps):
    """No leg steps yet."""
    for index in range(steps.shape[0]):
        steps[index]["reason"] = NOTHING
        steps[index]["search"] = 0
        steps[index]["refused"] = 0
        steps[index]["time"] = math.inf


@inline
def next_step(c, body, legs, steps, motion, command, hands, start):
    """The leg that has waited longest of those not seen yet, why it steps and since when; -1: there is none."""
    first = -1
    reason = NOTHING
    since = math.inf
    stays = body["kneel"] > 0.0 or command["kneel"] > 0.0 or body["waiting"] != 0
    for index in range(legs.shape[0]):
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
        elif leg["due"] != 0 and not stays:
            if leg["due_since"] < since:
                first, reason, since = index, TURN, leg["due_since"]
        elif not stays and overstretched(c, body, leg, c.legs[index], motion):
            if start < since:
                first, reason, since = index, RESCUE, start
    return first, reason, since


@inline
def schedule_step(c, body, legs, steps, index, reason, since, limit, start, now):
    """Give a leg its step at the first instant that the limit of feet in the air leaves, or let it wait.

    A leg whose turn came before that instant swings the faster.
    """
    gait = c.gaits[body["gait"]]
    step = steps[index]
    time = start if reason == LET_GO else free_instant(legs, steps, limit, max(since, start), now)
    if time > now:
        step["search"] = -1  # seen, and it has to wait
        return
    nominal = swing_time_at(gait, body["duty"], body["cadence"], legs.shape[0])
    late = time - since if reason == TURN else 0.0
    step["reason"] = reason
    step["time"] = time
    step["swing_time"] = max(nominal - late, max(0.7 * nominal, gait["swing_time_min"]))
    step["stance_time"] = stance_after(c, body, legs, index, time, step["swing_time"], now)
    step["search"] = 1


@inline
def schedule_agent(c, world, body, legs, contacts, steps, path, motion, command, hands, start, now):
    """Decide for one agent which legs lift within (start, now], when, and for how long.

    Writes ``steps``; a step that finds no foothold later is not begun.
    """
    dt = now - start
    count = legs.shape[0]
    if contacts.shape[0] == 0:
        end_swings(legs, now)
    else:
        land_feet(c, world, body, legs, contacts, now, dt)
    clear_steps(steps)
    speed = effective_speed(c, motion)
    walking = speed > 0.0
    lifted_at = stance_share(c.gaits[body["gait"]], body["duty"], body["cadence"], count)
    choose_gait(c, body, command, speed, dt)
    unsettled = not walking and away_from_rest(c, world, body, legs, path, motion)
    at_rest = not walking and not unsettled
    progress = advance_phase(c, body, motion, speed, walking, unsettled, dt)
    moving = move_offsets(c, body, legs, progress, at_rest)
    note_turns(c, world, body, legs, path, motion, lifted_at, progress, start, dt, walking, at_rest)
    limit = c.gaits[body["gait"]]["airborne_limit"]
    if moving:
        limit = min(limit, max(1, count // 4))
    for _ in range(count):  # in the order in which their turns came
        first, reason, since = next_step(c, body, legs, steps, motion, command, hands, start)
        if first < 0:
            break
        schedule_step(c, body, legs, steps, first, reason, since, limit, start, now)
    for index in range(count):
        if steps[index]["search"] < 0:
            steps[index]["search"] = 0
