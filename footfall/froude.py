"""Defaults that grow with the machine as its walk does: walks are alike where speeds go as the root of the leg length.

With lengths as L, gravity being the same, times and speeds go as √L, rates as 1 / √L and accelerations not at all
(Alexander and Jayes 1983, *A dynamic similarity hypothesis for the gaits of quadrupedal mammals*).
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

LENGTH, SPEED, TIME, RATE, STIFFNESS = 1.0, 0.5, 0.5, -0.5, -1.0  # powers of the leg length

T = TypeVar("T")


class Scaled(float):
    """A figure at a leg length of 1 m, and the power of the leg length that it grows with."""

    power: float

    def __new__(cls, figure: float, power: float) -> Scaled:
        """The figure at 1 m."""
        new = super().__new__(cls, figure)
        new.power = power
        return new

    def __reduce__(self) -> tuple[type[Scaled], tuple[float, float]]:
        """What a copy is made of."""
        return Scaled, (float(self), self.power)

    def at(self, leg_length: float) -> float:
        """The figure at another leg length [m]."""
        return float(self) * float(leg_length**self.power)


def at_size(settings: T, leg_length: float) -> T:
    """Settings, a dataclass, of a machine of this leg length [m]: every default that grows has its figure."""
    found: dict[str, Any] = {field.name: getattr(settings, field.name) for field in fields(settings)}  # type: ignore[arg-type]
    grown = {name: value.at(leg_length) for name, value in found.items() if isinstance(value, Scaled)}
    return replace(settings, **grown) if grown else settings  # type: ignore[type-var]
