"""Where `task_motions` finds what: columns and codes of its table."""

# what a row describes: a point of a body, a direction, its rotation; or joints as they are
POINT, HEADING, ROTATION, JOINTS = range(4)

# columns; those after `RESULTS` come twice, for both states of a task
KIND, WHICH_AT, COUNT, GIVEN_AT, ROTATION_AT, TRANSLATION_AT, FRAME_AT, MOVES_AT, RESULTS = range(9)
ACTUAL_AT, JACOBIAN_AT, VELOCITY_AT, BIAS_AT = range(4)
OF_A_STATE = 4
COLUMNS = RESULTS + 2 * OF_A_STATE
