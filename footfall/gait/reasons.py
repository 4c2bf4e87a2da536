"""Why a leg steps, and what becomes of its turn."""

from __future__ import annotations

NOTHING, TURN, RESCUE, BY_HAND, LET_GO = range(5)  # reasons of a step
WAITING, REFUSED = 1, 2  # of a leg whose turn has come: it has not tried yet, or found no foothold
