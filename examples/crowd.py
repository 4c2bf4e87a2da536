"""A crowd as one batch, each with a speed of its own, and what a tick of it costs.

python examples/crowd.py 1000 10
"""

import sys
from time import perf_counter

import numpy as np

import footfall as ff

agents, seconds = (int(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) > 2 else (1000, 10.0)
machine = ff.load_machine("quadruped")
terrain = ff.make_terrain("rocks", machine.leg_length)
state = ff.initial_state(machine, terrain.world, ff.place_agents(machine, terrain, agents))
command = ff.idle_command(agents)
command["speed"] = np.random.default_rng(1).uniform(0.3, 1.2, agents)
rooms = [(ff.make_buffers(machine, state), ff.make_buffers(machine, state)) for _ in range(2)]  # no new memory a tick

start = state.body["root_position"][:, 0].copy()
ff.step(machine, state, command, terrain.world, machine.inner_step, buffers=rooms[0])  # compiles; thrown away
count, began = round(seconds / machine.inner_step), perf_counter()
for number in range(count):
    state = ff.step(machine, state, command, terrain.world, machine.inner_step, buffers=rooms[number % 2]).state
cost = (perf_counter() - began) / count
gone = state.body["root_position"][:, 0] - start
print(f"{agents} machines took {int(state.legs['steps'].sum())} steps and went {gone.mean():.1f} m on average")
print(f"a tick costs {1e3 * cost:.2f} ms, that is {1e6 * cost / agents:.2f} µs a machine")
