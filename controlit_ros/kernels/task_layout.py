"""Where `task_commands` finds what: columns, rows and codes of its blocks."""

# destinations other than a row
SKIPPED = -2
SENSED = -1

# kinds of error
DIFFERENCE = 0
ROTATION = 1
GIVEN = 2
POSE = 3
DIRECTION = 4

# control laws; `OTHER`: the command is there already
PID = 0
SLIDING_MODE = 1
FORCE = 2
FORCE_FEEDBACK = 3
OTHER = 4

NOT_PROJECTED = -1

# columns of `plan`
DESTINATION, ERROR_KIND, LAW, FIRST, LAST, BEGIN, END, WHICH, ROWS, PROJECTION = range(10)
PLAN_COLUMNS = 10

# columns of `settings`
MAX_SPEED, MAX_INTEGRAL, TIMEOUT, VELOCITY_AGE, ACCELERATION_AGE, ERROR_NORM = range(6)
SETTING_COLUMNS = 6

# rows of `rows`; those of the two states follow each other
VELOCITY, BIAS = 0, 2
GOAL_VELOCITY, GOAL_ACCELERATION, NOTHING = 4, 5, 6
GAIN, MAX_VELOCITY = 7, 10
INTEGRAL, RAMP, ERROR, COMMAND = 11, 12, 13, 14
ACTS, HYSTERESIS = 15, 16  # of unilateral rows
MAX_FORCE_SPEED = 17  # of rows that command a force
ROW_KINDS = 18

# rows of `goals`; those of the two states follow each other
MEASURED, GOAL, ACTUAL = 0, 2, 3
GOAL_KINDS = 4
