"""Errors and commands of all tasks at once."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.pid import pid

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

SKIPPED = -2
SENSED = -1

DIFFERENCE = 0
ROTATION = 1
GIVEN = 2

TINY = 1e-150  # [-] below, the square of a quaternion's vector part underflows


@kernel
def task_commands(
    destination: Indices,
    error_kind: Indices,
    row_start: Indices,
    goal_start: Indices,
    which: Indices,
    measured: Array,
    jacobian: Array,
    bias: Array,
    velocity: Array,
    goal: Array,
    goal_velocity: Array,
    goal_acceleration: Array,
    kp: Array,
    ki: Array,
    kd: Array,
    max_speed: Array,
    max_velocity: Array,
    max_integral: Array,
    period: float,
    integral: Array,
    actual: Array,
    error: Array,
    error_norm: Array,
    command: Array,
    stacked_jacobian: Array,
    stacked_command: Array,
    stacked_bias: Array,
) -> None:
    """Do for every task what `Task.compute` does for one, and stack what is enabled.

    Args:
        destination: `(tasks,)` first row in the stack, or `SENSED`, or `SKIPPED`.
        error_kind: `(tasks,)` `DIFFERENCE`, `ROTATION`, or `GIVEN` (the error is there already).
        row_start: `(tasks + 1,)` first row of each task.
        goal_start: `(tasks + 1,)` first goal entry of each task.
        which: `(tasks,)` which of the two states is active.
        measured: `(2, goals)` controlled quantities.
        jacobian: `(2, rows, nv)`.
        bias: `(2, rows)`.
        velocity: `(2, rows)`.
        goal: `(goals,)`.
        goal_velocity: `(rows,)`.
        goal_acceleration: `(rows,)`.
        kp: `(rows,)`.
        ki: `(rows,)`.
        kd: `(rows,)`.
        max_speed: `(tasks,)`.
        max_velocity: `(rows,)`.
        max_integral: `(tasks,)`.
        period: Time step [s].
        integral: `(rows,)` integral parts, kept between calls.
        actual: `(goals,)` result: the active `measured`.
        error: `(rows,)` result.
        error_norm: `(tasks,)` result; not a number where skipped.
        command: `(rows,)` result.
        stacked_jacobian: `(rows, nv)` result, level by level.
        stacked_command: `(rows,)` result.
        stacked_bias: `(rows,)` result.
    """
    for task in range(len(destination)):
        target = destination[task]
        if target == SKIPPED:
            error_norm[task] = math.nan
            continue
        first, last = row_start[task], row_start[task + 1]
        begin, end = goal_start[task], goal_start[task + 1]
        state = which[task]
        for i in range(begin, end):
            actual[i] = measured[state, i]
        if error_kind[task] == DIFFERENCE:
            for i in range(end - begin):
                error[first + i] = goal[begin + i] - actual[begin + i]
        elif error_kind[task] == ROTATION:
            _rotation_error(actual[begin:end], goal[begin:end], error[first:last])
        error_norm[task] = pid(
            error[first:last],
            velocity[state, first:last],
            goal_velocity[first:last],
            goal_acceleration[first:last],
            kp[first:last],
            ki[first:last],
            kd[first:last],
            max_speed[task],
            max_velocity[first:last],
            max_integral[task],
            period,
            integral[first:last],
            command[first:last],
        )
        if target == SENSED:
            for i in range(first, last):
                integral[i] = 0.0  # an integral nobody acts on would wind up
            continue
        for i in range(last - first):
            stacked_command[target + i] = command[first + i]
            stacked_bias[target + i] = bias[state, first + i]
            for k in range(jacobian.shape[2]):
                stacked_jacobian[target + i, k] = jacobian[state, first + i, k]


@kernel
def _rotation_error(current: Array, goal: Array, error: Array) -> None:
    """Write `log(goal current⁻¹)` of two quaternions xyzw, the short way, world frame."""
    x1, y1, z1, w1 = goal[0], goal[1], goal[2], goal[3]
    x2, y2, z2, w2 = -current[0], -current[1], -current[2], current[3]
    x = w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2
    y = w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2
    z = w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2
    w = w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, w) / sine if sine > TINY else 2.0 / w
    error[0] = factor * x
    error[1] = factor * y
    error[2] = factor * z
