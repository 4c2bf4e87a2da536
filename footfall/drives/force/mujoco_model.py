"""A MuJoCo model of the proxies of one machine on solid ground.

Contacts: elliptic friction cones with impratio 100, and springs with a time constant of two substeps and a damping
ratio of 2: planted feet then neither creep nor bounce. Ground collides with proxies only; a foot meets planes and boxes
with its box, and grids and plates with a ball in each corner of its sole, or in each point of its sole polygon.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from footfall.drives.force.ground_shapes import GroundBox, GroundGrid, GroundPlane, GroundPlate, Shape
from footfall.drives.force.host import Array, Proxies, ProxyShape
from footfall.errors import FootfallError

IMPRATIO = 100.0  # stiffness of friction over that of the normal force: creep falls with it
DAMPING_RATIO = 2.0  # of contacts: 1 bounces, 4 recovers slowly
IMPEDANCE = (0.99, 0.999, 0.001, 0.5, 2.0)  # solimp
SMOOTH, ROUGH = 1, 2  # bits of ground that boxes and that balls collide with
BALL = 0.25  # radius of a corner's ball, at most this share of the sole's radius
INTEGRATORS = {"Euler": "explicit", "implicitfast": "implicit"}  # and how they take the gyroscopic term


def corner_balls(shape: ProxyShape, foot: bool) -> tuple[Array, float]:
    """Centres ``[n, 3]`` and radius [m] of the balls on which a proxy touches grids and plates."""
    half = 0.5 * np.asarray(shape.size)
    radius = min(shape.sole_offset, BALL * shape.sole_radius)
    if shape.polygon:
        centres = np.array([(x, y, radius - half[2]) for x, y in shape.polygon])
        return centres, radius
    signs = np.array([(x, y, z) for z in ((-1,) if foot else (-1, 1)) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))])
    return signs * (half - radius), radius


def add_ground_plane(spec: Any, shape: GroundPlane, thickness: float) -> None:
    """An endless plane."""
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(type=plane, size=[0, 0, 1], pos=shape.position, quat=shape.rotation, contype=SMOOTH)


def add_ground_box(spec: Any, shape: GroundBox, thickness: float) -> None:
    """A box."""
    box = mujoco.mjtGeom.mjGEOM_BOX
    spec.worldbody.add_geom(type=box, size=shape.half, pos=shape.position, quat=shape.rotation, contype=SMOOTH)


def add_ground_grid(spec: Any, shape: GroundGrid, thickness: float) -> None:
    """A height field: the engine keeps heights as shares of their range, over the lowest."""
    rows, columns = shape.heights.shape
    low, high = float(shape.heights.min()), float(shape.heights.max())
    rise = high - low if high > low else 1.0
    name = f"grid{len(spec.hfields)}"
    size = [0.5 * (columns - 1) * shape.dx, 0.5 * (rows - 1) * shape.dy, rise, thickness]
    shares = (shape.heights - low) / rise
    spec.add_hfield(name=name, nrow=rows, ncol=columns, size=size, userdata=shares.ravel())
    up = np.zeros(3)
    mujoco.mju_rotVecQuat(up, np.array([0.0, 0.0, low]), shape.rotation)
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname=name, pos=shape.position + up, quat=shape.rotation, contype=ROUGH
    )


def add_ground_plate(spec: Any, shape: GroundPlate, thickness: float) -> None:
    """A convex prism under the plate's top."""
    name = f"plate{len(spec.meshes)}"
    vertices = np.concatenate([shape.corners, shape.corners - thickness * shape.normal])
    spec.add_mesh(name=name, uservert=vertices.ravel(), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
    mesh = mujoco.mjtGeom.mjGEOM_MESH
    spec.worldbody.add_geom(type=mesh, meshname=name, pos=shape.position, contype=ROUGH)


ADD_GROUND: dict[type, Any] = {
    GroundPlane: add_ground_plane,
    GroundBox: add_ground_box,
    GroundGrid: add_ground_grid,
    GroundPlate: add_ground_plate,
}


def add_proxy(spec: Any, name: str, shape: ProxyShape, foot: bool, smooth: bool, rough: bool) -> None:
    """A free rigid body with what it touches the ground with."""
    body = spec.worldbody.add_body(name=name)
    body.add_freejoint()
    body.explicitinertial = True
    body.mass, body.inertia, body.ipos = shape.mass, shape.inertia, [0.0, 0.0, 0.0]
    substance = {
        "contype": 0, "priority": 1, "condim": 3, "friction": [shape.friction, 0.005, 0.0001],
        "solref": [2.0 * spec.option.timestep, DAMPING_RATIO], "solimp": IMPEDANCE,
    }  # fmt: skip
    half = 0.5 * np.asarray(shape.size)
    if smooth and not shape.polygon:
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half, conaffinity=SMOOTH, **substance)
    if rough or shape.polygon:
        centres, radius = corner_balls(shape, foot)
        for point, centre in enumerate(centres):
            body.add_geom(
                name=f"{name}/{point}", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[radius, 0, 0], pos=centre,
                conaffinity=SMOOTH | ROUGH if shape.polygon else ROUGH, **substance,
            )  # fmt: skip


def set_options(spec: Any, proxies: Proxies, integrator: str) -> None:
    """Time step, gravity and contact model."""
    if integrator not in INTEGRATORS:
        raise FootfallError(f"integrator {integrator!r} is unknown; known: {', '.join(INTEGRATORS)}")
    option = spec.option
    option.timestep = proxies.substep
    option.gravity = proxies.gravity
    option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = IMPRATIO
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)  # what fails shall look like it


def plate_thickness(proxies: Proxies) -> float:
    """How thick ground is that has no thickness of its own [m]: more than a foot goes in a substep."""
    return max(0.1 * proxies.body.size[0], *(foot.sole_radius for foot in proxies.feet))


def check_masses(model: Any, proxies: Proxies) -> None:
    """Refuse a model that is not one body and n feet of the masses asked for (row B11)."""
    masses = model.body_mass[1:]
    if masses.shape != proxies.masses.shape or not np.array_equal(masses, proxies.masses):
        raise FootfallError(f"the engine made proxies of {masses} kg; asked for {proxies.masses} kg")


def build_model(proxies: Proxies, ground: Sequence[Shape], integrator: str) -> Any:
    """``MjModel`` of the proxies, the body first, on this ground."""
    spec = mujoco.MjSpec()
    set_options(spec, proxies, integrator)
    for shape in ground:
        ADD_GROUND[type(shape)](spec, shape, plate_thickness(proxies))
    for geom in spec.geoms:
        geom.conaffinity = 0
    smooth = any(isinstance(shape, GroundPlane | GroundBox) for shape in ground)
    rough = any(isinstance(shape, GroundGrid | GroundPlate) for shape in ground)
    add_proxy(spec, "body", proxies.body, False, smooth, rough)
    for index, foot in enumerate(proxies.feet):
        add_proxy(spec, f"foot{index}", foot, True, smooth, rough)
    model = spec.compile()
    check_masses(model, proxies)
    return model


def ball_slots(model: Any) -> Any:
    """``[geoms]`` which point of the sole a geometry is, -1 for others."""
    names = [model.geom(index).name for index in range(model.ngeom)]
    return np.array([int(name.rpartition("/")[2]) if "/" in name else -1 for name in names], np.int64)
