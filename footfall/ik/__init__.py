"""Inverse kinematics: from goal soles to joints. Memory passes in and out; nothing is held.

One idea a file: ``bend`` chooses the side a knee goes to, ``two_bone``, ``pantograph``, ``fabrik`` and ``chain`` are
the solvers (three segments are two bones over a metatarsus), and ``legs`` solves every leg of every agent.
"""
