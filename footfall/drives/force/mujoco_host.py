"""The host on MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from footfall.drives.force.ground_shapes import (
    Window,
    ground_shapes,
    near_border,
    needs_window,
    window_at,
    window_bounds,
)
from footfall.drives.force.host import Array, Counts, HostCaps, Proxies, Reading
from footfall.drives.force.host_contacts import (
    Contacts,
    FrameLatch,
    contact_memory,
    forget_contacts,
    make_reading,
    note_contacts,
)
from footfall.drives.force.mujoco_model import INTEGRATORS, ball_slots, build_model
from footfall.errors import FootfallError
from footfall.frames.arrays import rotate, unrotate
from footfall.world import UNOWNED, Hit, World, cast

KEPT_WINDOWS = 4  # models of parts of the ground that a host keeps at hand
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
CONE = np.arange(3)  # rows of one contact: along its normal, and twice across


class Engine(NamedTuple):
    """The engine on one window of the ground."""

    model: Any
    data: Any
    owner: Counts
    """``[geometries]`` foot of each; one more than there are for what is no foot's."""
    slot: Counts
    """``[geometries]`` point of the sole polygon that each is; -1 none."""


def find_contacts(engine: Engine, feet: int) -> Contacts:
    """Contacts between feet and ground at the start of the last substep, with the forces in it.

    A contact's frame has the normal from its first to its second geometry in its first row; its force, in that frame,
    acts on the second.
    """
    contact = engine.data.contact
    pair = engine.owner[contact.geom]
    rows = np.flatnonzero((contact.efc_address >= 0) & (pair.min(axis=1, initial=feet) < feet))
    second = pair[rows, 1] < feet
    column = second.astype(np.int64)
    frame = contact.frame[rows].reshape(-1, 3, 3)
    sign = np.where(second, 1.0, -1.0)[:, None]
    force = engine.data.efc_force[contact.efc_address[rows, None] + CONE]
    return Contacts(
        foot=pair[rows, column],
        slot=engine.slot[contact.geom[rows, column]],
        point=contact.pos[rows],
        normal=sign * frame[:, 0],
        force=sign * np.einsum("nij,ni->nj", frame, force),
        gap=contact.dist[rows],
    )


@contextmanager
def without_log() -> Iterator[None]:
    """Let the engine not write its log file into the user's folder: what fails is seen in the readings."""
    kept = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(kept)


class MujocoHost:
    """One body and n feet in MuJoCo, on the ground of a world as it stands when the host is made.

    Rays are cast into the world itself; grids and plates differ from it by the engine's single precision: 6e-8 of the
    rise of a height field, or of the size of a triangle, within the window.

    Raises:
        FootfallError: the integrator is unknown, or the ground has no shape.
    """

    def __init__(self, proxies: Proxies, world: World, integrator: str = "Euler") -> None:
        self.proxies = proxies
        self.world = world
        self.caps = HostCaps(
            name=f"mujoco {mujoco.__version__}",
            dt=proxies.dt,
            substeps=proxies.substeps,
            integrator=integrator,
            gravity=proxies.gravity,
            gyro=INTEGRATORS.get(integrator, ""),
            latched_contacts=True,
            exact_snapshot=True,
            contact_delay=proxies.substep,
        )
        self._length = proxies.body.size[0]
        self._windowed = needs_window(world)
        self._kept: dict[Window, Engine] = {}
        self._memory = contact_memory(len(proxies.feet), proxies.substeps)
        self._open((0, 0))

    def _open(self, window: Window) -> None:
        """Go on with the engine on a window of the ground; what the engine knows is not brought along."""
        if window not in self._kept:
            ground = ground_shapes(self.world, window_bounds(window, self._length))
            model = build_model(self.proxies, ground, self.caps.integrator)
            feet = len(self.proxies.feet)
            owner = model.geom_bodyid - 2  # 0 is the ground, 1 the body
            owner = np.where(owner >= 0, owner, feet).astype(np.int64)
            self._kept[window] = Engine(model, mujoco.MjData(model), owner, ball_slots(model))
            while len(self._kept) > KEPT_WINDOWS:
                del self._kept[next(iter(self._kept))]
        self._window = window
        self._engine = self._kept[window]

    def _follow(self) -> None:
        """Go on in another window where the machine nears the border of this one."""
        positions = self._engine.data.qpos.reshape(-1, 7)
        if near_border(self._window, self._length, positions):
            window = window_at(positions[0, 0], positions[0, 1], self._length)
            if window != self._window:
                state = self._state()
                self._open(window)
                mujoco.mj_setState(self._engine.model, self._engine.data, state, STATE)

    def _state(self) -> Array:
        """All that the engine's next step depends on."""
        state = np.empty(mujoco.mj_stateSize(self._engine.model, STATE))
        mujoco.mj_getState(self._engine.model, self._engine.data, state, STATE)
        return state

    def place(
        self, position: ArrayLike, rotation: ArrayLike, velocity: ArrayLike, angular_velocity: ArrayLike | None = None
    ) -> Reading:
        """Seat all proxies; see ``Host.place``."""
        position, rotation = np.asarray(position, np.float64), np.asarray(rotation, np.float64)
        if self._windowed:
            self._open(window_at(position[0, 0], position[0, 1], self._length))
        mujoco.mj_resetData(self._engine.model, self._engine.data)
        count = len(self.proxies.shapes)
        seat, motion = self._engine.data.qpos.reshape(count, 7), self._engine.data.qvel.reshape(count, 6)
        seat[:, :3], seat[:, 3:] = position, rotation / np.linalg.norm(rotation, axis=-1, keepdims=True)
        motion[:, :3] = velocity
        if angular_velocity is not None:
            motion[:, 3:] = unrotate(seat[:, 3:], np.asarray(angular_velocity, np.float64))
        forget_contacts(self._memory)
        return self.read()

    def read(self) -> Reading:
        """What there is now. The engine has angular velocities in the frames of the proxies."""
        count = len(self.proxies.shapes)
        seat, motion = self._engine.data.qpos.reshape(count, 7), self._engine.data.qvel.reshape(count, 6)
        rotation = seat[:, 3:].copy()
        angular_velocity = rotate(rotation, motion[:, 3:])
        return make_reading(self._memory, seat[:, :3].copy(), rotation, motion[:, :3].copy(), angular_velocity)

    def apply(self, forces: ArrayLike, torques: ArrayLike) -> None:
        """Wrenches at the centres of mass, world, held until the next call."""
        wrench: NDArray[np.float64] = self._engine.data.xfrc_applied
        wrench[1:, :3] = forces
        wrench[1:, 3:] = torques

    def step(self) -> Reading:
        """Advance by one frame, looking at the contacts after each substep."""
        if self._windowed:
            self._follow()
        latch = FrameLatch(self._memory)
        with without_log():
            self._advance(latch)
        latch.close(find_contacts(self._engine, len(self.proxies.feet)))
        return self.read()

    def _advance(self, latch: FrameLatch) -> None:
        """All substeps of a frame."""
        engine, feet = self._engine, len(self.proxies.feet)
        model, data, owner = engine.model, engine.data, engine.owner
        touching = np.zeros(feet + 1, np.bool_)
        last = latch.rows[0].tobytes()
        for substep in range(self.proxies.substeps):
            mujoco.mj_step(model, data)
            contact = data.contact
            touching[:] = False
            touching[owner[contact.geom[contact.efc_address >= 0]]] = True
            latch.rows[substep + 1] = touching[:feet]
            now = touching[:feet].tobytes()
            if now != last:
                note_contacts(self._memory, find_contacts(engine, feet), latch.begins(substep))
                last = now

    def save(self) -> Array:
        """Window, contacts, and the engine's whole integration state."""
        window = np.array(self._window, np.float64)
        return np.concatenate([window, self._memory.view(np.float64), self._state()])

    def restore(self, saved: ArrayLike) -> None:
        """Go back to a saved moment.

        Raises:
            FootfallError: the array is of other proxies.
        """
        saved = np.asarray(saved, np.float64)
        memory = self._memory.view(np.float64)
        size = 2 + len(memory) + mujoco.mj_stateSize(self._engine.model, STATE)
        if saved.shape != (size,):
            raise FootfallError(f"a saved moment of shape {saved.shape}; a host of these proxies saves ({size},)")
        self._open((int(saved[0]), int(saved[1])))
        memory[:] = saved[2 : 2 + len(memory)]
        mujoco.mj_setState(self._engine.model, self._engine.data, saved[2 + len(memory) :], STATE)

    def raycast(self, points: ArrayLike, directions: ArrayLike, lengths: ArrayLike) -> Hit:
        """Rays onto the ground; see ``Host.raycast``."""
        return cast(self.world, points, directions, lengths, UNOWNED)
