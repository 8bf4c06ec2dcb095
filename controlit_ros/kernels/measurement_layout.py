"""Where the arrays of `implausible` have what, and what it finds."""

# What may be wrong with a measurement, in the order in which it is looked for.
GOOD, NOT_FINITE, RANGE, SPEED, SPEED_JUMP, JUMP = range(6)
BASE_LENGTH, BASE_PLACE, BASE_SPEED, BASE_SPIN, BASE_JUMP, BASE_TURN = range(6, 12)
NOT_FOLLOWED = 12
KINDS = 13

# Rows of the bounds of joints and entries of those of the base.
LOWER, UPPER, FASTEST, SURGE, LIMIT, STEP, TURN, SURPRISE = range(8)
JOINT_BOUNDS = 8
PLACE, LINEAR, ANGULAR, BASE_STEP = range(4)
BASE_BOUNDS = 4

# Where a vector of motion has what: see `RobotState`.
PLACE_AT, QUATERNION_AT, TWIST_AT, JOINTS_AT = 3, 6, 10, 16

JITTER = 0.1  # [s] how much earlier than it seems the measurement before may have been made
GROWTH = 0.1  # [s] in which the speed of a joint may change by as much as at once
