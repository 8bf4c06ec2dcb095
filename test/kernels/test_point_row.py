"""How points move along a direction, against FramePoint."""

import numpy as np
from hypothesis import given
from robots_for_tests import SEEDS, random_robots, random_state

from controlit_ros.kernels import point_row
from controlit_ros.model import FramePoint, RobotModel


@given(random_robots(), SEEDS)
def test_is_that_of_the_point_of_the_body(robot, seed):
    rng = np.random.default_rng(seed)
    description = robot.description()
    model = RobotModel(description)
    model.update(random_state(description, rng))
    link = rng.choice(robot.links)
    frame = description.frame_id(str(link))
    point, direction = rng.normal(size=3), rng.normal(size=3)
    motion = FramePoint(description.nv)
    motion.update(model, frame, point)
    row, along = np.zeros(description.nv), np.zeros(2)
    joint = description.pinocchio.frames[frame].parentJoint
    moves = model.joint_motion(joint)
    point_row(model.J, model.dJ, model.v, moves, motion.position, direction, -2.0, row, along)
    np.testing.assert_allclose(row, -2.0 * direction @ motion.jacobian, atol=1e-9)
    expected = [-2.0 * direction @ motion.velocity, -2.0 * direction @ motion.bias]
    np.testing.assert_allclose(along, expected, atol=1e-8)
