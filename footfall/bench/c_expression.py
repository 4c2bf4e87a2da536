"""Expressions of a kernel as C: each with its type, and its strength so that only needed brackets are written."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from footfall.bench.c_types import (
    BOOL,
    DOUBLE,
    INTEGER,
    INTEGER_32,
    Array,
    Bundle,
    Fixed,
    Number,
    Record,
    TranslationError,
    Tuple,
    Type,
    TypeNames,
    field_type,
    is_vector,
    type_of,
    unify,
)

COMMA, CHOICE, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, ORDER, SHIFT, SUM, PRODUCT, UNARY, POSTFIX, PRIMARY = range(15)

BINARY: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", PRODUCT), ast.Div: ("/", PRODUCT),
    ast.LShift: ("<<", SHIFT), ast.RShift: (">>", SHIFT), ast.BitOr: ("|", BIT_OR), ast.BitAnd: ("&", BIT_AND),
    ast.BitXor: ("^", BIT_XOR),
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], tuple[str, int]] = {
    ast.Lt: ("<", ORDER), ast.LtE: ("<=", ORDER), ast.Gt: (">", ORDER), ast.GtE: (">=", ORDER), ast.Eq: ("==", EQUAL),
    ast.NotEq: ("!=", EQUAL),
}  # fmt: skip
MATHS = {
    "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "expm1", "log", "fabs", "copysign", "hypot",
    "pow",
}  # fmt: skip
TRUTHS = {"isnan", "isinf", "isfinite"}


@dataclass(frozen=True)
class Code:
    """A piece of C: its text, its type and how strongly it binds."""

    text: str
    kind: Type
    level: int = PRIMARY
    place: bool = False
    """The text of a record is the struct itself, not a pointer to it."""
    parts: tuple[Code, ...] = ()
    """Of a tuple that is written out."""
    real: str = ""
    """A whole number that C has as a double first: ``floor(x)``."""

    def at(self, level: int) -> str:
        """Text that may stand where this strength is needed."""
        return self.text if self.level >= level else f"({self.text})"


def unknown(node: ast.AST, what: str) -> NoReturn:
    """Refuse a construct."""
    raise TranslationError(f"line {getattr(node, 'lineno', '?')}: {what}: {ast.unparse(node)}")


def number_text(value: float | int | bool) -> str:
    """A literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if -(2**31) < value < 2**31 else f"INT64_C({value})"
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def literal(value: Any) -> Code:
    """A constant."""
    if isinstance(value, tuple):
        parts = tuple(literal(part) for part in value)
        return Code("", Tuple(tuple(part.kind for part in parts)), parts=parts)
    kind = type_of(value)
    text = number_text(value.item() if hasattr(value, "item") else value)
    return Code(text, kind, UNARY if text.startswith("-") else PRIMARY)


class ExpressionWriter:
    """Writes expressions; who inherits knows the variables, and gives the functions."""

    types: TypeNames
    dry: bool
    """Only types are looked for; nothing is declared."""
    wish: str
    """Name for a tuple of mixed parts that is made here."""

    def variable(self, node: ast.Name) -> Code:
        """A variable that is read, or a constant of the module."""
        raise NotImplementedError

    def function(self, name: str) -> Any:
        """The kernel that a name stands for, or None."""
        raise NotImplementedError

    def call_kernel(self, node: ast.Call, kernel: Any, arguments: Sequence[Code]) -> Code:
        """A call of another kernel."""
        raise NotImplementedError

    def struct(self, kind: Type) -> str:
        """Name of a struct."""
        return "" if self.dry else self.types.struct(kind, self.wish)

    def value(self, code: Code, kind: Type | None = None) -> str:
        """Text of a value that is stored, passed or returned as a type."""
        return self.convert(code, kind or code.kind).at(CHOICE)

    def convert(self, code: Code, kind: Type) -> Code:
        """The same value as another type; C converts numbers by itself."""
        if code.parts:
            if not isinstance(kind, Tuple):
                raise TranslationError(f"a tuple where {kind} is expected")
            inner = ", ".join(self.value(*pair) for pair in zip(code.parts, kind.parts, strict=True))
            braces = f"{{{{{inner}}}}}" if is_vector(kind) else f"{{{inner}}}"
            return Code(f"({self.struct(kind)}){braces}", kind, POSTFIX, parts=code.parts)
        if isinstance(kind, Record) and code.place:
            return Code(f"&{code.at(UNARY)}", kind, UNARY)
        if code.kind != kind and not (isinstance(kind, Number) and isinstance(code.kind, Number)):
            raise TranslationError(f"{code.text} is {code.kind}; expected {kind}")
        return code

    def expression(self, node: ast.expr) -> Code:
        """C of an expression."""
        write: Callable[[Any], Code] | None = getattr(self, f"_write_{type(node).__name__.lower()}", None)
        if write is None:
            unknown(node, f"no {type(node).__name__} in C")
        return write(node)

    def _write_constant(self, node: ast.Constant) -> Code:
        if not isinstance(node.value, (bool, int, float)):
            unknown(node, "no such constant in C")
        return literal(node.value)

    def _write_name(self, node: ast.Name) -> Code:
        return self.variable(node)

    def _write_tuple(self, node: ast.Tuple) -> Code:
        parts = tuple(self.expression(part) for part in node.elts)
        return Code("", Tuple(tuple(part.kind for part in parts)), parts=parts)

    def _write_attribute(self, node: ast.Attribute) -> Code:
        if isinstance(node.value, ast.Name) and node.value.id == "math":
            return literal(getattr(math, node.attr))
        owner = self.expression(node.value)
        if isinstance(owner.kind, Bundle):
            for name, kind in owner.kind.parts:
                if name == node.attr:
                    return Code(f"{owner.at(POSTFIX)}->{name}", kind, POSTFIX)
        unknown(node, "no such attribute")

    def _write_subscript(self, node: ast.Subscript) -> Code:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            return self._write_shape(node, node.value)
        owner = self.expression(node.value)
        if isinstance(owner.kind, Tuple):
            return self._write_part(node, owner, owner.kind)
        if isinstance(owner.kind, Record):
            return self._write_field(node, owner, owner.kind)
        if isinstance(owner.kind, Fixed):
            index = self.expression(node.slice)
            return Code(f"{owner.at(POSTFIX)}[{index.text}]", plain(owner.kind.part), POSTFIX)
        if isinstance(owner.kind, Array):
            return self._write_entry(node, owner, owner.kind)
        unknown(node, "no such entry")

    def _write_shape(self, node: ast.Subscript, owner: ast.Attribute) -> Code:
        array = self.expression(owner.value)
        if isinstance(array.kind, Fixed):
            return literal(array.kind.length)
        axis = whole_number(node.slice)
        if isinstance(array.kind, Array) and axis is not None:
            return Code(f"{array.at(POSTFIX)}.shape[{axis}]", INTEGER, POSTFIX)
        unknown(node, "no such shape")

    def _write_part(self, node: ast.Subscript, owner: Code, kind: Tuple) -> Code:
        fixed = whole_number(node.slice)
        if fixed is not None:
            fixed += len(kind.parts) if fixed < 0 else 0
            if owner.parts:
                return owner.parts[fixed]
            name = f"v[{fixed}]" if is_vector(kind) else f"_{fixed}"
            return Code(f"{owner.at(POSTFIX)}.{name}", kind.parts[fixed], POSTFIX)
        if not is_vector(kind):
            unknown(node, "an index that is not constant, into a tuple of mixed parts")
        index = self.expression(node.slice)
        return Code(f"{self.convert(owner, kind).at(POSTFIX)}.v[{index.text}]", DOUBLE, POSTFIX)

    def _write_field(self, node: ast.Subscript, owner: Code, kind: Record) -> Code:
        name = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(name, str) or name not in (kind.dtype.names or ()):
            unknown(node, "no such field")
        place = f"{owner.at(POSTFIX)}{'.' if owner.place else '->'}{name}"
        return Code(place, plain(field_type(kind, name)), POSTFIX)

    def _write_entry(self, node: ast.Subscript, owner: Code, kind: Array) -> Code:
        slices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(slices) > kind.dimensions:
            unknown(node, "too many indices")
        array = owner.at(POSTFIX)
        place = ""
        for number, part in enumerate(slices):
            index = self.expression(part)
            if not isinstance(index.kind, Number) or index.kind == DOUBLE or (whole_number(part) or 0) < 0:
                unknown(node, "no such index")
            # row-major: ((i · n1) + j) · n2 + k
            text = index.at(SUM) if number == 0 else f"{place} + {index.at(PRODUCT)}"
            if number < len(slices) - 1:
                text = f"{index.at(PRODUCT) if number == 0 else f'({text})'} * {array}.shape[{number + 1}]"
            place = text
        rest = kind.dimensions - len(slices)
        if rest == 0:
            return Code(f"{array}.at[{place}]", plain(kind.part), POSTFIX, place=isinstance(kind.part, Record))
        if len(slices) != 1:
            unknown(node, "rows of rows of an array")
        row = Array(kind.part, rest)
        shape = ", ".join(f"{array}.shape[{number}]" for number in range(1, kind.dimensions))
        size = " * ".join(f"{array}.shape[{number}]" for number in range(1, kind.dimensions))
        index = self.expression(slices[0])
        return Code(f"({self.struct(row)}){{{array}.at + {index.at(PRODUCT)} * {size}, {{{shape}}}}}", row, POSTFIX)

    def _write_unaryop(self, node: ast.UnaryOp) -> Code:
        operand = self.expression(node.operand)
        if isinstance(node.op, ast.Not):
            return Code(f"!{operand.at(UNARY)}", BOOL, UNARY)
        if not isinstance(node.op, ast.USub) or not isinstance(operand.kind, Number):
            unknown(node, "no such operator")
        return Code(f"-{operand.at(POSTFIX)}", operand.kind, UNARY)

    def _write_binop(self, node: ast.BinOp) -> Code:
        return self.binary(node, node.op, self.expression(node.left), self.expression(node.right))

    def binary(self, node: ast.AST, operator: ast.operator, left: Code, right: Code) -> Code:
        """Two numbers and what is between them."""
        kind = unify(left.kind, right.kind)
        if not isinstance(kind, Number):
            unknown(node, "not numbers")
        kind = INTEGER if kind == BOOL else kind
        if isinstance(operator, ast.Pow):
            return self.power(node, left, right, kind)
        if isinstance(operator, (ast.FloorDiv, ast.Mod)):
            name = {ast.FloorDiv: "floor_divide", ast.Mod: "modulo"}[type(operator)]
            return Code(f"{name}{'_real' if kind == DOUBLE else ''}({left.text}, {right.text})", kind, POSTFIX)
        if type(operator) not in BINARY:
            unknown(node, "no such operator")
        sign, level = BINARY[type(operator)]
        if kind == DOUBLE:
            left, right = real(left), real(right)
        elif sign == "/":
            left, kind = Code(f"(double){left.at(UNARY)}", DOUBLE, UNARY), DOUBLE
        elif sign == "<<":
            left = Code(f"(int64_t){left.at(UNARY)}", INTEGER, UNARY)
        return Code(f"{left.at(level)} {sign} {right.at(level + 1)}", kind, level)

    def power(self, node: ast.AST, left: Code, right: Code, kind: Number) -> Code:
        """x ** n is a product for a small whole number n, as in Numba."""
        if right.kind == INTEGER and right.text in ("2", "3") and left.level >= POSTFIX and "(" not in left.text:
            return Code(" * ".join([left.text] * int(right.text)), kind, PRODUCT)
        if kind != DOUBLE:
            unknown(node, "a power of whole numbers")
        return Code(f"pow({left.text}, {right.text})", DOUBLE, POSTFIX)

    def _write_boolop(self, node: ast.BoolOp) -> Code:
        sign, level = ("&&", AND) if isinstance(node.op, ast.And) else ("||", OR)
        parts = [self.expression(part) for part in node.values]
        if any(part.kind != BOOL for part in parts):
            unknown(node, "'and' and 'or' of what is neither true nor false")
        # brackets around 'and' within 'or', as C's compilers want them
        return Code(f" {sign} ".join(part.at(EQUAL) for part in parts), BOOL, level)

    def _write_compare(self, node: ast.Compare) -> Code:
        terms = [self.expression(part) for part in (node.left, *node.comparators)]
        if len(terms) > 2 and any(
            isinstance(part, ast.Call) for between in node.comparators[:-1] for part in ast.walk(between)
        ):
            unknown(node, "a call between two comparisons")
        parts = []
        for number, operator in enumerate(node.ops):
            if type(operator) not in COMPARE or not all(isinstance(term.kind, Number) for term in terms):
                unknown(node, "no such comparison")
            sign, level = COMPARE[type(operator)]
            parts.append(Code(f"{terms[number].at(level)} {sign} {terms[number + 1].at(level + 1)}", BOOL, level))
        if len(parts) == 1:
            return parts[0]
        return Code(" && ".join(part.text for part in parts), BOOL, AND)

    def _write_ifexp(self, node: ast.IfExp) -> Code:
        test, yes, no = self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        kind = unify(yes.kind, no.kind)
        if kind is None:
            unknown(node, "two types in one")
        chosen = f"{test.at(OR)} ? {self.convert(yes, kind).at(OR)} : {self.convert(no, kind).at(CHOICE)}"
        return Code(chosen, kind, CHOICE)

    def _write_call(self, node: ast.Call) -> Code:
        arguments = [self.expression(part) for part in node.args]
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            if node.func.value.id in ("math", "np"):
                return self.call_maths(node, node.func.value.id, node.func.attr, arguments)
        if not isinstance(node.func, ast.Name):
            unknown(node, "no such function")
        kernel = self.function(node.func.id)
        if kernel is not None:
            return self.call_kernel(node, kernel, arguments)
        return self.call_builtin(node, node.func.id, arguments)

    def call_maths(self, node: ast.Call, module: str, name: str, arguments: list[Code]) -> Code:
        """A function of ``math``, where ``floor`` and ``ceil`` are whole numbers, or of NumPy, where they are not."""
        inner = ", ".join(real(part).text for part in arguments)
        if name in ("floor", "ceil"):
            if module == "np":
                return Code(f"{name}({inner})", DOUBLE, POSTFIX)
            if arguments[0].kind != DOUBLE:
                return arguments[0]
            return Code(f"(int64_t){name}({inner})", INTEGER, UNARY, real=f"{name}({inner})")
        if name in MATHS:
            return Code(f"{name}({inner})", DOUBLE, POSTFIX)
        if name in TRUTHS:
            return Code(f"({name}({inner}) != 0)", BOOL, PRIMARY)
        unknown(node, "no such function in C's math.h")

    def call_builtin(self, node: ast.Call, name: str, arguments: list[Code]) -> Code:
        """``min``, ``max``, ``abs``, ``int``, ``float`` and ``bool``."""
        kind: Type | None = arguments[0].kind if arguments else None
        for part in arguments[1:]:
            kind = unify(kind, part.kind) if kind is not None else None
        if not isinstance(kind, Number):
            unknown(node, "no such function")
        if name in ("min", "max") and len(arguments) > 1:
            kind = INTEGER if kind == BOOL else kind
            suffix = "" if kind == DOUBLE else "_whole"
            text = (real(arguments[0]) if kind == DOUBLE else arguments[0]).text
            for part in arguments[1:]:
                text = f"{name}{suffix}({text}, {(real(part) if kind == DOUBLE else part).text})"
            return Code(text, kind, POSTFIX)
        if name == "abs":
            return Code(f"{'fabs' if kind == DOUBLE else 'llabs'}({arguments[0].text})", kind, POSTFIX)
        if name == "int":
            return arguments[0] if kind == INTEGER else Code(f"(int64_t){arguments[0].at(UNARY)}", INTEGER, UNARY)
        if name == "float":
            return Code(f"(double){arguments[0].at(UNARY)}", DOUBLE, UNARY)
        if name == "bool":
            return Code(f"{arguments[0].at(EQUAL)} != 0", BOOL, EQUAL)
        unknown(node, "no such function")


def plain(kind: Type) -> Type:
    """Type of a value that was read: small integers become the usual ones."""
    return INTEGER if kind == INTEGER_32 else kind


def real(code: Code) -> Code:
    """A number that goes into an expression of doubles."""
    return replace(code, text=code.real, level=POSTFIX, kind=DOUBLE) if code.real else code


def whole_number(node: ast.expr) -> int | None:
    """Value of a literal index, or None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = whole_number(node.operand)
        return None if inner is None else -inner
    return None
