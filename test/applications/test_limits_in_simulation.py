"""Limits of joints on simulated robots: they hold, and they leave alone what is far from them."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, example_robot
from simulated_hands import SimulatedHands

from controlit_ros.servo.command_guard import RANGE_MARGIN

CONFIG = REPOSITORY / "config"
SIDEWAYS = np.array([0.0, 0.05, 0.0])  # [m]
SHIFT_TIME = 1.0  # [s]
GOAL_CYCLES = 10  # goals at 100 Hz


def smooth(phase):
    """Go from 0 to 1 and stop there, with minimum jerk."""
    x = min(phase, 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)


class HeldBack:
    """Watches how far the guard changes the effort of each joint."""

    def __init__(self, run):
        guard = run.coordinator._guard
        self.keep_inside = guard.keep_inside
        guard.keep_inside = self
        self.most = np.zeros(len(run.stack.robot.command_joints))

    def __call__(self, command, *rest):
        before = command.effort.copy()
        self.keep_inside(command, *rest)
        np.maximum(self.most, np.abs(command.effort - before), out=self.most)


@pytest.mark.skipif(
    example_robot("talos_data/robots/talos_reduced.urdf") is None, reason="no example-robot-data"
)
def test_a_humanoid_that_shifts_its_weight_is_left_alone():
    """In a closed chain efforts beyond the bias carry the robot; they tell nothing of limits."""
    run = SimulatedHands(CONFIG / "talos" / "stand.yaml")
    assert run.stack.guard.enforce_position.all()
    assert run.stack.guard.enforce_velocity.all()
    held_back = HeldBack(run)
    run.advance(1)
    task = run.tasks["CenterOfMass"]
    start = task.active.actual.copy()
    for number in range(200):
        task.goal.set(start + smooth(number / (100 * SHIFT_TIME)) * SIDEWAYS)
        run.advance(GOAL_CYCLES)
    np.testing.assert_allclose(task.active.actual, start + SIDEWAYS, atol=2e-3)
    robot = run.stack.robot
    at_end = np.minimum(robot.upper_limits - run.position, run.position - robot.lower_limits)
    names = np.array(robot.real_joints)[at_end < RANGE_MARGIN]
    assert set(names) == {"gripper_left_joint", "gripper_right_joint"}  # they begin at their end
    held = np.array(robot.command_joints)[held_back.most > 0.0]
    assert set(held) <= set(names)
    assert run.complaints() == []


@pytest.mark.parametrize(("joint", "angle"), [("right_elbow", 3.0), ("right_wrist_pitch", -1.5)])
class TestEndOfTheRange:
    """A joint of Dreamer without the stops MuJoCo would give it, and a goal beyond its end."""

    def play(self, joint, angle, *, enforce):
        def only_posture(data):
            for entry in data["compound_task"]:
                if entry["name"] != "Posture":
                    entry["operational_state"] = "disable"

        flags = {"enforce_position_limits": enforce, "enforce_velocity_limits": enforce}
        run = SimulatedHands(CONFIG / "dreamer" / "hands.yaml", only_posture, flags)
        run.stack.robot_interface.simulation.model.jnt_limited[:] = 0
        run.advance(1100)
        posture, robot = run.tasks["Posture"], run.stack.robot
        index = robot.joint_index(joint)
        goal = posture.goal.value.copy()
        goal[index] = angle
        posture.goal.set(goal)
        path = []
        for _ in range(550):
            run.advance(10)
            path.append(run.position[index])
        end = robot.upper_limits[index] if angle > 0.0 else robot.lower_limits[index]
        return run, np.array(path) * np.sign(angle), end

    def test_it_stops_there(self, joint, angle):
        run, path, end = self.play(joint, angle, enforce=True)
        assert path.max() < abs(end) + 1e-3
        np.testing.assert_allclose(path[-20:], abs(end), atol=1e-3)
        texts = [text for text in run.complaints() if text.startswith("position limit")]
        assert texts
        assert all(f"{joint}: held back at" in t and t.endswith(f"limit {end:.4g}") for t in texts)

    def test_without_enforcement_it_goes_on(self, joint, angle):
        _, path, end = self.play(joint, angle, enforce=False)
        assert path[-1] > abs(end) + 0.1
