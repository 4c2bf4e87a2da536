"""Planners make the plan between sense and act: from a gait, or from clips."""
