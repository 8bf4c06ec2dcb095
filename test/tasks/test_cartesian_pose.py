"""A pose is a position and an orientation in one task, on every way a goal may come."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import (
    REPOSITORY,
    SEEDS,
    configured,
    dreamer,
    random_robots,
    random_state,
    updated,
)
from simulated_hands import SimulatedHands

from controlit_ros.bindings.conversion import conversion
from controlit_ros.bindings.led_task import LedTask
from controlit_ros.parameters import Mailbox, ParameterError
from controlit_ros.paths.angular import angular
from controlit_ros.paths.goal_paths import distance, path_through, path_to
from controlit_ros.paths.limited import limited_path_through, limited_path_to
from controlit_ros.paths.limits import PathLimits, excess
from controlit_ros.paths.time_optimal import quickest
from controlit_ros.paths.trajectory import PathKind, TrajectorySample
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.cartesian_pose import COMPONENTS, CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.orientation_3d import Orientation3D

HANDS = REPOSITORY / "config" / "dreamer" / "hands_3d.yaml"
GAINS = {"kp": 64.0, "kd": 16.0}


def random_pose(rng):
    turn = rng.normal(size=4)
    return np.concatenate([rng.uniform(-1.0, 1.0, 3), turn / np.linalg.norm(turn)])


@given(robot=random_robots(), seed=SEEDS, frame=st.booleans())
def test_it_is_a_position_over_an_orientation(robot, seed, frame):
    rng = np.random.default_rng(seed)
    description, point = robot.description(), rng.uniform(-0.5, 0.5, 3)
    where = {"body": rng.choice(robot.links), "frame": "world", **GAINS}
    if frame:
        where["frame"] = rng.choice(robot.links)
    pose = configured(CartesianPose("pose", description), control_point=point, **where)
    place = configured(CartesianPosition("place", description), control_point=point, **where)
    turn = configured(Orientation3D("turn", description), **where)
    goal = random_pose(rng)
    pose.goal.set(goal)
    place.goal.set(goal[:3])
    turn.goal.set(goal[3:])
    for task, part in ((place, slice(0, 3)), (turn, slice(3, 6))):
        for whole, own in (
            (pose.goal_velocity, task.goal_velocity),
            (pose.goal_acceleration, task.goal_acceleration),
        ):
            own.set(rng.normal(size=3))
            whole.value[part] = own.value
    compound = CompoundTask([pose, place, turn])
    model = updated(description, random_state(description, rng))
    for task in compound.tasks:
        task.update(model, task.inactive)
        task.swap()
    compound.compute(0.001)
    for name in ("jacobian", "velocity", "bias", "actual"):
        parts = [getattr(task.active, name) for task in (place, turn)]
        np.testing.assert_array_equal(getattr(pose.active, name), np.concatenate(parts))
    for name in ("error", "command"):
        parts = [task.parameter(name).value for task in (place, turn)]
        np.testing.assert_allclose(
            pose.parameter(name).value, np.concatenate(parts), rtol=1e-12, atol=1e-12
        )
    assert pose.error_norm.value == pytest.approx(np.linalg.norm(pose.error.value))
    kernel = pose.command.value.copy()
    pose.compute(0.001)
    np.testing.assert_allclose(kernel, pose.command.value, rtol=1e-12, atol=1e-12)


def test_components_have_names():
    task = configured(CartesianPose("hand", dreamer()), axes=["x", "turn_z"], kp={"turn_z": 9.0})
    assert task.rows == 2
    np.testing.assert_array_equal(task.controller.kp.value, [0.0] * 5 + [9.0])
    assert task.component_names == COMPONENTS


def test_a_quaternion_is_brought_to_length_one_and_zero_is_refused():
    goal = CartesianPose("hand", dreamer()).goal
    goal.set([1.0, 2.0, 3.0, 0.0, 0.0, 3.0, 4.0])
    np.testing.assert_allclose(goal.value, [1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 0.8])
    for wrong in ([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0], [1.0] * 6, [np.nan] * 7):
        with pytest.raises(ParameterError, match=r"hand\.goal_pose"):
            goal.set(wrong)


@pytest.mark.parametrize("stamped", ["", "Stamped"])
def test_it_travels_as_a_pose(stamped, rng):
    goal = CartesianPose("hand", dreamer()).goal
    pose = random_pose(rng)
    way = conversion(goal, f"geometry_msgs/msg/Pose{stamped}")
    np.testing.assert_allclose(way.from_message(way.to_message(pose, 1.0)), pose)
    assert conversion(goal).type_name == "geometry_msgs/msg/Pose"


def test_a_dragged_marker_is_a_pose(rng):
    goal = CartesianPose("hand", dreamer()).goal
    way, pose = conversion(goal, "visualization_msgs/msg/Marker"), random_pose(rng)
    np.testing.assert_allclose(way.from_message(way.to_message(pose, 1.0)), pose)


def ends(goal, path, start, end):
    np.testing.assert_allclose(path.at(path.start).value, start, atol=1e-9)
    assert distance(goal, path.at(path.end).value, end) < 1e-6
    np.testing.assert_allclose(path.at(path.end + 1e-6).velocity, 0.0, atol=1e-9)


@pytest.mark.parametrize("kind", list(PathKind))
def test_paths_lead_place_and_turn_together(kind, rng):
    goal = CartesianPose("hand", dreamer()).goal
    start, middle, end = (random_pose(rng) for _ in range(3))
    at_rest = TrajectorySample.at_rest(start)
    path = path_to(goal, at_rest, end, duration=2.0, kind=kind)
    ends(goal, path, start, end)
    slow = limited_path_to(
        goal, at_rest, end, kind=kind.value, duration=None, limits=PathLimits(0.5)
    )
    ends(goal, slow, start, end)
    through = path_through(goal, at_rest, [middle, end], times=[1.0, 2.0], stops=[0], kind=kind)
    ends(goal, through, start, end)
    assert distance(goal, through.at(1.0).value, middle) < 1e-6
    paced = limited_path_through(
        goal, at_rest, [middle, end], kind=kind.value, times=None, limits=PathLimits(0.5), stops=[0]
    )
    assert 0.99 < excess(goal, paced, PathLimits(0.5)).factor < 1.02


def test_what_is_fed_forward_is_the_motion_of_the_path(rng):
    goal = CartesianPose("hand", dreamer()).goal
    start, end = random_pose(rng), random_pose(rng)
    path = path_to(
        goal, TrajectorySample.at_rest(start), end, duration=2.0,
        kind=PathKind.MINIMUM_JERK,
    )  # fmt: skip
    time, step = 0.7, 1e-6
    one, now, other = (angular(path.at(time + k * step)) for k in (-1, 0, 1))
    turn = pin.log3(
        pin.Quaternion(other.value[3:]).matrix() @ pin.Quaternion(one.value[3:]).matrix().T
    )
    slope = np.concatenate([(other.value - one.value)[:3], turn]) / (2.0 * step)
    np.testing.assert_allclose(now.velocity, slope, atol=1e-6)
    slope = (other.velocity - one.velocity) / (2.0 * step)
    np.testing.assert_allclose(now.acceleration, slope, atol=1e-6)


def test_the_shortest_time_keeps_limits_of_both(rng):
    pytest.importorskip("ruckig")
    goal = CartesianPose("hand", dreamer()).goal
    start, end = random_pose(rng), random_pose(rng)
    limits = PathLimits(np.array([0.3, 0.8]), 2.0, 20.0)
    path = quickest(goal, TrajectorySample.at_rest(start), end, limits)
    ends(goal, path, start, end)
    assert excess(goal, path, PathLimits(limits.velocity)).factor == pytest.approx(1.0, abs=1e-2)


def test_actions_lead_it_no_faster_than_its_law(rng):
    task = configured(
        CartesianPose("hand", dreamer()), max_velocity=[0.5, 0.4, 0.3, 2.0, 1.0, 3.0], **GAINS
    )
    mailbox = Mailbox()
    led = LedTask(task, mailbox)
    np.testing.assert_allclose(led.fastest, [0.3, 1.0])
    start, end = task.goal.value.copy(), random_pose(rng)
    path = path_to(task.goal, led.at_rest(), end, duration=1.0, kind=PathKind.MINIMUM_JERK)
    assert excess(task.goal, path, PathLimits(led.fastest)).factor > 1.0
    led.check_range(path)
    led.post(path.at(0.5))
    mailbox.next()
    mailbox.apply_next()
    assert np.abs(task.goal.value - start).max() > 0.0
    assert task.goal_velocity.value.shape == (6,)
    assert np.abs(task.goal_velocity.value).min() > 0.0


@pytest.mark.simulation
@pytest.mark.parametrize("controller", ["WBOSC", "WholeBodyQP"])
def test_a_hand_reaches_a_pose(controller):
    def edit(data):
        data["parameters"]["whole_body_controller_type"] = controller
        data["tasks"] = [
            {"name": "Hand", "type": "CartesianPose", "body": "right_wrist_yaw", **GAINS},
            {"name": "Posture", "type": "JointPosition", "kp": 60, "kd": 8},
        ]
        data["compound_task"] = [
            {"name": "Hand", "priority": 1, "operational_state": "enable"},
            {"name": "Posture", "priority": 0, "operational_state": "enable"},
        ]
        data["bindings"] = []
        data.pop("events", None)

    run = SimulatedHands(HANDS, edit)
    run.advance(500)
    task = run.tasks["Hand"]
    start = task.actual.value.copy()
    goal = start.copy()
    goal[:3] += [0.03, 0.04, 0.05]
    turn = pin.Quaternion(start[3:]).matrix() @ pin.exp3(np.array([0.1, -0.1, 0.2]))
    goal[3:] = pin.Quaternion(turn).coeffs()
    task.goal.set(goal)
    run.advance(3000)
    assert distance(task.goal, start, goal) > 0.05
    assert np.linalg.norm(task.actual.value[:3] - goal[:3]) < 0.01
    assert distance(task.goal, task.actual.value, goal) < 0.03
