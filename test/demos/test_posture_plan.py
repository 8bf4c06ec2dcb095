"""Plans of goals from waypoint postures."""

import numpy as np
import pytest

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.posture_plan import PosturePlan
from controlit_demos.programs.waypoint import Waypoint
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import compute_cycle, state_from_mapping
from controlit_ros.paths.trajectory import Trajectory, TrajectoryError
from controlit_ros.paths.unit_trajectory import UnitTrajectory


@pytest.fixture(scope="module")
def stack(hands_yaml):
    return load_stack(hands_yaml)


@pytest.fixture(scope="module")
def plan(stack):
    return PosturePlan(stack, HANDS_WAYPOINTS)


def test_has_a_trajectory_for_every_task(stack, plan):
    assert list(plan.trajectories) == [task.name for task in stack.tasks.tasks]
    kinds = {name: type(path) for name, path in plan.trajectories.items()}
    assert kinds["LeftHandPosition"] is Trajectory
    assert kinds["LeftHandOrientation"] is UnitTrajectory


def test_goals_at_waypoints_come_from_forward_kinematics(stack, plan):
    time = 0.0
    for waypoint in HANDS_WAYPOINTS:
        time += waypoint.duration
        torso = waypoint.posture["torso_lower_pitch"]
        positions = {**waypoint.posture, "torso_upper_pitch": torso}
        state = state_from_mapping({"positions": positions}, stack.start)
        frames = compute_cycle(stack, state)["frames"]
        for side in ("right", "left"):
            goal = plan.trajectories[f"{side.capitalize()}HandPosition"].at(time).value
            np.testing.assert_allclose(goal, frames[f"{side}_wrist_yaw"]["position"], atol=1e-9)
        time += waypoint.pause
    assert time == plan.duration


def test_starts_and_ends_where_the_robot_begins(stack, plan):
    posture = stack.robot_interface.parameter("initial_position").value
    joints = stack.robot.actuable_joints
    path = plan.trajectories["Posture"]
    for time in (0.0, plan.duration):
        goal = dict(zip(joints, path.at(time).value, strict=True))
        for joint, position in zip(stack.robot.real_joints, posture, strict=True):
            assert goal[joint] == pytest.approx(position)


def test_segments_last_three_to_seven_seconds(plan):
    assert all(3.0 <= waypoint.duration <= 7.0 for waypoint in HANDS_WAYPOINTS[1:])
    assert 45.0 <= plan.duration <= 60.0


def test_names_the_phase(plan):
    assert plan.phase(0.0) == "raise both hands"
    assert plan.phase(6.5) == "pause"
    assert plan.phase(1e3) == "pause"


def test_refuses_postures_near_the_limits(stack):
    beyond = Waypoint("bend", 3.0, {**HANDS_WAYPOINTS[0].posture, "torso_lower_pitch": -0.3})
    with pytest.raises(TrajectoryError, match="'bend': torso_lower_pitch at -0"):
        PosturePlan(stack, (HANDS_WAYPOINTS[0], beyond))


def test_refuses_unknown_joints(stack):
    with pytest.raises(ControlItError, match="right_elbow"):
        PosturePlan(stack, (HANDS_WAYPOINTS[0], Waypoint("x", 3.0, {"right_elbov": 0.2})))
