"""Gripper actions of control_msgs, beside trajectories, on an arm with two fingers."""

import math

import numpy as np
import pytest
from action_peer import ActionPeer

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.bindings.gripper import REACHED, STALL_TIME
from controlit_ros.bindings.gripper_requests import DIALECTS
from controlit_ros.configuration import ConfigurationError
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode

pytestmark = pytest.mark.simulation

LEFT, RIGHT, ELBOW = "left_finger", "right_finger", "elbow"
OPEN, CLOSED = 0.02, 0.0
URDF = (
    f"""<robot name="gripper"><link name="base"><inertial><mass value="5"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"><inertial><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{ELBOW}" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-3" upper="3" effort="100" velocity="5"/></joint>
"""
    + "".join(
        f"""<link name="{name}_link"><inertial><mass value="0.1"/>
<inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{name}" type="prismatic"><parent link="arm"/><child link="{name}_link"/>
<axis xyz="0 {side} 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/></joint>
"""
        for name, side in ((LEFT, 1), (RIGHT, -1))
    )
    + "</robot>"
)
TEXT = f"""name: gripper
robot_description: gripper.urdf
parameters:
  robot_interface_type: MuJoCo
  servo_frequency: 250
  grippers: {{hand: [{LEFT}, {RIGHT}]}}
simulator: {{initial_position: {{{LEFT}: {OPEN}, {RIGHT}: {OPEN}}}}}
tasks:
  - name: Posture
    type: JointPosition
    goal_position: {{{LEFT}: {OPEN}, {RIGHT}: {OPEN}}}
    kp: 100
    kd: 20
constraints: [{{name: Base, type: FlatContact, body: base}}]
compound_task: [{{name: Posture, priority: 0}}]
constraint_set: [{{name: Base}}]
"""
SETTINGS = {
    "servo_clock_type": "Simulated",
    "robot_interface.mode": "in_process",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "soft_start_time": 0.0,
}
CYCLES = 2  # between two samples, 8 ms
SINGLE, PARALLEL = DIALECTS


@pytest.fixture
def file(tmp_path):
    """A controller of an arm with a gripper."""
    (tmp_path / "gripper.urdf").write_text(URDF)
    path = tmp_path / "gripper.yaml"
    path.write_text(TEXT)
    return path


class Hand:
    """A controller whose time the test advances, and clients of its actions."""

    def __init__(self, local, file):
        self.node = ServoNode(load_stack(file, SETTINGS), local("servo"))
        self.task = self.node.stack.tasks.tasks[0]
        self.peer = local("peer")
        self.single = ActionPeer(self.peer, "hand/gripper_cmd", SINGLE.type_name)
        self.parallel = ActionPeer(self.peer, "hand/parallel_gripper_cmd", PARALLEL.type_name)
        self.joints = ActionPeer(
            self.peer, "follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory"
        )
        self.topic = self.peer.publisher("Posture/goal_position", "sensor_msgs/msg/JointState")
        self.goals = []
        self.node.lifecycle.start()
        self.advance(0.1)

    def advance(self, time):
        """Let simulated time pass; keep the goals of every cycle."""
        (gripper,) = self.node.actions.grippers
        for cycle in range(round(time * self.node.stack.clock.frequency)):
            if cycle % CYCLES == 0:
                gripper.step()
                self.node.actions.trajectories.step()
            self.node.lifecycle.advance(1)
            self.goals.append(self.task.goal.value.copy())

    def go(self, position, **fields):
        return self.single.send(command={"position": position, **fields})

    def move_arm(self, position, joint=ELBOW):
        point = {"positions": [position], "velocities": [0.0], "time_from_start": {"sec": 1}}
        return self.joints.send(trajectory={"joint_names": [joint], "points": [point]})

    def goal(self, *joints):
        return [self.task.goal.value[self.task.goal.labels.index(joint)] for joint in joints]

    @property
    def rejection(self):
        return self.node.actions.grippers[0].last_rejection


@pytest.fixture
def hand(local, file):
    made = Hand(local, file)
    yield made
    made.node.stop()


def test_it_closes_and_tells_where_it_is(hand):
    identifier = hand.go(CLOSED + 0.01)
    hand.advance(1.5)
    status, result = hand.single.result(identifier)
    assert status is GoalStatus.SUCCEEDED
    assert (result.reached_goal, result.stalled) == (True, False)
    assert result.position == pytest.approx(0.01, abs=REACHED)
    assert hand.goal(LEFT, RIGHT) == pytest.approx([0.01, 0.01])
    assert hand.goal(ELBOW) == [0.0]


def test_it_moves_smoothly_within_its_speed(hand):
    hand.parallel.send(command={"name": [LEFT], "position": [0.04], "velocity": [0.05]})
    hand.advance(1.0)
    fingers = np.array(hand.goals)[:, [hand.task.goal.labels.index(LEFT)]]
    assert np.abs(np.diff(fingers, axis=0)).max() <= 0.05 * CYCLES / 250 * 1.05
    assert hand.goal(LEFT, RIGHT) == pytest.approx([0.04, 0.04])


def test_fingers_may_be_named(hand):
    identifier = hand.parallel.send(command={"name": [RIGHT, LEFT], "position": [0.01, 0.03]})
    hand.advance(1.5)
    status, result = hand.parallel.result(identifier)
    assert status is GoalStatus.SUCCEEDED
    assert result.reached_goal
    assert result.state.name == [LEFT, RIGHT]
    np.testing.assert_allclose(result.state.position, [0.03, 0.01], atol=REACHED)


def test_what_holds_something_has_stalled_and_presses_on(local, file):
    stuck = f"simulator: {{joint_friction: {{{LEFT}: 50, {RIGHT}: 50}}, "
    file.write_text(TEXT.replace("simulator: {", stuck))
    hand = Hand(local, file)
    hand.task.controller.kp.set(1.0)  # so weak that simulated friction does not creep
    identifier = hand.go(CLOSED)
    hand.advance(0.9 * STALL_TIME)
    assert hand.node.actions.grippers[0]._goal is not None
    hand.advance(STALL_TIME)
    assert hand.node.actions.grippers[0]._goal is None
    status, result = hand.single.result(identifier)
    assert status is GoalStatus.SUCCEEDED
    assert (result.reached_goal, result.stalled) == (False, True)
    assert result.position == pytest.approx(OPEN, abs=5e-3)
    assert hand.goal(LEFT, RIGHT) == pytest.approx([CLOSED, CLOSED])
    hand.node.stop()


@pytest.mark.parametrize("arm_first", [True, False])
def test_arm_and_gripper_move_at_once(hand, arm_first):
    first, second = ((lambda: hand.move_arm(0.5)), (lambda: hand.go(CLOSED)))[
        :: 1 if arm_first else -1
    ]
    one = first()
    hand.advance(0.1)
    other = second()
    hand.advance(1.8)
    arm, grip = (one, other) if arm_first else (other, one)
    assert hand.joints.result(arm)[0] is GoalStatus.SUCCEEDED
    assert hand.single.result(grip)[1].reached_goal
    assert hand.goal(ELBOW, LEFT, RIGHT) == pytest.approx([0.5, CLOSED, CLOSED])
    steps = np.abs(np.diff(hand.goals, axis=0)).max(axis=0)
    assert steps[hand.task.goal.labels.index(LEFT)] <= 0.1 * CYCLES / 250 * 1.05
    assert not hand.task.goal_velocity.value.any()


def test_the_later_takes_over_whose_joints_it_shares(hand):
    grip = hand.go(0.04)
    hand.advance(0.1)
    arm = hand.move_arm(0.01, LEFT)
    assert hand.single.result(grip)[0] is GoalStatus.ABORTED
    hand.advance(0.2)
    again = hand.go(0.03)
    status, result = hand.joints.result(arm)
    assert status is GoalStatus.ABORTED
    assert "took over" in result.error_string
    hand.advance(1.5)
    assert hand.single.result(again)[1].reached_goal
    assert hand.goal(LEFT, RIGHT) == pytest.approx([0.03, 0.03])
    assert np.abs(np.diff(hand.goals, axis=0)).max() <= 0.2 * CYCLES / 250


def test_cancelling_stops_where_it_is(hand):
    identifier = hand.go(0.04)
    hand.advance(0.2)
    assert hand.single.cancel(identifier)
    hand.advance(0.02)
    held = hand.goal(LEFT, RIGHT)
    assert OPEN < held[0] < 0.04
    hand.advance(0.5)
    assert hand.goal(LEFT, RIGHT) == held
    assert hand.single.result(identifier)[0] is GoalStatus.CANCELED
    assert not hand.task.goal_velocity.value.any()


def test_a_goal_on_the_topic_takes_over(hand, poll):
    identifier = hand.go(0.04)
    hand.advance(0.1)
    hand.topic.publish(new("sensor_msgs/msg/JointState", name=[LEFT], position=[0.03]))
    poll(lambda: hand.node.actions.grippers[0]._goal is None)
    assert hand.single.result(identifier)[0] is GoalStatus.ABORTED
    hand.advance(0.5)
    assert hand.goal(LEFT) == [0.03]


def test_it_ends_with_control(hand):
    identifier = hand.go(0.04)
    hand.advance(0.1)
    assert hand.node.lifecycle.machine.trigger("deactivate")
    hand.advance(0.05)
    assert hand.single.result(identifier)[0] is GoalStatus.ABORTED
    assert hand.go(CLOSED) is None
    assert "not active" in hand.rejection


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ({"position": 0.05}, "leads left_finger to 0.05, expected 0 to 0.04, its limits"),
        ({"position": math.nan}, "found position nan, expected a finite number"),
        ({"position": 0.0, "max_effort": 5.0}, "at most 5, expected none stated or 20 at least"),
        ({"position": 0.0, "max_effort": -1.0}, "found max_effort -1, expected 0"),
    ],
)
def test_what_cannot_be_done_is_refused(hand, command, text, poll, caplog):
    assert hand.single.send(command=command) is None
    assert text in hand.rejection
    poll(lambda: text in caplog.text)
    hand.advance(0.1)
    assert hand.goal(LEFT, RIGHT) == [OPEN, OPEN]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ({"name": ["left_fingr"], "position": [0.0]}, "unknown joint 'left_fingr'"),
        ({"name": [LEFT]}, "found 0 positions for 1 joints"),
        ({"name": [LEFT, LEFT], "position": [0.0, 0.01]}, "found 2 positions for 1 joints"),
        ({"name": [LEFT], "position": [0.0], "velocity": [0.0]}, "found velocity 0"),
        ({"name": [LEFT], "position": [0.0], "effort": [1.0]}, "at most 1, expected none"),
    ],
)
def test_parallel_commands_that_cannot_be_done(hand, command, text):
    assert hand.parallel.send(command=command) is None
    assert text in hand.rejection


def test_efforts_beyond_the_limit_of_the_joint_limit_nothing(hand):
    assert hand.go(0.01, max_effort=100.0) is not None


def test_joints_and_names_are_checked(file):
    for found, text in (
        ("{hand: [left_fingr]}", "unknown joint 'left_fingr'.*left_finger"),
        ("{hand: []}", "hand"),
        ("{'a b': [left_finger]}", "a b"),
    ):
        file.write_text(TEXT.replace(f"{{hand: [{LEFT}, {RIGHT}]}}", found))
        with pytest.raises(ConfigurationError, match=text):
            load_stack(file, SETTINGS)
