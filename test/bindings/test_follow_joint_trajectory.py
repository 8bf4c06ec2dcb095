"""FollowJointTrajectory over `local`, on a simulated hand whose time the test advances."""

import math
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.bindings.action_server import GoalStatus
from controlit_ros.bindings.joint_trajectory import TrajectoryCode
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode

pytestmark = pytest.mark.simulation

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
ACTION = "control_msgs/action/FollowJointTrajectory"
ELBOW, YAW = "left_elbow", "left_wrist_yaw"  # free of the task above the posture
SETTINGS = {
    "servo_clock_type": "Simulated",
    "robot_interface.mode": "in_process",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "soft_start_time": 0.0,
    "enforce_velocity_limits": False,  # trajectories of some cycles
}
CYCLES = 2  # between two samples, 8 ms


def duration(time):
    return {"sec": math.floor(time), "nanosec": round((time % 1.0) * 1e9)}


def trajectory(points, joints, stamp=0.0):
    names = ("positions", "velocities", "accelerations")
    return {
        "header": {"stamp": duration(stamp)},
        "joint_names": list(joints),
        "points": [
            {"time_from_start": duration(time), **dict(zip(names, values, strict=False))}
            for time, *values in points
        ],
    }


class Arm:
    """A controller and an action client."""

    def __init__(self, local, **overrides):
        stack = load_stack(HAND, {**SETTINGS, **overrides})
        self.node = ServoNode(stack, local("servo"))
        self.task = next(task for task in stack.tasks.tasks if task.name == "Posture")
        self.labels = self.task.goal.labels
        self.peer = local("peer")
        self.goals = []
        self.feedback = []
        name = "follow_joint_trajectory/_action"
        self._send = self.peer.client(f"{name}/send_goal", f"{ACTION}_SendGoal")
        self._cancel = self.peer.client(f"{name}/cancel_goal", "action_msgs/srv/CancelGoal")
        self._result = self.peer.client(f"{name}/get_result", f"{ACTION}_GetResult")
        self.topic = self.peer.publisher("joint_trajectory", "trajectory_msgs/msg/JointTrajectory")
        self.peer.subscribe(f"{name}/feedback", f"{ACTION}_FeedbackMessage", self.feedback.append)
        self.node.lifecycle.start()
        self.advance(0.1)

    def advance(self, time):
        """Let simulated time pass; keep the goals of every cycle."""
        cycles = round(time * self.node.stack.clock.frequency)
        for cycle in range(cycles):
            if cycle % CYCLES == 0:
                self.node.actions.trajectories.step()
            self.node.lifecycle.advance(1)
            self.goals.append(self.task.goal.value.copy())

    def goal(self, joint):
        return self.task.goal.value[self.labels.index(joint)]

    def send(self, points, joints=(ELBOW,), stamp=0.0, **fields):
        self.last = identifier = uuid.uuid4().bytes
        goal = {"trajectory": trajectory(points, joints, stamp), **fields}
        request = new(f"{ACTION}_SendGoal_Request", goal_id={"uuid": list(identifier)}, goal=goal)
        return identifier if self._send.call(request, GENEROUS).accepted else None

    def result(self, identifier):
        request = new(f"{ACTION}_GetResult_Request", goal_id={"uuid": list(identifier)})
        answer = self._result.call(request, GENEROUS)
        code = TrajectoryCode(answer.result.error_code)
        return GoalStatus(answer.status), code, answer.result.error_string

    def cancel(self, identifier):
        info = {"goal_id": {"uuid": list(identifier)}}
        request = new("action_msgs/srv/CancelGoal_Request", goal_info=info)
        return len(self._cancel.call(request, GENEROUS).goals_canceling)

    @property
    def largest_step(self):
        """Largest change of any goal between two cycles."""
        return np.abs(np.diff(self.goals, axis=0)).max()


def asked(server):
    """Return whether somebody waits for a result."""
    return any(goal.asking for goal in server._goals.values())


@pytest.fixture
def arm(local):
    made = Arm(local)
    yield made
    made.node.stop()


def test_a_goal_is_reached(arm, poll):
    with ThreadPoolExecutor(1) as pool:
        identifier = arm.send([(1.0, [0.6], [0.0], [0.0])])
        waiting = pool.submit(arm.result, identifier)
        arm.advance(0.9)
        assert not waiting.done()
        arm.advance(0.3)
        assert waiting.result(GENEROUS) == (GoalStatus.SUCCEEDED, TrajectoryCode.SUCCESSFUL, "")
    assert arm.goal(ELBOW) == pytest.approx(0.6)
    index = arm.labels.index(ELBOW)
    assert arm.task.goal_velocity.value[index] == arm.task.goal_acceleration.value[index] == 0.0
    arm.advance(1.0)
    assert arm.task.actual.value[index] == pytest.approx(0.6, abs=0.05)
    message = poll(lambda: arm.feedback)[-1].feedback
    assert message.joint_names == [ELBOW]
    np.testing.assert_allclose(
        message.error.positions, message.desired.positions - message.actual.positions
    )


def test_feed_forward_comes_along(arm):
    arm.send([(1.0, [0.6], [0.0], [0.0])])
    arm.advance(0.5)
    index = arm.labels.index(ELBOW)
    middle = (0.6 - 0.1745) * 1.875  # the quintic is quickest in the middle
    assert arm.task.goal_velocity.value[index] == pytest.approx(middle, rel=0.05)
    arm.advance(0.3)
    assert arm.task.goal_acceleration.value[index] < -0.5


@pytest.mark.thorough
def test_the_goal_never_jumps(arm):
    """Not at the first point, which is elsewhere, nor when another trajectory takes over."""
    arm.send([(0.0, [0.1], [0.0], [0.0]), (1.0, [0.6], [0.0], [0.0])])
    arm.advance(0.4)
    velocity = arm.task.goal_velocity.value[arm.labels.index(ELBOW)]
    assert velocity > 0.1
    arm.send([(1.5, [0.0], [0.0], [0.0])])
    arm.advance(CYCLES / arm.node.stack.clock.frequency)
    assert arm.task.goal_velocity.value[arm.labels.index(ELBOW)] == pytest.approx(velocity, abs=0.1)
    arm.advance(1.6)
    assert arm.goal(ELBOW) == pytest.approx(0.0)
    assert arm.largest_step < 0.02


def test_partial_joints_leave_the_others(arm):
    before = {joint: arm.goal(joint) for joint in arm.labels}
    arm.send([(0.5, [0.4, 0.2])], (YAW, ELBOW))
    arm.advance(0.25)
    arm.send([(0.5, [0.5])], (ELBOW,))
    held = arm.goal(YAW)
    arm.advance(0.6)
    assert arm.goal(YAW) == pytest.approx(held, abs=0.02)
    assert arm.goal(ELBOW) == pytest.approx(0.5)
    assert not arm.task.goal_velocity.value.any()
    for joint in set(arm.labels) - {YAW, ELBOW}:
        assert arm.goal(joint) == before[joint]


def test_a_newer_goal_aborts_the_older(arm):
    first = arm.send([(1.0, [0.6])])
    arm.advance(0.3)
    second = arm.send([(1.0, [0.2])])
    status, code, text = arm.result(first)
    assert (status, code) == (GoalStatus.ABORTED, TrajectoryCode.INVALID_GOAL)
    assert "newer" in text
    arm.advance(1.2)
    assert arm.result(second)[0] is GoalStatus.SUCCEEDED


def test_cancel_holds(arm):
    identifier = arm.send([(1.0, [0.6], [0.0])])
    arm.advance(0.5)
    assert arm.cancel(identifier) == 1
    assert arm.result(identifier)[0] is GoalStatus.CANCELED
    arm.advance(0.02)
    held = arm.goal(ELBOW)
    assert 0.2 < held < 0.5
    arm.advance(1.0)
    assert arm.goal(ELBOW) == held
    assert not arm.task.goal_velocity.value.any()
    assert arm.largest_step < 0.02


def test_path_tolerance(arm):
    tight = [{"name": ELBOW, "position": 1e-5}]
    identifier = arm.send([(0.5, [1.2])], path_tolerance=tight)
    arm.advance(0.6)
    status, code, text = arm.result(identifier)
    assert (status, code) == (GoalStatus.ABORTED, TrajectoryCode.PATH_TOLERANCE_VIOLATED)
    assert text.startswith(f"{ELBOW} is off by ")
    assert arm.goal(ELBOW) < 0.5
    assert not arm.task.goal_velocity.value.any()


def test_goal_tolerance(arm):
    unreachable = [{"name": ELBOW, "position": 1e-9}]
    identifier = arm.send(
        [(0.2, [0.6])], goal_tolerance=unreachable, goal_time_tolerance=duration(0.3)
    )
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(arm.result, identifier)
        arm.advance(0.4)
        assert not waiting.done()
        arm.advance(0.3)
        status, code, text = waiting.result(GENEROUS)
    assert (status, code) == (GoalStatus.ABORTED, TrajectoryCode.GOAL_TOLERANCE_VIOLATED)
    # it holds where the joint was, as joint_trajectory_controller does
    off_by = float(text.split("off by ")[1].split()[0])
    assert abs(arm.goal(ELBOW) - 0.6) == pytest.approx(off_by, rel=1e-3)
    assert not arm.task.goal_velocity.value.any()


@pytest.mark.thorough
def test_goal_tolerance_that_is_reached_late(arm):
    identifier = arm.send([(0.2, [0.4])], goal_tolerance=[{"name": ELBOW, "position": 0.05}])
    arm.advance(2.0)
    assert arm.result(identifier)[0] is GoalStatus.SUCCEEDED


@pytest.mark.parametrize(
    "fields",
    [
        {"path_tolerance": [{"name": "nobody", "position": 0.1}]},
        {"component_path_tolerance": [{"joint_name": ELBOW}]},
        {"multi_dof_trajectory": {"points": [{}]}},
    ],
)
def test_goals_that_mean_something_else(arm, fields):
    assert arm.send([(1.0, [0.6])], **fields) is None
    assert arm.node.actions.trajectories.rejected == 1


def test_refused_goals_change_nothing(arm):
    running = arm.send([(1.0, [0.6])])
    arm.advance(0.2)
    assert arm.send([(1.0, [math.nan])]) is None
    assert arm.send([(1.0, [0.5])], ("nobody",)) is None
    arm.advance(1.0)
    assert arm.result(running)[0] is GoalStatus.SUCCEEDED
    assert arm.goal(ELBOW) == pytest.approx(0.6)


DEFAULTS = {
    "trajectory_path_tolerance": {ELBOW: 1e-5},
    "trajectory_goal_tolerance": {"*": 1e-9},
    "trajectory_goal_time": 0.2,
}


@pytest.fixture
def strict(local):
    """A controller with tolerances of its own."""
    made = Arm(local, **DEFAULTS)
    yield made
    made.node.stop()


def test_tolerances_that_are_not_stated_are_those_of_the_controller(strict):
    identifier = strict.send([(0.5, [0.3])])
    strict.advance(0.6)
    assert strict.result(identifier)[1] is TrajectoryCode.PATH_TOLERANCE_VIOLATED
    wide = [{"name": ELBOW, "position": 1.0}]
    identifier = strict.send([(0.2, [0.3])], path_tolerance=wide)
    strict.advance(0.5)
    assert strict.result(identifier)[1] is TrajectoryCode.GOAL_TOLERANCE_VIOLATED


def test_tolerances_of_the_controller_can_be_taken_back(strict):
    none = [{"name": ELBOW, "position": -1.0}]
    identifier = strict.send([(0.2, [0.3])], path_tolerance=none, goal_tolerance=none)
    strict.advance(0.3)
    assert strict.result(identifier)[1] is TrajectoryCode.SUCCESSFUL
    patient = {"sec": -1}
    identifier = strict.send([(0.2, [0.2])], path_tolerance=none, goal_time_tolerance=patient)
    strict.advance(1.0)
    assert (
        strict.node.actions.trajectories._follower._trajectory is not None
    )  # it waits for the goal
    assert strict.cancel(identifier) == 1


def test_trajectories_of_the_topic_have_the_tolerances_of_the_controller(strict, poll):
    held = strict.goal(ELBOW)
    message = new("trajectory_msgs/msg/JointTrajectory", **trajectory([(0.5, [1.0])], [ELBOW]))
    strict.topic.publish(message)
    poll(lambda: strict.node.actions.trajectories._follower._trajectory)
    strict.advance(0.6)
    assert strict.goal(ELBOW) == pytest.approx(held, abs=0.1)


@pytest.mark.thorough
def test_a_joint_that_still_moves_has_not_arrived(local):
    arm = Arm(local, trajectory_stopped_velocity=0.05, trajectory_goal_time=5.0)
    identifier = arm.send([(0.2, [0.5])])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(arm.result, identifier)
        arm.advance(0.25)
        assert not waiting.done()
        arm.advance(3.0)
        assert waiting.result(GENEROUS)[1] is TrajectoryCode.SUCCESSFUL
    arm.node.stop()


@pytest.mark.parametrize("tolerance", [-0.5, math.nan])
def test_tolerances_that_mean_nothing_are_refused(arm, tolerance):
    entry = [{"name": ELBOW, "position": tolerance}]
    for field in ("path_tolerance", "goal_tolerance"):
        assert arm.send([(1.0, [0.6])], **{field: entry}) is None
        assert f"'{ELBOW}': found {tolerance:g}" in arm.node.actions.trajectories.last_rejection
    assert arm.send([(1.0, [0.6])], goal_time_tolerance={"sec": -2}) is None
    assert "goal_time_tolerance: found -2" in arm.node.actions.trajectories.last_rejection


def test_an_empty_trajectory_on_the_topic_stops(arm, poll):
    """As in ROS 1; one of an action is refused, as in ROS 2."""
    identifier = arm.send([(1.0, [0.6], [0.0], [0.0])])
    arm.advance(0.5)
    arm.topic.publish(new("trajectory_msgs/msg/JointTrajectory"))
    poll(lambda: arm.node.actions.trajectories._goal is None)
    status, _, text = arm.result(identifier)
    assert status is GoalStatus.ABORTED
    assert text == "an empty trajectory came"
    arm.advance(0.02)
    held = arm.goal(ELBOW)
    assert held < 0.59
    arm.advance(0.5)
    assert arm.goal(ELBOW) == held
    assert not arm.task.goal_velocity.value.any()
    assert arm.send([]) is None
    assert "found no points" in arm.node.actions.trajectories.last_rejection
    status, code, told = arm.result(arm.last)
    assert (status, code) == (GoalStatus.UNKNOWN, TrajectoryCode.INVALID_GOAL)
    assert "found no points" in told


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_trajectories_out_of_range_are_refused(arm, side, caplog, poll):
    robot = arm.node.stack.robot
    limits = {"lower": robot.lower_limits, "upper": robot.upper_limits}[side]
    limit = float(limits[robot.joint_index(ELBOW)])
    outward = math.copysign(0.01, 1.0 if side == "upper" else -1.0)
    before = arm.goal(ELBOW)
    assert arm.send([(0.5, [limit]), (1.0, [limit + outward])]) is None
    text = f"point 1 leads {ELBOW} to {limit + outward:g}, expected "
    assert text in arm.node.actions.trajectories.last_rejection
    poll(lambda: text in caplog.text)
    arm.advance(0.1)
    assert arm.goal(ELBOW) == before
    assert arm.send([(1.0, [limit])]) is not None


def test_stamps(arm):
    now = arm.node.stack.clock.now
    assert arm.send([(0.05, [0.6])], stamp=0.01) is None
    later = arm.send([(0.5, [0.6])], stamp=now + 0.5)
    before = arm.goal(ELBOW)
    arm.advance(0.4)
    assert arm.goal(ELBOW) == before
    arm.advance(0.7)
    assert arm.result(later)[0] is GoalStatus.SUCCEEDED
    now = arm.node.stack.clock.now
    begun = [(0.1, [2.0]), (0.6, [0.1])]
    arm.goals.clear()
    assert arm.send(begun, stamp=now - 0.3)
    arm.advance(0.4)
    assert arm.goal(ELBOW) == pytest.approx(0.1)
    assert max(goal[arm.labels.index(ELBOW)] for goal in arm.goals) < 0.61


def test_topic(arm, poll):
    def publish(points, joints=(ELBOW,)):
        rejected = arm.node.actions.trajectories.rejected
        moving = arm.node.actions.trajectories._follower._trajectory
        arm.topic.publish(new("trajectory_msgs/msg/JointTrajectory", **trajectory(points, joints)))
        poll(
            lambda: (
                arm.node.actions.trajectories.rejected > rejected
                or arm.node.actions.trajectories._follower._trajectory is not moving
            )
        )

    publish([(0.5, [0.5], [0.0])])
    arm.advance(0.7)
    assert arm.goal(ELBOW) == pytest.approx(0.5)
    publish([(0.5, [0.5, 0.6])])
    assert arm.node.actions.trajectories.rejected == 1
    action = arm.send([(1.0, [0.0])])
    publish([(0.5, [0.3])])
    assert arm.result(action)[0] is GoalStatus.ABORTED
    assert arm.largest_step < 0.02


def test_inactive_controllers_take_no_goals_and_end_those_they_have(arm):
    running = arm.send([(1.0, [0.6])])
    arm.advance(0.3)
    assert arm.node.lifecycle.machine.trigger("deactivate")
    arm.advance(0.05)
    status, _, text = arm.result(running)
    assert status is GoalStatus.ABORTED
    assert "no longer active" in text
    assert arm.send([(1.0, [0.6])]) is None


def test_numbers_that_explode_are_refused(arm):
    before = arm.task.goal.value.copy()
    assert arm.send([(0.2, [0.5], [1e308]), (0.4, [0.6], [0.0])]) is None
    arm.advance(0.3)
    np.testing.assert_array_equal(arm.task.goal.value, before)


def test_where_the_joints_are_is_held_after_a_path_violation(arm):
    """Something was in their way: where they should have been is no place to go on to."""
    arm.task.controller.kp.set(0.0)
    arm.task.controller.kd.set(0.0)
    start = arm.goal(ELBOW)
    off = [{"name": ELBOW, "position": 0.1}]
    identifier = arm.send([(0.5, [start + 0.4])], path_tolerance=off)
    arm.advance(0.45)
    assert arm.result(identifier)[1] is TrajectoryCode.PATH_TOLERANCE_VIOLATED
    assert arm.goal(ELBOW) == pytest.approx(start, abs=0.02)


@pytest.mark.parametrize("policy", ["refuse", "scale"])
def test_a_trajectory_that_is_too_fast(local, policy):
    arm = Arm(local, enforce_velocity_limits=True, fast_trajectories=policy)
    start = arm.goal(ELBOW)
    limit = float(arm.node.stack.robot.velocity_limits[arm.node.stack.robot.joint_index(ELBOW)])
    identifier = arm.send([(0.1, [start + limit], [0.0])])
    if policy == "refuse":
        assert identifier is None
        told = arm.node.actions.trajectories.last_rejection
        assert f"{ELBOW} moves with" in told
        assert f"expected at most {limit:g}, its velocity limit" in told
    else:
        arm.advance(2.0)
        assert arm.goal(ELBOW) == pytest.approx(start + limit)
        step = np.abs(np.diff(arm.goals, axis=0)).max()
        assert step <= limit * CYCLES / arm.node.stack.clock.frequency * (1.0 + 1e-6)
    arm.node.stop()


def test_stopping_answers_who_waits(arm, poll):
    identifier = arm.send([(100.0, [0.6])])
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(arm.result, identifier)
        poll(lambda: asked(arm.node.actions.trajectories._server))
        arm.advance(0.2)
        arm.node.stop()
        assert waiting.result(GENEROUS)[0] is GoalStatus.ABORTED
