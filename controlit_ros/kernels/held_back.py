"""What was asked of joints, and how long limits have held back efforts."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

HELD_BACK_ROWS = 3
"""Of what `held_back` keeps: time held back, time since, what gravity took at the beginning."""

AT_LIMIT = 0.999  # [-] of the effort limit


@kernel
def keep_asked(effort: Array, asked: Array) -> bool:
    """Write what is asked for before limits change it, `(n,)`, `(n,)` [N m]; return true."""
    for i in range(len(effort)):
        asked[i] = effort[i]
    return True


@kernel
def held_back(
    asked: Array,
    sent: Array,
    gravity: Array,
    limit: Array,
    part: float,
    period: float,
    gap: float,
    time: float,
    state: Array,
) -> bool:
    """Count for how long efforts are not what was asked for, or stand at their limit.

    Args:
        asked: `(n,)` effort that the controller wants [N m].
        sent: `(n,)` effort that the robot gets [N m].
        gravity: `(n,)` effort at which nothing accelerates [N m].
        limit: `(n,)` effort limit, infinite where there is none [N m].
        part: Difference of the two that counts, as a share of the limit.
        period: Time step [s].
        gap: Longest interruption that does not end the count [s].
        time: How long it must go on [s].
        state: `(HELD_BACK_ROWS, n)` kept by the caller; zero at the beginning.

    Returns:
        Whether no joint was held back for so long.
    """
    is_free = True
    for i in range(len(asked)):
        largest = max(abs(asked[i]), abs(sent[i]))
        if abs(asked[i] - sent[i]) > part * limit[i] or largest >= AT_LIMIT * limit[i]:
            if state[0, i] == 0.0:
                state[2, i] = gravity[i]
            state[0, i] += period
            state[1, i] = 0.0
        else:
            state[1, i] += period
            if state[1, i] > gap:
                state[0, i] = 0.0
        is_free = is_free and state[0, i] < time
    return is_free
