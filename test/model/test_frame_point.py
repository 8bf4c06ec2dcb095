"""Motion of a point fixed to a body, by finite differences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, moved, random_robots, random_state, velocity

from controlit_ros.model import RobotModel
from controlit_ros.model.frame_point import FramePoint, cross

EPSILON = 1e-6
VECTORS = st.lists(st.floats(-10, 10), min_size=3, max_size=3).map(np.array)


@given(VECTORS, VECTORS)
def test_cross_products(a, b):
    np.testing.assert_allclose(cross(a, b), np.cross(a, b), atol=1e-12)


@given(random_robots(), SEEDS)
def test_motion_of_a_point(robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    state = random_state(description, rng)
    v = velocity(description, state)
    frame = description.frame_id(rng.choice(robot.links))
    point = rng.uniform(-0.5, 0.5, 3)

    def at(step):
        model = RobotModel(description)
        model.update(moved(description, state, step, v))
        result = FramePoint(description.nv)
        result.update(model, frame, point)
        placement = model.placement(frame)
        np.testing.assert_allclose(
            result.position, placement.rotation @ point + placement.translation, atol=1e-14
        )
        return result

    here, ahead, behind = at(0 * v), at(EPSILON * v), at(-EPSILON * v)
    np.testing.assert_allclose(
        here.velocity, (ahead.position - behind.position) / (2 * EPSILON), atol=1e-7
    )
    spin = (ahead.rotation - behind.rotation) @ here.rotation.T / (2 * EPSILON)
    np.testing.assert_allclose(np.cross(here.angular_velocity, -np.eye(3)), spin, atol=1e-7)
    np.testing.assert_allclose(
        here.bias, (ahead.jacobian - behind.jacobian) @ v / (2 * EPSILON), atol=1e-6
    )
    change = (ahead.angular_jacobian - behind.angular_jacobian) @ v / (2 * EPSILON)
    np.testing.assert_allclose(here.angular_bias, change, atol=1e-6)
    for column, step in enumerate(EPSILON * np.eye(description.nv)):
        difference = (at(step).position - at(-step).position) / (2 * EPSILON)
        np.testing.assert_allclose(here.jacobian[:, column], difference, atol=1e-7)
