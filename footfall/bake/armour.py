"""How a machine's parts look: hull, limbs, feet, pistons and joint boots, in sizes from the rig.

Every solid is in its part's own frame: a bone's x runs along it and y is its hinge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from footfall.bake.shapes import X_TO_Z, Solid, ball, barrel, box, chamfered, loft, ring, tube
from footfall.io.gltf import Material
from footfall.rig import Leg, Trunk
from footfall.state import Array

#: Materials by name.
PALETTE = {
    "armour": Material("armour", (0.80, 0.74, 0.63), 0.05, 0.55),
    "dark": Material("dark", (0.045, 0.05, 0.06), 0.35, 0.5),
    "accent": Material("accent", (0.78, 0.17, 0.03), 0.1, 0.5),
    "steel": Material("steel", (0.56, 0.57, 0.6), 0.7, 0.28),
    "rubber": Material("rubber", (0.022, 0.022, 0.025), 0.0, 0.92),
    "glass": Material("glass", (0.01, 0.03, 0.045), 0.2, 0.12, (0.0, 0.045, 0.075)),
    "lamp": Material("lamp", (1.0, 0.86, 0.6), 0.0, 0.4, (1.0, 0.78, 0.42)),
    "ground": Material("ground", (1.0, 1.0, 1.0), 0.0, 0.96, double_sided=True),
}


def bone_radii(leg: Leg) -> Array:
    """Radius of each bone's root ``[bones]`` [m]: ``thickness`` of its length, evened out down the leg."""
    lengths = np.array(leg.segments)
    own = 0.5 * lengths + 0.5 * lengths.max()
    radii = 0.92 * leg.thickness * own * np.linspace(1.0, 0.72, len(lengths))
    if leg.foot_height > 0.0:
        return np.append(radii, min(0.9 * radii[-1], 0.5 * leg.foot_height))
    return np.asarray(radii)


def hip_solids(radius: float) -> list[Solid]:
    """The ball that a leg turns on, in its first bone's frame."""
    return [ball(1.3 * radius, "dark"), barrel(0.75 * radius, 1.5 * radius, "steel", 16)]


def joint_solids(radius: float) -> list[Solid]:
    """A hinge at a bone's root: a barrel with caps."""
    return [barrel(1.02 * radius, 1.02 * radius, "dark"), barrel(0.62 * radius, 1.16 * radius, "accent", 16)]


def limb_solids(length: float, radius: float, end: float, first: bool) -> list[Solid]:
    """A bone that carries another one: a strut within two shells."""
    shell = [(0.13, 0.62), (0.20, 1.0), (0.34, 1.06), (0.62, 0.86), (0.80, 0.70), (0.86, 0.48)]
    taper = np.interp([x for x, _ in shell], [0.0, 1.0], [radius, 0.62 * radius + 0.38 * end])
    rings = [
        ring(x * length, 0.84 * share * size, 1.04 * share * size, z=0.10 * size, roundness=0.45, sides=20)
        for (x, share), size in zip(shell, taper, strict=True)
    ]
    band = [
        ring(x * length, 0.84 * share * size, 1.04 * share * size, z=0.10 * size, roundness=0.45, sides=20)
        for x, share, size in ((0.37, 1.03, taper[2]), (0.375, 1.085, taper[2]), (0.415, 1.06, taper[2]),
                               (0.42, 1.0, taper[2]))
    ]  # fmt: skip
    strut = tube([(0.0, 0.5 * radius), (length, 0.5 * end)], "dark", 12)
    return [
        strut,
        loft(rings, "armour"),
        loft(band, "accent"),
        *(hip_solids(radius) if first else joint_solids(radius)),
    ]


def tip_solids(length: float, radius: float, tip: float, first: bool) -> list[Solid]:
    """A last bone that ends in a point on the ground."""
    shell = [(0.10, 0.62), (0.16, 1.0), (0.30, 1.02), (0.55, 0.74), (0.66, 0.5)]
    rings = [
        ring(x * length, 0.84 * share * radius, 1.04 * share * radius, z=0.08 * radius, roundness=0.45, sides=20)
        for x, share in shell
    ]
    spike = tube(
        [(0.0, 0.5 * radius), (0.62 * length, 0.46 * radius), (0.94 * length, max(0.2 * radius, tip)),
         (0.985 * length, max(0.14 * radius, 0.8 * tip)), (length, 0.05 * radius)], "dark", 14,
    )  # fmt: skip
    cuff = tube(
        [(0.645 * length, 0.44 * radius), (0.65 * length, 0.53 * radius), (0.69 * length, 0.51 * radius),
         (0.695 * length, 0.42 * radius)], "accent", 14,
    )  # fmt: skip
    return [spike, loft(rings, "armour"), cuff, *(hip_solids(radius) if first else joint_solids(radius))]


def foot_solids(length: float, radius: float, pad: float) -> list[Solid]:
    """A foot: an ankle, a bell and a rubber pad whose lower face is the sole."""
    pad = pad if pad > 0.0 else 1.6 * radius
    bell = [(0.40, 0.22 * pad + 0.4 * radius), (0.50, 0.42 * pad + 0.3 * radius), (0.70, 0.74 * pad),
            (0.82, 0.91 * pad), (0.85, 0.86 * pad)]  # fmt: skip
    tread = [(0.83, 0.88 * pad), (0.86, 0.98 * pad), (0.965, pad), (1.0, 0.94 * pad)]
    solids = [
        tube([(0.0, 0.62 * radius), (0.7 * length, 0.7 * radius)], "dark", 14),
        tube([(x * length, size) for x, size in bell], "armour", 24),
        tube([(x * length, size) for x, size in tread], "rubber", 24),
        *joint_solids(radius),
    ]
    for turn in (0.0, 1.0, 2.0, 3.0):  # toes, so that a turn of the foot shows
        angle = 0.5 * np.pi * (turn + 0.5)
        cosine, sine = np.cos(angle), np.sin(angle)
        toe = box((0.34 * pad, 0.30 * pad, 0.2 * length), "accent", 0.3)
        axes = np.array([[0.0, 0.0, 1.0], [cosine, -sine, 0.0], [sine, cosine, 0.0]])
        solids.append(toe.placed((0.80 * length, 0.82 * pad * cosine, 0.82 * pad * sine), axes))
    return solids


class Boot(NamedTuple):
    """A bellows over a joint between two bones, whose points follow both."""

    positions: Array
    """``[vertices, 3]`` in the frame that the joints were given in [m]."""
    triangles: NDArray[np.int64]
    shares: Array
    """``[vertices]`` share of the second bone."""


def boot(joint: Array, before: Array, after: Array, side: Array, radius: float, reach: float) -> Boot:
    """A bellows round a joint.

    Args:
        joint: place of the joint ``[3]`` [m].
        before: unit vector along the bone that ends there.
        after: unit vector along the bone that starts there.
        side: unit vector of the hinge.
        radius: of the bellows [m].
        reach: how far it goes along both bones [m].
    """
    rows, sides = 13, 16
    share = np.linspace(0.0, 1.0, rows)
    start, end = joint - reach * before, joint + reach * after
    line = ((1 - share) ** 2)[:, None] * start + (2 * share * (1 - share))[:, None] * joint + (share**2)[:, None] * end
    along = (1 - share)[:, None] * before + share[:, None] * after
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    out = np.cross(along, side)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    angle = 2.0 * np.pi * np.arange(sides) / sides
    size = radius * (1.0 + 0.07 * np.cos(np.pi * np.arange(rows)))
    wide = np.cross(out, along)
    rings = [
        point + r * (np.cos(angle)[:, None] * w + np.sin(angle)[:, None] * o)
        for point, r, w, o in zip(line, size, wide, out, strict=True)
    ]
    solid = loft(rings, "rubber")
    shares = np.concatenate([np.repeat(share * share * (3 - 2 * share), sides), [0.0, 1.0]])
    return Boot(solid.positions, solid.triangles, shares)


def hull_solids(trunk: Trunk, front: bool, rear: bool, deck: bool, brackets: list[tuple[Array, float]]) -> list[Solid]:
    """A trunk: a bevelled hull with a belly, the first one with a prow, and a bracket to each hip.

    Args:
        trunk: which.
        front: it is the first of the machine's trunks.
        rear: it is the last.
        deck: something stands on its back.
        brackets: hips in the trunk's frame and the radius of the leg there.
    """
    length, width, height = trunk.size
    bow = [(0.18, 1.0, 1.0, 0.0), (0.36, 0.80, 0.76, -0.04), (0.47, 0.52, 0.44, -0.10), (0.5, 0.40, 0.30, -0.12)]
    stern = [(-0.5, 0.60, 0.52, 0.06), (-0.46, 0.78, 0.74, 0.03), (-0.28, 1.0, 1.0, 0.0)]
    plain = [(-0.5, 0.72, 0.70, 0.0), (-0.42, 0.96, 0.95, 0.0), (-0.1, 1.0, 1.0, 0.0)]
    shares = [*(stern if rear else plain), *(bow if front else [(-x, y, z, up) for x, y, z, up in plain[::-1]])]

    def section(x: float, wide: float, high: float, up: float, grow: float = 1.0) -> Array:
        cut = 0.26 * min(wide * width, high * height)
        return chamfered(
            x * length, 0.5 * wide * width * grow, 0.5 * high * height * grow, cut, z=up * height
        )  # fmt: skip

    solids = [loft([section(*share) for share in shares], "armour")]
    stripe = [(-0.075, 0.99), (-0.07, 1.018), (-0.035, 1.018), (-0.03, 0.99)]
    solids.append(loft([section(x, 1.0, 1.0, 0.0, grow) for x, grow in stripe], "accent"))
    belly = box((0.74 * length, 0.70 * width, 0.30 * height), "dark", 0.2)
    solids.append(belly.placed((-0.03 * length, 0.0, -0.44 * height)))
    if front:
        cut = 0.05 * height
        panes = ((0.215, 0.26, 0.37), (0.24, 0.31, 0.385), (0.36, 0.265, 0.277), (0.425, 0.215, 0.15),
                 (0.44, 0.18, 0.11))  # fmt: skip
        visor = [chamfered(x * length, wide * width, 0.10 * height, cut, z=up * height) for x, wide, up in panes]
        solids.append(loft(visor, "glass"))
        for side in (-1.0, 1.0):
            lamp = barrel(0.055 * height, 0.03 * length, "lamp", 14)
            axes = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
            solids.append(lamp.placed((0.475 * length, side * 0.165 * width, -0.17 * height), axes))
    if deck:
        house = box((0.30 * length, 0.46 * width, 0.17 * height), "armour", 0.25)
        solids.append(house.placed(((-0.20 if front else 0.0) * length, 0.0, 0.52 * height)))
    if front and rear:
        vent = box((0.16 * length, 0.30 * width, 0.06 * height), "dark", 0.25)
        solids.append(vent.placed((-0.20 * length, 0.0, 0.61 * height)))
        for side in (-1.0, 1.0):
            pipe = tube([(0.0, 0.05 * height), (0.2 * height, 0.05 * height), (0.21 * height, 0.065 * height),
                         (0.3 * height, 0.065 * height)], "dark", 14)  # fmt: skip
            solids.append(pipe.placed((-0.36 * length, side * 0.26 * width, 0.36 * height), X_TO_Z))
    centre = np.array(trunk.centre)
    solids = [solid.placed(centre) for solid in solids]
    for hip, radius in brackets:
        root = np.array([hip[0], 0.35 * hip[1] + 0.65 * centre[1], hip[2]])
        if abs(hip[1] - root[1]) < radius:
            root = root + np.array([0.0, 0.0, 0.5 * height])
        solids.append(strut(root, hip, 1.05 * radius, "dark"))
    return solids


def strut(start: Array, end: Array, radius: float, material: str) -> Solid:
    """A round bar between two points."""
    along = end - start
    length = float(np.linalg.norm(along))
    x = along / max(length, 1e-12)
    y = np.cross([0.0, 0.0, 1.0] if abs(x[2]) < 0.9 else [1.0, 0.0, 0.0], x)
    y = y / np.linalg.norm(y)
    bar = tube([(0.0, radius), (0.92 * length, radius), (length, 0.8 * radius)], material, 16)
    return bar.placed(start, np.stack([x, y, np.cross(x, y)], axis=1))


def piston_lengths(least: float, greatest: float) -> tuple[float, float]:
    """Lengths of a cylinder and its rod, so that the rod never leaves the cylinder and that never passes the rod's end.

    Of a piston that more than doubles its length the rod comes out behind when it is short.
    """
    cylinder = min(0.58 * greatest, 0.92 * least)
    return cylinder, max(greatest - 0.88 * cylinder, 0.05 * greatest)


def cylinder_solids(length: float, radius: float) -> list[Solid]:
    """The half of a piston at its base."""
    return [
        ball(1.05 * radius, "dark", 12, 7),
        tube([(0.0, 0.6 * radius), (0.12 * length, radius), (0.93 * length, radius), (0.94 * length, 0.9 * radius)],
             "dark", 14),
        tube([(0.90 * length, 0.9 * radius), (0.91 * length, 1.14 * radius), (0.99 * length, 1.14 * radius),
              (length, 0.8 * radius)], "accent", 14),
    ]  # fmt: skip


def rod_solids(length: float, radius: float) -> list[Solid]:
    """The half of a piston at its end."""
    return [ball(0.95 * radius, "dark", 12, 7), tube([(0.0, 0.5 * radius), (length, 0.5 * radius)], "steel", 12)]
