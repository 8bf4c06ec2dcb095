"""The control law that slides along a line in the plane of error and its rate."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def sliding_mode(
    error: Array,
    velocity: Array,
    goal_velocity: Array,
    goal_acceleration: Array,
    slope: Array,
    reach: Array,
    boundary_layer: Array,
    command: Array,
) -> float:
    """Write the command of `SlidingMode` and return the length of the error.

    Args:
        error: `(n,)`.
        velocity: `(n,)`.
        goal_velocity: `(n,)` feed-forward.
        goal_acceleration: `(n,)` feed-forward.
        slope: `(n,)`.
        reach: `(n,)`.
        boundary_layer: `(n,)`, above zero.
        command: `(n,)` result.
    """
    square = 0.0
    for i in range(len(error)):
        square += error[i] * error[i]
        rate = goal_velocity[i] - velocity[i]
        distance = (rate + slope[i] * error[i]) / boundary_layer[i]
        pull = reach[i] * min(max(distance, -1.0), 1.0)
        command[i] = goal_acceleration[i] + slope[i] * rate + pull
    return math.sqrt(square)
