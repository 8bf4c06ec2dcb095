"""Gains that are made faster do the same in less time, and bear as much less delay."""

import numpy as np
import pytest
from every_task import KINDS, made
from one_joint import pendulum
from robots_for_tests import REPOSITORY
from scipy.integrate import solve_ivp

from controlit_ros.nodes.building import load_stack
from controlit_ros.tuning.task_gains import TaskGains, objection


def gains(kp, ki, kd):
    return TaskGains(*(np.array([value]) for value in (kp, ki, kd)))


def error(values, times):
    """Integrate `e''' + kd e'' + kp e' + ki e = 0` from a step."""
    kp, ki, kd = (float(value[0]) for value in values)
    return solve_ivp(
        lambda _, x: [x[1], x[2], -ki * x[0] - kp * x[1] - kd * x[2]],
        (0.0, times[-1]), [0.0, 1.0, -kd], t_eval=times, rtol=1e-10, atol=1e-12,
    ).y[1]  # fmt: skip


@pytest.mark.parametrize("factor", [0.3, 2.0, 7.0])
def test_time_is_all_that_changes(factor):
    slow = gains(64.0, 20.0, 12.0)
    times = np.linspace(0.0, 2.0, 200)
    fast = slow.faster(factor)
    np.testing.assert_allclose(error(fast, times / factor), error(slow, times), atol=1e-6)
    assert fast.delay_margin == pytest.approx(slow.delay_margin / factor)
    assert fast.settling_time == pytest.approx(slow.settling_time / factor)


def test_the_weakest_and_the_slowest_row_count():
    both = TaskGains(np.array([400.0, 16.0]), np.zeros(2), np.array([40.0, 8.0]))
    assert both.delay_margin == gains(400.0, 0.0, 40.0).delay_margin
    assert both.settling_time == gains(16.0, 0.0, 8.0).settling_time


def test_what_cannot_be_tuned_says_why(tmp_path):
    stack = load_stack(pendulum(tmp_path))
    assert [objection(task) for task in stack.tasks.tasks] == ["", "it is in the state sense"]
    for text in ("kp: 64", "kd: 16", "control_law: SlidingMode"):
        (task, _) = load_stack(pendulum(tmp_path, text)).tasks.tasks
        assert objection(task)
    hands = load_stack(REPOSITORY / "config" / "dreamer" / "hands.yaml")
    assert not any(objection(task) for task in hands.tasks.tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_task_can_be_made_faster_or_says_why_not(kind):
    task = made(kind)
    for gain in task.controller.gains:
        gain.assign(2.0)
    why = objection(task)
    if why:
        return
    TaskGains.of(task).faster(3.0).assign_to(task)
    for gain, factor in zip(task.controller.gains, (9.0, 27.0, 3.0), strict=True):
        np.testing.assert_array_equal(gain.value, 2.0 * factor)


def test_a_momentum_is_left_out():
    assert "of first order" in objection(made("CentroidalMomentum"))
