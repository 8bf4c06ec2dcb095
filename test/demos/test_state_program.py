"""State machines as programs: order, continuity, conditions, failure."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from controlit_demos.programs import state_program
from controlit_demos.programs.stage import Stage
from controlit_demos.programs.state_diagram import diagram
from controlit_demos.programs.state_program import (
    FAILED,
    PATIENCE,
    Condition,
    NoMachineError,
    ProgramState,
    StateProgram,
)
from controlit_ros.nodes.building import load_stack

RIGHT, TURN = "RightHandPosition", "RightHandOrientation"
START = {RIGHT: np.array([0.1, 0.2, 0.3]), TURN: np.array([0.0, 0.0, -1.0])}
STATES = (
    ProgramState(
        "reach",
        [Stage(2.0, {RIGHT: [(0.2, 0.2, 0.3), (0.3, 0.2, 0.4)]}), Stage(1.0, {TURN: [(0, 1, 0)]})],
        [Condition(RIGHT, -0.01, 0.01, "it did not get there")],
    ),
    ProgramState("rest", [Stage(1.0, {})]),
)
PERIOD = 0.01


@pytest.fixture(scope="module")
def stack(hands_yaml):
    return load_stack(hands_yaml)


@pytest.fixture
def program(stack):
    return StateProgram(stack, STATES, (RIGHT, TURN))


def follow(program, until, *, offset=0.0):
    """Run a program on a robot that is where it shall be, but for an offset; return goals."""
    actual, rows = dict(START), []
    for step in range(round(until / PERIOD) + 1):
        samples = program.goals(step * PERIOD, actual)
        rows.append({name: sample.value.copy() for name, sample in samples.items()})
        actual = {name: sample.value for name, sample in samples.items()}
        actual[RIGHT] = actual[RIGHT] + offset
        if program.is_over(step * PERIOD):
            break
    return rows


def test_begins_where_the_robot_is_and_never_jumps(program):
    rows = follow(program, 10.0)
    for name, start in START.items():
        path = np.array([row[name] for row in rows])
        np.testing.assert_allclose(path[0], start, atol=1e-12)
        assert np.abs(np.diff(path, axis=0)).max() < 3.5 * PERIOD
    np.testing.assert_allclose(rows[200][RIGHT], [0.3, 0.2, 0.4], atol=1e-9)
    np.testing.assert_allclose(rows[-1][TURN], [0.0, 1.0, 0.0], atol=1e-9)
    assert all(abs(np.linalg.norm(row[TURN]) - 1.0) < 1e-12 for row in rows)


def test_goes_through_its_states_in_order(program):
    rows = follow(program, 10.0)
    assert [name for _, name in program.phases] == ["reach", "rest"]
    begin = program.phases[1][0]
    assert begin == pytest.approx(3.0, abs=2 * PERIOD)
    assert len(rows) * PERIOD == pytest.approx(4.0, abs=5 * PERIOD)
    assert program.duration == 4.0
    assert program.state == "rest"
    assert program.problems == []


def test_passes_a_point_on_the_way(program):
    rows = follow(program, 1.1)
    np.testing.assert_allclose(rows[100][RIGHT], [0.2, 0.2, 0.3], atol=1e-9)
    assert abs(rows[101][RIGHT] - rows[99][RIGHT]).max() > 0.5 * PERIOD * 0.1  # without stopping


def test_the_diagram_tells_the_way_it_went(program):
    follow(program, 3.5)
    picture = diagram(program)
    ET.fromstring(picture)
    assert picture.index(">reach<") < picture.index(">rest<")
    assert ">0.0 s<" in picture
    assert ">3.0 s<" in picture
    assert ">failed<" not in picture


def test_the_diagram_shows_a_failure(program):
    follow(program, 20.0, offset=0.02)
    assert ">failed<" in diagram(program)


def test_waits_for_a_condition_and_gives_up_after_a_while(program):
    rows = follow(program, 20.0, offset=0.02)
    assert program.state == FAILED
    assert program.problems == [
        "reach: it did not get there (from its goal: +0.0200, +0.0200, +0.0200)"
    ]
    assert len(rows) * PERIOD == pytest.approx(3.0 + PATIENCE, abs=5 * PERIOD)
    np.testing.assert_allclose(rows[-1][RIGHT], [0.3, 0.2, 0.4], atol=1e-9)


def test_goes_on_as_soon_as_the_condition_holds(program):
    actual = dict(START)
    late = 4.5
    for step in range(1000):
        time = step * PERIOD
        samples = program.goals(time, actual)
        actual = {name: sample.value for name, sample in samples.items()}
        if time < late:
            actual[RIGHT] = actual[RIGHT] + 0.02
    assert program.phases[1] == (pytest.approx(late, abs=3 * PERIOD), "rest")
    assert program.problems == []


def test_what_is_missing_is_told(stack, monkeypatch):
    monkeypatch.setattr(state_program, "transitions", None)
    with pytest.raises(NoMachineError, match=r"pip install .controlit\[demos"):
        StateProgram(stack, STATES, (RIGHT, TURN))
