"""Walk a machine over a terrain and print its numbers.

python examples/walk_numbers.py quadruped jacksboro 20
"""

import sys

import footfall as ff

name, ground, seconds = (*sys.argv[1:], *("quadruped", "jacksboro", "20")[len(sys.argv) - 1 :])

machine = ff.load_machine(name)
terrain = ff.make_terrain(ground, machine.leg_length)
metrics = ff.Metrics(machine, terrain.world)

walk = ff.run(machine, terrain, ff.steady(float(seconds)))
for frame in walk:
    metrics.add(frame, walk.command)

numbers = metrics.result()
for key in ("steps", "slip_max_mm", "penetration_max_mm", "e_ik_max_mm", "airborne_max", "speed_mean"):
    print(f"{key:>20}  {numbers[key]:.4g}")
for key, peak in metrics.peaks().items():
    worst = "smallest" if key == "support_margin_min_m" else "largest"
    print(f"{key:>28} was {worst} at {peak.time:.2f} s {peak.leg}")
print("state", ff.state_hash(frame.state))
