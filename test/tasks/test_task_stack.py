"""A stack that is used again is the one that would be made anew."""

import numpy as np
import pytest
from robots_for_tests import configured, random_state, updated
from tasks_of_a_chain import Push, chain_of_four, cycle

from controlit_ros.tasks import DISABLE, ENABLE, SENSE, CompoundTask, TaskSet
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_limit import JointLimit
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.task_stack import Standing, TaskStack

SAME = ("levels", "level_tasks", "order", "led", "given_errors", "given_commands", "has_force_rows")
EQUAL = ("is_force", "weight", "task_ends", "level_ends")
VIEWS = ("jacobian", "command", "bias", "internal_jacobian", "internal_command")


@pytest.fixture
def description():
    return chain_of_four()


@pytest.fixture
def tasks(description):
    return (
        configured(JointPosition("posture", description), priority=0),
        configured(CartesianPosition("hand", description), body="link_4", priority=5),
        configured(CartesianPosition("axis", description), body="link_3", axes=("x", "z")),
        configured(JointLimit("limit", description), priority=7),
        configured(Push("push", description), priority=5, kp=10.0),
    )


@pytest.fixture
def model(description, rng):
    return updated(description, random_state(description, rng))


def memory(array):
    return array.__array_interface__["data"][0], array.shape, array.strides


def check(compound):
    """Compare the stack that is used with one that is made now."""
    stack, places = compound.stack, [b.destination.copy() for b in compound.task_set.blocks]
    seats = compound.task_set.seats
    new = TaskStack(compound.task_set, [Standing.of(seat.task) for seat in seats])
    for name in SAME:
        assert getattr(stack, name) == getattr(new, name), name
    for name in EQUAL:
        np.testing.assert_array_equal(getattr(stack, name), getattr(new, name), err_msg=name)
        assert getattr(compound, name) is getattr(stack, name)
    for name in VIEWS:
        assert memory(getattr(stack, name)) == memory(getattr(new, name)), name
        assert getattr(compound, name) is getattr(stack, name)
    for rows, others in zip(stack.unilateral, new.unilateral, strict=True):
        np.testing.assert_array_equal(rows.rows, others.rows)
        np.testing.assert_array_equal(rows.source, others.source)
    new.take_places()
    for block, found in zip(compound.task_set.blocks, places, strict=True):
        np.testing.assert_array_equal(found, block.destination)


def change(task, rng):
    """Change something that a stack depends on."""
    what = rng.integers(3)
    if what == 0:
        task.operational_state.assign(rng.choice([ENABLE, SENSE, DISABLE]))
    elif what == 1:
        task.priority.assign(int(rng.integers(3)))
    else:
        task.weight.assign(rng.uniform(0.5, 2.0, task.weight.value.shape))


def test_after_any_changes_it_is_what_one_made_now_would_be(tasks, model, rng):
    compound, stacks = CompoundTask(tasks), []
    for _ in range(300):
        for task in rng.choice(tasks, 2):
            if rng.random() < 0.6:
                change(task, rng)
        check(cycle(compound, model))
        stacks.append(compound.stack)
    assert len(set(stacks)) < len(stacks)


def test_what_acted_before_is_not_arranged_again(tasks, model):
    compound, hand = cycle(CompoundTask(tasks), model), tasks[1]
    first, arrangements = compound.stack, compound.arrangements
    for _ in range(3):
        hand.operational_state.assign(DISABLE)
        cycle(compound, model)
        hand.operational_state.assign(ENABLE)
        cycle(compound, model)
        assert compound.stack is first
    assert compound.arrangements == arrangements + 6  # the command is ramped all the same


def test_rows_that_weigh_otherwise_meanwhile_do_so_when_they_act_again(tasks, model):
    compound, hand = cycle(CompoundTask(tasks), model), tasks[1]
    hand.operational_state.assign(DISABLE)
    cycle(compound, model)
    hand.weight.set([2.0, 3.0, 4.0])
    hand.operational_state.assign(ENABLE)
    cycle(compound, model)
    np.testing.assert_array_equal(compound.weight[compound.place(hand)], [2.0, 3.0, 4.0])


def test_no_number_of_changes_makes_it_grow(tasks, model):
    compound = cycle(CompoundTask(tasks), model)
    for number in range(200):
        tasks[1].priority.assign(number)
        cycle(compound, model)
    assert len(compound._stacks) <= 32


def test_other_tasks_begin_with_nothing_of_those_before(tasks, model):
    compound = cycle(CompoundTask(tasks), model)
    before = compound.stack
    seats = compound.task_set.seats
    for chosen in (seats[:2], seats, seats):
        compound.adopt(TaskSet(chosen, tasks[0].robot.nv))
        assert len(compound.command) == 0
        check(cycle(compound, model))
    assert compound.stack is not before


def test_what_pushed_no_more_loads_nothing(tasks, model):
    push = tasks[-1]
    push.goal.set([5.0, 5.0, 5.0])
    compound = cycle(CompoundTask(tasks), model)
    assert compound.load.any()
    push.operational_state.assign(DISABLE)
    assert not cycle(compound, model).load.any()
