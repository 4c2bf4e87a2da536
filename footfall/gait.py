"""The gait: which legs are in the air, and why.

One phase runs the whole gait; leg i is at ``frac(phase + offset_i)``. Phase 0 is touchdown, a leg's turn to lift comes
where its phase crosses the duty factor. The phase is integrated from the cadence, never recomputed from time, so no
change of speed or gait makes it jump. A swing, once begun, is a stretch of time with sub-tick ends: it always finishes.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from footfall.compile import inline
from footfall.frames.scalar import dot, load3, reject, rotate, sub
from footfall.motion import point_velocity
from footfall.path import ground_pose
from footfall.world.surface_pose import to_world

NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]

NOTHING, TURN, RESCUE, BY_HAND, LET_GO = range(5)  # reasons of a step
WAITING, REFUSED = 1, 2  # of a leg whose turn has come: it has not tried yet, or found no foothold


class Clock(enum.IntEnum):
    """What the phase follows."""

    time = 0
    distance = 1


@dataclass(frozen=True)
class Gait:
    """A gait as data; the phase offsets stand with the legs."""

    clock: Clock = Clock.time
    """``time``: the cadence that the stride law gives at the asked speed. ``distance``: the way really travelled."""
    duty_factor: Annotated[float, Gt(0), Lt(1)] = 0.75
    """Share of the cycle that a foot is on the ground."""
    swing_time: NotNegative = 0.0
    """Time of every swing [s]; 0 takes the share of the cycle that the duty factor leaves."""
    swing_time_min: Positive = 0.1
    """Shortest swing [s]."""
    swing_time_max: Positive = 1.5
    """Longest swing [s]: at slow cadence the feet stand longer instead."""
    stride: Positive = 1.0
    """Way of the body in one cycle at the reference speed [m]."""
    stride_reference_speed: Positive = 1.0
    """Speed at which the stride is the one above [m/s]."""
    stride_growth: NotNegative = 0.0
    """Exponent of the stride's growth with speed; 0 is a stride that does not change."""
    stride_min: NotNegative = 0.0
    """Shortest stride [m]."""
    stride_max: Positive = 1e3
    """Longest stride [m]."""
    cadence_min: NotNegative = 0.0
    """Slowest cadence while walking [cycles/s]."""
    cadence_max: Positive = 1e3
    """Fastest cadence [cycles/s]."""
    shuffle_cadence: Positive = 0.5
    """Cadence at rest while feet are not where they rest [cycles/s]."""
    settle_radius: Positive = 0.1
    """At rest the shuffle goes on until every foot is this near to its rest position [leg lengths]."""
    settle_share: Annotated[float, Ge(0), Le(1)] = 0.3
    """In a shuffle only feet further away than this share of the settle radius step."""
    airborne_limit: Annotated[int, Ge(1)] = 1
    """Most feet in the air at once."""
    rescue_reach: Annotated[float, Gt(0), Le(1)] = 0.96
    """A planted foot at this share of its reach, going outward, steps out of turn."""
    switch_time: Positive = 1.0
    """Time that an automatic choice of gait stays at least [s]."""
    speed_max: Positive = 1e3
    """Automatic choice: up to this speed [m/s] this gait is taken, where no slower one serves."""


@inline
def frac(x):
    """The part after the point, in [0, 1)."""
    return x - np.floor(x)  # math.floor would go by way of a whole number


@inline
def leg_phase(phase, offset):
    """Phase of one leg [cycles], in [0, 1)."""
    return frac(phase + offset)


@inline
def stride_at(gait, speed):
    """Way of the body in one cycle at a speed [m] (row A12)."""
    grown = gait["stride"]
    if gait["stride_growth"] > 0.0:
        grown *= (max(speed, 0.01) / gait["stride_reference_speed"]) ** gait["stride_growth"]
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


@inline
def anchor_world(world, leg):
    """Where a stance sole is held, world [m]."""
    return to_world(world, leg["surface"], load3(leg["anchor"]))


@inline
def rest_offset(c, world, body, legs, path, motion, index):
    """Horizontal distance of a planted foot from where it rests [m]."""
    rig = c.legs[index]
    if rig["fixed_loop"] != 0:
        return 0.0
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], 0.0)
    up = load3(motion["up"])
    away = sub(sub(anchor_world(world, legs[index]), ground), rotate(frame, load3(rig["rest"])))
    away = reject(away, up)
    return math.sqrt(dot(away, away))


@inline
def effective_speed(c, motion):
    """Greatest speed of a resting sole over the ground [m/s]: turning on the spot walks as well."""
    fastest = 0.0
    for index in range(c.legs.shape[0]):
        rig = c.legs[index]
        x = rig["rest"][0] + c.trunk_offsets[rig["trunk"]]
        v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["rest"][1])
        fastest = max(fastest, v[0] * v[0] + v[1] * v[1])
    return math.sqrt(fastest)


@inline
def gait_for(c, speed):
    """Index of the gait with the least greatest speed that is not below this one; -1 where all are slower."""
    chosen = -1
    for gait in range(c.gaits.shape[0]):
        if c.gaits[gait]["speed_max"] >= speed and c.gaits[gait]["speed_max"] > 0.0:
            if chosen < 0 or c.gaits[gait]["speed_max"] < c.gaits[chosen]["speed_max"]:
                chosen = gait
    return chosen


@inline
def choose_gait(c, body, command, speed, dt):
    """Index of the gait: as asked, or by speed with hysteresis: up at the limit, down a tenth below it."""
    body["gait_held"] += dt
    asked = command["gait"]
    chosen = body["gait"]
    if asked >= 0:
        chosen = min(asked, c.gaits.shape[0] - 1)
    elif body["gait_held"] >= c.gaits[0]["switch_time"]:
        wanted = gait_for(c, speed)
        if wanted >= 0 and wanted != chosen:
            slower = 0.0 < c.gaits[wanted]["speed_max"] < c.gaits[chosen]["speed_max"]
            if not slower or speed < 0.9 * c.gaits[wanted]["speed_max"]:
                chosen = wanted
    if chosen != body["gait"]:
        body["gait"] = chosen
        body["gait_held"] = 0.0


@inline
def move_offsets(c, body, legs, progress, at_rest):
    """Let offsets and duty factor follow the gait; true where they were on their way when the step began.

    Each offset goes the shorter way round at half the pace of the phase, so that no leg's phase ever runs backward.
    At rest they are simply set.
    """
    moving = False
    gait = body["gait"]
    for index in range(c.legs.shape[0]):
        leg = legs[index]
        way = frac(c.offsets[gait, index] - leg["phase_offset"] + 0.5) - 0.5
        step = way if at_rest else min(max(way, -0.5 * progress), 0.5 * progress)
        if way != 0.0:
            leg["phase_offset"] = c.offsets[gait, index] if step == way else frac(leg["phase_offset"] + step)
            moving = moving or not at_rest
    way = c.gaits[gait]["duty_factor"] - body["duty"]
    step = way if at_rest else min(max(way, -0.25 * progress), 0.25 * progress)
    body["duty"] = c.gaits[gait]["duty_factor"] if step == way else body["duty"] + step
    return moving or (way != 0.0 and not at_rest)


@inline
def airborne_at(legs, steps, time):
    """Feet in the air at an instant, those that are about to lift in this tick included."""
    count = 0
    for index in range(legs.shape[0]):
        leg = legs[index]
        step = steps[index]
        if step["reason"] != NOTHING and step["time"] <= time < step["time"] + step["swing_time"]:
            count += 1
        elif leg["held"] != 0 or leg["lift_off"] <= time < leg["touchdown"]:
            count += 1
    return count


@inline
def free_instant(legs, steps, limit, earliest, latest):
    """First instant in [earliest, latest] at which another foot may lift; beyond latest where there is none."""
    time = earliest
    for _ in range(legs.shape[0] + 1):
        if airborne_at(legs, steps, time) < limit:
            return time
        after = math.inf
        for index in range(legs.shape[0]):
            leg = legs[index]
            if leg["touchdown"] > time and leg["lift_off"] <= time:
                after = min(after, leg["touchdown"])
        time = after
        if time > latest:
            return time
    return math.inf


@inline
def overstretched(c, body, leg, rig, motion):
    """Whether a planted foot is near the end of its reach and the body goes away from it, or it is beyond it."""
    if rig["fixed_loop"] != 0:
        return False
    pull = load3(leg["pull"])
    far = dot(pull, pull)
    near = c.gaits[body["gait"]]["rescue_reach"] * rig["reach_max"]
    if far <= near * near:
        return False
    if far > rig["reach_max"] * rig["reach_max"]:
        return True
    x = rig["hip"][0] + c.trunk_offsets[rig["trunk"]]
    v = point_velocity(motion["velocity"][0], motion["velocity"][1], motion["yaw_rate"], x, rig["hip"][1])
    return v[0] * pull[0] + v[1] * pull[1] > 0.0


@inline
def end_swings(legs, now):
    """Feet whose swing is over stand: the foothold becomes the anchor."""
    for index in range(legs.shape[0]):
        leg = legs[index]
        if leg["swinging"] != 0 and leg["held"] == 0 and leg["touchdown"] <= now:
            leg["swinging"] = 0
            leg["surface"] = leg["target_surface"]
            leg["anchor"][0] = leg["target"][0]
            leg["anchor"][1] = leg["target"][1]
            leg["anchor"][2] = leg["target"][2]
            leg["anchor_normal"][0] = leg["target_normal"][0]
            leg["anchor_normal"][1] = leg["target_normal"][1]
            leg["anchor_normal"][2] = leg["target_normal"][2]
            leg["touchdowns"] += 1


@inline
def advance_phase(c, body, motion, speed, walking, unsettled, dt):
    """Integrate the phase over a step; return its progress [cycles]."""
    gait = c.gaits[body["gait"]]
    if not walking:
        cadence = gait["shuffle_cadence"] if unsettled else 0.0
    elif gait["clock"] == 1:
        v = motion["velocity"]
        way = max(math.sqrt(v[0] * v[0] + v[1] * v[1]), abs(motion["yaw_rate"]) * c.machine[0]["rest_radius"])
        cadence = way / stride_at(gait, way)
    else:
        cadence = cadence_at(gait, speed)
    body["cadence"] = cadence
    progress = cadence * dt
    if walking and gait["clock"] == 1:
        progress *= body["governor"]  # the way that was really gone
    body["phase"] = frac(body["phase"] + progress)
    return progress


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


@inline
def stance_after(c, body, legs, index, time, swing_time, now):
    """Time on the ground between the coming touchdown and the turn after it [s]."""
    gait = c.gaits[body["gait"]]
    cadence = body["cadence"]
    if cadence <= 0.0:
        return 0.0
    lifts_at = stance_share(gait, body["duty"], cadence, legs.shape[0])
    phase = leg_phase(body["phase"], legs[index]["phase_offset"])
    phase_then = frac(phase + cadence * (time + swing_time - now) + 1e-9)
    left = frac(lifts_at - phase_then + 1e-9)
    return max(left, 0.5 * lifts_at) / cadence
