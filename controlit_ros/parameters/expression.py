"""Expression: a small safe language over parameters, compiled to Python code."""

import ast
import math
import re
from collections.abc import Callable, Mapping
from enum import Enum
from types import CodeType, FunctionType
from typing import Any, NamedTuple, cast

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.parameters.parameter import Kind, Parameter

MAX_LENGTH = 1000  # [characters] ten times the longest expression seen in an application
MAX_DEPTH = 64  # [levels] far below what Python's own compiler can nest
MAX_LITERAL = 32  # [characters] more digits than a float can hold
MAX_EXPONENT = 64.0  # [-] a larger one leaves the range of floats for any useful base

_TOKEN = re.compile(
    r"""(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
    |(?P<text>"[^"]*"|'[^']*')
    |(?P<operator>&&|\|\||\*\*|<=|>=|==|!=|[-+*/^<>!()\[\],])""",
    re.VERBOSE | re.ASCII,
)
_SPELLINGS = {"and": "&&", "or": "||", "**": "^", "True": "true", "False": "false"}
_WORDS = frozenset({"&&", "||", "not", "true", "false"})
_HINTS = {"=": ", use == to compare", "&": ", use && or and", "|": ", use || or or"}

_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}
_ARITHMETIC: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "max": max,
    "min": min,
    "norm": math.hypot,
    "sqrt": math.sqrt,
}
_FUNCTION_TEMPLATE = """
def evaluate():
    try:
        return None
    except failures:
        return undefined
"""


class ExpressionError(ControlItError):
    """An expression is not part of the language.

    Attributes:
        expression: The whole text.
        column: Where the mistake is, counted from 1.
        reason: What was found and what was expected.
    """

    def __init__(self, expression: str, column: int, reason: str) -> None:
        start = max(0, column - MAX_DEPTH)
        shown = re.sub(r"\s", " ", expression[start : column + MAX_DEPTH])
        super().__init__(
            f"{reason}, at column {column}:\n    {shown}\n    {' ' * (column - 1 - start)}^"
        )
        self.expression = expression
        self.column = column
        self.reason = reason


class Expression:
    """A number or a condition computed from parameters.

    Operators, the loosest first: `||` `or`; `&&` `and`; `not`; `< <= > >= == !=` (not chained);
    `+ -`; `* /`; unary `- + !`; `^` `**` (power, from the right). Functions: `abs max min norm
    sqrt`. Operands: numbers, `true`, `false`, `Owner.parameter`, one entry of a vector,
    `Owner.parameter[2]` or `Owner.parameter[joint]`, and quoted texts, which can only be compared
    with `==` and `!=`. In arithmetic a condition counts as 0 or 1. Arithmetic is in floats;
    integers are compared exactly.

    What has no value at run time (division by zero, overflow, root of a negative number) makes
    the whole number NaN and the whole condition false; nothing is raised.

    Args:
        text: The expression.
        directory: Parameters by full name, which the expression reads in place.

    Attributes:
        text: As given.
        parameters: The parameters read, in order of appearance.
        is_condition: Whether `evaluate` answers true or false instead of a number.
        evaluate: Compute the present value; keeps no memory.

    Raises:
        ExpressionError: The text is not in the language or names no parameter.
    """

    __slots__ = ("evaluate", "is_condition", "parameters", "text")

    def __init__(self, text: str, directory: Mapping[str, Parameter]) -> None:
        compiler = _Compiler(text, directory)
        result = compiler.compile()
        self.text = text
        self.parameters = tuple(compiler.parameters.values())
        self.is_condition = result.type is _Type.CONDITION
        self.evaluate: Callable[[], float | bool] = compiler.function(result)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"


class _Type(Enum):
    NUMBER = "a number"
    INTEGER = "an integer"
    CONDITION = "a condition"
    TEXT = "a text"
    VECTOR = "a vector"


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


class _Operand(NamedTuple):
    node: ast.expr
    type: _Type
    column: int
    depth: int
    parameter: Parameter | None = None


class _Compiler:
    """Recursive descent straight to typed syntax trees: nothing but what is built here can run.

    `ast.parse` is no substitute for it: a mistake would be told in Python's words, which change
    with its versions, and all that Python knows beyond this language would have to be refused.
    """

    def __init__(self, text: str, directory: Mapping[str, Parameter]) -> None:
        self.parameters: dict[str, Parameter] = {}
        self._text = text
        self._directory = directory
        self._namespace: dict[str, Any] = {"__builtins__": {}}
        self._nesting = 0
        self._position = 0
        self._tokens = self._scan()

    def compile(self) -> _Operand:
        result = self._disjunction()
        if self._next.kind != "end":
            raise self._error(self._next.column, f"unexpected {self._next.text!r}")
        if result.type in (_Type.TEXT, _Type.VECTOR):
            self._number(result)
        return result

    def function(self, result: _Operand) -> Callable[[], float | bool]:
        """Compile the tree into a function without ever executing text."""
        module = ast.parse(_FUNCTION_TEMPLATE)
        for node in ast.walk(module):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
                node.value = result.node
        code = compile(ast.fix_missing_locations(module), "<expression>", "exec")
        body = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
        self._namespace["failures"] = (ArithmeticError, ValueError)
        self._namespace["undefined"] = False if result.type is _Type.CONDITION else math.nan
        return cast("Callable[[], float | bool]", FunctionType(body, self._namespace))

    def _error(self, column: int, reason: str) -> ExpressionError:
        return ExpressionError(self._text, column, reason)

    def _scan(self) -> list[_Token]:
        if len(self._text) > MAX_LENGTH:
            raise self._error(
                1, f"found {len(self._text)} characters, expected at most {MAX_LENGTH}"
            )
        tokens = []
        position = 0
        while position < len(self._text):
            if self._text[position] in " \t\r\n":
                position += 1
                continue
            match = _TOKEN.match(self._text, position)
            if match is None:
                found = self._text[position]
                hint = " (the text is not closed)" if found in "\"'" else _HINTS.get(found, "")
                raise self._error(position + 1, f"unexpected character {found!r}{hint}")
            kind, text = str(match.lastgroup), match.group()
            text = text if kind == "text" else _SPELLINGS.get(text, text)
            kind = "operator" if text in _WORDS else kind
            tokens.append(_Token(kind, text, position + 1))
            position = match.end()
        tokens.append(_Token("end", "the end", len(self._text) + 1))
        return tokens

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _take(self, *operators: str) -> _Token | None:
        token = self._next
        if token.kind == "operator" and token.text in operators:
            self._position += 1
            return token
        return None

    def _expect(self, operator: str) -> None:
        if self._take(operator) is None:
            raise self._error(
                self._next.column, f"found {self._next.text!r}, expected {operator!r}"
            )

    def _disjunction(self) -> _Operand:
        self._nesting += 1
        if self._nesting > MAX_DEPTH:
            raise self._error(self._next.column, f"nested deeper than {MAX_DEPTH} levels")
        result = self._logical("||", ast.Or(), lambda: self._logical("&&", ast.And(), self._not))
        self._nesting -= 1
        return result

    def _logical(
        self, operator: str, node: ast.boolop, operand: Callable[[], _Operand]
    ) -> _Operand:
        operands = [operand()]
        while self._take(operator):
            operands.append(operand())
        if len(operands) == 1:
            return operands[0]
        conditions = [self._condition(entry) for entry in operands]
        return self._combine(ast.BoolOp(node, conditions), _Type.CONDITION, *operands)

    def _not(self) -> _Operand:
        token = self._take("not")
        return self._comparison() if token is None else self._prefix(token, self._not)

    def _comparison(self) -> _Operand:
        left = self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._unary))
        token = self._take(*_COMPARISONS)
        if token is None:
            return left
        right = self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._unary))
        again = self._take(*_COMPARISONS)
        if again is not None:
            raise self._error(
                again.column, "comparisons cannot be chained: write a < b && b < c or parentheses"
            )
        if _Type.TEXT in (left.type, right.type):
            self._check_texts(token, left, right)
        else:
            self._number(left)
            self._number(right)
        node = ast.Compare(left.node, [_COMPARISONS[token.text]()], [right.node])
        return self._combine(node, _Type.CONDITION, left, right)

    def _check_texts(self, token: _Token, left: _Operand, right: _Operand) -> None:
        if left.type is not right.type:
            wrong = right if left.type is _Type.TEXT else left
            raise self._error(
                wrong.column, f"found {wrong.type.value}, expected a text to compare with"
            )
        if token.text not in ("==", "!="):
            raise self._error(
                token.column, f"texts have no order: found {token.text!r}, expected == or !="
            )
        for parameter, literal in ((left.parameter, right), (right.parameter, left)):
            if parameter is None or not isinstance(literal.node, ast.Constant):
                continue
            text = str(literal.node.value)
            if parameter.choices and text not in parameter.choices:
                raise self._error(
                    literal.column,
                    f"{parameter.full_name} never is {text!r}"
                    f"{did_you_mean(text, parameter.choices)}",
                )

    def _chain(self, operators: tuple[str, ...], operand: Callable[[], _Operand]) -> _Operand:
        left = operand()
        while (token := self._take(*operators)) is not None:
            right = operand()
            node = ast.BinOp(self._number(left), _ARITHMETIC[token.text](), self._number(right))
            left = self._combine(node, _Type.NUMBER, left, right)
        return left

    def _unary(self) -> _Operand:
        token = self._take("-", "+", "!")
        return self._power() if token is None else self._prefix(token, self._unary)

    def _prefix(self, token: _Token, operand: Callable[[], _Operand]) -> _Operand:
        self._nesting += 1
        if self._nesting > MAX_DEPTH:
            raise self._error(token.column, f"nested deeper than {MAX_DEPTH} levels")
        right = operand()._replace(column=token.column)
        self._nesting -= 1
        if token.text in ("!", "not"):
            node = ast.UnaryOp(ast.Not(), self._condition(right))
            return self._combine(node, _Type.CONDITION, right)
        if right.type is _Type.INTEGER and isinstance(right.node, ast.Constant):
            sign = -1 if token.text == "-" else 1
            value = sign * cast("int", right.node.value)
            return right._replace(node=ast.Constant(value))
        sign_node = ast.USub() if token.text == "-" else ast.UAdd()
        return self._combine(ast.UnaryOp(sign_node, self._number(right)), _Type.NUMBER, right)

    def _power(self) -> _Operand:
        base = self._atom()
        if self._take("^", "**") is None:
            return base
        self._nesting += 1
        if self._nesting > MAX_DEPTH:
            raise self._error(self._next.column, f"nested deeper than {MAX_DEPTH} levels")
        exponent = self._unary()
        self._nesting -= 1
        node = self._number(exponent)
        literal = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(literal, ast.Constant) and abs(cast("float", literal.value)) > MAX_EXPONENT:
            raise self._error(exponent.column, f"exponents are limited to {MAX_EXPONENT:g}")
        call = self._call("pow", math.pow, self._number(base), node)
        return self._combine(call, _Type.NUMBER, base, exponent)

    def _atom(self) -> _Operand:
        token = self._next
        self._position += token.kind != "end"
        if token.kind == "number":
            return self._literal(token)
        if token.kind == "text":
            return _Operand(ast.Constant(token.text[1:-1]), _Type.TEXT, token.column, 1)
        if token.kind == "name":
            is_function = token.text in _FUNCTIONS and self._next.text == "("
            return self._function_call(token) if is_function else self._parameter(token)
        if token.text in ("true", "false"):
            node = ast.Constant(token.text == "true")
            return _Operand(node, _Type.CONDITION, token.column, 1)
        if token.text == "(":
            inner = self._disjunction()
            self._expect(")")
            return inner._replace(column=token.column)
        raise self._error(token.column, f"found {token.text!r}, expected a number or a parameter")

    def _literal(self, token: _Token) -> _Operand:
        if len(token.text) > MAX_LITERAL:
            raise self._error(token.column, f"numbers are limited to {MAX_LITERAL} characters")
        if token.text.isdigit():
            return _Operand(ast.Constant(int(token.text)), _Type.INTEGER, token.column, 1)
        value = float(token.text)
        if not math.isfinite(value):
            raise self._error(token.column, f"{token.text} is too large for a number")
        return _Operand(ast.Constant(value), _Type.NUMBER, token.column, 1)

    def _function_call(self, token: _Token) -> _Operand:
        self._expect("(")
        arguments = [self._disjunction()]
        while self._take(","):
            arguments.append(self._disjunction())
        self._expect(")")
        several = token.text in ("min", "max")
        if several != (len(arguments) > 1):
            raise self._error(
                token.column,
                f"found {len(arguments)} value{'s' * several} in {token.text}(), "
                f"expected {'two or more' if several else 'one'}",
            )
        if token.text == "norm":
            nodes = [self._entries(arguments[0])]
        else:
            nodes = [self._number(argument) for argument in arguments]
        call = self._call(token.text, _FUNCTIONS[token.text], *nodes)
        return self._combine(call, _Type.NUMBER, *arguments)._replace(column=token.column)

    def _entries(self, vector: _Operand) -> ast.expr:
        parameter = vector.parameter
        if vector.type is not _Type.VECTOR or parameter is None or not parameter.is_array:
            raise self._error(
                vector.column, f"found {vector.type.value} in norm(), expected a vector"
            )
        if len(parameter.shape) != 1:
            raise self._error(
                vector.column, f"{parameter.full_name} is a matrix: norm() takes a vector"
            )
        name = self._name("list", parameter)
        return ast.Starred(self._call(name, parameter.value.tolist), ast.Load())

    def _parameter(self, token: _Token) -> _Operand:
        parameter = self._directory.get(token.text)
        if parameter is None:
            raise self._error(token.column, self._unknown(token.text))
        self.parameters.setdefault(token.text, parameter)
        if self._take("["):
            return self._entry(parameter, token)
        if parameter.shape:
            return _Operand(ast.Constant(None), _Type.VECTOR, token.column, 1, parameter)
        node = self._value(parameter)
        if parameter.kind is Kind.FLOAT:  # outputs may hold NumPy scalars, which warn and are slow
            node = self._call("float", float, node)
        kind = {
            Kind.FLOAT: _Type.NUMBER,
            Kind.INTEGER: _Type.INTEGER,
            Kind.BOOLEAN: _Type.CONDITION,
            Kind.TEXT: _Type.TEXT,
        }[parameter.kind]
        return _Operand(node, kind, token.column, 1, parameter)

    def _entry(self, parameter: Parameter, token: _Token) -> _Operand:
        if not parameter.shape or None in parameter.shape:
            what = "has no entries" if not parameter.shape else "has no fixed length"
            raise self._error(token.column, f"{parameter.full_name} {what}: it takes no index")
        indices = [self._index(parameter, 0)]
        while self._take(","):
            indices.append(self._index(parameter, len(indices)))
        self._expect("]")
        if len(indices) != len(parameter.shape):
            raise self._error(
                token.column,
                f"found {len(indices)} indices, {parameter.full_name} takes {len(parameter.shape)}",
            )
        nodes = [ast.Constant(index) for index in indices]
        if parameter.is_array:  # its memory never moves, so the bound method stays valid
            call = self._call(self._name("item", parameter), parameter.value.item, *nodes)
            return _Operand(call, _Type.NUMBER, token.column, 1)
        kind = {Kind.BOOLEAN: _Type.CONDITION, Kind.TEXT: _Type.TEXT}.get(
            parameter.kind, _Type.INTEGER
        )
        node = ast.Subscript(self._value(parameter), nodes[0], ast.Load())
        return _Operand(node, kind, token.column, 1, parameter)

    def _index(self, parameter: Parameter, dimension: int) -> int:
        token = self._next
        if token.kind == "name" and parameter.labels:
            self._position += 1
            if token.text not in parameter.labels:
                raise self._error(
                    token.column,
                    f"unknown name {token.text!r} in {parameter.full_name}"
                    f"{did_you_mean(token.text, parameter.labels)}",
                )
            return parameter.labels.index(token.text)
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > MAX_LITERAL:
            raise self._error(token.column, f"found index {token.text!r}, expected 0, 1, 2, ...")
        self._position += 1
        size = parameter.shape[dimension] if dimension < len(parameter.shape) else None
        if size is not None and int(token.text) >= size:
            raise self._error(
                token.column,
                f"index {token.text} is beyond {parameter.full_name}, expected 0 to {size - 1}",
            )
        return int(token.text)

    def _unknown(self, name: str) -> str:
        owner, _, last = name.rpartition(".")
        known = [entry.name for entry in self._directory.values() if entry.owner == owner]
        if owner and known:
            return f"unknown parameter {name!r}{did_you_mean(last, known)}"
        owners = {entry.owner for entry in self._directory.values()}
        if name in owners:
            return f"{name!r} is no value by itself, expected a parameter of it, {name}.parameter"
        if owner:
            return f"unknown owner {owner!r} in {name!r}{did_you_mean(owner, owners)}"
        if name in _FUNCTIONS:
            return f"{name!r} is a function, expected {name}(...)"
        same = sorted(entry for entry in self._directory if entry.endswith(f".{last}"))
        if same:
            return f"{name!r} lacks its owner (did you mean {' or '.join(map(repr, same[:3]))}?)"
        return f"unknown name {name!r}{did_you_mean(name, [*owners, *_FUNCTIONS])}"

    def _combine(self, node: ast.expr, kind: _Type, *operands: _Operand) -> _Operand:
        depth = 1 + max(operand.depth for operand in operands)
        column = operands[0].column
        if depth > MAX_DEPTH:
            raise self._error(column, f"nested deeper than {MAX_DEPTH} levels")
        return _Operand(node, kind, column, depth)

    def _number(self, operand: _Operand) -> ast.expr:
        """Return the operand as a float, or explain why it is none."""
        if operand.type is _Type.NUMBER:
            return operand.node
        if operand.type in (_Type.INTEGER, _Type.CONDITION):
            if isinstance(operand.node, ast.Constant):
                return ast.Constant(float(cast("int", operand.node.value)))
            return self._call("float", float, operand.node)
        name = operand.parameter.full_name if operand.parameter else "this"
        if operand.type is _Type.TEXT or operand.parameter is None:
            reason = f"{name} is a text, which can only be compared with == or != to another text"
        elif not operand.parameter.is_array:
            reason = f"{name} is a list: take one entry, {name}[0]"
        elif len(operand.parameter.shape) == 1:
            reason = f"{name} is a vector: take norm({name}) or one entry, {name}[0]"
        else:
            reason = f"{name} is a matrix: take one entry, {name}[0, 0]"
        raise self._error(operand.column, reason)

    def _condition(self, operand: _Operand) -> ast.expr:
        if operand.type is not _Type.CONDITION:
            if operand.type in (_Type.VECTOR, _Type.TEXT):
                self._number(operand)
            raise self._error(
                operand.column,
                f"found {operand.type.value}, expected a condition: compare it, as in x != 0",
            )
        return operand.node

    def _name(self, purpose: str, parameter: Parameter) -> str:
        return f"{purpose}{list(self.parameters).index(parameter.full_name)}"

    def _value(self, parameter: Parameter) -> ast.expr:
        name = self._name("parameter", parameter)
        self._namespace[name] = parameter
        return ast.Attribute(ast.Name(name, ast.Load()), "value", ast.Load())

    def _call(self, name: str, function: Callable[..., Any], *arguments: ast.expr) -> ast.expr:
        self._namespace[name] = function
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
