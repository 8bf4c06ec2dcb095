"""Omni wheels against finite differences and the kinematics of a three-wheeled base."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
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

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.omni_wheel_contact import OmniWheelContact
from controlit_ros.model import RobotDescription, RobotState

EPSILON = 1e-6
RADIUS, ARM, HEIGHT = 0.1, 0.3, 0.15  # [m]
ANGLES = np.array([0.0, 2.0, 4.0]) * np.pi / 3.0  # [rad]


def rows(wheel, model):
    jacobian, bias = np.full((2, model.v.size), np.nan), np.full(2, np.nan)
    wheel.update(model, jacobian, bias)
    return jacobian, bias


class Rim:
    """A disk on the ground, from its placement alone."""

    def __init__(self, wheel, description, link):
        self.wheel, self.description = wheel, description
        self.frame = description.pinocchio.getFrameId(link, pin.FrameType.BODY)
        self.normal = wheel.ground_normal.value

    def placement(self, state):
        model = self.description.pinocchio
        data = model.createData()
        pin.framesForwardKinematics(model, data, configuration(self.description, state))
        return data.oMf[self.frame]

    def lowest(self, state):
        """Return the lowest of many points of the rim."""
        placement = self.placement(state)
        axis = self.wheel.wheel_axis.value
        first = np.linalg.svd(axis[None])[2][1]
        second = np.cross(axis, first)
        center, radius = self.wheel.contact_point.value, self.wheel.radius.value
        down = -placement.rotation.T @ self.normal
        angle = np.arctan2(second @ down, first @ down)
        angles = angle + np.linspace(-1e-3, 1e-3, 2001)
        points = center + radius * (
            np.outer(np.cos(angles), first) + np.outer(np.sin(angles), second)
        )
        heights = (points @ placement.rotation.T + placement.translation) @ self.normal
        return points[np.argmin(heights)], heights.min()

    def blocked(self, state):
        """Return the direction that is square to the rollers' free one, in the ground."""
        axle = self.placement(state).rotation @ self.wheel.wheel_axis.value
        flat = axle - self.normal * (self.normal @ axle)
        flat /= np.linalg.norm(flat)
        free = pin.exp3(self.wheel.roller_angle.value * self.normal) @ flat
        return np.cross(self.normal, free)


@given(random_robots(), SEEDS, st.sampled_from([0.0, np.pi / 4, -0.6]))
def test_the_rows_are_what_the_touching_point_cannot_do(robot, seed, angle):
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    v = velocity(description, state)
    link = rng.choice(robot.links)
    wheel = configured(
        OmniWheelContact("wheel", description),
        body=link,
        center=rng.uniform(-0.3, 0.3, 3),
        wheel_axis=rng.normal(size=3),
        radius=rng.uniform(0.05, 0.5),
        roller_angle=angle,
        ground_normal=rng.normal(size=3),
    )
    rim = Rim(wheel, description, link)
    axle = rim.placement(state).rotation @ wheel.wheel_axis.value
    if np.linalg.norm(np.cross(axle, rim.normal)) < 0.1:
        return
    jacobian, bias = rows(wheel, updated(description, state))
    touching, _ = rim.lowest(state)
    blocked = rim.blocked(state)
    for column, step in enumerate(EPSILON * np.eye(description.nv)):
        ahead, behind = (moved(description, state, sign * step) for sign in (1.0, -1.0))
        sinking = (rim.lowest(ahead)[1] - rim.lowest(behind)[1]) / (2 * EPSILON)
        assert jacobian[0, column] == pytest.approx(sinking, abs=1e-5)
        slip = rim.placement(ahead).act(touching) - rim.placement(behind).act(touching)
        assert jacobian[1, column] == pytest.approx(blocked @ slip / (2 * EPSILON), abs=1e-5)
    after, _ = rows(wheel, updated(description, moved(description, state, EPSILON * v)))
    before, _ = rows(wheel, updated(description, moved(description, state, -EPSILON * v)))
    np.testing.assert_allclose(bias, (after - before) @ v / (2 * EPSILON), atol=1e-4)


def base_on_three_wheels():
    """Write a base with three wheels whose axles point outwards."""
    inertia = '<inertial><mass value="{}"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" '
    inertia += 'izz="0.02"/></inertial>'
    parts = [f'<robot name="base"><link name="base">{inertia.format(10)}</link>']
    for i, angle in enumerate(ANGLES):
        x, y = ARM * np.cos(angle), ARM * np.sin(angle)
        parts.append(
            f'<link name="wheel_{i}">{inertia.format(1)}</link>'
            f'<joint name="axle_{i}" type="continuous"><parent link="base"/>'
            f'<child link="wheel_{i}"/><origin xyz="{x} {y} {RADIUS - HEIGHT}" '
            f'rpy="0 0 {angle}"/><axis xyz="1 0 0"/></joint>'
        )
    description = RobotDescription("".join(parts) + "</robot>")
    wheels = [
        configured(
            OmniWheelContact(f"ground_{i}", description),
            body=f"wheel_{i}",
            wheel_axis=[1.0, 0.0, 0.0],
            radius=RADIUS,
        )
        for i in range(3)
    ]
    return description, wheels


def test_three_wheels_carry_a_base_in_the_plane(rng):
    description, wheels = base_on_three_wheels()
    state = RobotState(description.real_joints)
    state.base_position[2] = HEIGHT
    state.position[:] = rng.uniform(-3.0, 3.0, 3)  # however far the wheels have turned
    model = ConstrainedModel(description, ConstraintSet(wheels))
    model.update(state)
    assert model.rank == 6
    for vx, vy, turn in np.vstack([np.eye(3), rng.normal(size=(3, 3))]):
        # the rim of a wheel moves backwards as fast as its hub travels forwards
        rates = (-np.sin(ANGLES) * vx + np.cos(ANGLES) * vy + ARM * turn) / RADIUS
        v = np.concatenate([[vx, vy, 0.0, 0.0, 0.0, turn], -rates])
        np.testing.assert_allclose(model.Jc @ v, 0.0, atol=1e-12)
    # the axles move whatever the wheels leave free
    assert model.task_map.shape[1] == 3


def test_a_wheel_on_its_side_constrains_nothing():
    description, wheels = base_on_three_wheels()
    state = RobotState(description.real_joints)
    state.base_orientation[:] = pin.Quaternion(pin.exp3(np.array([0.0, np.pi / 2, 0.0]))).coeffs()
    jacobian, bias = rows(wheels[0], updated(description, state))
    assert not jacobian.any()
    assert not bias.any()
