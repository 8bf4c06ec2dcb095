"""The prioritised set: stacking, and tasks that change state and priority while it runs."""

import math

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated
from tasks_of_a_chain import PERIOD, Push, chain_of_four, cycle

from controlit_ros.tasks import DISABLE, ENABLE, SENSE, CommandKind, CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition


@pytest.fixture
def description():
    return chain_of_four()


@pytest.fixture
def tasks(description):
    gains = {"kp": 10.0, "kd": 2.0}
    return (
        configured(JointPosition("posture", description), priority=0, **gains),
        configured(CartesianPosition("hand", description), body="link_4", priority=5, **gains),
        configured(CenterOfMass("com", description), priority=5, **gains),
        configured(Push("push", description), priority=9, **gains),
    )


@pytest.fixture
def model(description, rng):
    return updated(description, random_state(description, rng))


def stacked(compound):
    """Return copies of everything a controller reads."""
    return tuple(array.copy() for array in (compound.jacobian, compound.command, compound.bias))


def check_stack(compound, *levels):
    """Compare the stack with levels of tasks, highest first."""
    assert len(compound.levels) == len(levels)
    row = 0
    for level, expected in zip(compound.levels, levels, strict=True):
        assert {task.priority.value for task in expected} == {level.priority}
        start = row
        force = []
        for task in expected:
            rows = slice(row, row + task.dimension)
            np.testing.assert_array_equal(compound.jacobian[rows], task.active.jacobian)
            np.testing.assert_array_equal(compound.command[rows], task.command.value)
            np.testing.assert_array_equal(compound.bias[rows], task.active.bias)
            force += [isinstance(task, Push)] * task.dimension
            row += task.dimension
        assert level.rows == slice(start, row)
        np.testing.assert_array_equal(compound.is_force[level.rows], force)
        assert compound.is_force[level.rows].any() == any(force)
    arrays = (compound.jacobian, compound.command, compound.bias, compound.is_force)
    assert {len(array) for array in arrays} == {row}
    assert list(compound.level_ends) == [level.rows.stop for level in compound.levels]


def test_levels_stack_the_highest_first_and_in_the_order_given(tasks, model):
    posture, hand, com, push = tasks
    check_stack(cycle(CompoundTask(tasks), model), [push], [hand, com], [posture])
    other_order = CompoundTask((com, push, posture, hand))
    check_stack(cycle(other_order, model), [push], [com, hand], [posture])


def test_priorities_change_at_run_time(tasks, model):
    posture, hand, com, push = tasks
    compound = cycle(CompoundTask(tasks), model)
    posture.priority.set(3)
    com.priority.set(0)
    check_stack(cycle(compound, model), [push], [hand], [posture], [com])
    hand.priority.set(3)
    check_stack(cycle(compound, model), [push], [posture, hand], [com])


def test_sensing_tasks_are_computed_but_not_stacked(tasks, model):
    posture, hand, com, push = tasks
    compound = CompoundTask(tasks)
    hand.operational_state.set(SENSE)
    check_stack(cycle(compound, model), [push], [com], [posture])
    assert hand.error_norm.value > 0.0
    np.testing.assert_array_equal(hand.actual.value, hand.active.actual)


def test_disabled_tasks_leave_the_stack_and_know_nothing(tasks, model):
    posture, hand, com, push = tasks
    compound = cycle(CompoundTask(tasks), model)
    hand.operational_state.set(DISABLE)
    check_stack(cycle(compound, model), [push], [com], [posture])
    assert math.isnan(hand.error_norm.value)


def test_a_task_enabled_again_waits_for_a_fresh_state(tasks, model, description, rng):
    posture, hand, com, push = tasks
    compound = cycle(CompoundTask(tasks), model)
    hand.operational_state.set(DISABLE)
    cycle(compound, model)
    hand.operational_state.set(ENABLE)
    compound.compute(PERIOD)  # the task updater has not come round yet
    check_stack(compound, [push], [com], [posture])
    fresh = updated(description, random_state(description, rng))
    hand.update(fresh, hand.inactive)
    compound.compute(PERIOD)  # computed, but not handed over
    check_stack(compound, [push], [com], [posture])
    hand.swap()
    compound.compute(PERIOD)
    check_stack(compound, [push], [hand, com], [posture])
    expected = fresh.placement(description.frame_id("link_4")).translation
    np.testing.assert_allclose(hand.actual.value, expected, atol=1e-12)


def test_nothing_is_stacked_before_the_first_update(tasks):
    compound = CompoundTask(tasks)
    compound.compute(PERIOD)
    check_stack(compound)


def test_toggling_a_thousand_times_accumulates_nothing(tasks, model):
    compound = cycle(CompoundTask(tasks), model)
    before = stacked(compound)
    for i in range(1000):
        task = tasks[i % len(tasks)]
        task.operational_state.set((DISABLE, SENSE)[i % 2])
        task.priority.set(i)
        cycle(compound, model)
        assert compound.jacobian.shape[0] == sum(t.dimension for t in tasks) - task.dimension
        task.operational_state.set(ENABLE)
        task.priority.set((0, 5, 5, 9)[i % len(tasks)])
    cycle(compound, model)
    for array, original in zip(stacked(compound), before, strict=True):
        np.testing.assert_array_equal(array, original)


@pytest.mark.parametrize("state", [DISABLE, SENSE])
def test_the_integral_does_not_survive_nor_grow_while_a_task_does_not_command(tasks, model, state):
    hand = tasks[1]
    hand.controller.ki.set(5.0)
    compound = cycle(CompoundTask(tasks), model)
    first = hand.command.value.copy()
    for _ in range(10):
        cycle(compound, model)
    assert (hand.command.value != first).all()
    hand.operational_state.set(state)
    for _ in range(10):
        cycle(compound, model)
    hand.operational_state.set(ENABLE)
    cycle(compound, model)
    np.testing.assert_array_equal(hand.command.value, first)


def test_disabled_and_enabled_between_two_cycles_is_no_change(tasks, model):
    compound = cycle(CompoundTask(tasks), model)
    before = stacked(compound)
    tasks[1].operational_state.set(DISABLE)
    tasks[1].operational_state.set(ENABLE)
    for array, original in zip(stacked(cycle(compound, model)), before, strict=True):
        np.testing.assert_array_equal(array, original)


def test_no_tasks_at_all():
    compound = CompoundTask(())
    compound.compute(PERIOD)
    check_stack(compound)


class Squeeze(JointPosition):
    """Stands for a task that commands a force between contacts."""

    command_kind = CommandKind.INTERNAL_FORCE


def test_tasks_that_command_internal_forces_stand_beside_the_levels(rng):
    robot = dreamer()
    tasks = [
        configured(kind(name, robot), kp=2.0, goal_position=0.1)
        for name, kind in (("a", JointPosition), ("b", Squeeze), ("c", JointPosition))
    ]
    compound = CompoundTask(tasks)
    model = updated(robot, random_state(robot, rng))
    for task in tasks:
        task.update(model, task.inactive)
        task.swap()
    compound.compute(1e-3)
    rows = tasks[0].dimension
    assert [level.rows for level in compound.levels] == [slice(0, 2 * rows)]
    np.testing.assert_array_equal(compound.internal_command, tasks[1].command.value)
    np.testing.assert_array_equal(compound.internal_jacobian, tasks[1].active.jacobian)
    assert len(compound.is_force) == 2 * rows
    tasks[1].operational_state.set("sense")
    compound.compute(1e-3)
    assert len(compound.internal_command) == 0
