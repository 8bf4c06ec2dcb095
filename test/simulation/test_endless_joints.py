"""Joints without limits in simulation: goals of files, topics, actions, clients and modes."""

import math

import numpy as np
import pytest
from lock_step import LockStep
from one_joint import URDF
from simulated_hands import SimulatedHands

from controlit_ros.bindings.joint_trajectory import JointTrajectory, TrajectoryPoint, at_rest
from controlit_ros.bindings.trajectory_follower import Measurement, TrajectoryFollower
from controlit_ros.client import connect

pytestmark = pytest.mark.simulation

TURN = math.tau
FILE = """name: wheel
robot_description: wheel.urdf
parameters: {{robot_interface_type: MuJoCo, servo_frequency: 500, soft_start_time: 0}}
simulator: {{initial_position: {start}, timestep: 0.002}}
tasks:
  - {{name: Posture, type: JointPosition, kp: 64, kd: 16{goal}}}
constraints:
  - {{name: Base, type: FlatContact, body: base}}
compound_task:
  - {{name: Posture, priority: 1}}
constraint_set:
  - {{name: Base}}
"""
MOVES = [
    (6.8, 0.5, 0.5 + TURN),
    (6.8, -3.0, -3.0 + 2.0 * TURN),
    (6.8, 7.0, 7.0),
    (0.0, 7.0, 7.0),
    (-6.8, 0.0, -TURN),
    (2.9, -2.9, TURN - 2.9),
    (0.0, math.pi, math.pi),
    (0.0, -math.pi, -math.pi),
]
each_move = pytest.mark.parametrize(("start", "goal", "end"), MOVES)


def write(folder, start, goal=""):
    """Write a controller of one joint without limits."""
    urdf = URDF.format(effort=1000).replace("revolute", "continuous")
    (folder / "wheel.urdf").write_text(urdf)
    path = folder / "wheel.yaml"
    path.write_text(FILE.format(start=start, goal=goal))
    return path


def arrives(run, start, end, cycles=1500):
    """Let time pass; check that the joint goes straight to where it shall."""
    passed = []
    for _ in range(cycles // 10):
        run.advance(10)
        passed.append(run.position[0])
    assert passed[-1] == pytest.approx(end, abs=1e-3)
    low, high = sorted((start, end))
    assert low - 0.3 < min(passed) < max(passed) < high + 0.3


@each_move
def test_goals_of_files(tmp_path, start, goal, end):
    run = SimulatedHands(write(tmp_path, start, f", goal_position: [{goal}]"))
    arrives(run, start, end)


@each_move
def test_goals_of_topics_and_services(tmp_path, start, goal, end):
    run = SimulatedHands(write(tmp_path, start))
    run.advance(100)
    run.mailbox.post({run.tasks["Posture"].goal: [goal]})
    arrives(run, start, end)
    run.mailbox.post({run.tasks["Posture"].goal: [goal]})  # once more changes nothing
    arrives(run, end, end, 100)


@each_move
def test_trajectories_have_one_shift(tmp_path, start, goal, end):
    run = SimulatedHands(write(tmp_path, start))
    run.advance(100)
    task = run.tasks["Posture"]

    def measure():
        return Measurement(task.active.actual, task.active.velocity)

    follower = TrajectoryFollower(task, run.mailbox, measure)
    points = [TrajectoryPoint(1.0, np.array([goal])), TrajectoryPoint(2.0, np.array([goal + 3.0]))]
    asked = JointTrajectory(task.goal.labels, points)
    planned = follower.plan(asked, 0.0, 0.0, at_rest(task.goal.value.copy()))
    positions = [point.position[0] for point in planned.points]
    np.testing.assert_allclose(positions, [start, end, end + 3.0], atol=1e-3)


@each_move
def test_clients(tmp_path, start, goal, end, request):
    servo = LockStep(write(tmp_path, start), request.node.nodeid)
    try:
        with connect(transport=servo.network, beat=servo) as robot:
            task = robot.task("Posture")
            task.move_to([goal], 0.5).wait()
            assert task.goal[0] == pytest.approx(end)
            task.goal = [goal]
            assert task.goal[0] == pytest.approx(end)
            task.move_through([[goal], [goal - 4.0]], [0.2, 0.4]).wait()
            assert task.goal[0] == pytest.approx(end - 4.0)
    finally:
        servo.stop()
