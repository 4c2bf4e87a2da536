"""How the force and torque on the body are shared out among the points that support it.

Each support passes the opposite of its share to the ground through its foot. The ``equal`` rule shares the force
evenly and adds what makes the torque about the supports' middle; it knows nothing of where the body's centre of mass
is, so a body cannot tip under it. The ``balanced`` rule takes the moments about the centre of mass: the least squares
solution that obeys Newton's third law for the body. Neither keeps a share from pulling; the residual tells.
"""

from __future__ import annotations

import numpy as np

from footfall.state import Array

REGULAR = 1e-5  # added to the torque matrix, so that supports in a line have an inverse [m²]


def torque_matrix(arms: Array) -> Array:
    """``W = Σ (‖r‖² I − r rᵀ) + 1e-5 I`` of arms ``[n, 3]`` [m]: maps a to ``Σ r × (a × r)``."""
    return (np.sum(arms * arms) + REGULAR) * np.eye(3) - arms.T @ arms


def equal_share(force: Array, torque: Array, points: Array, centre_of_mass: Array) -> Array:
    """Force at each support ``[n, 3]`` [N]: ``F/n + a × r`` with r from the middle of the supports.

    The forces sum to the force, and their moments about the middle of the supports to the torque.

    Args:
        force: ``[3]`` on the body [N], world.
        torque: ``[3]`` on the body [N·m], world.
        points: ``[n, 3]`` supports [m], world; three or more.
        centre_of_mass: ``[3]``; not used by this rule.
    """
    del centre_of_mass
    arms = points - points.mean(axis=0)
    return force / len(points) + np.cross(np.linalg.solve(torque_matrix(arms), torque), arms)


def balanced_share(force: Array, torque: Array, points: Array, centre_of_mass: Array) -> Array:
    """Force at each support ``[n, 3]`` [N] of least squares, with moments about the centre of mass.

    The forces sum to the force, and their moments about the centre of mass to the torque.

    Args:
        force: ``[3]`` on the body [N], world.
        torque: ``[3]`` on the body [N·m], world.
        points: ``[n, 3]`` supports [m], world; three or more.
        centre_of_mass: ``[3]`` of the body [m], world.
    """
    lever = points.mean(axis=0) - centre_of_mass
    return equal_share(force, torque - np.cross(lever, force), points, centre_of_mass)


SHARES = (equal_share, balanced_share)


def tangential_limit(force: Array, up: Array, share: float) -> Array:
    """A body force with its part across up no larger than a share of its upward part; none without an upward part.

    Args:
        force: ``[3]`` [N], world.
        up: ``[3]`` unit vector.
        share: greatest tangential force for a newton of upward force.
    """
    upward = float(force @ up)
    across = force - upward * up
    size = float(np.linalg.norm(across))
    most = share * max(upward, 0.0)
    return upward * up + across * (most / size if size > most else 1.0)


def torque_budget(points: Array, upward: float, share: float) -> float:
    """Greatest torque on the body [N·m]: a share of the upward force at the supports' mean distance from their middle.

    Args:
        points: ``[n, 3]`` supports [m].
        upward: force on the body along up [N].
        share: of that product.
    """
    arms = points - points.mean(axis=0)
    return share * max(upward, 0.0) * float(np.linalg.norm(arms, axis=-1).mean())


def residual_wrench(forces: Array, torques: Array, centres: Array, about: Array) -> Array:
    """``[6]`` sum of all actuator forces [N] and of their moments about a point [N·m]: 0 where action is reaction.

    Args:
        forces: ``[n, 3]`` at the centres, world [N].
        torques: ``[n, 3]`` world [N·m].
        centres: ``[n, 3]`` world [m].
        about: ``[3]`` world [m].
    """
    moments = torques + np.cross(centres - about, forces)
    return np.concatenate([forces.sum(axis=0), moments.sum(axis=0)])
