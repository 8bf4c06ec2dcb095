"""Where `constraint_rows` finds what: columns and codes of its table."""

CONSTANT, BODY = range(2)  # rows that stand somewhere; rows of a point of a body

KIND, COUNT, ROWS_AT, POINT_AT, ROTATION_AT, TRANSLATION_AT, FRAME_AT, MOVES_AT = range(8)
POSE_AT, JACOBIAN_AT, TWISTS_AT = range(8, 11)
COLUMNS = 11
