"""From a machine's rig to its rigid bodies: one body, one box for each foot."""

from __future__ import annotations

import math

from footfall.drives.force.host import Proxies, ProxyShape, body_shape, foot_shape
from footfall.drives.force.settings import Force
from footfall.rig import Leg, Rig

BODY_DENSITY = 300.0  # of a trunk whose mass is not given [kg/m³]
FOOT_SHARE = 0.05  # mass of a foot that is not given, as a share of the body's
TIP_RADIUS = 0.03  # half the side of a sole that is not given, as a share of the leg's length
CENTRE_SHARE = 1.0 / 3.0  # height of a foot's centre over its sole that is not given, as a share of that


def body_of(rig: Rig, force: Force) -> ProxyShape:
    """The body's box."""
    size = rig.trunks[0].size
    mass = force.body_mass or BODY_DENSITY * math.prod(size)
    return body_shape(mass, force.body_length or math.prod(size) ** (1.0 / 3.0), force.friction)


def foot_of(leg: Leg, length: float, body_mass: float, force: Force) -> ProxyShape:
    """A foot's box; ``length`` is the leg's, stretched [m]."""
    radius = force.foot_radius or leg.foot_radius or TIP_RADIUS * length
    offset = force.sole_offset or CENTRE_SHARE * radius
    corners = ((radius, radius), (-radius, radius), (-radius, -radius), (radius, -radius))
    polygon = corners if force.sole_points else ()
    return foot_shape(force.foot_mass or FOOT_SHARE * body_mass, radius, offset, force.friction, polygon)


def substeps_in(dt: float, force: Force) -> int:
    """Steps of the physics in a tick of length dt [s]."""
    return force.substeps or math.ceil(dt / force.substep_max - 1e-9)


def build_proxies(rig: Rig, force: Force, dt: float) -> Proxies:
    """The rigid bodies of a machine, for ticks of length dt [s]."""
    body = body_of(rig, force)
    lengths = rig.leg_table["chain_length"]
    feet = tuple(foot_of(leg, float(length), body.mass, force) for leg, length in zip(rig.legs, lengths, strict=True))
    return Proxies(body, feet, dt, substeps_in(dt, force), (0.0, 0.0, -force.gravity))
