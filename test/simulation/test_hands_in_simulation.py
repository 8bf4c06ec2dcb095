"""Dreamer's hands in simulation: tracking, settling, and standing still without tasks."""

import numpy as np
import pytest
from plan_in_simulation import HANDS, Motion, Plan, kind_of
from simulated_hands import SimulatedHands

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_ros.recording.paper_figures import HAND_BOUNDS
from controlit_ros.recording.task_track import TaskTrack

pytestmark = pytest.mark.simulation

RAD_MARGIN = 0.05


@pytest.fixture(scope="module")
def motion(hands_yaml):
    return Motion(hands_yaml)


@pytest.mark.parametrize("name", HANDS)
def test_mean_errors_are_a_third_of_the_papers_at_most(motion, name):
    assert motion.tracks[name].errors().mean() <= HAND_BOUNDS[name]


@pytest.mark.parametrize("name", HANDS)
def test_hands_rest_within_five_millimetres_and_one_degree(motion, name):
    track, errors = motion.tracks[name], motion.tracks[name].errors()
    ends = motion.plan.pauses
    assert len(ends) == sum(waypoint.pause > 0.0 for waypoint in HANDS_WAYPOINTS)
    for end in ends:
        at_rest = errors[np.abs(track.times - end) < 0.1]
        assert at_rest.max() < (0.5 if name.endswith("Position") else 1.0)


def test_the_motion_is_worth_showing(motion):
    for name in ("RightHandPosition", "LeftHandPosition"):
        assert (np.ptp(motion.tracks[name].actual, axis=0) > (0.3, 0.25, 0.5)).all()
    height = {n: motion.tracks[n].actual[:, 2] for n in ("RightHandPosition", "LeftHandPosition")}
    difference = height["RightHandPosition"] - height["LeftHandPosition"]
    assert difference.min() < -0.4
    assert difference.max() > 0.4


def test_joints_stay_inside_their_limits(motion):
    robot = motion.run.stack.robot
    assert (motion.joints >= robot.lower_limits + RAD_MARGIN).all()
    assert (motion.joints <= robot.upper_limits - RAD_MARGIN).all()


def test_velocities_and_efforts_stay_within_the_urdf(motion):
    robot = motion.run.stack.robot
    assert (np.abs(motion.speeds).max(axis=0) <= robot.velocity_limits).all()
    limits = np.array(robot.effort_limits)[robot.command_indices]
    assert (np.abs(motion.efforts).max(axis=0) <= 0.95 * limits).all()


def test_nothing_is_complained_about(motion):
    assert motion.run.complaints() == []


def test_hands_settle_after_goals_jump(hands_yaml):
    run = SimulatedHands(hands_yaml)
    plan = Plan(run)
    run.advance(1100)
    ready = plan.trajectories["RightHandPosition"].times[2]
    goals = {name: path.at(ready).value for name, path in plan.trajectories.items()}
    run.mailbox.post({run.tasks[name].goal: goal for name, goal in goals.items()})
    run.advance(4000)
    for name in HANDS:
        track = TaskTrack(np.zeros(1), goals[name][None], run.actual(name)[None], kind_of(name))
        assert track.errors()[0] < (0.5 if name.endswith("Position") else 1.0)
    assert np.abs(run.velocity).max() < 0.01


def test_gravity_compensation_alone_holds_the_robot(hands_yaml):
    def disable(data):
        for entry in data["compound_task"]:
            entry["operational_state"] = "disable"

    run = SimulatedHands(
        hands_yaml,
        disable,
        {"fallback_damping": 0.0, "soft_start_time": 0.0},
    )
    start = {name: run.actual(name) for name in ("RightHandPosition", "LeftHandPosition")}
    posture = run.position
    run.advance(10_000)
    for name, position in start.items():
        assert np.linalg.norm(run.actual(name) - position) < 1e-3
    assert np.abs(run.position - posture).max() < 2e-3
    assert np.linalg.norm(run.coordinator.command.effort) > 1.0
