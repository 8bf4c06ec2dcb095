"""Rows of tasks, seen through the constraints."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import apart, kernel


@kernel
@apart
def map_rows(
    jacobian: Array,
    mobility: Array,
    task_map: Array,
    motion_map: Array,
    S: Array,
    motion: Array,
    places: Indices,
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
        places: `(nv,)` scratch.
    """
    for i in range(jacobian.shape[0]):
        row, count = jacobian[i], 0
        for k in range(len(mobility)):
            if row[k] * mobility[k] != 0.0:  # or not a number
                places[count] = k
                count += 1
        for j in range(S.shape[1]):
            S[i, j] = 0.0
        for j in range(motion.shape[1]):
            motion[i, j] = 0.0
        for a in range(count):
            k = places[a]
            for j in range(S.shape[1]):
                S[i, j] += row[k] * task_map[k, j]
            for j in range(motion.shape[1]):
                motion[i, j] += row[k] * motion_map[k, j]
