"""Rows of constraints, and the dynamics seen through them, in one call."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at, flags_at, matrix_at, turned_matrix_at
from controlit_ros.kernels.compile import background_kernel, kernel
from controlit_ros.kernels.finite import are_finite
from controlit_ros.kernels.frame_motion import frame_motion
from controlit_ros.kernels.project import project
from controlit_ros.kernels.row_layout import (
    BODY,
    COUNT,
    FRAME_AT,
    JACOBIAN_AT,
    KIND,
    MOVES_AT,
    POINT_AT,
    POSE_AT,
    ROTATION_AT,
    ROWS_AT,
    TRANSLATION_AT,
    TWISTS_AT,
)

ROWS_NOT_FINITE = -3  # what `constrain` returns where constraints are no numbers


@background_kernel
def constrain(
    table: Indices,
    J: Array,
    dJ: Array,
    v: Array,
    A: Array,
    Jc: Array,
    Jc_bias: Array,
    command_dofs: Indices,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    drift: Array,
    mobility: Array,
    compensation: Array,
    bias_effort: Array,
    motion_map: Array,
    with_reactions: bool,
    L: Array,
    nv_work: Array,
    row_work: Array,
    nc_work: Array,
    na_work: Array,
    base_work: Array,
    vectors: Array,
    ranks: Indices,
) -> bool:
    """Do `constraint_rows` and `project`, which have the arguments.

    `ranks`, `(2,)`, are those before, and then what `project` returns, or `ROWS_NOT_FINITE`.

    Returns:
        Whether all went well and the ranks are what they were.
    """
    rank, width = ROWS_NOT_FINITE, 0
    if constraint_rows(table, J, dJ, v, Jc, Jc_bias):
        rank, width = project(
            A, Jc, Jc_bias, command_dofs, task_map, effort_map, Phi, drift, mobility, compensation,
            bias_effort, motion_map, with_reactions, L, nv_work, row_work, nc_work, na_work,
            base_work, vectors,
        )  # fmt: skip
    is_as_before = rank >= 0 and rank == ranks[0] and width == ranks[1]
    ranks[0], ranks[1] = rank, width
    return is_as_before


@kernel
def constraint_rows(
    table: Indices, J: Array, dJ: Array, v: Array, Jc: Array, Jc_bias: Array
) -> bool:
    """Write the rows that constraints describe in a table, one after the other.

    Args:
        table: `(constraints, COLUMNS)`. `CONSTANT`: `COUNT` rows that stand at `ROWS_AT`, without
            bias; `BODY`: the first `COUNT` rows of `frame_motion`, whose arrays are at the other
            columns. Without any, all rows are there already.
        J: `(nv, 6)` see `frame_motion`; so are the next two.
        dJ: `(nv, 6)`.
        v: `(nv,)`.
        Jc: `(nc, nv)` result.
        Jc_bias: `(nc,)` result `J̇c v`.

    Returns:
        Whether all rows are finite.
    """
    nv, first = len(v), 0
    for r in range(len(table)):
        words = table[r]
        count = words[COUNT]
        if words[KIND] == BODY:
            jacobian, twists = (
                matrix_at(words[JACOBIAN_AT], 6, nv), matrix_at(words[TWISTS_AT], 2, 6)
            )  # fmt: skip
            frame_motion(
                J, dJ, v, turned_matrix_at(words[ROTATION_AT], 3, 3),
                array_at(words[TRANSLATION_AT], 3), matrix_at(words[FRAME_AT], 4, 3),
                flags_at(words[MOVES_AT], nv), array_at(words[POINT_AT], 3),
                matrix_at(words[POSE_AT], 4, 3), jacobian, twists,
            )  # fmt: skip
            for i in range(count):
                Jc_bias[first + i] = twists[1, i]
                for k in range(nv):
                    Jc[first + i, k] = jacobian[i, k]
        else:
            rows = matrix_at(words[ROWS_AT], count, nv)
            for i in range(count):
                Jc_bias[first + i] = 0.0
                for k in range(nv):
                    Jc[first + i, k] = rows[i, k]
        first += count
    return are_finite(Jc, Jc.shape[0], Jc_bias, Jc_bias[:0])
