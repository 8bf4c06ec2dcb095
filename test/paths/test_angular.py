"""Angular velocities and accelerations of paths of orientations."""

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.paths.angular import angular
from controlit_ros.paths.unit_trajectory import UnitTrajectory

STEP = 1e-5  # [s]


@pytest.mark.parametrize("time", [0.3, 1.1, 1.9])
def test_orientations_have_angular_velocity_and_acceleration(time, rng):
    path = UnitTrajectory([0.0, 1.0, 2.0], rng.normal((0.0, 0.0, 0.0, 3.0), size=(3, 4)))

    def rotation(t):
        return pin.Quaternion(path.at(t).value).toRotationMatrix()

    def velocity(t):
        return angular(path.at(t)).velocity

    turn = pin.log3(rotation(time + STEP) @ rotation(time - STEP).T) / (2.0 * STEP)
    np.testing.assert_allclose(velocity(time), turn, atol=1e-6)
    rate = (velocity(time + STEP) - velocity(time - STEP)) / (2.0 * STEP)
    np.testing.assert_allclose(angular(path.at(time)).acceleration, rate, atol=1e-5)
