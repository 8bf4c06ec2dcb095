"""Acceleration of joints that no effort explains."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def observe_unexplained(
    velocity: Array,
    last_velocity: Array,
    expected: Array,
    gain: float,
    period: float,
    estimate: Array,
) -> None:
    """Advance an estimate of what accelerates joints beside the efforts: friction, loads, pushes.

        â ← â + min(K T, 1) ((q̇ − q̇_last) / T − q̈ − â)

    A first-order observer (De Luca et al. 2006 have it for momenta): it follows what is constant
    within 1 / K, and lets through K of the noise of velocities.

    Args:
        velocity: `(na,)` q̇ measured [rad/s].
        last_velocity: `(na,)` measured one period before.
        expected: `(na,)` q̈ by the efforts that were sent meanwhile [rad/s²].
        gain: K [1/s].
        period: T, positive [s].
        estimate: `(na,)` â, advanced [rad/s²].
    """
    share = min(gain * period, 1.0)
    for i in range(len(velocity)):
        measured = (velocity[i] - last_velocity[i]) / period
        estimate[i] += share * (measured - expected[i] - estimate[i])
