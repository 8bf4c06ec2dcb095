"""Tasks enter and leave a servo between two cycles, and the command stays continuous."""

from collections import deque

import numpy as np
import pytest
from rig import JointTask, Rig

from controlit_ros.parameters import NotAppliedError, Outcome, check_applied
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.exchange import Exchange

DURATION = 0.1  # [s]
CYCLES = 100


def task_of(rig, name="new", goal=0.7):
    task = JointTask(name, rig.description)
    task.controller.kp.assign(np.full(2, 150.0))
    task.controller.kd.assign(np.full(2, 20.0))
    task.configure()
    task.goal.set(np.full(2, goal))
    return task


def change(rig, tasks):
    return rig.coordinator.exchange.offer(rig.coordinator.prepared(tasks))


@pytest.fixture(params=[False, True], ids=["threads", "one thread"])
def rig(request):
    made = Rig(
        tasks=("task", "other"),
        soft_start_time=0.0,
        reconfiguration_time=DURATION,
        single_threaded_model=request.param,
        single_threaded_tasks=request.param,
    )
    made.activate(3)
    for task, goal in zip(made.tasks, (0.9, 0.1), strict=True):
        task.goal.set(np.full(2, goal))
    made.run(1000)
    return made


def test_a_task_ramps_in_and_out(rig):
    compound = rig.coordinator.compound_task
    task = task_of(rig)
    steady = rig.run(1)[-1].copy()
    receipt = change(rig, compound.task_set.with_task(task))
    assert receipt.outcome is Outcome.PENDING
    efforts = np.vstack([steady, rig.run(10)])
    assert receipt.outcome is Outcome.APPLIED
    assert task.active.valid
    efforts = np.vstack([efforts, rig.run(1500)])
    step = np.abs(np.diff(efforts, axis=0)).max()
    jump = 150.0 * 0.7 + 100.0  # [N m] no task asks for more
    assert step < 2.0 * jump / CYCLES
    assert task.error_norm.value < 0.5
    assert np.abs(efforts - steady).max() > 3.0  # [N m] it acts
    receipt = change(rig, compound.task_set.without(task))
    back = np.vstack([efforts[-1], rig.run(2000)])
    assert receipt.outcome is Outcome.APPLIED
    assert np.abs(np.diff(back, axis=0)).max() < 2.0 * jump / CYCLES
    np.testing.assert_allclose(back[-1], steady, atol=0.1)
    assert rig.state is CoordinatorState.ACTIVE
    assert rig.errors == []


def test_whoever_keeps_the_tasks_follows(rig):
    coordinator = rig.coordinator
    task = task_of(rig)
    change(rig, coordinator.compound_task.task_set.with_task(task))
    rig.run(10)
    assert list(coordinator.task_updater.tasks) == [*rig.tasks, task]
    # a gain of the new task is smoothed as others are
    before = rig.robot.written[-1]
    task.controller.kp.set(600.0)
    efforts = np.vstack([before, rig.run(3)])
    assert np.abs(np.diff(efforts, axis=0)).max() < 10.0 * 2.0 * 450.0 / CYCLES
    assert coordinator.reconfiguration.alpha > 0.9
    change(rig, coordinator.compound_task.task_set.without(rig.tasks[0]))
    rig.run(10)
    assert list(coordinator.task_updater.tasks) == [rig.tasks[1], task]


def test_all_may_leave_and_others_come(rig):
    coordinator = rig.coordinator
    for task in rig.tasks:
        change(rig, coordinator.compound_task.task_set.without(task))
        rig.run(10)
    assert not coordinator.compound_task.tasks
    rig.run(500)
    change(rig, coordinator.compound_task.task_set.with_task(task_of(rig, "late")))
    rig.run(500)
    assert [task.name for task in coordinator.compound_task.tasks] == ["late"]
    assert rig.state is CoordinatorState.ACTIVE
    assert rig.errors == []


def test_a_change_waits_while_the_task_updater_works():
    rig = Rig(tasks=("task",), soft_start_time=0.0, reconfiguration_time=0.0)
    rig.activate(5)
    updater = rig.coordinator.task_updater
    while updater.is_idle:
        rig.clock.advance()  # nobody serves the request
    receipt = change(rig, rig.coordinator.compound_task.task_set.with_task(task_of(rig)))
    for _ in range(5):
        rig.clock.advance()
    assert receipt.outcome is Outcome.PENDING
    rig.run(10)
    assert receipt.outcome is Outcome.APPLIED


def test_what_was_taken_back_is_not_made():
    rig = Rig(tasks=("task",), soft_start_time=0.0)
    rig.activate(10)
    receipt = change(rig, rig.coordinator.compound_task.task_set.with_task(task_of(rig)))
    assert receipt.outcome is Outcome.PENDING
    assert receipt.settle(0.0) is Outcome.WITHDRAWN
    rig.run(10)
    assert [task.name for task in rig.coordinator.compound_task.tasks] == ["task"]


def test_no_change_waits_for_a_servo_that_makes_no_cycles():
    rig = Rig(tasks=("task",), soft_start_time=0.0)
    coordinator = rig.coordinator
    rig.activate(10)
    made = []
    waiting = coordinator.exchange.offer(lambda: made.append("waiting"))
    coordinator.end()
    late = coordinator.exchange.offer(lambda: made.append("late"))
    assert waiting.outcome is late.outcome is Outcome.WITHDRAWN
    with pytest.raises(NotAppliedError, match="is it configured"):
        check_applied(late)
    coordinator.exchange.open()
    rig.run(10)
    assert not made
    coordinator.exchange.offer(lambda: made.append("now"))
    rig.run(10)
    assert made == ["now"]


def test_an_end_between_two_looks_of_an_offer_takes_it_back():
    exchange = Exchange()

    class ClosingDeque(deque):
        def append(self, offer):
            exchange.close()
            super().append(offer)

    exchange._offers = ClosingDeque()
    made = []
    receipt = exchange.offer(lambda: made.append("late"))
    assert receipt.outcome is Outcome.WITHDRAWN
    exchange._offers = deque(exchange._offers)
    exchange.open()
    exchange.offer(lambda: made.append("now"))
    while exchange.is_waiting:
        exchange.make_next()
    assert made == ["now"]


def test_a_change_that_fails_says_so_and_the_next_is_made():
    rig = Rig(tasks=("task",), soft_start_time=0.0)
    rig.activate(10)
    made, nothing = [], {}
    failing = rig.coordinator.exchange.offer(lambda: nothing["there"])
    following = rig.coordinator.exchange.offer(lambda: made.append("following"))
    rig.run(10)
    with pytest.raises(NotAppliedError, match="the servo failed when it made this change"):
        check_applied(failing)
    assert following.outcome is Outcome.APPLIED
    assert made == ["following"]
    assert any("KeyError" in str(error) for error in rig.errors)
