"""Where a foot wants to be, and where its hip will be: the body's place a time ahead."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import add, load3, load4, rotate, sub, unrotate
from footfall.path import ground_pose


@inline
def wish_time(c, step, now):
    """Time from now to the instant whose resting position is wished for [s]."""
    settings = c.footholds[0]
    touchdown = step["time"] + step["swing_time"]
    if settings["lead"] == 1:
        ahead = step["time"] + 0.5 * (step["swing_time"] + step["stance_time"]) - now
    else:
        ahead = touchdown - now + 0.5 * step["stance_time"]
    return min(max(ahead, 0.0), settings["lead_limit"])


@inline
def rest_at(c, body, path, motion, index, time):
    """Where a foot rests a time ahead, on the ground as the body expects it, world [m].

    A body that is not where it is planned to be is expected to stay as far off (row B77).
    """
    rig = c.legs[index]
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], time)
    return add(add(ground, load3(body["error"])), rotate(frame, load3(rig["rest"])))


@inline
def hip_at(c, body, trunks, path, motion, index, time):
    """Hip and heading frame a time ahead: carried along with the ground under the trunk."""
    rig = c.legs[index]
    trunk = trunks[rig["trunk"]]
    ground, frame = ground_pose(c, body, path, motion, rig["trunk"], 0.0)
    lever = add(sub(load3(trunk["position"]), ground), rotate(load4(trunk["rotation"]), load3(rig["hip"])))
    later, later_frame = ground_pose(c, body, path, motion, rig["trunk"], time)
    return add(later, rotate(later_frame, unrotate(frame, lever))), later_frame
