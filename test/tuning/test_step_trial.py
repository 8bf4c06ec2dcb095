"""A step is a step of every kind of goal, and what comes of it is told."""

import numpy as np
import pytest
from one_joint import pendulum
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import Latch, start_of, update_tasks
from controlit_ros.tuning.step_trial import Course, StepTrial, displace
from controlit_ros.tuning.task_gains import TaskGains


def row(kp, kd):
    return TaskGains(np.array([kp]), np.zeros(1), np.array([kd]))


@pytest.mark.parametrize("file", ["hands.yaml", "hands_3d.yaml"])
def test_every_goal_moves_by_as_much(file):
    stack = load_stack(REPOSITORY / "config" / "dreamer" / file)
    update_tasks(stack, start_of(stack), Latch.ALL)
    for task in stack.tasks.tasks:
        displace(task, 0.01)
        task.compute(0.001)
        expected = 0.01 * np.sqrt(1 if task.goal.unit_length else task.dimension)
        # the part of a rotation about the direction itself turns no direction
        low = 0.3 * expected if type(task).__name__ == "Orientation2D" else 0.99 * expected
        assert low < task.error_norm.value < 1.01 * expected


def test_joints_step_away_from_their_limits():
    stack = load_stack(REPOSITORY / "config" / "dreamer" / "hands.yaml")
    update_tasks(stack, start_of(stack), Latch.ALL)
    posture = stack.tasks.tasks[-1]
    indices = stack.robot.indices(posture.goal.labels)
    before = posture.goal.value.copy()
    displace(posture, 0.01)
    middle = 0.5 * (stack.robot.lower_limits + stack.robot.upper_limits)[indices]
    assert (np.abs(posture.goal.value - middle) <= np.abs(before - middle) + 0.01).all()
    assert (np.abs(posture.goal.value - middle) < np.abs(before - middle)).sum() > len(middle) / 2


@pytest.mark.simulation
def test_what_comes_of_a_step(tmp_path):
    trial = StepTrial(load_configuration(pendulum(tmp_path)))
    good = trial.run({"Posture": row(64.0, 16.0)}, ["Posture"], 1.5)
    assert good.course is Course.FADES
    assert good.errors[0, 0] == pytest.approx(0.01, rel=0.05)
    assert good.errors[-1, 0] < 2e-4
    assert 0.0 < good.resting <= good.effort < 1.0
    assert good.resting == pytest.approx(9.81 * 0.2 * np.sin(0.3) / 1000, rel=0.1)
    undamped = trial.run({"Posture": row(64.0, 0.1)}, ["Posture"], 1.5)
    assert undamped.course is Course.RINGS
    wild = trial.run({"Posture": row(4e6, 4e3)}, ["Posture"], 1.5)
    assert wild.course is not Course.FADES
    assert trial.run({}, [], 0.5).course is Course.FADES


def test_a_robot_elsewhere_is_refused(tmp_path):
    remote = load_configuration(pendulum(tmp_path), {"robot_interface_type": "UDP"})
    with pytest.raises(ControlItError, match="expected 'MuJoCo'"):
        StepTrial(remote)
