"""Numbers that a behaviour leaves in tasks and constraints: what a client may not set is undone."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rig import Rig

from controlit_ros.parameters import Access, ParameterError, ParameterReflection
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.behaving import Behaving
from controlit_ros.servo.behaviour import Behaviour
from controlit_ros.servo.parameter_guard import ParameterGuard

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles]

WRITES = {
    "assign": lambda parameter, value: parameter.assign(value),
    "memory": lambda parameter, value: np.copyto(parameter.value, value),
    "entry": lambda parameter, value: parameter.value.__setitem__(-1, value),
}
VALUES = [math.nan, math.inf, -math.inf, 1e300]
PARAMETERS = ["goal", "goal_velocity", "kp", "kd", "offset"]


class Setting(Behaviour):
    """Leaves a value in a parameter, from its begin or from each step."""

    def __init__(self, name, parameter, write, value, *, where="step", times=math.inf):
        super().__init__(name, None)
        self.parameter, self.write, self.value = parameter, write, value
        self.where, self.times = where, times

    def configure(self, parts):
        pass

    def _set(self, where):
        if where == self.where and self.times > 0:
            self.times -= 1
            self.write(self.parameter, self.value)

    def begin(self, moment):
        self._set("begin")

    def step(self, moment):
        self._set("step")


def rig_with(create):
    """Return a rig with one behaviour, and the notices of it."""
    rig = Rig(soft_start_time=0.0, behaviours=lambda tasks: [Behaving([create(tasks[0])], tasks)])
    rig.activate(RECOVERY)
    return rig


@pytest.mark.parametrize("where", ["begin", "step"])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    ("name", "value"), [*itertools.product(PARAMETERS, VALUES), ("goal", 1e20)]
)
def test_control_stays_and_the_behaviour_is_named(name, value, write, where):
    rig = rig_with(
        lambda task: Setting("Wave", task.parameters[name], WRITES[write], value, where=where)
    )
    before = rig.tasks[0].parameters[name].value.copy()
    position = rig.robot.position.copy()
    rig.run(500)
    assert rig.state is ACTIVE
    np.testing.assert_array_equal(rig.tasks[0].parameters[name].value, before)
    np.testing.assert_allclose(rig.robot.position, position, atol=1e-3)
    rig.outbox.deliver_all()
    texts = [notice.text for notice in rig.notices]
    (text, *_) = [text for text in texts if "Wave" in text]
    assert f"behaviour 'Wave' set task.{name}: found " in text
    assert not any("command of task" in text for text in texts), texts


@pytest.mark.parametrize("value", VALUES)
def test_a_value_out_of_range_in_a_single_number_is_undone(value):
    rig = rig_with(
        lambda task: Setting("Wave", task.goal_timeout, WRITES["assign"], value, times=50)
    )
    assert rig.tasks[0].goal_timeout.value == rig.tasks[0].goal_timeout.default
    assert rig.state is ACTIVE


@pytest.mark.parametrize("write", WRITES)
def test_a_value_in_range_is_left_alone(write):
    rig = rig_with(lambda task: Setting("Wave", task.goal, WRITES[write], 0.7))
    rig.run(2000)
    assert rig.tasks[0].goal.value[-1] == 0.7
    assert rig.robot.position[-1] == pytest.approx(0.7, abs=1e-3)
    assert not [notice for notice in rig.notices if "Wave" in notice.text]


def test_a_behaviour_that_raises_after_setting_nonsense_leaves_none():
    def write(parameter, value):
        parameter.assign(value)
        raise ValueError("halfway")

    rig = rig_with(lambda task: Setting("Wave", task.goal, write, math.nan, times=1))
    rig.run(2 * RECOVERY + 100)
    assert np.isfinite(rig.tasks[0].goal.value).all()
    assert rig.state is ACTIVE


@pytest.mark.parametrize("name", ["goal", "goal_velocity"])
def test_a_goal_that_is_no_number_is_dropped_whoever_wrote_it(name):
    """Without a guard, as where a task's own code does it."""
    rig = Rig(soft_start_time=0.0)
    rig.activate(RECOVERY)
    rig.tasks[0].parameters[name].value[0] = math.nan
    rig.run(10)
    assert rig.state is SAFE
    assert any("which is dropped" in text for text in rig.errors)
    rig.run(RECOVERY + 50)
    assert rig.state is ACTIVE


NUMBERS = st.floats() | st.floats(-10.0, 10.0)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=3), st.tuples(NUMBERS, NUMBERS))
def test_what_is_kept_is_what_validation_accepts(rows, second):
    owner = ParameterReflection("owner")
    owner.declare("gain", [1.0, 2.0], shape=(2,), lower=0.0, upper=5.0)
    owner.declare("place", [0.0, 0.0], shape=(2,))
    owner.declare("limit", 1.0, lower=0.5)
    owner.declare("shown", [0.0, 0.0], shape=(2,), access=Access.OUTPUT)
    guard = ParameterGuard([owner])
    shown = owner.parameters["shown"].value
    shown[:] = second
    expected = {name: p.snapshot() for name, p in owner.parameters.items()}
    refused = []
    for name, row in zip(("gain", "place"), rows[:2], strict=True):
        parameter = owner.parameters[name]
        try:
            parameter.validate(list(row))
            expected[name] = list(row)
        except ParameterError:
            refused.append(name)
        parameter.value[:] = row
    limit = owner.parameters["limit"]
    try:
        expected["limit"] = limit.validate(rows[2][0])
    except ParameterError:
        refused.append("limit")
    limit.assign(rows[2][0])
    texts = []
    guard.restore(texts.append)
    assert {name: p.snapshot() for name, p in owner.parameters.items() if name != "shown"} == {
        name: value for name, value in expected.items() if name != "shown"
    }
    np.testing.assert_array_equal(shown, second)
    assert [text.partition(":")[0] for text in texts] == [f"owner.{name}" for name in refused]
    assert all("expected" in text for text in texts)
