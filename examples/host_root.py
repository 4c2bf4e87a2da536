"""Sit inside someone else's game: the host moves the root, the legs follow from nothing else.

python examples/host_root.py 12
"""

import math
import sys

import footfall as ff

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 12.0
machine = ff.load_machine("biped")
world = ff.make_terrain("flat", machine.leg_length).world
state = ff.initial_state(machine, world, [(0.0, 0.0, 0.0)], hosted=True)
command = ff.idle_command(1)
command["hosted"] = 1

frame_time, planted = 1.0 / 50.0, None
for number in range(1, round(seconds / frame_time) + 1):
    time = number * frame_time
    turn = 0.15 * time  # a character that walks round a wide circle at 1.2 m/s, whoever moves it
    command["root_position"] = (8.0 * math.sin(turn), 8.0 - 8.0 * math.cos(turn), 0.0)
    command["root_rotation"] = (math.cos(0.5 * turn), 0.0, 0.0, math.sin(0.5 * turn))
    frame = ff.step(machine, state, command, world, frame_time)
    state = frame.state
    before, planted = planted, frame.actual.feet["swinging"][0] == 0
    if before is not None:
        for leg in (planted & ~before).nonzero()[0]:
            x, y, z = frame.actual.feet["sole"][0, leg]
            print(f"{time:6.2f} s  {machine.rig.leg_names[leg]} down at {x:.2f}, {y:.2f}")

jump = ff.teleport(machine, state, world, [0], [(100.0, 0.0, 0.0)], [(1.0, 0.0, 0.0, 0.0)], command)
print("after a teleport the feet stand at", jump.legs["anchor"][0, :, :2].round(2).tolist())
