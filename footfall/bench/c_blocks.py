"""Lines of a C function in their blocks, and where a variable is declared among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from footfall.bench.c_types import Type

WIDTH = 116  # characters in a line


@dataclass(eq=False)
class Block:
    """Statements between two braces."""

    above: Block | None = None
    loop: bool = False
    items: list[Line | Block] = field(default_factory=list)

    def path(self) -> list[Block]:
        """All blocks around this one, the outermost first, and itself."""
        return [*(self.above.path() if self.above else []), self]

    def lines(self, depth: int = 1) -> Iterator[str]:
        """The text, indented."""
        for item in self.items:
            if isinstance(item, Block):
                yield from item.lines(depth + 1)
            else:
                yield from wrap("    " * depth, item.text)


@dataclass(eq=False)
class Line:
    """One line of a block."""

    text: str


@dataclass(frozen=True)
class Use:
    """A place where a variable is met."""

    block: Block
    line: Line | None
    """The assignment that it is, where it gives the variable a value and nothing else."""


@dataclass
class Variable:
    """A variable by its name in C."""

    name: str
    kind: Type
    uses: list[Use] = field(default_factory=list)

    def declare(self, declaration: str) -> None:
        """Write its declaration: where it gets a value, if that is before and around all uses, else above them.

        Above them means out of all loops, as a value may go from one round to the next.
        """
        starts = self.starts(self.uses)
        for line in starts or []:
            line.text = f"{declaration}{line.text.removeprefix(self.name)}"
        if starts is None:
            path = common_block(self.uses).path()
            outside = next((number - 1 for number, block in enumerate(path) if block.loop), len(path) - 1)
            path[outside].items.insert(0, Line(f"{declaration};"))

    def starts(self, uses: list[Use]) -> list[Line] | None:
        """Assignments that begin these uses, one for each block that has nothing to do with the others; or None."""
        around = common_block(uses)
        first = uses[0]
        if first.line is not None and first.block is around and not self.reads(first.line):
            return [first.line]
        depth = len(around.path())
        groups: dict[Block, list[Use]] = {}
        for use in uses:
            path = use.block.path()
            if len(path) == depth:
                return None
            groups.setdefault(path[depth], []).append(use)
        found: list[Line] = []
        for group in groups.values():
            lines = self.starts(group)
            if lines is None:
                return None
            found += lines
        return found

    def reads(self, line: Line) -> bool:
        """Whether an assignment reads the variable that it stores."""
        return re.search(rf"(?<![\w.>]){self.name}\b", line.text.partition("=")[2]) is not None


def common_block(uses: list[Use]) -> Block:
    """The innermost block around all uses."""
    levels = zip(*(use.block.path() for use in uses), strict=False)
    common = uses[0].block.path()[0]
    for level in levels:
        if all(block is level[0] for block in level):
            common = level[0]
    return common


def declare_all(variables: dict[str, Variable], declaration: Callable[[Type, str], str]) -> None:
    """Declare all variables of a function."""
    for variable in variables.values():
        variable.declare(declaration(variable.kind, variable.name))


def wrap(indent: str, text: str) -> Iterator[str]:
    """A line, broken at spaces where it is too long."""
    further = indent + "        "
    while len(indent) + len(text) > WIDTH:
        cut = text.rfind(" ", 0, WIDTH - len(indent))
        if cut <= 0:
            break
        yield indent + text[:cut]
        indent, text = further, text[cut + 1 :]
    yield indent + text
