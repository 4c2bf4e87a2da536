"""A machine of one's own, as YAML text: five legs around a round body.

python examples/own_machine.py 10
"""

import math
import sys

import footfall as ff

LEG = """
  - {{name: leg_{number}, trunk: body, hip: [{hx:.3f}, {hy:.3f}, 0], rest: [{rx:.3f}, {ry:.3f}],
     segments: [0.4, 0.45], pole: [{hx:.3f}, {hy:.3f}, 1], foot_radius: 0.03}}"""
angles = [math.radians(72.0 * number + 36.0) for number in range(5)]
legs = "".join(
    LEG.format(
        number=number + 1, hx=0.2 * math.cos(a), hy=0.2 * math.sin(a), rx=0.6 * math.cos(a), ry=0.6 * math.sin(a)
    )
    for number, a in enumerate(angles)
)
text = f"""
name: star
title: Five legs around a table
cruise_speed: 0.3
stand_height: 0.45
pattern: wave
trunks: [{{name: body, size: [0.4, 0.4, 0.15]}}]
legs:{legs}
gait: {{duty_factor: 0.8, stride: 0.3, airborne_limit: 1}}
swing: {{height: 0.12, full_length: 0.3}}
"""
machine = ff.parse_machine(text, "star.yaml")
terrain = ff.make_terrain("rocks", machine.leg_length)
metrics = ff.Metrics(machine, terrain.world)
for frame in ff.run(machine, terrain, ff.steady(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)):
    metrics.add(frame)
print({key: metrics.result()[key] for key in ("steps", "slip_max_mm", "airborne_max", "speed_mean")})
