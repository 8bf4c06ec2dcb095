"""Counts are integers: what is declared as a float is none, and what runs keeps to its kind."""

import ast

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.parameters import Kind

PYTHON = {Kind.FLOAT: float, Kind.INTEGER: int, Kind.BOOLEAN: bool, Kind.TEXT: str}
MAKERS = ("declare", "_declare", "Parameter")
FOLDERS = ("controlit_ros", "controlit_demos", "controlit_bench", "examples")


def of_another_kind(directory):
    """Return names and values of the scalars that are not of the type of their kind."""
    scalars = {p.full_name: p for p in directory.values() if not p.shape}
    return {name: p.value for name, p in scalars.items() if type(p.value) is not PYTHON[p.kind]}


def test_it_is_seen_when_a_count_is_left_in_a_float(in_step):
    played = in_step(REPOSITORY / "config" / "dreamer" / "hands_qp.yaml", "Benchmark")
    spoilt = played.stack.controller.parameter("solver_time")
    spoilt.value = 7
    assert of_another_kind(played.stack.directory) == {spoilt.full_name: 7}


@pytest.mark.parametrize(
    ("name", "interface", "settings"),
    [
        ("dreamer/hands", "MuJoCo", {}),
        ("dreamer/hands", "MuJoCo", {"whole_body_controller_type": "WBOSCImpedance"}),
        ("dreamer/hands_qp", "MuJoCo", {}),
        ("dreamer/hands_qp", "MuJoCo", {"qp_solver_type": "qpOASES"}),
        ("dreamer/hands_with_friction", "MuJoCo", {}),
        ("panda/reach", "SharedMemory", {}),
        ("trikey/drive", "MuJoCo", {}),
    ],
)
def test_what_runs_keeps_to_its_kinds(in_step, name, interface, settings):
    played = in_step(REPOSITORY / "config" / f"{name}.yaml", interface, **settings)
    played.stack.clock.advance(50)
    assert of_another_kind(played.stack.directory) == {}


def whole_defaults(tree):
    """Return the names of parameters whose default is a whole number, without a kind beside it."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name not in MAKERS or "kind" in [keyword.arg for keyword in call.keywords]:
            continue
        if len(call.args) > 1 and type(getattr(call.args[1], "value", None)) is int:
            yield ast.unparse(call.args[0])


def test_no_float_is_declared_by_a_whole_number():
    assert list(whole_defaults(ast.parse("self.declare('sides', 8, lower=3)"))) == ["'sides'"]
    texts = [
        path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in (REPOSITORY / folder).rglob("*.py")
    ]
    declaring = [text for text in texts if "declare(" in text or "Parameter(" in text]
    assert len(declaring) > 40
    assert [name for text in declaring for name in whole_defaults(ast.parse(text))] == []
