"""Save a state in the middle of a stride, go on, then go back to it: the same bits again.

python examples/save_replay.py 3
"""

import io
import sys

import numpy as np

import footfall as ff

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
machine = ff.load_machine("spider")
world = ff.make_terrain("rocks", machine.leg_length, seed=7).world
command = ff.idle_command(1)
command["speed"], command["yaw_rate"] = machine.file.cruise_speed, 0.2


def walk(state: ff.State) -> ff.State:
    """Frames of another length than the inner step: the remainder of the time is in the state."""
    for _ in range(round(seconds * 144.0)):
        state = ff.step(machine, state, command, world, 1.0 / 144.0).state
    return state


middle = walk(ff.initial_state(machine, world))
file = io.BytesIO()
np.savez(file, **middle._asdict())  # a state is arrays, and nothing else
file.seek(0)
loaded = np.load(file)
restored = ff.State(*(loaded[name] for name in ff.State._fields))

first, second = ff.state_hash(walk(middle)), ff.state_hash(walk(restored))
print("feet in the air when it was saved:", int(middle.legs["swinging"].sum()))
print("gone on:  ", first)
print("restored: ", second)
assert first == second
