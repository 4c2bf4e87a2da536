"""One kernel as a C function: its statements, and the types of its variables.

The body is gone through until the types of all variables are settled: a variable that is once a whole number and once
a float is a float, as in Numba. One that is reused for something else altogether becomes a second variable.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from footfall.bench.c_blocks import Block, Line, Use, Variable, declare_all, wrap
from footfall.bench.c_expression import (
    BINARY,
    MATHS,
    POSTFIX,
    TRUTHS,
    Code,
    ExpressionWriter,
    literal,
    real,
    unknown,
    whole_number,
)
from footfall.bench.c_types import (
    DOUBLE,
    INTEGER,
    Array,
    Bundle,
    Fixed,
    Number,
    Record,
    TranslationError,
    Tuple,
    Type,
    TypeNames,
    is_vector,
    unify,
)

KEYWORDS = {
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "false", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short",
    "signed", "sizeof", "static", "struct", "switch", "true", "typedef", "union", "unsigned", "void", "volatile",
    "while",
}  # fmt: skip
RESERVED = KEYWORDS | MATHS | TRUTHS | {"min", "max", "floor", "ceil", "fabs", "llabs", "modulo", "floor_divide"}


SMALL = 8  # lines up to which a function is declared inline: gcc makes the fastest program of it
LOOP = -1  # of a name: the variable of the loop around


class Callees(Protocol):
    """The program that a function is part of."""

    types: TypeNames

    def writer(self, kernel: Any, arguments: tuple[Type, ...]) -> FunctionWriter:
        """Translator of a kernel for arguments of these types."""

    def emit(self, writer: FunctionWriter) -> str:
        """Write a function down; its name."""

    def constant(self, name: str, value: Any) -> Code:
        """A constant of a module."""


class FunctionWriter(ExpressionWriter):
    """Translates one kernel for arguments of certain types."""

    def __init__(self, program: Callees, kernel: Any, arguments: tuple[Type, ...]) -> None:
        self.program = program
        self.types = program.types
        self.kernel = kernel
        python = kernel.py_func
        self.scope: dict[str, Any] = python.__globals__
        self.python_name: str = python.__name__
        tree = ast.parse(textwrap.dedent(inspect.getsource(python))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise TranslationError(f"{self.python_name} is no function")
        self.tree = tree
        self.parameters = [argument.arg for argument in tree.args.args]
        self.arguments = arguments
        self.wish = self.python_name
        self.names: dict[str, list[Type]] = {}  # types that a name has had; each is a variable of its own in C
        self.returned: Type | None = None
        self.changed = False
        self.read = {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        self.infer()

    # Types

    def infer(self) -> None:
        """Go through the body until no type changes any more."""
        self.dry = True
        for _ in range(20):
            self.changed = False
            self.go_through()
            if not self.changed:
                return
        raise TranslationError(f"{self.python_name}: types do not settle")

    def go_through(self) -> Block:
        """Translate the body once."""
        self.variables: dict[str, Variable] = {}
        self.now: dict[str, int | None] = {}  # which of a name's variables it stands for; None: it is not known
        self.temporaries = 0
        self.body = self.block = Block()
        for name, kind in zip(self.parameters, self.arguments, strict=True):
            self.now[name] = self.version(name, kind)
        self.statements(self.tree.body)
        return self.body

    def version(self, name: str, kind: Type) -> int:
        """Which of a name's variables holds this type; one is widened or added where none does."""
        kinds = self.names.setdefault(name, [])
        for number, known in enumerate(kinds):
            both = unify(known, kind)
            if both is not None:
                if both != known:
                    kinds[number] = both
                    self.changed = True
                return number
        kinds.append(kind)
        self.changed = True
        return len(kinds) - 1

    def c_name(self, name: str, number: int) -> str:
        """A variable's name in C."""
        name = "again" if name == "_" else name
        plain = f"{name}_" if name in RESERVED else name
        return plain if number == 0 else f"{plain}_{number + 1}"

    # Variables

    def variable(self, node: ast.Name) -> Code:
        """A variable, or a constant of the module."""
        if self.now.get(node.id) == LOOP:
            return Code(self.c_name(node.id, 0), INTEGER)
        if node.id in self.now:
            number = self.now[node.id]
            if number is None:
                unknown(node, "a variable of two types, or of a loop that is over")
            name, kind = self.c_name(node.id, number), self.names[node.id][number]
            self.meet(node.id, number, None)
            return Code(name, kind)
        if node.id not in self.scope:
            unknown(node, "a variable without a value")
        value = self.scope[node.id]
        if isinstance(value, (bool, int, float)) or (isinstance(value, tuple) and not self.dry):
            return literal(value) if self.dry else self.program.constant(node.id, value)
        if isinstance(value, tuple):
            return literal(value)
        unknown(node, "no such constant in C")

    def meet(self, name: str, number: int, line: Line | None) -> None:
        """Note where a variable is met, so that it is declared in the right place."""
        if name not in self.parameters or number > 0:
            c_name = self.c_name(name, number)
            variable = self.variables.setdefault(c_name, Variable(c_name, self.names[name][number]))
            variable.uses.append(Use(self.block, line))

    def function(self, name: str) -> Any:
        """The kernel that a name stands for, or None."""
        value = self.scope.get(name)
        return value if hasattr(value, "py_func") and name not in self.now else None

    def call_kernel(self, node: ast.Call, kernel: Any, arguments: Sequence[Code]) -> Code:
        """A call of another kernel, which is written first."""
        arguments = list(arguments)
        if node.keywords or len(arguments) < len(inspect.signature(kernel.py_func).parameters):
            named = {word.arg: self.expression(word.value) for word in node.keywords}
            for number, (name, parameter) in enumerate(inspect.signature(kernel.py_func).parameters.items()):
                if number >= len(arguments):
                    arguments.append(named[name] if name in named else literal(parameter.default))
        kinds = tuple(argument.kind for argument in arguments)
        callee = self.program.writer(kernel, kinds)
        if self.dry:
            return Code("?()", callee.returned or Tuple(()))
        name = self.program.emit(callee)
        inner = ", ".join(self.value(*pair) for pair in zip(arguments, kinds, strict=True))
        return Code(f"{name}({inner})", callee.returned or Tuple(()), POSTFIX)

    # Statements

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Translate statements into the present block."""
        for node in nodes:
            write: Callable[[Any], None] | None = getattr(self, f"_state_{type(node).__name__.lower()}", None)
            if write is None:
                unknown(node, f"no {type(node).__name__} in C")
            write(node)

    def line(self, text: str) -> Line:
        """Add a line."""
        line = Line(text)
        self.block.items.append(line)
        return line

    def inside(self, nodes: Sequence[ast.stmt], loop: bool = False) -> Block:
        """Translate statements into a block of their own within the present one."""
        outer = self.block
        self.block = Block(outer, loop)
        outer.items.append(self.block)
        self.statements(nodes)
        inner, self.block = self.block, outer
        return inner

    def _state_pass(self, node: ast.Pass) -> None:
        pass

    def _state_break(self, node: ast.Break) -> None:
        self.line("break;")

    def _state_continue(self, node: ast.Continue) -> None:
        self.line("continue;")

    def _state_expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        self.line(f"{self.expression(node.value).text};")

    def _state_return(self, node: ast.Return) -> None:
        if node.value is None:
            self.line("return;")
            return
        code = self.expression(node.value)
        both = code.kind if self.returned is None else unify(self.returned, code.kind)
        if both is None:
            unknown(node, "another type is returned elsewhere")
        if both != self.returned:
            self.returned, self.changed = both, True
        self.line("return;" if self.dry else f"return {self.value(code, both)};")

    def _state_assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            unknown(node, "two assignments in one")
        target = node.targets[0]
        if not isinstance(target, ast.Tuple):
            self.store(target, self.expression(node.value))
            return
        if isinstance(node.value, ast.Tuple):
            codes = [self.expression(part) for part in node.value.elts]
            if self.tangled(target, node.value):
                codes = [self.keep(code) for code in codes]
        else:
            whole = self.expression(node.value)
            if not isinstance(whole.kind, Tuple):
                unknown(node, "only tuples are unpacked")
            kinds = whole.kind.parts
            whole = whole if whole.parts else self.keep(whole)
            name = "v[{}]" if is_vector(whole.kind) else "_{}"
            codes = list(whole.parts) or [
                Code(f"{whole.text}.{name.format(number)}", kind, POSTFIX) for number, kind in enumerate(kinds)
            ]
        for part, code in zip(target.elts, codes, strict=True):
            if not isinstance(part, ast.Name) or part.id in self.read:
                self.store(part, code)

    @staticmethod
    def tangled(target: ast.Tuple, value: ast.Tuple) -> bool:
        """Whether a later value may depend on an earlier target."""
        for number, part in enumerate(target.elts):
            later = [inner for other in value.elts[number + 1 :] for inner in ast.walk(other)]
            if isinstance(part, ast.Name):
                if any(isinstance(inner, ast.Name) and inner.id == part.id for inner in later):
                    return True
            elif any(isinstance(inner, (ast.Subscript, ast.Call)) for inner in later):
                return True
        return False

    def keep(self, code: Code) -> Code:
        """Put a value into a variable of its own."""
        self.temporaries += 1
        name = "got" if self.temporaries == 1 else f"got_{self.temporaries}"
        if not self.dry:
            self.line(f"{self.declaration(code.kind, name)} = {self.value(code)};")
        return Code(name, code.kind)

    def declaration(self, kind: Type, name: str) -> str:
        """Declaration of a variable."""
        self.struct_of(kind)
        return self.types.value(kind, name)

    def struct_of(self, kind: Type) -> None:
        """Declare what a type needs, under a fitting name."""
        if isinstance(kind, (Tuple, Array, Record, Bundle)):
            self.struct(kind)
        elif isinstance(kind, Fixed):
            self.struct_of(kind.part)

    def store(self, target: ast.expr, code: Code) -> None:
        """One assignment."""
        if isinstance(target, ast.Name):
            number = self.version(target.id, code.kind)
            kind, name = self.names[target.id][number], self.c_name(target.id, number)
            self.meet(target.id, number, self.line("" if self.dry else f"{name} = {self.value(code, kind)};"))
            self.now[target.id] = number
            return
        place = self.expression(target)
        if not isinstance(place.kind, Number):
            unknown(target, "only numbers are stored in arrays and records")
        self.line("" if self.dry else f"{place.text} = {self.value(code)};")

    def _state_augassign(self, node: ast.AugAssign) -> None:
        place = self.expression(ast.parse(ast.unparse(node.target), mode="eval").body)
        added = self.expression(node.value)
        code = self.binary(node, node.op, place, added)
        if isinstance(node.target, ast.Name):
            self.version(node.target.id, code.kind)
        whole = isinstance(node.op, ast.Div) and place.kind != DOUBLE
        sign = "" if whole else BINARY.get(type(node.op), ("", 0))[0]
        self.line(f"{place.text} {sign}= {real(added).text};" if sign else f"{place.text} = {code.text};")

    def _state_if(self, node: ast.If) -> None:
        self.line(f"if ({self.expression(node.test).text}) {{")
        self.ways_of(node)
        self.line("}")

    def ways_of(self, node: ast.If) -> None:
        """Both ways of a condition, and those of an ``elif``."""
        before = dict(self.now)
        self.inside(node.body)
        after = [] if leaves(node.body) else [self.now]
        self.now = dict(before)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self.line(f"}} else if ({self.expression(node.orelse[0].test).text}) {{")
            self.ways_of(node.orelse[0])
        elif node.orelse:
            self.line("} else {")
            self.inside(node.orelse)
        if not leaves(node.orelse):
            after.append(self.now)
        self.now = self.joined(after) if after else before

    @staticmethod
    def joined(ways: list[dict[str, int | None]]) -> dict[str, int | None]:
        """What names stand for where two ways meet."""
        both: dict[str, int | None] = {}
        for name in {name for way in ways for name in way}:
            found = {way[name] for way in ways if name in way}
            both[name] = found.pop() if len(found) == 1 else None
        return both

    def _state_while(self, node: ast.While) -> None:
        if node.orelse:
            unknown(node, "no 'else' of a loop in C")
        test = self.expression(node.test)
        self.line(f"while ({test.text}) {{")
        self.loop_body(node.body)
        self.line("}")

    def loop_body(self, nodes: Sequence[ast.stmt]) -> None:
        """Translate a loop's body; what a name stands for must be the same in every round."""
        before = dict(self.now)
        self.inside(nodes, loop=True)
        stored = {node.id for part in nodes for node in ast.walk(part)
                  if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
        for name in stored:
            if name in before and len(self.names.get(name, [])) > 1 and before[name] != self.now.get(name):
                if first_use_is_read(nodes, name):
                    raise TranslationError(f"{self.python_name}: {name} changes its type in a loop")
        self.now = self.joined([before, self.now])

    def _state_for(self, node: ast.For) -> None:
        call, target = node.iter, node.target
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            unknown(node, "only ranges are looped over")
        if not isinstance(target, ast.Name) or node.orelse:
            unknown(node, "no such loop in C")
        changed = {part.id for inner in node.body for part in ast.walk(inner)
                   if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}  # fmt: skip
        if target.id in changed and target.id != "_":
            unknown(node, "the loop's variable is changed in it")
        bounds = [self.expression(part) for part in call.args]
        start, stop = (literal(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = self.fixed(call.args[2]) if len(bounds) == 3 else 1
        if step is None or step == 0:
            unknown(node, "the step of a range must be constant")
        name = self.c_name(target.id, 0)
        simple = all(
            isinstance(part, (ast.Constant, ast.Name, ast.BinOp, ast.operator, ast.expr_context))
            and not (isinstance(part, ast.Name) and part.id in changed)
            for part in ast.walk(call.args[min(1, len(bounds) - 1)])
        ) or (stop.text.endswith("]") and ".shape[" in stop.text)  # fmt: skip
        header = f"int64_t {name} = {start.text}"
        if not simple:
            header += f", {name}_end = {stop.text}"
        end = stop.at(8) if simple else f"{name}_end"
        pace = {1: f"{name}++", -1: f"{name}--"}.get(step, f"{name} += {step}")
        self.line(f"for ({header}; {name} {'<' if step > 0 else '>'} {end}; {pace}) {{")
        self.now[target.id] = LOOP
        self.loop_body(node.body)
        self.now[target.id] = None
        self.line("}")

    def fixed(self, node: ast.expr) -> int | None:
        """A whole number that is written out or is a constant of the module; or None."""
        if isinstance(node, ast.Name) and node.id not in self.now and isinstance(self.scope.get(node.id), int):
            return int(self.scope[node.id])
        return whole_number(node)

    # The text

    def text(self, name: str) -> str:
        """The whole function."""
        self.dry = False
        body = self.go_through()
        declare_all(self.variables, self.declaration)
        settled = [self.names[parameter][0] for parameter in self.parameters]
        parameters = ", ".join(
            self.declaration(kind, self.c_name(parameter, 0))
            for parameter, kind in zip(self.parameters, settled, strict=True)
        )
        what = "void " if self.returned is None else self.declaration(self.returned, "")
        says = (ast.get_docstring(self.tree) or "").partition("\n\n")[0]
        comment = f"/* {says} */\n" if says else ""
        lines = list(body.lines())
        kind = "static inline " if len(lines) <= SMALL else "static "
        head = "\n".join(wrap("", f"{kind}{what}{name}({parameters})"))
        return f"{comment}{head}\n{{\n" + "\n".join(lines) + "\n}\n"


def leaves(nodes: Sequence[ast.stmt]) -> bool:
    """Whether statements never go on with what follows them."""
    if not nodes:
        return False
    last = nodes[-1]
    if isinstance(last, (ast.Return, ast.Break, ast.Continue)):
        return True
    return isinstance(last, ast.If) and leaves(last.body) and leaves(last.orelse)


def first_use_is_read(nodes: Sequence[ast.stmt], name: str) -> bool:
    """Whether a name is read before it gets a value in these statements (in the order of the text)."""
    for part in nodes:
        uses = [node for node in ast.walk(part) if isinstance(node, ast.Name) and node.id == name]
        if uses:
            if isinstance(part, ast.Assign):
                return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(part.value))
            return True
    return False
