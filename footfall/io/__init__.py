"""File formats: axes, units and the order of quaternions change only here and in the studio."""
