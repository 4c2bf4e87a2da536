"""The plane that the feet stand on, and the height and slope that follow it."""

from __future__ import annotations

from footfall.compile import inline
from footfall.frames.scalar import dot, load3, load4, rotate, sub, unrotate
from footfall.spring import damped_spring, follower, limited_follower, ring


@inline
def mean_slope(feet, heading):
    """Slope ahead and to the left of the mean ground under the feet."""
    count = feet.shape[0]
    ahead = 0.0
    left = 0.0
    for index in range(count):
        n = unrotate(heading, load3(feet[index]["support_normal"]))
        steep = max(n[2], 0.2)
        ahead -= n[0] / steep
        left -= n[1] / steep
    return ahead / count, left / count


@inline
def resting_middle(c):
    """Middle of where the feet rest, heading frame [m]."""
    count = c.legs.shape[0]
    x = 0.0
    y = 0.0
    for index in range(count):
        x += c.legs[index]["rest"][0]
        y += c.legs[index]["rest"][1]
    return x / count, y / count


@inline
def support_plane(c, feet, root, heading, up):
    """Height at the root along up [m] and slope ahead and to the left of the plane that the feet stand on.

    The slope starts from the mean normal of the ground under the feet; the feet's heights over that plane, by where
    the feet rest, correct it. On a plane it is exact for any stance; a step of height h under the front feet tilts it
    by h over their distance from the rear feet.
    """
    count = feet.shape[0]
    ahead, left = mean_slope(feet, heading)
    middle_x, middle_y = resting_middle(c)
    height = 0.0
    xx = 0.0
    yy = 0.0
    xe = 0.0
    ye = 0.0
    for index in range(count):
        p = unrotate(heading, sub(load3(feet[index]["support"]), root))
        over = p[2] - ahead * p[0] - left * p[1]
        x = c.legs[index]["rest"][0] - middle_x
        y = c.legs[index]["rest"][1] - middle_y
        height += over
        xx += x * x
        yy += y * y
        xe += x * over
        ye += y * over
    least = 1e-3 * c.machine[0]["leg_length"] * c.machine[0]["leg_length"] * count
    more_ahead = xe / xx if xx > least else 0.0
    more_left = ye / yy if yy > least else 0.0
    height = height / count - more_ahead * middle_x - more_left * middle_y
    return height + dot(root, up), ahead + more_ahead, left + more_left


@inline
def follow_support(c, body, motion, feet, dt):
    """Move the smoothed support height and slope towards the plane under the feet.

    The height runs ahead with the slope (no lag on a uniform slope) and approaches the plane as a critically damped
    spring; it is tied to the ground's absolute height, so it cannot creep.
    """
    settings = c.carriage[0]
    up = load3(motion["up"])
    heading = load4(motion["heading"])
    height, ahead, left = support_plane(c, feet, load3(motion["root_position"]), heading, up)
    turn = motion["yaw_rate"] * dt
    x = body["gradient"][0]
    y = body["gradient"][1]
    # the slope is fixed in the world, the heading turns under it
    x, y = x + turn * y, y - turn * x
    matrix = follower(settings["tilt_time"], dt)
    away, rate = ring(matrix, x - ahead, body["gradient_rate"][0])
    body["gradient"][0] = ahead + away
    body["gradient_rate"][0] = rate
    away, rate = ring(matrix, y - left, body["gradient_rate"][1])
    body["gradient"][1] = left + away
    body["gradient_rate"][1] = rate
    v = motion["velocity"]
    going = body["governor"] * (v[0] * body["gradient"][0] + v[1] * body["gradient"][1])
    if body["waiting"] != 0:
        going = 0.0
    if settings["height_acceleration"] > 0.0:
        body["support"], body["support_rate"], body["support_acceleration"] = limited_follower(
            body["support"], body["support_rate"], body["support_acceleration"], height, going,
            settings["height_time"], dt, settings["height_rate"], settings["height_acceleration"],
            settings["height_jerk"],
        )  # fmt: skip
        return
    away, rate = damped_spring(
        body["support"] + going * dt - height, body["support_rate"], 2.0 / settings["height_time"], 1.0, dt
    )
    body["support"] = height + away
    body["support_rate"] = rate


@inline
def ride_root(body, motion):
    """A hosted root is its own support: its height and its tilt."""
    up = load3(motion["up"])
    n = unrotate(load4(motion["heading"]), rotate(load4(motion["root_rotation"]), (0.0, 0.0, 1.0)))
    steep = max(n[2], 0.2)
    body["gradient"][0] = -n[0] / steep
    body["gradient"][1] = -n[1] / steep
    body["gradient_rate"][0] = 0.0
    body["gradient_rate"][1] = 0.0
    body["support"] = dot(load3(motion["root_position"]), up)
    body["support_rate"] = 0.0
