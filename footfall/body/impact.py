"""The impact spring: each landing kicks it."""

from __future__ import annotations

import math

from footfall.compile import inline
from footfall.spring import ring, spring_matrix


@inline
def kick(c, body, landed):
    """Each landing gives the body a push downward."""
    body["impact_rate"][2] -= c.carriage[0]["impact_kick"] * landed


@inline
def ring_impact(c, body, dt):
    """The impact spring rings on."""
    settings = c.carriage[0]
    matrix = spring_matrix(math.sqrt(settings["impact_stiffness"]), settings["impact_damping"], dt)
    for axis in range(3):
        x, v = ring(matrix, body["impact"][axis], body["impact_rate"][axis])
        body["impact"][axis] = x
        body["impact_rate"][axis] = v
