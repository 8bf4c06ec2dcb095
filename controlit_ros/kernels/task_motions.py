"""What all tasks control of bodies and joints, and how it moves, in one call."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at, flags_at, indices_at, matrix_at, turned_matrix_at
from controlit_ros.kernels.compile import background_kernel, kernel
from controlit_ros.kernels.motion_layout import (
    ACTUAL_AT,
    BIAS_AT,
    COUNT,
    FRAME_AT,
    GIVEN_AT,
    HEADING,
    JACOBIAN_AT,
    JOINTS,
    KIND,
    MOVES_AT,
    OF_A_STATE,
    POINT,
    RESULTS,
    ROTATION_AT,
    TRANSLATION_AT,
    VELOCITY_AT,
    WHICH_AT,
)
from controlit_ros.kernels.task_motion import heading_motion, position_motion, rotation_motion


@background_kernel
def task_motions(
    table: Indices,
    which: Indices,
    J: Array,
    dJ: Array,
    v: Array,
    position: Array,
    velocity: Array,
    activates: bool,
) -> bool:
    """Write the inactive states of tasks, row by row as `task_motion` writes one.

    Args:
        table: `(rows, COLUMNS)`. `KIND`: which of the functions of `task_motion`, or `JOINTS`: the
            joints that `GIVEN_AT` numbers are where they are and move as they do, `COUNT` of them;
            `WHICH_AT`: where it stands which of two states is active; `GIVEN_AT`: address of the
            point or of the direction; `ROTATION_AT`, `TRANSLATION_AT`, `FRAME_AT`, `MOVES_AT`: see
            `position_motion`; results: `ACTUAL_AT` and so on after `RESULTS`, for each state.
        which: `(tasks,)` addresses of the words at `WHICH_AT`, each once.
        J: `(nv, 6)` see `position_motion`; so are the next two.
        dJ: `(nv, 6)`.
        v: `(nv,)`.
        position: `(n,)` of the joints.
        velocity: `(n,)`.
        activates: Whether the states become the active ones, if all are finite.

    Returns:
        Whether all that was written is finite.
    """
    is_finite = True
    for r in range(len(table)):
        row = table[r]
        other = 1 - indices_at(row[WHICH_AT], 1)[0]
        results = row[RESULTS + OF_A_STATE * other : RESULTS + OF_A_STATE * (1 + other)]
        if row[KIND] == JOINTS:
            _read_joints(row, results, position, velocity)
        else:
            is_finite = _move_body(row, results, J, dJ, v) and is_finite
    if activates and is_finite:
        for i in range(len(which)):
            word = indices_at(which[i], 1)
            word[0] = 1 - word[0]
    return is_finite


@kernel
def _read_joints(row: Indices, results: Indices, position: Array, velocity: Array) -> None:
    """Write where joints are and how they move; their Jacobian is constant."""
    count = row[COUNT]
    joints = indices_at(row[GIVEN_AT], count)
    actual, moving = array_at(results[ACTUAL_AT], count), array_at(results[VELOCITY_AT], count)
    for i in range(count):
        actual[i], moving[i] = position[joints[i]], velocity[joints[i]]


@kernel
def _move_body(row: Indices, results: Indices, J: Array, dJ: Array, v: Array) -> bool:
    """Write what one task controls of a body; return whether it is finite."""
    rotation = turned_matrix_at(row[ROTATION_AT], 3, 3)
    frame, moves = matrix_at(row[FRAME_AT], 4, 3), flags_at(row[MOVES_AT], len(v))
    jacobian = matrix_at(results[JACOBIAN_AT], 3, len(v))
    velocity, bias = array_at(results[VELOCITY_AT], 3), array_at(results[BIAS_AT], 3)
    if row[KIND] == POINT:
        return position_motion(
            J, dJ, v, rotation, array_at(row[TRANSLATION_AT], 3), frame, moves,
            array_at(row[GIVEN_AT], 3), array_at(results[ACTUAL_AT], 3), jacobian, velocity, bias,
        )  # fmt: skip
    if row[KIND] == HEADING:
        return heading_motion(
            J, dJ, v, rotation, frame, moves, array_at(row[GIVEN_AT], 3),
            array_at(results[ACTUAL_AT], 3), jacobian, velocity, bias,
        )  # fmt: skip
    return rotation_motion(
        J, dJ, v, rotation, frame, moves, array_at(results[ACTUAL_AT], 4), jacobian, velocity, bias
    )
