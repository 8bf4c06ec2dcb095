"""Joint encoders that lie are named, not believed, and control does not come back by itself."""

import numpy as np
import pytest
import sensor_faults as lies
from sensor_faults import LyingRobot

from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

ACTIVE = CoordinatorState.ACTIVE
DREAMER, PANDA = "dreamer/hands.yaml", "panda/reach.yaml"
HAND = {DREAMER: "RightHandPosition", PANDA: "HandPosition"}
NAMED_WITHIN = 60  # [cycles] of the lie: 50 ms, and the lie has to show first
FASTEST = 1.5  # [-] of the velocity limit of a joint whose encoder is honest


@pytest.mark.parametrize(
    ("file", "offset", "lie", "joints", "text"),
    [
        (DREAMER, (0.08, 0.0, 0.0), lies.frozen, ["right_elbow"], "is frozen"),
        (DREAMER, (0.08, 0.0, 0.0), lies.mirrored, ["right_elbow"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.swapped, ["panda_joint2", "panda_joint4"], "are swapped"),
        (PANDA, (0.0, 0.15, 0.05), lies.wrong_sign, ["panda_joint4"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.mirrored, ["panda_joint5"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.drift, ["panda_joint4"], "drifts"),
        (PANDA, (0.0, 0.15, 0.05), lies.bias_step, ["panda_joint2"], "bias step"),
        (PANDA, (0.1, 0.0, 0.0), lies.stuck_velocity, ["panda_joint4"], "is stuck"),
    ],
)
def test_a_lying_encoder_is_named_and_the_robot_stays_safe(file, offset, lie, joints, text):
    robot = LyingRobot(file)
    robot.move(HAND[file], offset)
    robot.fastest[:] = 0.0
    numbers = [robot.names.index(joint) for joint in joints]
    robot.fault = lie(*numbers)
    first = robot.advance(NAMED_WITHIN)
    assert first is not None
    (found,) = [error for error in robot.errors() if text in error]
    assert all(joint in found for joint in joints)
    assert robot.advance(1) is not None
    for _ in range(8):  # however well the measurements agree with themselves
        robot.advance(100)
        assert robot.state is CoordinatorState.SAFE
    honest = np.delete(robot.fastest, numbers)
    assert honest.max() < FASTEST
