"""Vectors, unit quaternions and rigid transforms: the only place with rotation algebra.

Right-handed, x forward, y left, z up. Quaternions are unit, scalar first ``[w, x, y, z]``; ``q`` and ``-q``
are the same rotation. ``q_a_b`` takes coordinates from frame b to frame a, and neighbours cancel:
``q_world_foot = multiply(q_world_body, q_body_foot)``.

``scalar`` holds the functions of one vector that kernels call, ``arrays`` the same algebra over whole arrays
for consumers of frames (traces, metrics, bakes).
"""
