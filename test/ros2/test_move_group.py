"""Plans and commands of grippers by rclpy's action client, as MoveIt sends them."""

import json

import pytest
from patience import HOLDS_ON
from robots_for_tests import REPOSITORY
from ros2_commands import Running, installed, start, stop
from time_parameterised import time_parameterised

from controlit_ros.bindings.action_server import GoalStatus

HAND = REPOSITORY / "test" / "cli" / "controllers" / "hand.yaml"
JOINTS = ["left_elbow", "left_wrist_pitch"]  # a planning group: part of the robot's joints
FOLLOW = ("follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory")
GRIP = ("fingers/gripper_cmd", "control_msgs/action/GripperCommand")
PARALLEL = ("fingers/parallel_gripper_cmd", "control_msgs/action/ParallelGripperCommand")
MOVE = ("move_task", "controlit/action/MoveTask")
SLOWLY = 1e-3  # [rad/s²], for a minute
FINGER = "left_wrist_yaw"

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not installed("controlit"), reason="controlit is not built with colcon or not sourced"
    ),
]


class MoveGroup:
    """The client that MoveIt would be."""

    def __init__(self, namespace):
        self._peer = start("move_group.py", namespace)

    def ask(self, *words):
        print(json.dumps(words), file=self._peer.stdin, flush=True)
        return json.loads(self._peer.stdout.readline())

    def execute(self, goal, acceleration=1.0, **more):
        """Send a plan from where the joints are; return the goal's number."""
        here = self.ask("joints")
        points, _ = time_parameterised([here[joint] for joint in JOINTS], goal, acceleration)
        trajectory = {"joint_names": JOINTS, "points": points}
        return self.ask("send", *FOLLOW, {"trajectory": trajectory, **more})

    def close(self):
        stop(self._peer)


@pytest.fixture(scope="module", params=["dds", "rclpy"])
def group(request):
    """A client of a controller of Dreamer's hand."""
    name = f"moved_on_{request.param}"
    words = ("--set", f"name={name}", "--set", f"grippers={{fingers: [{FINGER}]}}")
    command = ("run", "controlit", "controlit", "run", str(HAND), "--transport", request.param)
    with Running(*command, *words, *HOLDS_ON) as servo:
        servo.wait_for("control is active")
        made = MoveGroup(f"/{name}")
        yield made
        made.close()


def test_a_plan_is_executed(group):
    goal = [0.6, -0.2]
    number = group.execute(goal)
    status, result = group.ask("result", number)
    assert (status, result["error_code"]) == (GoalStatus.SUCCEEDED, 0)
    here = group.ask("joints")
    assert [here[joint] for joint in JOINTS] == pytest.approx(goal, abs=0.05)


def test_a_second_plan_replaces_the_first(group):
    first = group.execute([0.9, 0.2], SLOWLY)
    second = group.execute([0.3, 0.0])
    status, result = group.ask("result", first)
    assert status == GoalStatus.ABORTED
    assert "newer trajectory" in result["error_string"]
    assert group.ask("result", second)[0] == GoalStatus.SUCCEEDED


def test_a_plan_is_cancelled_and_the_goal_holds(group, poll):
    number = group.execute([0.9, 0.2], SLOWLY)
    assert group.ask("cancel", number)
    assert group.ask("result", number)[0] == GoalStatus.CANCELED
    assert group.ask("joints")[JOINTS[0]] < 0.85
    poll(lambda: abs(group.ask("joints")[JOINTS[0]] - group.ask("joints")[JOINTS[0]]) < 1e-5)


def test_a_plan_that_is_not_followed_is_aborted(group):
    number = group.execute([0.4, 0.1], path_tolerance=[{"name": JOINTS[0], "position": 1e-6}])
    status, result = group.ask("result", number)
    assert status == GoalStatus.ABORTED
    assert result["error_code"] == -4
    assert JOINTS[0] in result["error_string"]


def test_a_plan_past_the_limits_is_rejected(group):
    here = group.ask("joints")[JOINTS[0]]
    points = [{"positions": [here + 0.1], "time_from_start": {"nanosec": 1_000_000}}]
    trajectory = {"joint_names": JOINTS[:1], "points": points}
    assert group.ask("send", *FOLLOW, {"trajectory": trajectory}) is None


def test_the_motion_of_a_task_is_cancelled(group):
    goal = {"task": "RightHandPosition", "goal": [0.3, -0.3, 1.0], "duration": {"sec": 1000}}
    number = group.ask("send", *MOVE, goal)
    assert group.ask("cancel", number)
    status, result = group.ask("result", number)
    assert (status, result["code"]) == (GoalStatus.CANCELED, -3)


def test_a_gripper_is_commanded(group):
    number = group.ask("send", *GRIP, {"command": {"position": 0.3}})
    status, result = group.ask("result", number)
    assert status == GoalStatus.SUCCEEDED
    assert result["reached_goal"]
    assert result["position"] == pytest.approx(0.3, abs=0.005)
    command = {"name": [FINGER], "position": [-0.2], "velocity": [0.5]}
    status, result = group.ask("result", group.ask("send", *PARALLEL, {"command": command}))
    assert status == GoalStatus.SUCCEEDED
    assert result["reached_goal"]
    assert result["state"]["position"] == pytest.approx([-0.2], abs=0.005)
