"""How orientations turn along a path."""

from controlit_ros.model import quaternion
from controlit_ros.paths.trajectory import TrajectorySample


def angular(sample: TrajectorySample) -> TrajectorySample:
    """Return an orientation with angular velocity and acceleration.

    Quaternions q xyzw of unit length turn with `ω = 2 q̇ q*`, world axes, and `ω̇ = 2 q̈ q*`, of
    which the vector parts are meant.
    """
    conjugate = quaternion.conjugate(sample.value)
    turn, turn_rate = (
        2.0 * quaternion.multiply(derivative, conjugate)[:3]
        for derivative in (sample.velocity, sample.acceleration)
    )
    return TrajectorySample(sample.value, turn, turn_rate)
