"""AccelerationLimits: how joints are kept inside their limits of position, velocity and effort."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.kernels.hold_inside import LEAST_REACTION, LEAST_RESPONSE, PACES

# A joint on its way to the end of its range is slowed down so that the way left fades with the time
# `HORIZON` of `kernels.hold_inside`; a speed beyond what is allowed fades with RESPONSE. At more
# than four times RESPONSE the joint comes to rest without passing the end; more would hinder what
# stops by itself. RESPONSE is some cycles, or the loop would not be stable.
RESPONSE = 0.02  # [s]
RESPONSE_CYCLES = 5  # [cycles] at least, for slow servos

# Even far from its limits a joint may not use up what speed is left before the next measurements
# tell: a motor that is strong beside what it moves passes a limit within a cycle.
REACTION_CYCLES = 5  # [cycles]

# Farther from its limits than this no joint is held back.
RANGE_MARGIN = 0.02  # [rad] or [m], and no more than
RANGE_PART = 0.05  # [-] of the range
SPEED_PART = 0.1  # [-] of the speed allowed
LEAST_MARGIN = 1e-6  # [rad, rad/s] where range or speed are none


class AccelerationLimits:
    """Parameters of the bounds of joint accelerations, see `kernels.keep_inside`.

    The guard enforces these bounds on every command; `WBOSC` plans with them.

    Args:
        limits: Of the command joints.
        frequency: Servo rate [Hz].

    Attributes:
        rows: `(BOUND_ROWS, na)` see `kernels.hold_inside`.
        paces: `(PACES,)` fastest response and reaction [s].
        times: `(3,)` horizon, response and reaction, which kernels write [s].
        round_trip: `(1,)` time from a command to the measurement of its effect; 0: unknown [s].
        is_any: Whether a position or a velocity is limited.
    """

    def __init__(self, limits: JointLimits, frequency: float) -> None:
        effort, velocity, lower, upper = limits
        near_end = np.minimum(RANGE_MARGIN, RANGE_PART * (upper - lower))
        too_fast = np.where(np.isfinite(velocity), SPEED_PART * velocity, LEAST_MARGIN)
        margins = np.maximum([near_end, too_fast], LEAST_MARGIN)
        self.rows: Array = np.vstack([-effort, effort, lower, upper, velocity, margins, velocity])
        self.paces: Array = np.zeros(PACES)
        self.paces[LEAST_RESPONSE] = max(RESPONSE, RESPONSE_CYCLES / frequency)
        self.paces[LEAST_REACTION] = REACTION_CYCLES / frequency
        self.times: Array = np.zeros(3)
        self.round_trip: Array = np.zeros(1)
        self.is_any = bool(np.isfinite([lower, upper, velocity]).any())
