"""Where the arrays of `implausible` and `judge_measurement` have what, and what they find."""

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
STAMP_AT, SEQUENCE_AT, PLACE_AT, QUATERNION_AT, TWIST_AT, JOINTS_AT = 0, 1, 3, 6, 10, 16

STUCK = 0.05  # [s] for which new measurements may carry one stamp: clocks are coarse
JITTER = 0.1  # [s] how much earlier than it seems the measurement before may have been made
GROWTH = 0.1  # [s] in which the speed of a joint may change by as much as at once

# What came of a measurement, see `judge_measurement`; of the first there is nothing to tell. It may
# also be the last one, met again.
BELIEVED, REMARKED, REFUSED, MOVED, AGAIN = range(5)

# What is remembered of the measurements before, and what was found of the last one.
HAS_GOOD, HAS_STAMP, IS_FOREIGN, GOOD_AT, GOOD_STAMP, HEARD_AT = range(6)
CANDIDATE_AT, CANDIDATE_SINCE, CANDIDATE_STAMP = range(6, 9)
STAMP, ELAPSED, CODE, STAMP_FAULT, BECAME_FOREIGN = range(9, 14)
IN_A_ROW, STAMP_CHANGED_AT = 14, 15
HISTORY = 16
PERIOD, STAMP_RANGE, ROW_LIMIT, PATIENCE = range(4)  # entries of what is set
STAMP_FAR, STAMP_BACKWARDS = 1, 2  # faults of a stamp; 0: none
