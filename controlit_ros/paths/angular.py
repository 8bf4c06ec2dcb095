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


def on_sphere(sample: TrajectorySample) -> TrajectorySample:
    """Return what `angular` turns into a sample: the derivatives of the quaternion itself.

    `q̇ = ω q / 2` and `q̈ = (ω̇ q + ω q̇) / 2`; what stands before the quaternion moves as it did.

    Args:
        sample: `(4,)` or `(7,)`, with angular velocity and acceleration, `(3,)` or `(6,)`.
    """
    q = sample.value[-4:]
    omega, alpha = (np.append(rate[-3:], 0.0) for rate in sample[1:])
    velocity = 0.5 * quaternion.multiply(omega, q)
    acceleration = 0.5 * (quaternion.multiply(alpha, q) + quaternion.multiply(omega, velocity))
    return TrajectorySample(
        sample.value,
        np.concatenate([sample.velocity[:-3], velocity]),
        np.concatenate([sample.acceleration[:-3], acceleration]),
    )
