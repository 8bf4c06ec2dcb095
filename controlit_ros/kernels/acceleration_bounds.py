"""Accelerations that keep joints within their limits."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def acceleration_bounds(
    position: Array,
    velocity: Array,
    lower_limit: Array,
    upper_limit: Array,
    speed_limit: Array,
    horizon: float,
    lower: Array,
    upper: Array,
) -> None:
    """Write the least and the largest acceleration of each joint.

        q̈ ≤ (u − q) / T² − 2 q̇ / T        q̈ ≤ (v − q̇) / T        and likewise downwards

    A joint that always takes the first comes to rest at the end of its range, critically damped
    with time constant T and without passing it; one that takes the second comes to the speed v. The
    first asks for no more than what brings the joint back with the speed v, so there always is an
    acceleration within the bounds.

    Args:
        position: `(n,)` q [rad] or [m].
        velocity: `(n,)` q̇ [rad/s] or [m/s].
        lower_limit: `(n,)` lower end of the range, or minus infinity.
        upper_limit: `(n,)` u, or infinity.
        speed_limit: `(n,)` v, or infinity.
        horizon: T [s].
        lower: `(n,)` result [rad/s²] or [m/s²].
        upper: `(n,)` result.
    """
    for i in range(len(position)):
        q, v = position[i], velocity[i]
        fastest = (speed_limit[i] - v) / horizon
        slowest = (-speed_limit[i] - v) / horizon
        up = (upper_limit[i] - q) / horizon**2 - 2.0 * v / horizon
        down = (lower_limit[i] - q) / horizon**2 - 2.0 * v / horizon
        upper[i] = min(max(up, slowest), fastest)
        lower[i] = max(min(down, fastest), slowest)
