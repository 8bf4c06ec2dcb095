"""Joint trajectories as MoveIt and Servo send them, on a simulated hand in lock step."""

from pathlib import Path

import numpy as np
import pytest
from action_peer import ActionPeer
from time_parameterised import stamp, time_parameterised

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode

pytestmark = pytest.mark.simulation

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
JOINTS = ("left_elbow", "left_wrist_yaw")  # a planning group: part of the robot's joints
SETTINGS = {
    "servo_clock_type": "Simulated",
    "robot_interface.mode": "in_process",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "soft_start_time": 0.0,
}
CYCLES = 2  # between two samples, 8 ms
SERVO_PERIOD = 0.034  # [s] of MoveIt Servo's `publish_period`, by default
TOPIC_TYPE = "trajectory_msgs/msg/JointTrajectory"


class Arm:
    """A controller, the client that MoveIt would be, and the stream that Servo would send."""

    def __init__(self, local):
        self.node = ServoNode(load_stack(HAND, SETTINGS), local("servo"))
        self.task = next(task for task in self.node.stack.tasks.tasks if task.name == "Posture")
        self.indices = [self.task.goal.labels.index(joint) for joint in JOINTS]
        peer = local("move_group")
        self.client = ActionPeer(
            peer, "follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory"
        )
        self.topic = peer.publisher("joint_trajectory", TOPIC_TYPE)
        self.goals = []
        self.node.lifecycle.start()
        self.advance(0.1)

    def advance(self, time):
        """Let simulated time pass; keep the goals of every cycle."""
        for cycle in range(round(time * self.node.stack.clock.frequency)):
            if cycle % CYCLES == 0:
                self.node.actions.trajectories.step()
            self.node.lifecycle.advance(1)
            self.goals.append(self.task.goal.value.copy())

    @property
    def goal(self):
        return self.task.goal.value[self.indices]

    @property
    def actual(self):
        return self.task.actual.value[self.indices]

    def execute(self, goal):
        """Send a plan from where the joints are, as MoveIt does."""
        points, duration = time_parameterised(self.actual.copy(), goal)
        trajectory = {"joint_names": list(JOINTS), "points": points}
        return self.client.send(trajectory=trajectory), duration

    def fastest(self):
        steps = np.abs(np.diff(self.goals, axis=0)).max(axis=0)
        return steps * self.node.stack.clock.frequency / CYCLES

    def is_at_rest(self):
        return not (self.task.goal_velocity.value.any() or self.task.goal_acceleration.value.any())


@pytest.fixture
def arm(local):
    made = Arm(local)
    yield made
    made.node.stop()


def test_a_plan_is_executed(arm):
    others = np.delete(arm.task.goal.value, arm.indices)
    goal = arm.goal + np.array([0.4, -0.2])
    identifier, duration = arm.execute(goal)
    arm.advance(duration + 0.1)
    status, result = arm.client.result(identifier)
    assert (status, result.error_code) == (GoalStatus.SUCCEEDED, 0)
    np.testing.assert_allclose(arm.goal, goal, atol=1e-9)
    np.testing.assert_allclose(arm.actual, goal, atol=0.05)
    np.testing.assert_array_equal(np.delete(arm.task.goal.value, arm.indices), others)
    assert arm.is_at_rest()
    assert arm.fastest().max() <= 0.5 * duration * 1.1  # acceleration of 1, over half the time


def test_a_second_plan_replaces_the_first(arm):
    """Who plans and executes again while the arm moves does so."""
    first, duration = arm.execute(arm.goal + np.array([0.4, 0.0]))
    arm.advance(0.4 * duration)
    goal = arm.goal - np.array([0.1, 0.2])
    second, duration = arm.execute(goal)
    status, result = arm.client.result(first)
    assert status is GoalStatus.ABORTED
    assert "newer trajectory" in result.error_string
    arm.advance(duration + 0.1)
    assert arm.client.result(second)[0] is GoalStatus.SUCCEEDED
    np.testing.assert_allclose(arm.goal, goal, atol=1e-9)
    assert arm.fastest().max() < 2.0  # no jump


@pytest.mark.parametrize("ending", ["cancel", "path tolerance", "another goal", "deactivate"])
def test_however_a_plan_ends_the_goal_holds(arm, ending):
    """MoveIt cancels to stop; it counts on a controller that holds then."""
    points, duration = time_parameterised(arm.actual.copy(), arm.goal + np.array([0.4, 0.1]))
    trajectory = {"joint_names": list(JOINTS), "points": points}
    limits = [{"name": JOINTS[0], "position": 1e-6}] if ending == "path tolerance" else []
    identifier = arm.client.send(trajectory=trajectory, path_tolerance=limits)
    arm.advance(0.4 * duration)
    if ending == "cancel":
        assert arm.client.cancel(identifier)
    elif ending == "another goal":
        arm.topic.publish(new(TOPIC_TYPE))  # an empty one: stop
    elif ending == "deactivate":
        assert arm.node.lifecycle.machine.trigger("deactivate")
    arm.advance(0.05)
    wanted = GoalStatus.CANCELED if ending == "cancel" else GoalStatus.ABORTED
    assert arm.client.result(identifier)[0] is wanted
    held = arm.task.goal.value.copy()
    arm.advance(0.5)
    np.testing.assert_array_equal(arm.task.goal.value, held)
    assert arm.is_at_rest()


def test_a_stream_of_servo_is_followed(arm, poll):
    """Points one period ahead; each trajectory replaces the one before."""
    speed = 0.3
    start = arm.goal.copy()
    steps = 20
    for step in range(1, steps + 1):
        point = {
            "positions": start + speed * SERVO_PERIOD * step,
            "time_from_start": stamp(SERVO_PERIOD),
        }
        before = arm.node.actions.trajectories._follower._trajectory
        arm.topic.publish(new(TOPIC_TYPE, joint_names=list(JOINTS), points=[point]))
        poll(
            lambda before=before: arm.node.actions.trajectories._follower._trajectory is not before
        )
        arm.advance(SERVO_PERIOD)
    arm.advance(0.1)
    assert arm.node.actions.trajectories.rejected == 0
    np.testing.assert_allclose(arm.goal, start + speed * SERVO_PERIOD * steps, atol=1e-9)
    assert arm.fastest()[arm.indices].max() < 2.0 * speed
    assert arm.is_at_rest()
