"""Selected axes: rows shrink, the rest is left to lower levels."""

import numpy as np
import pytest
from robots_for_tests import configured, dreamer, random_state, updated

from controlit_ros.parameters import ParameterError
from controlit_ros.tasks import CompoundTask
from controlit_ros.tasks.cartesian_position import CartesianPosition
from controlit_ros.tasks.joint_position import JointPosition

HAND = {"body": "right_wrist_yaw", "kp": 10.0}


def computed(task, rng):
    compound = CompoundTask([task])
    task.update(updated(task.robot, random_state(task.robot, rng)), task.inactive)
    task.swap()
    compound.compute(1e-3)
    return compound


def test_named_axes_take_rows_in_their_order(dreamer_description, rng):
    task = configured(CartesianPosition("hand", dreamer_description), **HAND, axes=["z", "x"])
    compound = computed(task, rng)
    assert task.rows == 2
    np.testing.assert_array_equal(compound.jacobian, task.active.jacobian[[2, 0]])
    np.testing.assert_array_equal(compound.command, task.command.value[[2, 0]])
    full = task.goal.value - task.active.actual
    np.testing.assert_allclose(task.error.value, [full[0], 0.0, full[2]])
    assert task.error_norm.value == pytest.approx(np.hypot(full[0], full[2]))


def test_a_direction_counts_whatever_its_length(dreamer_description, rng):
    task = configured(
        CartesianPosition("hand", dreamer_description), **HAND, projection=[0.0, 3.0, 4.0]
    )
    compound = computed(task, rng)
    direction = np.array([0.0, 0.6, 0.8])
    along = direction @ (task.goal.value - task.active.actual)
    np.testing.assert_allclose(task.error.value, along * direction, atol=1e-15)
    sign = np.sign(compound.jacobian[0] @ (direction @ task.active.jacobian))
    np.testing.assert_allclose(compound.jacobian[0], sign * direction @ task.active.jacobian)


def test_part_of_a_posture(rng):
    robot = dreamer()
    task = configured(JointPosition("arm", robot), axes=["left_elbow", "left_wrist_yaw"], kp=1.0)
    compound = computed(task, rng)
    columns = [6 + robot.real_joints.index(joint) for joint in ("left_elbow", "left_wrist_yaw")]
    np.testing.assert_array_equal(compound.jacobian, np.eye(robot.nv)[columns])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"axes": ["x", "q"]}, r"hand\.axes: unknown axis 'q'"),
        ({"axes": ["x", "x"]}, r"hand\.axes: found 'x' more than once"),
        ({"axes": "x", "projection": [1, 0, 0]}, r"hand\.projection: found besides axes"),
        ({"projection": [1, 0]}, "found 2 numbers, expected 3 for each direction"),
        ({"projection": [1, 2, 0, 2, 4, 0]}, "expected independent directions"),
        ({"projection": [0, 0, 0]}, "expected independent directions"),
        ({"projection": [1] * 12}, "expected independent directions"),
    ],
)
def test_what_does_not_select_is_reported(dreamer_description, parameters, message):
    with pytest.raises(ParameterError, match=message):
        configured(CartesianPosition("hand", dreamer_description), **HAND, **parameters)
