"""What feet and bodies can meet: terrain, moving surfaces, obstacles, other machines, a host's world."""

from footfall.world.build import build_world, flat_world
from footfall.world.cast import ALL_LAYERS, HIT, MISS, NOBODY, NOT_LOADED, UNOWNED, cast_ray
from footfall.world.ground import Hit, cast, ground_height, trace_ground, trace_ground_past_own
from footfall.world.host import Answer, answer_pending, clear_memo, has_host, run_answered
from footfall.world.shapes import Body, Boxes, Heightfield, Host, Mesh, Plane, Surface
from footfall.world.surface_pose import delete_surface, move_surface, rest_surfaces, world_at
from footfall.world.surfaces import World

__all__ = [
    "ALL_LAYERS",
    "HIT",
    "MISS",
    "NOBODY",
    "NOT_LOADED",
    "UNOWNED",
    "Answer",
    "Body",
    "Boxes",
    "Heightfield",
    "Hit",
    "Host",
    "Mesh",
    "Plane",
    "Surface",
    "World",
    "answer_pending",
    "build_world",
    "cast",
    "cast_ray",
    "clear_memo",
    "delete_surface",
    "flat_world",
    "ground_height",
    "has_host",
    "move_surface",
    "rest_surfaces",
    "run_answered",
    "trace_ground",
    "trace_ground_past_own",
    "world_at",
]
