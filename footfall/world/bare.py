"""Kernels that count no references: what every kernel is now."""

from footfall.compile import kernel as bare

__all__ = ["bare"]
