"""Rows of tasks, seen through the constraints."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import apart, kernel


@kernel
@apart
def map_rows(
    jacobian: Array, mobility: Array, task_map: Array, motion_map: Array, S: Array, motion: Array
) -> None:
    """Write `S = J T` and `J UNc̄`, whose factor is looked through once.

    Most of J is zero, and so are both maps where nothing is mobile, as at a base that is held.

    Args:
        jacobian: `(rows, nv)` J.
        mobility: `(nv,)` see `project`.
        task_map: `(nv, rank)` T.
        motion_map: `(nv, na)` UNc̄.
        S: `(rows, rank)` result.
        motion: `(rows, na)` result.
    """
    for i in range(jacobian.shape[0]):
        for j in range(S.shape[1]):
            S[i, j] = 0.0
        for j in range(motion.shape[1]):
            motion[i, j] = 0.0
        k = _next_moved(jacobian[i], 0)
        while k < len(mobility):
            if mobility[k] != 0.0:
                factor = jacobian[i, k]
                for j in range(S.shape[1]):
                    S[i, j] += factor * task_map[k, j]
                for j in range(motion.shape[1]):
                    motion[i, j] += factor * motion_map[k, j]
            k = _next_moved(jacobian[i], k + 1)


@kernel
def _next_moved(row: Array, k: int) -> int:
    """Return where the next entry stands that is not zero, or how many there are."""
    while k < len(row) and row[k] == 0.0:
        k += 1
    return k
