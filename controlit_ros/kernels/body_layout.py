"""Where `rigid_bodies` finds what: columns and codes of its tables."""

# kinds of joints; the first three turn about an axis that is one of the body's
ALONG_X, ALONG_Y, ALONG_Z, TURNING, SLIDING = range(5)

# columns of `plan`
PARENT, KIND, ANGLE, IS_PAIR, ROTATION_AT, TRANSLATION_AT = range(6)
PLAN_COLUMNS = 6

# columns of `shape`: of the joint in the body it hangs from, its axis, and of the body
TURN, PLACE, AXIS, MASS, LEVER, INERTIA, ROTOR = 0, 9, 12, 15, 16, 19, 25
SHAPE_COLUMNS = 26

WORK_COLUMNS = 46
