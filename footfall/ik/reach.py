"""Where the drive finds the end that a leg is solved for."""

from footfall.reach import solved_end

__all__ = ["solved_end"]
