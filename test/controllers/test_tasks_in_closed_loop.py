"""Kinds of tasks under every controller, on a robot that moves by its own equations."""

import re

import numpy as np
import pinocchio as pin
import pytest
from closed_loop import CONTROLLERS, ClosedLoop
from hypothesis import assume, given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured, random_robots, random_state
from test_wbosc import Setup

from controlit_ros.model import RobotDescription
from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.cartesian_impedance import CartesianImpedance
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.centroidal_momentum import CentroidalMomentum
from controlit_ros.tasks.joint_effort import JointEffort
from controlit_ros.tasks.joint_position import JointPosition

pytestmark = pytest.mark.simulation
each_controller = pytest.mark.parametrize("controller", CONTROLLERS)
MOVABLE = 2e4  # [-] condition of the inertia that a push at the hand meets


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


HAND = "right_wrist_yaw"
STIFFNESS, DAMPING = [300.0] * 3 + [20.0] * 3, [40.0] * 3 + [3.0] * 3


def soft_hand(**parameters):
    def tasks(description):
        hand = CartesianImpedance("hand", description)
        posture = JointPosition("posture", description)
        return [
            configured(
                hand, body=HAND, control_point=[0.0, 0.0, -0.05], priority=1,
                stiffness=STIFFNESS, damping=DAMPING, **parameters,
            ),
            configured(posture, kp=40.0, kd=12.0),
        ]  # fmt: skip

    return tasks


def at_work(loop, seed):
    """Bring the hand somewhere near its goal, in motion."""
    loop.state = loop.setup.consistent_state(np.random.default_rng(seed), speed=0.3)
    loop.effort()
    hand = loop.tasks["hand"]
    goal = hand.actual.value.copy()
    goal[:3] += [0.02, -0.03, 0.01]
    hand.goal.set(goal)
    return hand


def pushed_motion(loop, hand, wrench):
    """Return the acceleration of the hand while a wrench pushes it, by forward dynamics."""
    effort = loop.effort()
    J = hand.active.jacobian
    motion = loop.setup.acceleration(loop.state, effort, load=-J.T @ wrench)
    return J @ motion + hand.active.bias


def own_inertia(loop, hand):
    """Return `J Nc A⁻¹ Jᵀ` by forward dynamics: what each unit of a wrench accelerates."""
    J, zero = hand.active.jacobian, np.zeros(len(loop.setup.command.effort))
    rest = loop.setup.acceleration(loop.state, zero)
    columns = [loop.setup.acceleration(loop.state, zero, load=-row) - rest for row in J]
    return J @ np.array(columns).T


def weigh(controller, loop, hand, found, expected):
    """Compare; near a singularity the posture has its share in what weights leave."""
    is_weighted = controller == "Weighted"
    assume(not is_weighted or np.linalg.cond(own_inertia(loop, hand)) < MOVABLE)
    soft = 2e-2 if is_weighted else 1e-5
    np.testing.assert_allclose(found, expected, atol=soft * (1.0 + np.abs(expected).max()))


@each_controller
@given(seed=SEEDS, frame=st.sampled_from(["world", "base_link"]))
def test_a_soft_body_keeps_its_own_inertia(controller, seed, frame):
    loop = ClosedLoop(soft_hand(frame=frame), controller)
    hand = at_work(loop, seed)
    wrench = np.array([5.0, -8.0, 3.0, 0.5, 0.2, -0.4])
    if frame != "world":
        R = hand.goal_frame.motion.rotation
        wrench = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
    found = pushed_motion(loop, hand, wrench)
    spring = np.array(STIFFNESS) * hand.error.value - np.array(DAMPING) * hand.active.velocity
    np.testing.assert_allclose(hand.command.value, spring, atol=1e-9)
    weigh(controller, loop, hand, found, own_inertia(loop, hand) @ (spring + wrench))


@each_controller
@given(seed=SEEDS)
def test_a_body_that_feels_seems_to_have_the_inertia_it_is_told(controller, seed):
    inertia = np.array([4.0, 4.0, 6.0, 0.2, 0.2, 0.1])
    loop = ClosedLoop(soft_hand(contact="touch", inertia=inertia), controller, contact=HAND)
    hand = at_work(loop, seed)
    wrench = np.array([5.0, -8.0, 3.0, 0.5, 0.2, -0.4])
    place = loop.setup.model.robot_model.placement(loop.setup.description.frame_id(HAND))
    lever = place.rotation @ [0.0, 0.0, -0.05]  # from the contact to the control point
    loop.wrench = wrench.copy()
    loop.wrench[3:] += np.cross(lever, wrench[:3])
    found = pushed_motion(loop, hand, wrench)
    weigh(controller, loop, hand, found, (hand.command.value + wrench) / inertia)


def test_what_is_not_felt_leaves_the_body_its_own_inertia():
    plain, deaf = (
        ClosedLoop(soft_hand()),
        ClosedLoop(soft_hand(contact="touch", inertia=2.0), contact=HAND),
    )
    for loop in (plain, deaf):
        at_work(loop, 3)
    np.testing.assert_allclose(deaf.effort(), plain.effort(), atol=1e-9)


def test_a_push_moves_the_body_as_far_as_the_spring_lets_it():
    loop = ClosedLoop(soft_hand(axes=["x", "y", "z"]))
    loop.effort()
    hand = loop.tasks["hand"]
    hand.controller.damping.set(150.0)  # the arm is heavy in some directions
    hand.latch_goal()
    force = np.array([6.0, -9.0, 3.0])
    for _ in range(4000):
        loop.effort()
        loop.step(push=hand.active.jacobian[:3].T @ force)
    moved = hand.actual.value[:3] - hand.goal.value[:3]
    np.testing.assert_allclose(moved, force / 300.0, atol=2e-3)


def test_only_what_acts_needs_an_inertia_and_each_needs_a_contact():
    description = ClosedLoop(soft_hand(), contact=HAND).setup.description

    def made(**parameters):
        return configured(CartesianImpedance("hand", description), body=HAND, **parameters)

    with pytest.raises(ParameterError, match=r"hand\.inertia: .*without hand\.contact"):
        made(inertia=2.0)
    with pytest.raises(ParameterError, match=r"hand\.inertia: .*every component"):
        made(inertia=[1.0] * 5 + [0.0], contact="touch")
    with pytest.raises(ParameterError, match=r"hand\.contact: .*touch"):
        made(contact="touhc")
    task = made(inertia=[1.0] * 3 + [0.0] * 3, contact="touch", axes=["x", "y", "z"])
    with pytest.raises(ParameterError, match="every component"):
        task.inertia.fits({task.inertia: np.array([0.0, 1.0, 1.0, 0.0, 0.0, 0.0])})
    assert not {"kp", "kd", "goal_acceleration", "control_law"} & set(task.parameters)
