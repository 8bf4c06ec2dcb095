"""Errors and commands of all tasks at once."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import apart, kernel
from controlit_ros.kernels.force_law import force_law
from controlit_ros.kernels.pid import pid
from controlit_ros.kernels.sliding_mode import sliding_mode
from controlit_ros.kernels.task_layout import (
    ACCELERATION_AGE,
    ACTUAL,
    BEGIN,
    BIAS,
    COMMAND,
    DESTINATION,
    DIFFERENCE,
    DIRECTION,
    END,
    ERROR,
    ERROR_KIND,
    ERROR_NORM,
    FIRST,
    FORCE,
    FORCE_FEEDBACK,
    GAIN,
    GOAL,
    GOAL_ACCELERATION,
    GOAL_VELOCITY,
    INTEGRAL,
    LAST,
    LAW,
    MAX_FORCE_SPEED,
    MAX_INTEGRAL,
    MAX_SPEED,
    MAX_VELOCITY,
    MEASURED,
    NOT_PROJECTED,
    NOTHING,
    OTHER,
    PID,
    POSE,
    PROJECTION,
    RAMP,
    ROTATION,
    ROWS,
    SENSED,
    SKIPPED,
    SLIDING_MODE,
    TIMEOUT,
    VELOCITY,
    VELOCITY_AGE,
    WHICH,
)

OPPOSITE = 1e-12  # [-] see `model.direction`; so are the next two
TILT = 0.1  # [-]
UPRIGHT = 0.1  # [-]
TINY = 1e-150  # [-] below, the square of a quaternion's vector part underflows


@kernel
@apart
def task_commands(
    plan: Indices,
    settings: Array,
    rows: Array,
    goals: Array,
    jacobian: Array,
    projection: Array,
    period: float,
    stacked_jacobian: Array,
    stacked: Array,
) -> bool:
    """Do for every task what `Task.compute` does for one, and stack what is enabled.

    Args:
        plan: `(tasks, PLAN_COLUMNS)`. `DESTINATION`: first row in the stack, or `SENSED`, or
            `SKIPPED`; `ERROR_KIND`: `DIFFERENCE`, `DIRECTION`, `ROTATION`, `POSE`, or `GIVEN`
            (it is there already); `LAW`; `FIRST`, `LAST`: the task's rows; `BEGIN`, `END`: its
            goal entries; `WHICH` of the two states is active; `ROWS` in the stack; `PROJECTION`:
            where its matrix begins.
        settings: `(tasks, SETTING_COLUMNS)`. `MAX_SPEED` and `MAX_INTEGRAL` of `pid`; `TIMEOUT`
            of the feed-forward [s], 0: none; `VELOCITY_AGE` and `ACCELERATION_AGE` of each [s],
            kept between calls; `ERROR_NORM`: result, not a number where skipped.
        rows: `(ROW_KINDS, rows)`. `VELOCITY` and `BIAS` of both states; `GOAL_VELOCITY`,
            `GOAL_ACCELERATION`, and `NOTHING` in their place when they are too old; three rows
            `GAIN`; `MAX_VELOCITY`; `MAX_FORCE_SPEED`; `INTEGRAL` and `RAMP`, kept between
            calls; `ERROR` and `COMMAND`: results.
        goals: `(GOAL_KINDS, goals)`. `MEASURED` in both states; `GOAL`; `ACTUAL`: result, the
            active one of the measured.
        jacobian: `(2, rows, nv)` of both states.
        projection: Matrices `(rows in the stack, rows)` of the projected tasks, one after the
            other; their rows are orthonormal.
        period: Time step [s].
        stacked_jacobian: `(rows, nv)` result, level by level.
        stacked: `(2, rows)` result: commands and biases.

    Returns:
        True: a chain goes on.
    """
    for task in range(len(plan)):
        target = plan[task, DESTINATION]
        if target == SKIPPED:
            settings[task, ERROR_NORM] = math.nan
            continue
        first, last = plan[task, FIRST], plan[task, LAST]
        begin, end = plan[task, BEGIN], plan[task, END]
        state = plan[task, WHICH]
        actual = goals[ACTUAL, begin:end]
        goal = goals[GOAL, begin:end]
        error = rows[ERROR, first:last]
        command = rows[COMMAND, first:last]
        for i in range(end - begin):
            actual[i] = goals[MEASURED + state, begin + i]
        if plan[task, ERROR_KIND] == DIFFERENCE:
            for i in range(end - begin):
                error[i] = goal[i] - actual[i]
        elif plan[task, ERROR_KIND] == DIRECTION:
            _direction_error(actual, goal, error)
        elif plan[task, ERROR_KIND] == ROTATION:
            _rotation_error(actual, goal, error)
        elif plan[task, ERROR_KIND] == POSE:
            for i in range(3):
                error[i] = goal[i] - actual[i]
            _rotation_error(actual[3:], goal[3:], error[3:])
        law, start, count = plan[task, LAW], plan[task, PROJECTION], plan[task, ROWS]
        if law != OTHER:
            settings[task, VELOCITY_AGE] += period
            settings[task, ACCELERATION_AGE] += period
            if start != NOT_PROJECTED:
                _project(projection[start:], count, error, command)
        timeout = settings[task, TIMEOUT]
        goal_velocity, goal_acceleration = GOAL_VELOCITY, GOAL_ACCELERATION
        if 0.0 < timeout < settings[task, VELOCITY_AGE]:
            goal_velocity = NOTHING
        if 0.0 < timeout < settings[task, ACCELERATION_AGE]:
            goal_acceleration = NOTHING
        if law == PID:
            settings[task, ERROR_NORM] = pid(
                error,
                rows[VELOCITY + state, first:last],
                rows[goal_velocity, first:last],
                rows[goal_acceleration, first:last],
                rows[GAIN, first:last],
                rows[GAIN + 1, first:last],
                rows[GAIN + 2, first:last],
                settings[task, MAX_SPEED],
                rows[MAX_VELOCITY, first:last],
                settings[task, MAX_INTEGRAL],
                period,
                rows[INTEGRAL, first:last],
                command,
            )
        elif law == SLIDING_MODE:
            settings[task, ERROR_NORM] = sliding_mode(
                error,
                rows[VELOCITY + state, first:last],
                rows[goal_velocity, first:last],
                rows[goal_acceleration, first:last],
                rows[GAIN, first:last],
                rows[GAIN + 1, first:last],
                rows[GAIN + 2, first:last],
                command,
            )
        elif law in (FORCE, FORCE_FEEDBACK):
            settings[task, ERROR_NORM] = force_law(
                error,
                rows[VELOCITY + state, first:last],
                goal if law == FORCE else rows[NOTHING, first:last],
                rows[GAIN, first:last],
                rows[GAIN + 1, first:last],
                rows[GAIN + 2, first:last],
                rows[MAX_VELOCITY, first:last],
                rows[MAX_FORCE_SPEED, first:last],
                settings[task, MAX_INTEGRAL],
                period,
                rows[RAMP, first:last],
                rows[INTEGRAL, first:last],
                command,
            )
        if target == SENSED:
            for i in range(first, last):
                rows[INTEGRAL, i] = 0.0  # an integral nobody acts on would wind up
                rows[RAMP, i] = 0.0
        elif start == NOT_PROJECTED:
            for i in range(last - first):
                stacked[0, target + i] = command[i]
                stacked[1, target + i] = rows[BIAS + state, first + i]
                for k in range(jacobian.shape[2]):
                    stacked_jacobian[target + i, k] = jacobian[state, first + i, k]
        else:
            _stack_projected(
                projection[start:],
                count,
                command,
                rows[BIAS + state, first:last],
                jacobian[state, first:last],
                stacked_jacobian[target : target + count],
                stacked[:, target : target + count],
            )
    return True


@kernel
def _project(projection: Array, count: int, error: Array, work: Array) -> None:
    """Replace the error by its part in the space of the matrix' rows, `Pᵀ P e`."""
    n = len(error)
    for j in range(n):
        work[j] = 0.0
    for i in range(count):
        along = 0.0
        for j in range(n):
            if projection[i * n + j] != 0.0:  # what is not a number there does not matter
                along += projection[i * n + j] * error[j]
        for j in range(n):
            work[j] += projection[i * n + j] * along if projection[i * n + j] != 0.0 else 0.0
    for j in range(n):
        error[j] = work[j]


@kernel
@apart
def _stack_projected(
    projection: Array,
    count: int,
    command: Array,
    bias: Array,
    jacobian: Array,
    stacked_jacobian: Array,
    stacked: Array,
) -> None:
    """Stack `P u`, `P J̇ v` and `P J`."""
    n = len(command)
    for i in range(count):
        stacked[0, i] = 0.0
        stacked[1, i] = 0.0
        for k in range(jacobian.shape[1]):
            stacked_jacobian[i, k] = 0.0
        for j in range(n):
            weight = projection[i * n + j]
            if weight != 0.0:
                stacked[0, i] += weight * command[j]
                stacked[1, i] += weight * bias[j]
                for k in range(jacobian.shape[1]):
                    stacked_jacobian[i, k] += weight * jacobian[j, k]


@kernel
def _direction_error(current: Array, goal: Array, error: Array) -> None:
    """Write the way between two unit vectors on the sphere; see `model.direction_error`."""
    x, y, z = current[0], current[1], current[2]
    cosine = x * goal[0] + y * goal[1] + z * goal[2]
    sign = 1.0 if cosine >= 0.0 else -1.0
    a, b, c = goal[0] - sign * x, goal[1] - sign * y, goal[2] - sign * z
    along = a * x + b * y + c * z
    a, b, c = a - along * x, b - along * y, c - along * z
    sine = math.sqrt(a * a + b * b + c * c)
    if cosine < 0.0 and sine < OPPOSITE:
        a, b, c = -y, x, 0.0
        if x * x + y * y <= UPRIGHT * UPRIGHT:
            a, b, c = 0.0, -z, y
        a, b, c = (
            a + TILT * (y * c - z * b),
            b + TILT * (z * a - x * c),
            c + TILT * (x * b - y * a),
        )
        factor = math.pi / math.sqrt(a * a + b * b + c * c)
    else:
        factor = math.atan2(sine, cosine) / sine if sine > 0.0 else 1.0
    error[0] = factor * a
    error[1] = factor * b
    error[2] = factor * c


@kernel
def _rotation_error(current: Array, goal: Array, error: Array) -> None:
    """Write `log(goal current⁻¹)` of two quaternions xyzw, the short way, in their frame."""
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
