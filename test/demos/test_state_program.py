"""State machines as programs: order, continuity, conditions, failure."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from played import goals_of, lose_control, stage

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

pytestmark = pytest.mark.simulation

RIGHT, TURN = "RightHandPosition", "RightHandOrientation"
OUT, ASIDE = (0.08, -0.32, 0.84), (0.12, -0.33, 0.86)  # [m]
FORWARD = (0.6, 0.0, -0.8)
PERIOD = 0.01  # [s]
CLOSE = Condition(RIGHT, -0.01, 0.01, "it did not get there")
FAR = Condition(RIGHT, 0.02, 0.5, "it is not beyond")


def states(condition):
    stages = [Stage(1.0, {RIGHT: [OUT, ASIDE]}), Stage(0.5, {TURN: [FORWARD]})]
    return (
        ProgramState("reach", stages, [condition]),
        ProgramState("rest", [Stage(0.5, {})]),
    )


def play(found, condition=CLOSE):
    program = StateProgram(states(condition))
    program.run(found.robot, found.course)
    return program


@pytest.fixture(scope="module")
def played(hands_yaml):
    with stage(hands_yaml) as found:
        found.start = found.robot.task(RIGHT).goal
        found.program = play(found)
        found.elapsed = found.course.elapsed
        yield found


@pytest.fixture(scope="module")
def failed(hands_yaml):
    with stage(hands_yaml) as found:
        found.program = play(found, FAR)
        found.elapsed = found.course.elapsed
        yield found


def test_begins_where_the_robot_is_and_never_jumps(played):
    times, path = goals_of(played, RIGHT)
    np.testing.assert_allclose(path[0], played.start, atol=1e-4)
    np.testing.assert_allclose(path[-1], ASIDE, atol=1e-12)
    assert np.abs(np.diff(path, axis=0)).max() < 0.5 * PERIOD
    turned_at, turn = goals_of(played, TURN)
    assert times[-1] < turned_at[0] + 2 * PERIOD  # one after the other
    np.testing.assert_allclose(turn[-1], FORWARD, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(turn, axis=1), 1.0, atol=1e-12)


def test_goes_through_its_states_in_order(played):
    assert [name for _, name in played.course.phases] == ["reach", "rest"]
    assert played.course.phases[1][0] == pytest.approx(1.5, abs=5 * PERIOD)
    assert played.elapsed == pytest.approx(2.0, abs=8 * PERIOD)
    assert played.program.duration == 2.0
    assert played.program.state == "rest"
    assert played.course.problems == []


def test_passes_a_point_on_the_way(played):
    times, path = goals_of(played, RIGHT)
    middle = np.searchsorted(times, 0.5 - PERIOD / 2)
    np.testing.assert_allclose(path[middle], OUT, atol=2e-3)
    assert abs(path[middle + 1] - path[middle - 1]).max() > 0.02 * 2 * PERIOD  # without stopping


def test_the_diagram_tells_the_way_it_went(played):
    picture = diagram(played.program, played.course.phases)
    ET.fromstring(picture)
    assert picture.index(">reach<") < picture.index(">rest<")
    assert ">0.0 s<" in picture
    assert ">1.5 s<" in picture
    assert ">failed<" not in picture


def test_the_diagram_shows_a_failure(failed):
    assert ">failed<" in diagram(failed.program, failed.course.phases)


def test_waits_for_a_condition_and_gives_up_after_a_while(failed):
    assert failed.program.state == FAILED
    (problem,) = failed.course.problems
    assert problem.startswith("reach: it is not beyond (from its goal: ")
    assert failed.elapsed == pytest.approx(1.5 + PATIENCE, abs=8 * PERIOD)
    np.testing.assert_allclose(goals_of(failed, RIGHT)[1][-1], ASIDE, atol=1e-12)
    assert [name for _, name in failed.course.phases] == ["reach", FAILED]


def test_goes_on_as_soon_as_the_condition_holds(hands_yaml):
    """The hand is led beyond by somebody else, long after its motion."""
    late = 2.5  # [s]
    with stage(hands_yaml) as found:
        goal = next(t for t in found.controller.stack.tasks.tasks if t.name == RIGHT).goal

        def lead():
            if found.course.elapsed > late:
                found.beat.look = lambda: None
                found.controller.node.mailbox.post({goal: np.array(ASIDE) + 0.04})

        found.beat.look = lead
        program = play(found, FAR)
        assert program.state == "rest"
        assert late < found.course.phases[1][0] < 1.5 + PATIENCE
        assert found.course.problems == []


def test_a_stage_is_played_anew_when_control_comes_back(hands_yaml):
    with stage(hands_yaml) as found:

        def interrupt():
            if found.course.elapsed > 0.5:
                found.beat.look = lambda: None
                lose_control(found)

        found.beat.look = interrupt
        program = play(found)
        assert program.state == "rest"
        (problem,) = found.course.problems  # it is no success
        assert problem.startswith("reach: control has ended meanwhile")
        assert found.course.phases[1][0] > 2.0
        np.testing.assert_allclose(found.robot.task(RIGHT).goal, ASIDE, atol=1e-12)


def test_what_is_missing_is_told(monkeypatch):
    monkeypatch.setattr(state_program, "transitions", None)
    with pytest.raises(NoMachineError, match=r"pip install .controlit\[demos"):
        StateProgram(states(CLOSE))
