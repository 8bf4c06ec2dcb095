"""The control law all tasks share."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def pid(
    error: Array,
    velocity: Array,
    goal_velocity: Array,
    goal_acceleration: Array,
    kp: Array,
    ki: Array,
    kd: Array,
    max_speed: float,
    max_velocity: Array,
    max_integral: float,
    period: float,
    integral: Array,
    command: Array,
) -> float:
    """Write the command of `PIDController` and return the length of the error.

    Args:
        error: `(n,)`.
        velocity: `(n,)`.
        goal_velocity: `(n,)` feed-forward.
        goal_acceleration: `(n,)` feed-forward.
        kp: `(n,)`.
        ki: `(n,)`.
        kd: `(n,)`.
        max_speed: Limit of the length of the speed that error and feed-forward ask for; 0: none.
        max_velocity: `(n,)` limit of its entries; 0: none.
        max_integral: Limit of each entry of the integral part.
        period: Time step [s].
        integral: `(n,)` integral part, kept by the caller.
        command: `(n,)` result.
    """
    n = len(error)
    square = 0.0
    wanted = 0.0
    saturated = False
    for i in range(n):
        square += error[i] * error[i]
        asked = kp[i] * error[i] + kd[i] * goal_velocity[i] + goal_acceleration[i]
        if kd[i] > 0.0:  # without damping no speed is asked for
            wanted += (asked / kd[i]) ** 2
            bound = max_velocity[i] * kd[i]
            if max_velocity[i] > 0.0 and abs(asked) > bound:
                asked = math.copysign(bound, asked)
                saturated = True
        command[i] = asked
    scale = 1.0
    if max_speed > 0.0 and math.sqrt(wanted) > max_speed:
        scale = max_speed / math.sqrt(wanted)
        saturated = True
    for i in range(n):
        command[i] = scale * command[i] - kd[i] * velocity[i]
    for i in range(n):
        if ki[i] == 0.0:
            integral[i] = 0.0
        else:
            if not saturated:
                integral[i] += ki[i] * error[i] * period
            integral[i] = min(max(integral[i], -max_integral), max_integral)
            command[i] += integral[i]
    return math.sqrt(square)
