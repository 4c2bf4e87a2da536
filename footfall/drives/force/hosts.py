"""Hosts by name."""

from __future__ import annotations

from footfall.drives.force.host import Host, Proxies
from footfall.errors import FootfallError
from footfall.world import World

HOSTS = ("mujoco", "penalty")


def make_host(name: str, proxies: Proxies, world: World) -> Host:
    """A host of these proxies on the ground of a world, as it stands now.

    Raises:
        FootfallError: the name is unknown, the ground has no shape, or the engine is not installed.
    """
    if name == "mujoco":
        try:
            from footfall.drives.force.mujoco_host import MujocoHost
        except ImportError as error:
            if error.name != "mujoco":
                raise
            missing = "the host 'mujoco' needs MuJoCo, which is not installed: pip install 'footfall[physics]'"
            raise FootfallError(missing) from None
        return MujocoHost(proxies, world)
    if name == "penalty":
        from footfall.drives.force.penalty_host import PenaltyHost

        return PenaltyHost(proxies, world)
    raise FootfallError(f"host {name!r} is unknown; known hosts: {', '.join(HOSTS)}")
