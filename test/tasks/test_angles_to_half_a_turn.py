"""Orientation errors of all kinds at all angles up to half a turn: length, unit, rate, command."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, chain, configured, moved, random_state, updated, velocity

from controlit_ros.tasks.cartesian_pose import CartesianPose
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.orientation_2d import Orientation2D
from controlit_ros.tasks.orientation_3d import Orientation3D

PERIOD = 0.001  # [s]
ANGLES = [0.0, 1e-9, 0.1, 1.0, 30, 60, 89.999, 90, 120, 150, 170, 179, 179.9, 179.999, 180 - 1e-9]
"""[deg]; 180 is apart where all ways are equally short."""
DESCRIPTION = chain(4, ("revolute",) * 6).description()
KINDS = {"direction": Orientation2D, "orientation": Orientation3D, "pose": CartesianPose}
FRAMES = {"world": {}, "moving": {"frame": "link_2"}, "latched": {"frame_mode": "latched"}}

every_kind = pytest.mark.parametrize("kind", KINDS)
every_frame = pytest.mark.parametrize("frame", FRAMES)


def make(kind, frame="world", **more):
    options = {"body": "link_6", "kp": 9.0, "kd": 6.0, **FRAMES[frame], **more}
    return configured(KINDS[kind]("task", DESCRIPTION), **options)


def sense(task, state):
    task.update(updated(DESCRIPTION, state), task.inactive)
    task.swap()
    task.compute(PERIOD)
    return task.error.value[-3:].copy()


def axis_for(kind, actual, rng):
    """Return a unit axis; of a direction one that is normal to it, or it turns less."""
    axis = rng.normal(size=3)
    if kind == "direction":
        axis -= (axis @ actual) * actual
    return axis / np.linalg.norm(axis)


def turned(kind, value, turn):
    """Return a goal that is turned by a rotation vector, by Pinocchio."""
    rotation = pin.exp3(turn)
    if kind == "direction":
        return rotation @ value
    quaternion = pin.Quaternion(rotation @ pin.Quaternion(value[-4:]).toRotationMatrix())
    return np.concatenate([value[:-4], quaternion.coeffs()])


@pytest.mark.thorough
@every_kind
@every_frame
@pytest.mark.parametrize("degrees", [*ANGLES, 180.0])
@given(seed=SEEDS)
def test_the_error_is_as_long_as_the_angle_and_points_to_the_goal(kind, frame, degrees, seed):
    rng = np.random.default_rng(seed)
    task, state = make(kind, frame), random_state(DESCRIPTION, rng)
    sense(task, state)
    angle, axis = math.radians(degrees), axis_for(kind, task.active.actual, rng)
    task.goal.set(turned(kind, task.active.actual, angle * axis))
    error = sense(task, state)
    assert np.linalg.norm(error) == pytest.approx(angle, abs=3e-8)
    assert task.error_norm.value == pytest.approx(np.linalg.norm(task.error.value))
    assert task.controller.unit.endswith("rad")
    if kind == "direction":
        rounding = 1e-13 / max(math.pi - angle, 1e-10)  # of the length of the actual vector
        assert error @ task.active.actual == pytest.approx(0.0, abs=1e-9 + rounding)
        axis = np.cross(axis, task.active.actual)
    if math.pi - angle > 1e-6:  # nearer, rounding turns it
        np.testing.assert_allclose(error, angle * axis, atol=1e-7 / (math.pi - angle) + 1e-7)
    command = 9.0 * error - 6.0 * task.active.velocity[-3:]
    np.testing.assert_allclose(task.command.value[-3:], command, atol=1e-9)


@pytest.mark.thorough
@every_kind
@pytest.mark.parametrize("degrees", [angle for angle in ANGLES if 1.0 <= angle < 179.9999])
@given(seed=SEEDS)
def test_its_rate_is_that_of_finite_differences(kind, degrees, seed):
    rng = np.random.default_rng(seed)
    task, state = make(kind), random_state(DESCRIPTION, rng)
    sense(task, state)
    angle = math.radians(degrees)
    turn = angle * axis_for(kind, task.active.actual, rng)
    task.goal.set(turned(kind, task.active.actual, turn))
    error = sense(task, state)
    rate = -error @ task.active.velocity[-3:] / np.linalg.norm(error)
    step = 1e-3 * min(angle, math.pi - angle)
    v = step * velocity(DESCRIPTION, state) / np.linalg.norm(velocity(DESCRIPTION, state))
    rate *= step / np.linalg.norm(velocity(DESCRIPTION, state))
    ahead, behind = (
        np.linalg.norm(sense(task, moved(DESCRIPTION, state, s * v))) for s in (0.5, -0.5)
    )
    assert ahead - behind == pytest.approx(rate, abs=1e-5 * step + 1e-12)


@pytest.mark.thorough
@every_kind
@pytest.mark.parametrize("degrees", [*ANGLES, 180.0])
@given(seed=SEEDS)
def test_the_kernel_agrees_with_the_task(kind, degrees, seed):
    rng = np.random.default_rng(seed)
    state = random_state(DESCRIPTION, rng)
    together, alone = make(kind), make(kind)
    compound = CompoundTask([together])
    for task in (together, alone):
        sense(task, state)
    axis = axis_for(kind, alone.active.actual, rng)
    goal = turned(kind, alone.active.actual, math.radians(degrees) * axis)
    for task in (together, alone):
        task.goal.set(goal)
    sense(alone, state)
    compound.compute(PERIOD)
    for name in ("error", "error_norm", "command"):
        found, expected = (task.parameter(name).value for task in (together, alone))
        if kind == "direction" or degrees < 180.0 or name == "error_norm":
            np.testing.assert_allclose(found, expected, atol=1e-12)
        else:  # of half a turn either sign is right
            np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-9)


@given(seed=SEEDS, vertical=st.booleans())
def test_opposite_directions_have_a_way_that_depends_on_nothing_else(seed, vertical):
    rng = np.random.default_rng(seed)
    task, state = make("direction"), random_state(DESCRIPTION, rng)
    actual = np.array([0.0, 0.0, 1.0]) if vertical else rng.normal(size=3)
    actual /= np.linalg.norm(actual)
    sense(task, state)
    task.goal.set(-actual)
    task.active.actual[:] = actual
    errors = []
    for noise in (0.0, 1e-16, -1e-16):
        task.active.actual[:] = actual + noise * rng.normal(size=3)
        task.compute(PERIOD)
        errors.append(task.error.value.copy())
    np.testing.assert_allclose(errors, np.broadcast_to(errors[0], (3, 3)), atol=1e-9)
    assert np.linalg.norm(errors[0]) == pytest.approx(math.pi)
    assert errors[0] @ actual == pytest.approx(0.0, abs=1e-12)
    if np.hypot(*actual[:2]) > 0.2:  # what turns about the vertical alone can follow
        level = np.array([-actual[1], actual[0], 0.0]) / np.hypot(*actual[:2])
        assert errors[0] @ level > 3.0


@pytest.mark.thorough
@every_kind
@pytest.mark.parametrize("degrees", [90.0, 150.0, 179.0, 179.9, 179.999, 180 - 1e-9, 180.0])
@pytest.mark.parametrize("noise", [0.0, 1e-5])
def test_a_body_that_turns_freely_arrives_and_does_not_turn_back(kind, degrees, noise, rng):
    """Integrates `J v = ∫ command`, with noise on what is measured."""
    task, state = make(kind), random_state(DESCRIPTION, rng, speed=0.0)
    sense(task, state)
    angle, axis = math.radians(degrees), axis_for(kind, task.active.actual, rng)
    task.goal.set(turned(kind, task.active.actual, angle * axis))
    step, errors = 0.01, [angle]
    rate = np.zeros(task.dimension)
    base = slice(0, 6)
    while len(errors) < 600:
        measured = moved(DESCRIPTION, state, noise * rng.normal(size=DESCRIPTION.nv))
        sense(task, measured)
        task.active.velocity[:] = rate
        task.compute(PERIOD)
        rate += step * task.command.value
        v = np.zeros(DESCRIPTION.nv)
        v[base] = np.linalg.pinv(task.active.jacobian[:, base]) @ rate
        state = moved(DESCRIPTION, state, step * v)
        if kind == "direction":
            rate = task.active.jacobian[:, base] @ v[base]
        errors.append(float(np.linalg.norm(task.error.value[-3:])))
    assert errors[-1] < 0.001
    assert max(np.diff(errors)) < 0.05 * step + 10.0 * noise
