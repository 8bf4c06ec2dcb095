"""Stops of a route from waypoint postures."""

import numpy as np
import pytest

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.posture_stops import posture_stops
from controlit_demos.programs.route import Route
from controlit_demos.programs.waypoint import Waypoint
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import compute_cycle, state_from_mapping
from controlit_ros.paths.trajectory import TrajectoryError


@pytest.fixture(scope="module")
def stack(hands_yaml):
    return load_stack(hands_yaml)


@pytest.fixture(scope="module")
def stops(stack):
    return posture_stops(stack, HANDS_WAYPOINTS)


def test_has_a_goal_for_every_task(stack, stops):
    for stop, waypoint in zip(stops, HANDS_WAYPOINTS, strict=True):
        assert list(stop.goals) == [task.name for task in stack.tasks.tasks]
        assert stop._replace(goals={}) == (waypoint.name, waypoint.duration, {}, waypoint.pause)
        for side in ("Left", "Right"):
            length = np.linalg.norm(stop.goals[f"{side}HandOrientation"])
            assert length == pytest.approx(1.0)


def test_goals_at_waypoints_come_from_forward_kinematics(stack, stops):
    for stop, waypoint in zip(stops, HANDS_WAYPOINTS, strict=True):
        torso = waypoint.posture["torso_lower_pitch"]
        positions = {**waypoint.posture, "torso_upper_pitch": torso}
        state = state_from_mapping(
            {"positions": positions}, stack.start, stack.constraints.couplings
        )
        frames = compute_cycle(stack, state)["frames"]
        for side in ("right", "left"):
            goal = stop.goals[f"{side.capitalize()}HandPosition"]
            np.testing.assert_allclose(goal, frames[f"{side}_wrist_yaw"]["position"], atol=1e-9)


def test_ends_where_the_robot_begins(stack, stops):
    posture = stack.robot_interface.parameter("initial_position").value
    goal = dict(zip(stack.robot.actuable_joints, stops[-1].goals["Posture"], strict=True))
    for joint, position in zip(stack.robot.real_joints, posture, strict=True):
        assert goal[joint] == pytest.approx(position)


def test_segments_last_three_to_seven_seconds(stops):
    assert all(3.0 <= waypoint.duration <= 7.0 for waypoint in HANDS_WAYPOINTS)
    assert 45.0 <= Route(stops).duration <= 60.0


def test_refuses_postures_near_the_limits(stack):
    beyond = Waypoint("bend", 3.0, {**HANDS_WAYPOINTS[0].posture, "torso_lower_pitch": -0.3})
    with pytest.raises(TrajectoryError, match="'bend': torso_lower_pitch at -0"):
        posture_stops(stack, (HANDS_WAYPOINTS[0], beyond))


def test_refuses_unknown_joints(stack):
    with pytest.raises(ControlItError, match="right_elbow"):
        posture_stops(stack, (HANDS_WAYPOINTS[0], Waypoint("x", 3.0, {"right_elbov": 0.2})))
