"""Arguments: a parser that says what is wrong in one line, and numbers that are checked where they are read."""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """An ``ArgumentParser`` with one-line errors, no abbreviations, and ``-1e-3`` taken as a number."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)
        self._negative_number_matcher = re.compile(r"^-(\d|\.\d|inf|nan)", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        """Leave with the message and exit code 2."""
        line = re.sub(r"^argument (--[\w-]+): is ", r"\1 is ", " ".join(message.split()))
        print(f"{self.prog}: {line}", file=sys.stderr)
        sys.exit(2)


def number(low: float, high: float, above: bool = False, below: bool = False) -> Callable[[str], float]:
    """Reader of a finite number in [low, high]; ``above`` and ``below`` leave out the ends."""
    words = f"{'more than' if above else 'from'} {low:g} {'to less than' if below else 'to'} {high:g}"

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"is '{text}', which is no number; allowed: {words}") from None
        good = math.isfinite(value) and (value > low if above else value >= low)
        if not good or (value >= high if below else value > high):
            raise argparse.ArgumentTypeError(f"is {text}; allowed: {words}")
        return value

    return read


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reader of a whole number in [low, high]."""
    words = f"a whole number from {low} to {high}"

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"is '{text}'; allowed: {words}") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"is {text}; allowed: {words}")
        return value

    return read
