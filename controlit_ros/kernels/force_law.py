"""The control law of tasks that command a force."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]


@kernel
def force_law(
    error: Array,
    velocity: Array,
    goal: Array,
    kp: Array,
    ki: Array,
    kd: Array,
    max_rate: Array,
    max_integral: float,
    period: float,
    ramp: Array,
    integral: Array,
    command: Array,
) -> float:
    """Write the command of `ForceController` and return the length of the error.

    Args:
        error: `(n,)` goal minus measured force; not a number where nothing is measured.
        velocity: `(n,)`.
        goal: `(n,)`.
        kp: `(n,)`.
        ki: `(n,)`.
        kd: `(n,)`.
        max_rate: `(n,)` fastest change of the feed-forward force; 0: none.
        max_integral: Limit of each entry of the integral part.
        period: Time step [s].
        ramp: `(n,)` feed-forward force, kept by the caller.
        integral: `(n,)` integral part, kept by the caller.
        command: `(n,)` result.
    """
    square = 0.0
    for i in range(len(error)):
        square += error[i] * error[i]
        missing = goal[i] - ramp[i]
        if max_rate[i] > 0.0:
            step = max_rate[i] * period
            missing = min(max(missing, -step), step)
        ramp[i] += missing
        command[i] = ramp[i] - kd[i] * velocity[i]
        if math.isnan(error[i]):
            integral[i] = 0.0
            continue
        if ki[i] == 0.0:
            integral[i] = 0.0
        else:
            integral[i] += ki[i] * error[i] * period
            integral[i] = min(max(integral[i], -max_integral), max_integral)
        command[i] += kp[i] * error[i] + integral[i]
    return math.sqrt(square)
