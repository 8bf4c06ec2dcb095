"""What every task of the library must hold: Jacobian, bias, error, latch, states."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from robots_for_tests import (
    SEEDS,
    configuration,
    configured,
    moved,
    random_robots,
    random_state,
    updated,
    velocity,
)

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.center_of_mass import CenterOfMass
from controlit_ros.tasks.joint_position import JointPosition
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D

EPSILON = 1e-6


def joint_position(description, robot, rng):
    return configured(JointPosition("task", description))


def cartesian_position(description, robot, rng):
    body, point = rng.choice(robot.links), rng.uniform(-0.5, 0.5, 3)
    return configured(CartesianPosition("task", description), body=body, control_point=point)


def relative_position(description, robot, rng):
    body, frame = rng.choice(robot.links), rng.choice(robot.links)
    point = rng.uniform(-0.5, 0.5, 3)
    task = CartesianPosition("task", description)
    return configured(task, body=body, frame=frame, control_point=point)


def center_of_mass(description, robot, rng):
    return configured(CenterOfMass("task", description))


def orientation_2d(description, robot, rng):
    task = Orientation2D("task", description)
    return configured(task, body=rng.choice(robot.links), body_vector=rng.normal(size=3))


def orientation_3d(description, robot, rng):
    return configured(Orientation3D("task", description), body=rng.choice(robot.links))


def pose(description, robot, rng):
    body, point = rng.choice(robot.links), rng.uniform(-0.5, 0.5, 3)
    return configured(CartesianPose("task", description), body=body, control_point=point)


def relative_pose(description, robot, rng):
    body, frame = rng.choice(robot.links), rng.choice(robot.links)
    task = CartesianPose("task", description)
    point = rng.uniform(-0.5, 0.5, 3)
    return configured(task, body=body, frame=frame, control_point=point)


def latched_pose(description, robot, rng):
    task = CartesianPose("task", description)
    links = {"body": rng.choice(robot.links), "frame": rng.choice(robot.links)}
    return configured(task, **links, frame_mode="latched")


def relative_center_of_mass(description, robot, rng):
    return configured(CenterOfMass("task", description), frame=rng.choice(robot.links))


def relative_orientation_2d(description, robot, rng):
    body, frame = rng.choice(robot.links), rng.choice(robot.links)
    task = Orientation2D("task", description)
    return configured(task, body=body, frame=frame, body_vector=rng.normal(size=3))


def relative_orientation_3d(description, robot, rng):
    body, frame = rng.choice(robot.links), rng.choice(robot.links)
    return configured(Orientation3D("task", description), body=body, frame=frame)


def latched_position(description, robot, rng):
    task = CartesianPosition("task", description)
    links = {"body": rng.choice(robot.links), "frame": rng.choice(robot.links)}
    return configured(task, **links, frame_mode="latched")


def latched_orientation(description, robot, rng):
    task = Orientation3D("task", description)
    links = {"body": rng.choice(robot.links), "frame": rng.choice(robot.links)}
    return configured(task, **links, frame_mode="latched")


BUILDERS = (
    joint_position,
    cartesian_position,
    relative_position,
    center_of_mass,
    orientation_2d,
    orientation_3d,
    relative_center_of_mass,
    relative_orientation_2d,
    relative_orientation_3d,
    latched_position,
    latched_orientation,
    pose,
    relative_pose,
    latched_pose,
)
every_task = pytest.mark.parametrize("build", BUILDERS)


def difference(task, after, before):
    """Return the change of the actual value in the space of the Jacobian's rows."""
    if isinstance(task, Orientation3D):
        rotations = [pin.Quaternion(state).toRotationMatrix() for state in (after, before)]
        return pin.log3(rotations[0] @ rotations[1].T)
    if isinstance(task, CartesianPose):
        rotations = [pin.Quaternion(state[3:]).toRotationMatrix() for state in (after, before)]
        turn = pin.log3(rotations[0] @ rotations[1].T)
        return np.concatenate([(after - before)[:3], turn])
    return after - before


def sensed(task, model):
    """Let the task updater and the servo each do their part."""
    task.update(model, task.inactive)
    task.swap()
    task.compute(0.001)
    return task


def expected_actual(task, description, state):
    """Compute the controlled quantity with Pinocchio alone."""
    model = description.pinocchio
    data = model.createData()
    q = configuration(description, state)
    pin.framesForwardKinematics(model, data, q)
    if isinstance(task, JointPosition):
        by_name = dict(zip(state.joint_names, state.position, strict=True))
        return np.array([by_name[joint] for joint in description.actuable_joints])
    frame = pin.SE3.Identity()
    if task.goal_frame.frame.value != "world":
        frame = data.oMf[model.getFrameId(task.goal_frame.frame.value, pin.FrameType.BODY)]
    if isinstance(task, CenterOfMass):
        return frame.actInv(pin.centerOfMass(model, data, q))
    placement = data.oMf[model.getFrameId(task.body.value, pin.FrameType.BODY)]
    if isinstance(task, Orientation2D):
        return frame.rotation.T @ placement.rotation @ task.body_vector.value
    if isinstance(task, Orientation3D):
        return pin.Quaternion(frame.rotation.T @ placement.rotation).coeffs()
    place = frame.actInv(placement.act(task.control_point.value))
    if isinstance(task, CartesianPose):
        turn = pin.Quaternion(frame.rotation.T @ placement.rotation).coeffs()
        return np.concatenate([place, turn])
    return place


@every_task
@given(robot=random_robots(), seed=SEEDS)
def test_actual_jacobian_velocity_and_bias(build, robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description(passive_joints=(robot.moving[-1],))
    state = random_state(description, rng)
    task = build(description, robot, rng)
    v = velocity(description, state)

    def at(step):
        sensed(task, updated(description, moved(description, state, step, v)))
        return task.actual.value.copy(), task.active.jacobian.copy()

    actual, jacobian = at(0 * v)
    np.testing.assert_allclose(task.active.velocity, jacobian @ v, atol=1e-12)
    bias = task.active.bias.copy()
    expected = expected_actual(task, description, state)
    np.testing.assert_allclose(difference(task, actual, expected), 0.0, atol=1e-12)
    (_, ahead), (_, behind) = at(EPSILON * v), at(-EPSILON * v)
    np.testing.assert_allclose(bias, (ahead - behind) @ v / (2 * EPSILON), atol=2e-6)
    for column, step in enumerate(EPSILON * np.eye(description.nv)):
        slope = difference(task, at(step)[0], at(-step)[0]) / (2 * EPSILON)
        np.testing.assert_allclose(jacobian[:, column], slope, atol=2e-7)


@every_task
@given(robot=random_robots(), seed=SEEDS)
def test_the_error_is_zero_at_the_goal_and_shrinks_along_the_jacobian(build, robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    task = build(description, robot, rng)
    goal, start = random_state(description, rng), random_state(description, rng)
    sensed(task, updated(description, goal)).latch_goal()
    sensed(task, updated(description, goal))
    np.testing.assert_allclose(task.error.value, 0.0, atol=1e-7)
    sensed(task, updated(description, start))
    error, jacobian = task.error.value.copy(), task.active.jacobian.copy()
    assert task.error_norm.value == pytest.approx(np.linalg.norm(error))
    turns = isinstance(task, (Orientation3D, CartesianPose))
    if turns and np.linalg.norm(error[-3:]) > math.pi - 0.01:
        return  # the shortest way flips there
    step = np.linalg.pinv(jacobian, rcond=1e-6) @ error
    step *= EPSILON / max(1.0, np.linalg.norm(step))
    squares = []
    for sign in (1.0, -1.0):
        sensed(task, updated(description, moved(description, start, sign * step)))
        squares.append(task.error.value @ task.error.value)
    slope = (squares[0] - squares[1]) / 2
    expected = -2.0 * error @ jacobian @ step
    assert slope == pytest.approx(expected, abs=1e-3 * abs(expected) + 1e-13)
    assert expected <= 1e-15


@every_task
@given(robot=random_robots(), seed=SEEDS)
def test_states_do_not_depend_on_what_they_held_before(build, robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    task = build(description, robot, rng)
    models = [updated(description, random_state(description, rng)) for _ in range(2)]
    sensed(task, models[0])
    first = {name: getattr(task.active, name).copy() for name in ("jacobian", "bias", "actual")}
    sensed(task, models[1])
    sensed(task, models[0])
    for name, array in first.items():
        np.testing.assert_array_equal(getattr(task.active, name), array)


@every_task
def test_the_inactive_state_is_the_only_one_an_update_writes(build, dreamer_description, rng):
    class Links:
        links = dreamer_description.link_names

    task = build(dreamer_description, Links, rng)
    one, other = (
        updated(dreamer_description, random_state(dreamer_description, rng)) for _ in "ab"
    )
    sensed(task, one)
    active = task.active
    before = {
        name: getattr(active, name).copy() for name in ("jacobian", "bias", "velocity", "actual")
    }
    task.update(other, task.inactive)
    assert task.active is active
    for name, array in before.items():
        np.testing.assert_array_equal(getattr(active, name), array)
    inactive = task.inactive
    task.swap()
    assert (task.active, task.inactive) == (inactive, active)


@every_task
def test_feed_forward_and_gains_enter_the_command(build, dreamer_description, rng):
    class Links:
        links = dreamer_description.link_names

    task = build(dreamer_description, Links, rng)
    n = task.dimension
    kp, kd = rng.uniform(1, 100, n), rng.uniform(1, 20, n)
    task.kp, task.kd = task.controller.kp, task.controller.kd
    task.kp.set(kp)
    task.kd.set(kd)
    expected = np.zeros(n)
    for parameter, gain in ((task.goal_velocity, kd), (task.goal_acceleration, np.ones(n))):
        parameter.set(rng.normal(size=n))
        expected += gain * parameter.value
    sensed(task, updated(dreamer_description, random_state(dreamer_description, rng)))
    expected += kp * task.error.value - kd * task.active.velocity
    np.testing.assert_allclose(task.command.value, expected, rtol=1e-12, atol=1e-12)
    revisions = [p.revision for p in (task.goal_velocity, task.goal_acceleration)]
    task.latch_goal()
    for parameter, revision in zip(
        (task.goal_velocity, task.goal_acceleration), revisions, strict=True
    ):
        assert not parameter.value.any()
        assert parameter.revision > revision  # observers see the change


def test_nothing_is_known_before_the_first_update_and_after_an_invalidation(
    dreamer_description, rng
):
    task = configured(CenterOfMass("com", dreamer_description))
    assert not task.active.valid
    assert math.isnan(task.error_norm.value)
    for _ in range(2):
        sensed(task, updated(dreamer_description, random_state(dreamer_description, rng)))
    assert task.active.valid
    assert task.inactive.valid
    assert task.error_norm.value > 0.0
    task.invalidate()
    assert not task.active.valid
    assert not task.inactive.valid
    assert math.isnan(task.error_norm.value)


@pytest.mark.parametrize("kind", [CartesianPosition, CartesianPose, Orientation2D, Orientation3D])
def test_an_unknown_body_is_reported_with_parameter_and_nearest_name(kind, dreamer_description):
    with pytest.raises(ParameterError, match=r"hand\.body: unknown body 'left_elbo'.*left_elbow"):
        configured(kind("hand", dreamer_description), body="left_elbo")


def test_an_unknown_frame_is_reported_with_its_parameter(dreamer_description):
    with pytest.raises(ParameterError, match=r"hand\.frame: unknown body 'wrld'"):
        configured(CartesianPosition("hand", dreamer_description), frame="wrld")
