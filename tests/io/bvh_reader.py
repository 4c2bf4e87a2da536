"""A reader of BVH that shares nothing with the writer."""

from __future__ import annotations

import numpy as np

AXES = {"X": 0, "Y": 1, "Z": 2}


def turn(axis: int, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i], out[i, j], out[j, i], out[j, j] = c, -s, s, c
    return out


def read(text: str, frame: int) -> dict[str, np.ndarray]:
    """Places of all joints and end sites in one frame, y up."""
    head, _, motion = text.partition("MOTION\n")
    lines = motion.strip().splitlines()
    assert int(lines[0].split()[1]) == len(lines) - 2
    values = iter(map(float, lines[2 + frame].split()))
    found: dict[str, np.ndarray] = {}
    stack: list[tuple[np.ndarray, np.ndarray]] = [(np.zeros(3), np.eye(3))]
    name = ""
    for line in head.splitlines():
        words = line.split()
        if words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words[0] == "End":
            name += "_end"
        elif words[0] == "OFFSET":
            p, r = stack[-1]
            p = p + r @ np.array(list(map(float, words[1:])))
            stack.append((p, r))
            found[name] = p
        elif words[0] == "CHANNELS":
            p, r = stack.pop()
            move = np.zeros(3)
            for channel in words[2:]:
                value, axis = next(values), AXES[channel[0]]
                if channel.endswith("position"):
                    move[axis] = value
                else:
                    r = r @ turn(axis, value)
            stack.append((p + stack[-1][1] @ move, r))
            found[name] = stack[-1][0]
        elif words[0] == "}":
            stack.pop()
    assert next(values, None) is None
    return found
