"""Rows that act only where something would otherwise fall below their command."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.task_layout import ACTS, ERROR, HYSTERESIS

SLACK = 1e-9  # [m/s², rad/s²] a row that is met but for rounding stays off


@kernel
def withhold_rows(
    rows: Indices,
    source: Indices,
    block: Array,
    stacked_jacobian: Array,
    wanted: Array,
) -> None:
    """Take unilateral rows out of the stack, and see which are far from acting.

    Args:
        rows: `(n,)` where they stand in the stack.
        source: `(n,)` where they stand in the block.
        block: `(ROW_KINDS, ...)` see `task_commands`. `ERROR`: goal minus actual; `HYSTERESIS`: how
            far beyond its goal a row counts as out of action; `ACTS`: becomes 0 for those.
        stacked_jacobian: `(rows, nv)`; these rows become zero.
        wanted: `(n, nv)` result: what they were.
    """
    for i in range(len(rows)):
        for k in range(stacked_jacobian.shape[1]):
            wanted[i, k] = stacked_jacobian[rows[i], k]
            stacked_jacobian[rows[i], k] = 0.0
        if block[ERROR, source[i]] < -block[HYSTERESIS, source[i]]:
            block[ACTS, source[i]] = 0.0


@kernel
def admit_rows(
    rows: Indices,
    source: Indices,
    block: Array,
    wanted: Array,
    command: Array,
    bias: Array,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    effort: Array,
    bias_effort: Array,
    drift: Array,
    work: Array,
    stacked_jacobian: Array,
) -> int:
    """Put unilateral rows back that an effort would violate; return how many.

    The effort accelerates the joints by `q̈ = T Eφᵀ Φ (τ − UNc̄ᵀ (B + G)) − drift`, see `project`.

    Args:
        rows: `(n,)` where they stand in the stack.
        source: `(n,)` where they stand in the block.
        block: `(ROW_KINDS, ...)` see `task_commands`; `ACTS` becomes 1 where a row returns.
        wanted: `(n, nv)` their Jacobians.
        command: `(rows,)` of the stack, the least accelerations.
        bias: `(rows,)` of the stack, `J̇ v`, or zeros.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        Phi: `(na, na)` Φ.
        effort: `(na,)` τ.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G)`.
        drift: `(nv,)`.
        work: `(2, nv or more)` scratch.
        stacked_jacobian: `(rows, nv)`; the violated rows return.
    """
    nv, rank = task_map.shape
    na = len(effort)
    y, acceleration = work[0], work[1]
    for r in range(rank):
        y[r] = 0.0
    for i in range(na):
        along = 0.0
        for j in range(na):
            along += Phi[i, j] * (effort[j] - bias_effort[j])
        for r in range(rank):
            y[r] += effort_map[i, r] * along
    for k in range(nv):
        acceleration[k] = -drift[k]
        for r in range(rank):
            acceleration[k] += task_map[k, r] * y[r]
    admitted = 0
    for i in range(len(rows)):
        row = rows[i]
        is_off = True
        expected = bias[row]
        for k in range(nv):
            expected += wanted[i, k] * acceleration[k]
            if stacked_jacobian[row, k] != 0.0:
                is_off = False
        if is_off and expected < command[row] - SLACK:
            for k in range(nv):
                stacked_jacobian[row, k] = wanted[i, k]
            block[ACTS, source[i]] = 1.0
            admitted += 1
    return admitted
