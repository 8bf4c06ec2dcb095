"""What is not a number is an error that names what computed it, wherever it comes from."""

import math

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rig import Rig, gravity
from robots_for_tests import REPOSITORY
from tries import tries

from controlit_ros.finite import NotFiniteError, is_finite
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport.local import LocalTransport

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz
NUMBERS = [math.nan, math.inf, -math.inf]
HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)


class Player:
    """Dreamer in simulated time; what of it spoils what it computes is up to the test."""

    def __init__(self, domain):
        overrides = {
            "servo_clock_type": "Simulated",
            "robot_interface.mode": "in_process",
            "single_threaded_model": True,
            "single_threaded_tasks": True,
        }
        self.stack = load_stack(HANDS, overrides)
        transport = LocalTransport("servo", "/spoilt", domain=domain)
        self.node = ServoNode(self.stack, transport)
        self.errors = []
        faults = self.node.coordinator.faults
        fail = faults.fail

        def note(topic, text, now):
            self.errors.append(text if isinstance(text, str) else text())
            fail(topic, text, now)

        faults.fail = note
        self.node.start()
        self.play(30)
        assert self.node.state is ACTIVE

    def play(self, cycles):
        self.stack.clock.advance(cycles)


@pytest.fixture(scope="module")
def dreamer():
    player = Player("not a number")
    yield player
    player.node.stop()


def spoil(owner, name, entry, number):
    """Let a method leave a number in one of its arrays; return what ends that."""
    before = getattr(owner, name)

    def spoilt(*arguments):
        before(*arguments)
        entry(*arguments)[...].flat[-1] = number

    def end():
        delattr(owner, name)
        owner.operational_state.assign(owner.operational_state.value)

    setattr(owner, name, spoilt)
    owner.operational_state.assign(owner.operational_state.value)  # so that it is looked at anew
    return end


PARTS = {
    "constraint Jacobian": lambda stack: (
        stack.constraints.constraints[-1], "update", lambda _m, jacobian, _b: jacobian
    ),
    "constraint bias": lambda stack: (
        stack.constraints.constraints[0], "update", lambda _m, _j, bias: bias
    ),
    "task Jacobian": lambda stack: (
        stack.tasks.tasks[0], "_update", lambda _m, state: state.jacobian
    ),
    "task bias": lambda stack: (stack.tasks.tasks[-1], "_update", lambda _m, state: state.bias),
    "task actual": lambda stack: (stack.tasks.tasks[0], "_update", lambda _m, state: state.actual),
}  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("part", PARTS)
def test_the_part_is_named_and_the_robot_held(dreamer, part, number):
    owner, method, entry = PARTS[part](dreamer.stack)
    heal = spoil(owner, method, entry, number)
    dreamer.errors.clear()
    dreamer.play(10)
    heal()
    for task in dreamer.stack.tasks.tasks:  # not every task writes all of it each time
        task.active.bias.fill(0.0)
        task.inactive.bias.fill(0.0)
    assert dreamer.node.state is SAFE
    assert is_finite(dreamer.node.coordinator.command.effort)
    assert np.abs(dreamer.node.coordinator.command.effort).max() > 0.5  # and not limp
    assert any(repr(owner.name) in text for text in dreamer.errors), dreamer.errors
    dreamer.play(RECOVERY + 50)
    assert dreamer.node.state is ACTIVE


def test_the_model_is_named(dreamer, monkeypatch):
    model = dreamer.stack.create_model().robot_model
    model.state.position[3] = 1e200
    model.state.velocity[3] = 1e200
    with pytest.raises(NotFiniteError, match="the robot's model at this state: effort B"):
        model.update(model.state)


def test_rows_that_are_not_selected_may_be_anything(dreamer):
    task = dreamer.stack.tasks.tasks[0]
    state = task.inactive
    before = task.projection
    try:
        task.projection = np.eye(task.dimension)[:1]
        state.jacobian[-1] = math.nan
        task._check_finite(state)
        state.jacobian[0] = math.nan
        with pytest.raises(NotFiniteError, match=f"task '{task.name}': Jacobian is not finite"):
            task._check_finite(state)
    finally:
        task.projection = before
        state.jacobian.fill(0.0)


class TestGoals:
    @settings(max_examples=tries(25), phases=NO_SHRINKING)
    @given(exponent=st.floats(20.0, 300.0), sign=st.sampled_from([-1.0, 1.0]))
    def test_a_goal_that_cannot_be_followed_is_named_and_dropped(self, exponent, sign):
        rig = Rig(soft_start_time=0.0, tasks=("arm", "other"))
        rig.tasks[1].controller.kp.assign(np.zeros(2))
        rig.activate(100)
        before = rig.robot.position.copy()
        rig.controller.after_write = lambda command: (
            command.effort.fill(math.nan) if np.abs(command.effort).max() > 1e15 else None
        )
        rig.tasks[0].goal.assign(np.full(2, sign * 10.0**exponent))
        rig.tasks[0].goal.stated = True
        efforts = rig.run(RECOVERY + 20)
        errors = rig.errors
        assert any("the command of task 'arm'" in text for text in errors)
        assert any("which is dropped" in text for text in errors)
        assert not any("'other'" in text for text in errors)
        assert rig.state is ACTIVE
        assert not rig.tasks[0].goal.stated
        assert np.abs(efforts - gravity(before)).max() < 1.0
        np.testing.assert_allclose(rig.tasks[0].goal.value, before, atol=0.01)
        assert rig.tasks[0].goal.value is not None

    def test_a_goal_in_order_is_kept_when_something_else_fails(self):
        rig = Rig(soft_start_time=0.0)
        rig.tasks[0].goal.set(0.5)
        rig.activate(2000)
        rig.controller.error = ValueError("no solution")
        rig.run(20)
        rig.controller.error = None
        rig.run(RECOVERY + 500)
        assert rig.state is ACTIVE
        assert rig.tasks[0].goal.stated
        np.testing.assert_allclose(rig.tasks[0].goal.value, 0.5)

    def test_the_joint_of_a_command_is_named(self):
        rig = Rig()
        rig.activate(50)
        rig.controller.after_write = lambda command: command.effort.__setitem__(1, math.inf)
        rig.run(2)
        assert "the computed command is not finite: effort of joint_1 is inf" in rig.errors


@pytest.mark.parametrize("number", NUMBERS)
def test_a_compensation_that_is_none_leaves_the_last_one(number):
    rig = Rig(soft_start_time=0.0)
    rig.activate(100)
    rig.controller.error = ValueError("no solution")
    known = rig.run(5)[-1]
    for model in (rig.models.active, rig.models.inactive):
        model.update_projections = lambda model=model: model.bias_effort.fill(number)
    efforts = rig.run(20)
    assert rig.state is SAFE
    assert np.abs(efforts - known).max() < 0.1
