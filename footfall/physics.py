"""Force drives of machines on worlds: made once, found again, and seated."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from footfall.drives.force.drive import ForceDrive
from footfall.drives.force.hosts import make_host
from footfall.drives.force.proxies import build_proxies
from footfall.machine import Machine
from footfall.state import State
from footfall.world.surfaces import World

KEPT = 8  # drives that are kept for the next tick

_drives: list[tuple[Machine, World, ForceDrive]] = []


def drive_for(machine: Machine, world: World, host: str = "mujoco") -> ForceDrive:
    """The force drive of a machine on a world; the same one for the same two.

    A drive remembers nothing of a walk: all that is in the state.

    Raises:
        FootfallError: the physics is not installed, or the ground has no shape.
    """
    for known, place, drive in _drives:
        if known is machine and place is world and drive.host.caps.name.startswith(host):
            return drive
    proxies = build_proxies(machine.rig, machine.file.force, machine.inner_step)
    ground = make_host(host, proxies, world)
    drive = ForceDrive(ground, machine.file.force, machine.leg_length, machine.rig.main_trunk)
    _drives.append((machine, world, drive))
    del _drives[:-KEPT]
    return drive


def seat_proxies(machine: Machine, state: State, world: World, chosen: ArrayLike) -> State:
    """Stand the rigid bodies of some agents where their trunks and feet stand; the state with room for them."""
    drive = drive_for(machine, world)
    if state.drive.shape[1] != drive.size:
        state = state._replace(drive=np.zeros((len(state.body), drive.size)))
    for agent in np.asarray(chosen):
        drive.seat(state, int(agent), float(state.body["tick"][agent]) * machine.inner_step)
    return state
