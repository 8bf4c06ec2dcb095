"""Who failed, and in which line of whose code."""

import importlib

import numpy as np
import pytest
from robots_for_tests import configured, dreamer

from controlit_ros.constraints.coactuation import Coactuation
from controlit_ros.model import RobotState
from controlit_ros.nodes.rehearsal import Rehearsal
from controlit_ros.nodes.tried_parts import LONGEST, RehearsalError, trying
from controlit_ros.tasks.joint_position import JointPosition

ROBOT = dreamer()


class SilentError(Exception):
    def __repr__(self):
        raise SystemExit


class Odd(Coactuation):
    """A third party's constraint."""

    def fail(self, error):
        raise error

    def invert(self):
        return np.linalg.inv(np.zeros((2, 2)))


class Asking(JointPosition):
    """A third party's task that calls a constraint."""

    def ask(self, other, error):
        other.fail(error)


TASK, CONSTRAINT = Asking("Posture", ROBOT), Odd("Torso", ROBOT)


def told(act, *parts):
    with pytest.raises(RehearsalError) as caught, trying(*parts):
        act()
    return caught.value


def try_rows(kind):
    """Try a constraint as when it is added."""
    master, slave = ROBOT.command_joints[:2]
    constraint = configured(kind("Torso", ROBOT), master=master, slave=slave)
    Rehearsal(ROBOT, RobotState(ROBOT.real_joints)).try_rows(constraint)


def line(function):
    return f"{__file__}:{function.__code__.co_firstlineno + 1}, in {function.__name__})"


def test_the_last_part_that_was_called_is_to_blame():
    error = told(lambda: TASK.ask(CONSTRAINT, ValueError(3)), TASK, CONSTRAINT)
    assert (error.part, error.section) == ("Torso", "constraints")
    assert str(error).startswith("constraint 'Torso' failed when it was tried: ValueError(3) (")
    assert str(error).endswith(line(Odd.fail))
    error = told(lambda: TASK.ask(CONSTRAINT, ValueError(3)), TASK)
    assert (error.part, error.section) == ("Posture", "tasks")


def test_nobody_is_blamed_who_was_not_called_but_one_alone():
    error = told(lambda: 1 / 0, TASK, CONSTRAINT)
    assert (error.part, error.section) == ("", "")
    assert str(error).startswith("a part failed when it was tried: ZeroDivisionError(")
    assert told(lambda: 1 / 0, TASK).part == "Posture"


def test_the_line_is_theirs_and_not_that_of_a_library():
    error = told(CONSTRAINT.invert, CONSTRAINT)
    assert "LinAlgError" in str(error)
    assert str(error).endswith(line(Odd.invert))


def test_errors_of_ours_need_no_line():
    class Lost(Coactuation):
        def update(self, model, jacobian, bias):
            bias.fill(np.nan)

    with pytest.raises(RehearsalError) as caught:
        try_rows(Lost)
    assert "NotFiniteError(" in str(caught.value)
    assert ".py" not in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        SilentError(),
        SystemExit(0),
        GeneratorExit(),
        RecursionError(),
        Warning("\udcff"),
        OSError("x" * 9000),
    ],
)
def test_any_error_is_told_in_text_that_can_be_sent(error):
    text = str(told(lambda: CONSTRAINT.fail(error), CONSTRAINT))
    assert type(error).__name__ in text
    assert len(text.encode()) < LONGEST + 500
    assert line(Odd.fail) in text


def test_an_error_without_a_way_has_no_line():
    class HomelessError(Exception):
        @property
        def __traceback__(self):
            return None

    assert str(told(lambda: CONSTRAINT.fail(HomelessError()), CONSTRAINT)).endswith(
        "HomelessError()"
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_no_part_is_to_blame_for_passes(error):
    with pytest.raises(error), trying(CONSTRAINT):
        CONSTRAINT.fail(error())


ALONE = """
from controlit_ros.constraints.coactuation import Coactuation
from library_beside import fail

class Alone(Coactuation):
    def update(self, model, jacobian, bias):
        fail()
"""


def test_a_module_beside_libraries_is_told_and_not_these(tmp_path, monkeypatch):
    """As of a plugin that is one file, whose name begins like ours."""
    (tmp_path / "controlit_ros_alone.py").write_text(ALONE)
    (tmp_path / "library_beside.py").write_text("def fail():\n    raise ValueError(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    alone = importlib.import_module("controlit_ros_alone").Alone
    with pytest.raises(RehearsalError) as caught:
        try_rows(alone)
    assert str(caught.value).endswith(f"({tmp_path / 'controlit_ros_alone.py'}:7, in update)")
