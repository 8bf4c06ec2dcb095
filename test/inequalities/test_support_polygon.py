"""The capture point and the polygon that a robot stands on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import SEEDS, configured, random_state, write_robot
from shaped_robots import PERIOD

from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.inequalities.support_polygon import SupportPolygon

GRAVITY = 9.81  # [m/s²]
HALF = (0.3, 0.2)  # [m]


def standing(rng, *, is_on=True):
    """Return (inequality, model) of a robot whose level sole is its root link, 1 m below."""
    robot = write_robot(int(rng.integers(2**32)), ("revolute", "prismatic"), (0, 1)).description()
    sole = configured(FlatContact("sole", robot), body="link_0", half_size=HALF)
    sole.contact_point.set([0.0, 0.0, -2.0])
    sole.operational_state.set("enable" if is_on else "disable")
    constraints = ConstraintSet([sole])
    robot = robot.with_contacts([sole.site])
    state = random_state(robot, rng)
    yaw = rng.uniform(-3.0, 3.0)
    state.base_orientation[:] = [0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2)]
    model = ConstrainedModel(robot, constraints)
    model.update(state)
    part = SupportPolygon("kept", robot)
    part.margin.set(0.05)
    part.configure(constraints, PERIOD)
    return part, model


@given(SEEDS)
def test_rows_move_the_capture_point_as_slowly_to_each_edge_as_it_is_near(seed):
    """A centre of mass that moves with a row's own bound keeps the capture point inside."""
    part, model = standing(np.random.default_rng(seed))
    robot = model.robot_model
    rows, upper = np.zeros((part.rows, robot.description.nv)), np.full(part.rows, np.inf)
    part.update(model, rows, upper)
    motion = robot.center_of_mass()
    J = motion.jacobian
    placement = robot.placement(robot.description.frame_id("link_0"))
    center = placement.act(np.array([0.0, 0.0, -2.0]))
    w = np.sqrt(GRAVITY / (motion.position[2] - center[2]))
    axes = placement.rotation
    capture = axes.T @ (motion.position + J @ robot.v / w - center)
    distance = min(HALF[0] - abs(capture[0]), HALF[1] - abs(capture[1]))
    assert part.distance.value == pytest.approx(distance, abs=1e-9)
    for row, bound in zip(rows, upper, strict=True):
        n = np.linalg.lstsq(J.T, row, rcond=None)[0]
        np.testing.assert_allclose(n @ J, row, atol=1e-9)
        own = axes.T @ n
        assert np.linalg.norm(n) == pytest.approx(1.0)
        reach = abs(own[0]) * HALF[0] + abs(own[1]) * HALF[1] - 0.05
        assert sorted(np.abs(own).round(9).tolist()) == [0.0, 0.0, 1.0]
        # constant acceleration over a period: what the capture point is then from the edge
        acceleration = bound + n @ motion.bias
        speed = n @ (J @ robot.v)
        before = reach - own @ (axes.T @ (motion.position - center)) - speed / w
        ahead = speed * PERIOD + 0.5 * acceleration * PERIOD**2
        after = before - ahead - acceleration * PERIOD / w
        assert after == pytest.approx((1.0 - PERIOD * w) * before, abs=1e-6)


@given(st.booleans())
def test_contacts_that_are_off_bound_nothing(is_on):
    part, model = standing(np.random.default_rng(1), is_on=is_on)
    rows, upper = (
        np.zeros((part.rows, model.robot_model.description.nv)),
        np.full(part.rows, np.inf),
    )
    part.update(model, rows, upper)
    assert np.isfinite(upper).all() == is_on
