"""A machine's articulated model as MJCF, MuJoCo's own format: trunk, hinges, capsules, ball feet, motors, a floor.

MuJoCo has our axes, units and order of quaternions. With all angles zero every body's frame is the trunk's, turned by
nothing, so that axes and directions of the rig carry over as they are. Bodies and joints are called as the rig's bones
are, ``<leg>/<bone>``; a foot is ``<leg>_foot``.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree

from footfall.articulation import Articulation, Solid, joint_range
from footfall.rig import Leg, Rig

FLOOR = 40.0  # half of the drawn floor's side [m]; it has no end


def numbers(*values: float) -> str:
    """Numbers as an attribute, to the last bit."""
    return " ".join(repr(float(value)) for value in values)


def foot_name(leg: str) -> str:
    """Name of the body and the geometry of a leg's foot."""
    return f"{leg}_foot"


def to_mjcf(rig: Rig, articulation: Articulation, name: str) -> str:
    """The model of a machine as the text of an MJCF file.

    Args:
        rig: one trunk; all legs are ``chain`` legs (``check_articulation`` says what else is asked of them).
        articulation: masses, radii, joints and motors.
        name: of the model.
    """
    root = ElementTree.Element("mujoco", model=name)
    ElementTree.SubElement(root, "compiler", angle="radian", autolimits="true")
    ElementTree.SubElement(
        root, "option", timestep=numbers(articulation.timestep), integrator="implicitfast", solver="Newton",
        iterations=str(articulation.iterations), cone="pyramidal",
    )  # fmt: skip
    ElementTree.SubElement(
        ElementTree.SubElement(root, "default"), "geom", density=numbers(articulation.density), condim="3",
        friction=numbers(*articulation.friction), margin=numbers(articulation.margin), conaffinity="0",
    )  # fmt: skip
    world = ElementTree.SubElement(root, "worldbody")
    ElementTree.SubElement(
        world, "geom", name="floor", type="plane", size=numbers(FLOOR, FLOOR, FLOOR), conaffinity="1"
    )
    trunk = ElementTree.SubElement(
        world, "body", name=rig.trunks[0].name, pos=numbers(0.0, 0.0, articulation.drop_height)
    )
    ElementTree.SubElement(trunk, "freejoint", name="root")
    for solid in articulation.solids:
        add_solid(trunk, solid)
    for leg in rig.legs:
        add_leg(trunk, leg, articulation)
    add_motors(ElementTree.SubElement(root, "actuator"), rig.legs, articulation)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def add_solid(trunk: ElementTree.Element, solid: Solid) -> None:
    """Add one solid to the trunk."""
    element = ElementTree.SubElement(
        trunk, "geom", type=solid.shape.name, size=numbers(*solid.size), pos=numbers(*solid.centre),
        mass=numbers(solid.mass),
    )  # fmt: skip
    if not solid.touches:
        element.set("contype", "0")


def add_leg(trunk: ElementTree.Element, leg: Leg, articulation: Articulation) -> None:
    """Add one leg to the trunk: a body, a hinge and a capsule for each bone, and a ball at the end of the last one."""
    parent, origin = trunk, leg.hip
    for bone, (hinge, direction, length) in enumerate(zip(leg.hinges, leg.directions, leg.segments, strict=True)):
        parent = ElementTree.SubElement(parent, "body", name=f"{leg.name}/{bone}", pos=numbers(*origin))
        ElementTree.SubElement(
            parent, "joint", name=f"{leg.name}/{bone}", type="hinge", axis=numbers(*hinge.axis),
            range=numbers(*joint_range(hinge)), damping=numbers(articulation.damping[bone]),
            armature=numbers(articulation.armature[bone]),
        )  # fmt: skip
        share = length / sum(part * part for part in direction) ** 0.5
        origin = (share * direction[0], share * direction[1], share * direction[2])
        ElementTree.SubElement(
            parent, "geom", type="capsule", fromto=numbers(0.0, 0.0, 0.0, *origin),
            size=numbers(articulation.bone_radii[bone]),
        )  # fmt: skip
    foot = ElementTree.SubElement(parent, "body", name=foot_name(leg.name), pos=numbers(*origin))
    ElementTree.SubElement(foot, "geom", name=foot_name(leg.name), type="sphere", size=numbers(leg.foot_height))


def add_motors(actuators: ElementTree.Element, legs: Iterable[Leg], articulation: Articulation) -> None:
    """Add a motor for each joint, leg by leg from the hip outward, with commands from -1 to 1."""
    for leg in legs:
        for bone in range(len(leg.hinges)):
            ElementTree.SubElement(
                actuators, "motor", name=f"{leg.name}/{bone}", joint=f"{leg.name}/{bone}",
                gear=numbers(articulation.torque), ctrlrange=numbers(-1.0, 1.0),
            )  # fmt: skip
