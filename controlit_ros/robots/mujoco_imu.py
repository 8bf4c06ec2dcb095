"""SimulatedImu: what an inertial measurement unit on a simulated root link measures."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import InertialUnit, quaternion
from controlit_ros.model.frame_point import cross
from controlit_ros.robots.simulation_options import SimulationOptions


class SimulatedImu:
    """Turns the motion of the root link into what a unit fixed to it feels, with bias and noise.

    With ω, α and a of the root link's origin in its own axes, p the place of the unit, g gravity:

        angular velocity ω,    specific force a + α × p + ω × (ω × p) − g

    Args:
        unit: Where it is.
        options: Bias and noise.
        gravity: `(3,)` world frame [m/s²].
    """

    def __init__(
        self, unit: InertialUnit, options: SimulationOptions, gravity: tuple[float, ...]
    ) -> None:
        self._place = np.array(unit.position)
        self._axes = quaternion.matrix(np.array(unit.orientation))
        self._gravity = np.array(gravity)
        self._bias = np.array((*options.rate_bias, *options.acceleration_bias), dtype=np.float64)
        self._deviation = np.repeat((options.rate_noise, options.acceleration_noise), 3)
        self._is_noisy = bool(self._deviation.any())

    def measure(
        self, motion: tuple[Array, Array, Array], axes: Array, random: np.random.Generator
    ) -> Array:
        """Return angular velocity and specific force in the axes of the unit, `(6,)`.

        Args:
            motion: Angular velocity and its rate, in the axes of the root link, and acceleration of
                its origin in the world [rad/s, rad/s², m/s²].
            axes: `(3, 3)` of the root link in the world.
            random: Makes the noise.
        """
        rate, rate_change, acceleration = motion
        force = (acceleration - self._gravity) @ axes
        force += cross(rate_change, self._place) + cross(rate, cross(rate, self._place))
        found = np.concatenate([rate @ self._axes, force @ self._axes]) + self._bias
        if self._is_noisy:
            found += self._deviation * random.standard_normal(len(found))
        return found
