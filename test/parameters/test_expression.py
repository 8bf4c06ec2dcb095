"""Expression: the language, its errors, its safety and its speed."""

import math
import time
import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kept_memory import kept_memory

from controlit_ros.parameters import (
    Expression,
    ExpressionError,
    Kind,
    ParameterDirectory,
    ParameterReflection,
)
from controlit_ros.parameters.expression import MAX_DEPTH, MAX_LENGTH

VALUES = {
    "Hand.error_norm": 0.25,
    "Hand.steps": 3,
    "Hand.done": True,
    "Hand.idle": False,
    "Hand.zero": 0.0,
}


@pytest.fixture(name="hand", scope="module")
def make_hand():
    hand = ParameterReflection("Hand")
    hand.declare("error_norm", 0.25)
    hand.declare("steps", 3, kind=Kind.INTEGER)
    hand.declare("done", True, kind=Kind.BOOLEAN)
    hand.declare("idle", False, kind=Kind.BOOLEAN)
    hand.declare("zero", 0.0)
    hand.declare("error", [1, -3, 4], shape=(3,), labels=("x", "y", "z"))
    hand.declare("offset", [3, 4], shape=(2,))
    hand.declare("gains", [[1, 2], [3, 4]], shape=(2, 2))
    hand.declare("state", "enable", kind=Kind.TEXT, choices=("enable", "disable", "sense"))
    hand.declare("joints", ["a", "b"], kind=Kind.TEXT, shape=(None,))
    hand.declare("mask", [True, False], kind=Kind.BOOLEAN, shape=(2,))
    return hand


@pytest.fixture(name="directory", scope="module")
def make_directory(hand):
    return ParameterDirectory([hand])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 - 4 - 2", 2.0),
        ("8 / 4 / 2", 1.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("2 ** 3 ** 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ -1", 0.5),
        ("2 * -3", -6.0),
        ("--3", 3),
        ("+3 - -3", 6.0),
        ("1e-3", 0.001),
        ("1.5E+2", 150.0),
        (".5 + 1.", 1.5),
        ("abs(-2)", 2.0),
        ("max(1, 3, 2)", 3.0),
        ("min(1, 3, -2)", -2.0),
        ("sqrt(16)", 4.0),
        ("1 < 2", True),
        ("2 <= 2", True),
        ("2 > 2", False),
        ("3 >= 2", True),
        ("1 + 1 == 2", True),
        ("1 != 1.0", False),
        ("true || false && false", True),
        ("(true || false) && false", False),
        ("True or False and False", True),
        ("!true || true", True),
        ("not (true or true)", False),
        ("not 1 == 2", True),
        ("!(1 == 2)", True),
        ("not not true", True),
        ("!false == true", True),
        ("1 < 2 && 2 < 3", True),
        ("(1 < 2) == (2 < 3)", True),
        ("true + true", 2.0),
        ("Hand.error_norm", 0.25),
        ("Hand.steps", 3),
        ("Hand.steps / 2", 1.5),
        ("Hand.steps == 3", True),
        ("Hand.done", True),
        ("Hand.done == true", True),
        ("Hand.done == 1", True),
        ("!Hand.done", False),
        ("Hand.done * 5", 5.0),
        ("Hand.error[1]", -3.0),
        ("Hand.error[y]", -3.0),
        ("Hand.error [ 2 ]", 4.0),
        ("Hand.gains[1, 0]", 3.0),
        ("norm(Hand.offset)", 5.0),
        ("norm(Hand.offset) ^ 2 == 25", True),
        ("Hand.mask[0] && !Hand.mask[1]", True),
        ('Hand.state == "enable"', True),
        ("'sense' != Hand.state", True),
        ("Hand.state == Hand.state", True),
        (" \t\r\n1\n+\n1", 2.0),
        ("1/0", math.nan),
        ("1 / Hand.zero", math.nan),
        ("sqrt(-1)", math.nan),
        ("(-8) ^ 0.5", math.nan),
        ("0 ^ -1", math.nan),
        ("10 ^ 60 ^ 1 * 10 ^ 60 < 10 ^ 64", False),
        ("1e300 ^ 2", math.nan),
        ("10 ^ 10 ^ 10 ^ 10", math.nan),
        ("1 / Hand.zero < 5", False),
        ("1 / Hand.zero != 5", False),
        ("!(1 / Hand.zero < 5)", False),
        ("Hand.zero == 0 || 1 / Hand.zero > 5", True),
    ],
)
def test_the_language(directory, text, value):
    result = Expression(text, directory).evaluate()
    assert isinstance(result, bool) == isinstance(value, bool)
    assert result == value or (math.isnan(result) and math.isnan(value))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected a number or a parameter"),
        ("   ", 4, "expected a number or a parameter"),
        ("1 +", 4, "found 'the end'"),
        ("(1", 3, r"found 'the end', expected '\)'"),
        ("1)", 2, r"unexpected '\)'"),
        ("1 2", 3, "unexpected '2'"),
        ("2x", 2, "unexpected 'x'"),
        ("1 < 2 < 3", 7, "cannot be chained"),
        ("1 == 1 == 1", 8, "cannot be chained"),
        ("Hand.steps = 3", 12, "use =="),
        ("Hand.done & Hand.done", 11, "use &&"),
        ("Hand.done | Hand.done", 11, r"use \|\|"),
        ("1 < not true", 5, "found 'not'"),
        ("1; 2", 2, "unexpected character ';'"),
        ("Hand.state == 'enable", 15, "not closed"),
        ("ümlaut", 1, "unexpected character 'ü'"),
        ("\u0661", 1, "unexpected character"),
        ("\0", 1, "unexpected character"),
        ("1 < Hand.eror_norm", 5, r"unknown parameter .* \(did you mean 'error_norm'"),
        ("Hnd.error_norm < 1", 1, r"unknown owner 'Hnd' .* \(did you mean 'Hand'\?\)"),
        ("Hand < 1", 1, "no value by itself"),
        ("error_norm < 1", 1, "did you mean 'Hand.error_norm'"),
        ("sqr(4)", 1, "did you mean 'sqrt'"),
        ("sqrt < 1", 1, r"expected sqrt\(\.\.\.\)"),
        ("1 + Hand.error", 5, r"is a vector: take norm\(Hand.error\) or one entry"),
        ("Hand.error", 1, "is a vector"),
        ("Hand.error == Hand.error", 1, "is a vector"),
        ("Hand.error && true", 1, "is a vector"),
        ("Hand.gains > 1", 1, "is a matrix: take one entry"),
        ("Hand.mask > 1", 1, "is a list: take one entry"),
        ("Hand.error[3]", 12, "index 3 is beyond Hand.error, expected 0 to 2"),
        ("Hand.error[-1]", 12, "found index '-'"),
        ("Hand.error[0.5]", 12, "found index '0.5'"),
        ("Hand.error[yy]", 12, "did you mean 'y'"),
        ("Hand.offset[x]", 13, "found index 'x'"),
        ("Hand.error[0, 0]", 1, "found 2 indices"),
        ("Hand.gains[0]", 1, "found 1 indices"),
        ("Hand.error[", 12, "found index 'the end'"),
        ("Hand.error[0", 13, r"expected '\]'"),
        ("Hand.steps[0]", 1, "has no entries"),
        ("Hand.joints[0]", 1, "no fixed length"),
        ("norm(Hand.gains)", 6, "is a matrix"),
        ("norm(3)", 6, r"found an integer in norm\(\)"),
        ("norm(Hand.offset, Hand.offset)", 1, "expected one"),
        ("max(1)", 1, "expected two or more"),
        ("abs(1, 2)", 1, "expected one"),
        ("abs()", 5, "expected a number"),
        ("Hand.state < 'a'", 12, "texts have no order"),
        ("Hand.state == 'enabled'", 15, "never is 'enabled'.*'enable'"),
        ("Hand.state == 1", 15, "expected a text"),
        ("Hand.state == Hand.error", 15, "found a vector, expected a text"),
        ("Hand.state + 1", 1, "is a text"),
        ("Hand.state", 1, "is a text"),
        ("'words'", 1, "is a text"),
        ("Hand.steps && true", 1, "expected a condition: compare it"),
        ("true || 1", 9, "expected a condition"),
        ("!3", 1, "expected a condition"),
        ("2 ^ 65", 5, "exponents are limited"),
        ("2 ^ -65", 5, "exponents are limited"),
        ("1e999", 1, "too large"),
        ("9" * 33, 1, "limited to 32 characters"),
        ("(" * 65 + "1" + ")" * 65, 65, "nested deeper"),
        ("-" * 70 + "1", 64, "nested deeper"),
        ("+1" * 70, 1, "nested deeper"),
        ("2^" * 70 + "1", 129, "nested deeper"),
        ("1" + " " * MAX_LENGTH, 1, "found 1001 characters"),
    ],
)
def test_errors_tell_what_and_where(directory, text, column, message):
    with pytest.raises(ExpressionError, match=message) as caught:
        Expression(text, directory)
    assert caught.value.column == column
    assert caught.value.expression == text
    line, marker = str(caught.value).splitlines()[-2:]
    assert marker.strip() == "^"
    if column <= len(text):
        marked = line[marker.index("^")]
        assert marked == text[column - 1] or text[column - 1].isspace()


def test_an_expression_reads_the_present_values():
    owner = ParameterReflection("Hand")
    error = owner.declare("error", [3, 4], shape=(2,))
    steps = owner.declare("steps", 2**53 + 1, kind=Kind.INTEGER)
    directory = ParameterDirectory([owner])
    expression = Expression("norm(Hand.error) < 1 && Hand.error[0] < 1", directory)
    assert expression.parameters == (error,)
    assert expression.is_condition
    assert expression.evaluate() is False
    error.set([0.1, 0.1])
    assert expression.evaluate() is True
    assert Expression(f"Hand.steps == {2**53 + 1}", directory).evaluate() is True
    assert Expression(f"Hand.steps == {2**53}", directory).evaluate() is False
    assert not Expression("Hand.steps", directory).is_condition
    steps.set(4)
    assert Expression("Hand.steps", directory).evaluate() == 4


def test_outputs_with_numpy_scalars_do_not_warn():
    owner = ParameterReflection("Hand")
    owner.declare("norm", 0.0).assign(np.float64(0.0))
    directory = ParameterDirectory([owner])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(Expression("Hand.norm / Hand.norm", directory).evaluate())


ATTACKS = [
    "__import__('os').system('true')",
    "().__class__.__bases__[0].__subclasses__()",
    "Hand.__class__",
    "Hand.error.__class__ == 1",
    "Hand.error_norm.value",
    "open('/etc/passwd')",
    "exec('1')",
    "eval('1')",
    "lambda: 1",
    "[x for x in (1, 2)]",
    "{1: 2}",
    "f'{1}'",
    "(x := 1)",
    "1 if true else 2",
    "float(1)",
    "parameter0",
    "evaluate()",
    "failures",
    "globals()",
    "abs.__self__",
    "print(1)",
    "'a' * 1000000000",
    "yield 1",
    "await 1",
    "1 @ 2",
    "1 // 2",
    "1 % 2",
    "1 << 9999999",
    "~1",
    "1_000",
    "0x10",
    "1j",
    "...",
    "None",
    "import os",
    "1 #",
    "1\\\n+1",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_else_is_in_the_language(directory, text):
    with pytest.raises(ExpressionError):
        Expression(text, directory)


WORDS = [
    *("Hand.error_norm", "Hand.steps", "Hand.done", "Hand.error", "Hand.state", "Hand.mask"),
    *("&&", "||", "!", "and", "or", "not", "<", "<=", "==", "!=", "+", "-", "*", "/", "^", "**"),
    *("(", ")", "[", "]", ",", "0", "1", "2", "1e300", "true", "false", "'enable'", "\n", ".", "="),
    *("abs", "min", "max", "norm", "sqrt", "__import__", "lambda", ":", "__class__", "#", "\\"),
]


def check_that_it_compiles_safely_or_fails(directory, text):
    try:
        expression = Expression(text, directory)
    except ExpressionError:
        return
    code = expression.evaluate.__code__
    calculator = {"float", "abs", "min", "max", "norm", "sqrt", "pow"}
    plumbing = {"failures", "undefined", "value"}
    generated = {name for name in code.co_names if name.rstrip("0123456789") != name}
    assert {name.rstrip("0123456789") for name in generated} <= {"parameter", "item", "list"}
    assert set(code.co_names) - generated <= calculator | plumbing
    assert all(isinstance(c, (float, int, str, type(None))) for c in code.co_consts)
    assert isinstance(expression.evaluate(), (bool, int, float))


@given(text=st.text(max_size=60))
def test_arbitrary_text_never_runs(directory, text):
    check_that_it_compiles_safely_or_fails(directory, text)


@given(words=st.lists(st.sampled_from(WORDS), max_size=20), space=st.sampled_from(["", " "]))
@example(words=["("] * (MAX_DEPTH - 1) + ["1"] + [")"] * (MAX_DEPTH - 1), space="")
@example(words=["0", "/", "0", "||", "true"], space=" ")
def test_arbitrary_words_never_run(directory, words, space):
    check_that_it_compiles_safely_or_fails(directory, space.join(words))


NUMBERS = st.one_of(
    st.integers(0, 20).map(lambda n: ("literal", float(n), str(n))),
    st.floats(0, 100, allow_nan=False).map(lambda x: ("literal", x, repr(x))),
    st.sampled_from(["Hand.error_norm", "Hand.steps", "Hand.zero", "Hand.done"]).map(
        lambda name: ("literal", float(VALUES[name]), name)
    ),
)
FLAGS = st.sampled_from(["Hand.done", "Hand.idle"]).map(
    lambda name: ("literal", VALUES[name], name)
) | st.booleans().map(lambda flag: ("literal", flag, str(flag).lower()))


def grow_numbers(inner):
    return st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/"]), inner, inner),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner),
        st.tuples(st.sampled_from(["neg", "abs", "sqrt"]), inner),
    )


ARITHMETIC = st.recursive(NUMBERS, grow_numbers, max_leaves=8)
COMPARISONS = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), ARITHMETIC, ARITHMETIC)
CONDITIONS = st.recursive(
    COMPARISONS | FLAGS,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["and", "or"]), inner, inner), st.tuples(st.just("not"), inner)
    ),
    max_leaves=8,
)
LEVELS = {"or": 0, "and": 1, "not": 2, **dict.fromkeys(["<", "<=", ">", ">=", "==", "!="], 3)}
LEVELS |= {"+": 4, "-": 4, "*": 5, "/": 5, "neg": 6}
SPELLINGS = {"and": ["&&", "and"], "or": ["||", "or"]}


def render(tree, spell, level=0):
    """Write a tree with only the parentheses that the precedence asks for."""
    operator = tree[0]
    if operator == "literal":
        return tree[2]
    if operator in ("min", "max", "abs", "sqrt"):
        return f"{operator}({', '.join(render(branch, spell) for branch in tree[1:])})"
    own = LEVELS[operator]
    if operator in ("neg", "not"):
        text = {"neg": "-", "not": "not "}[operator] + render(tree[1], spell, own)
    else:
        sign = SPELLINGS.get(operator, [operator])[spell % len(SPELLINGS.get(operator, [1]))]
        left = render(tree[1], spell, own + (own == 3))
        text = f"{left} {sign} {render(tree[2], spell, own + 1)}"
    return f"({text})" if own < level else text


def interpret(tree):
    """Walk the tree; raises what the mathematics of a leaf raises."""
    operator, *branches = tree
    if operator == "literal":
        return branches[0]
    if operator == "and":
        return interpret(branches[0]) and interpret(branches[1])
    if operator == "or":
        return interpret(branches[0]) or interpret(branches[1])
    values = [interpret(branch) for branch in branches]
    return {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "min": lambda a, b: (a, b)[b < a],
        "max": lambda a, b: (a, b)[b > a],
        "neg": lambda a: -a,
        "abs": lambda a: -a if a < 0 else a,
        "sqrt": math.sqrt,
        "not": lambda a: not a,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: not a > b,
        ">": lambda a, b: b < a,
        ">=": lambda a, b: not a < b,
        "==": lambda a, b: not (a < b or a > b),
        "!=": lambda a, b: a < b or a > b,
    }[operator](*values)


@given(tree=ARITHMETIC | CONDITIONS, spell=st.integers(0, 1))
def test_compiled_and_interpreted_agree(directory, tree, spell):
    expression = Expression(render(tree, spell), directory)
    try:
        expected = interpret(tree)
    except (ZeroDivisionError, ValueError, OverflowError):
        expected = False if expression.is_condition else math.nan
    result = expression.evaluate()
    assert result == expected or (math.isnan(result) and math.isnan(expected))


def test_a_comparison_takes_hardly_longer_than_in_python(directory):
    expression = Expression("Hand.error_norm < 0.005", directory)
    norm = directory["Hand.error_norm"]
    candidates = (expression.evaluate, lambda: norm.value < 0.005)
    best = [math.inf, math.inf]
    for _ in range(20):
        for i, evaluate in enumerate(candidates):
            start = time.perf_counter()
            for _ in range(1000):
                evaluate()
            best[i] = min(best[i], time.perf_counter() - start)
    assert best[0] < 5.0 * best[1]


def test_evaluation_keeps_no_memory(directory):
    expression = Expression("norm(Hand.offset) < 1 || 1 / Hand.zero > Hand.steps", directory)
    expression.evaluate()

    def play():
        for _ in range(200):
            expression.evaluate()

    assert kept_memory(play) < 500
