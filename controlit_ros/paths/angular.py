"""How orientations turn along a path."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model import quaternion
from controlit_ros.paths.trajectory import TrajectorySample


def angular(sample: TrajectorySample) -> TrajectorySample:
    """Return an orientation `(4,)`, or a pose `(7,)`, with angular velocity and acceleration.

    Quaternions q xyzw of unit length turn with `ω = 2 q̇ q*`, world axes, and `ω̇ = 2 q̈ q*`, of
    which the vector parts are meant. What stands before the quaternion moves as it did.
    """
    conjugate = quaternion.conjugate(sample.value[-4:])

    def turning(derivative: Array) -> Array:
        turn = 2.0 * quaternion.multiply(derivative[-4:], conjugate)[:3]
        return np.concatenate([derivative[:-4], turn])

    return TrajectorySample(sample.value, turning(sample.velocity), turning(sample.acceleration))
