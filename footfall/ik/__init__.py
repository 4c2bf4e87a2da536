"""Inverse kinematics: from goal soles to joints. Memory passes in and out; nothing is held.

One idea a file: ``bend`` chooses the side a knee goes to, ``two_bone``, ``pantograph``, ``three_segment``, ``fabrik``
and ``chain`` are the solvers, ``reach`` says what a leg can reach, and ``legs`` solves every leg of every agent.
"""
