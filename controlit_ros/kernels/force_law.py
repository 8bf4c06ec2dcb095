"""The control law of tasks that command a force."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def force_law(
    error: Array,
    velocity: Array,
    goal: Array,
    kp: Array,
    ki: Array,
    kd: Array,
    max_rate: Array,
    max_speed: Array,
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
        max_speed: `(n,)` speed along the force at which none is left; 0: any.
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
        force = ramp[i]
        is_known = not math.isnan(error[i])
        if is_known:
            force += kp[i] * error[i] + integral[i]
        share = _share(force, velocity[i], max_speed[i])
        if not is_known or ki[i] == 0.0:
            integral[i] = 0.0
        elif share == 1.0:
            force -= integral[i]
            integral[i] += ki[i] * error[i] * period
            integral[i] = min(max(integral[i], -max_integral), max_integral)
            force += integral[i]
        command[i] = share * force - kd[i] * velocity[i]
    return math.sqrt(square)


@kernel
def _share(force: float, velocity: float, max_speed: float) -> float:
    """Return how much of a force is exerted: all up to half of the speed, nothing from it on."""
    if max_speed <= 0.0:
        return 1.0
    along = velocity if force > 0.0 else -velocity
    return min(max(2.0 - 2.0 * along / max_speed, 0.0), 1.0)
