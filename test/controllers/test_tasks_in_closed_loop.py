"""Kinds of tasks under every controller, on a robot that moves by its own equations."""

import re

import numpy as np
import pinocchio as pin
import pytest
from closed_loop import CONTROLLERS, ClosedLoop
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured, random_robots, random_state
from test_wbosc import Setup

from controlit_ros.model import RobotDescription
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.centroidal_momentum import CentroidalMomentum
from controlit_ros.tasks.joint_effort import JointEffort
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = pytest.mark.simulation
each_controller = pytest.mark.parametrize("controller", CONTROLLERS)


def pushed(description):
    momentum = CentroidalMomentum("momentum", description)
    posture = JointPosition("posture", description)
    return [
        configured(momentum, priority=1, kp=20.0, axes=["x", "z", "angular_y"]),
        configured(posture, kp=40.0, kd=12.0),
    ]


@each_controller
def test_the_robot_takes_a_momentum(controller):
    loop = ClosedLoop(pushed, controller)
    task = loop.tasks["momentum"]
    goal = np.array([1.5, 0.0, -1.0, 0.0, 0.4, 0.0])
    task.goal.set(goal)
    loop.advance(0.25)
    np.testing.assert_allclose(task.actual.value[[0, 2, 4]], goal[[0, 2, 4]], atol=0.06)
    assert task.error_norm.value < 2e-3
    task.latch_goal()
    loop.advance(0.3)
    np.testing.assert_allclose(task.actual.value[[0, 2, 4]], 0.0, atol=0.06)


def test_the_rate_is_fed_forward_and_has_no_damping():
    loop = ClosedLoop(pushed)
    task = loop.tasks["momentum"]
    task.controller.kp.set(0.0)
    task.goal_acceleration.set([0.3, 0.0, 0.0, 0.0, 0.0, 0.0])
    loop.advance(0.1)
    mass = pin.computeTotalMass(task.robot.pinocchio)
    assert task.actual.value[0] / mass == pytest.approx(0.03, rel=0.05)
    assert not {"kd", "max_velocity", "control_law"} & set(task.parameters)


ARM = ["right_elbow", "right_shoulder_abductor"]


def efforts(**parameters):
    def tasks(description):
        effort = JointEffort("effort", description)
        posture = JointPosition("posture", description)
        return [
            configured(effort, priority=1, axes=ARM, **parameters),
            configured(posture, kp=40.0, kd=12.0),
        ]

    return tasks


def of(task, names):
    return [task.component_names.index(name) for name in names]


@each_controller
@pytest.mark.parametrize("total", [False, True])
@given(seed=SEEDS)
def test_joints_exert_their_efforts_whatever_moves(controller, total, seed):
    loop = ClosedLoop(efforts(total=total, max_speed=0.0), controller)
    task = loop.tasks["effort"]
    task.goal.set({ARM[0]: 2.5, ARM[1]: -1.5})
    loop.state = loop.setup.consistent_state(np.random.default_rng(seed))
    found = loop.effort()
    expected = task.goal.value + (0.0 if total else loop.setup.model.bias_effort)
    arm = of(task, ARM)
    rest = np.delete(found, arm)
    assert np.abs(rest).max() > 1.0  # the posture acts
    soft = 2e-3 if controller == "Weighted" else 1e-6
    np.testing.assert_allclose(found[arm], expected[arm], atol=soft * np.abs(found).max())


@pytest.mark.parametrize("velocity_bias", [True, False])
@given(robot=random_robots(max_joints=5), seed=SEEDS, scale=st.sampled_from([0.1, 1.0, 8.0]))
def test_an_effort_is_exerted_on_robots_of_any_size(velocity_bias, robot, seed, scale):
    rng = np.random.default_rng(seed)
    description = RobotDescription(resized(robot.urdf, scale))
    task = configured(JointEffort("effort", description), total=True, max_speed=0.0)
    setup = Setup(description, (), [task])
    setup.controller.velocity_bias.set(velocity_bias)
    goal = rng.normal(size=task.dimension)
    task.goal.set(goal)
    np.testing.assert_allclose(setup.effort(random_state(description, rng)), goal, atol=1e-6)


def resized(urdf, scale):
    """Return a robot that is larger in every length, of the same density."""

    def by(power):
        def grown(found):
            numbers = [repr(float(n) * scale**power) for n in found[2].split()]
            return f'{found[1]}"{" ".join(numbers)}"'

        return grown

    for pattern, power in (("origin xyz=", 1), ("mass value=", 3), (r"i[xyz]{2}=", 5)):
        urdf = re.sub(rf'({pattern})"([^"]*)"', by(power), urdf)
    return urdf


@given(seed=SEEDS)
def test_an_effort_below_moves_nothing_above(seed):
    """Strict levels: what the hand does is the same with and without the effort."""

    def tasks(description):
        hand = CartesianPosition("hand", description)
        return [
            configured(hand, body="right_wrist_yaw", priority=2, kp=64.0, kd=16.0),
            *efforts()(description),
        ]

    loop = ClosedLoop(tasks)
    hand, task = loop.tasks["hand"], loop.tasks["effort"]
    loop.state = loop.setup.consistent_state(np.random.default_rng(seed))
    found = []
    for goal in (0.0, 5.0):
        task.goal.set(dict.fromkeys(ARM, goal))
        motion = loop.setup.acceleration(loop.state, loop.effort())
        found.append(hand.active.jacobian @ motion + hand.active.bias)
    np.testing.assert_allclose(found[0], found[1], atol=1e-6 * (1.0 + np.abs(found[0]).max()))


def test_a_joint_that_nothing_stops_goes_no_faster_than_it_may():
    loop = ClosedLoop(efforts(max_speed=1.0))
    loop.tasks["effort"].goal.set({ARM[0]: 3.0})
    loop.advance(0.4)
    speed = loop.tasks["effort"].active.velocity[of(loop.tasks["effort"], ARM)[0]]
    assert 0.4 < speed < 1.0


@pytest.mark.parametrize("goal", [1e6, -1e9])
def test_efforts_beyond_the_limits_stay_within_them(goal):
    loop = ClosedLoop(efforts(), "Hierarchical", effort=20.0)
    loop.tasks["effort"].goal.set(goal)
    assert np.abs(loop.effort()).max() <= 20.0 + 1e-9
