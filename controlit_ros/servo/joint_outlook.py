"""JointOutlook: where joints will be, and how fast, when the next command acts."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import GIVEN, bind, look_ahead
from controlit_ros.kernels import joint_outlook as layout
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.plausibility import speed_noise, unseen_speed

MEMORY = 128  # [cycles] of commands; what is under way for longer is not led over

UNMEASURED_MEMORY = 0.016  # [s] in which positions tell what measured speeds do not


class JointOutlook:
    """Leads measured joints over the commands they do not show yet; servo thread.

    A measurement shows what the commands did until the round trip before now, and where it is met
    again it shows nothing of those since it came. What accelerates joints beside the efforts
    (friction of their neighbours, loads, pushes) is observed. What positions show of a speed and
    its measurement does not counts where it makes the joint faster.

    Args:
        robot: Its command joints.
        fastest: `(na,)` limits of their speed, infinite for none [rad/s].
        period: Of the servo [s].

    Attributes:
        position: `(na,)` [rad].
        velocity: `(na,)` [rad/s].
        velocities: `(2, na)` the same, and the speed that is to be limited, with more noise and
            rather too high than too low [rad/s].
        unexplained: `(2, na)` acceleration beside that of the efforts: steady, and soon there
            [rad/s²].
        room: `(na,)` speed to leave free for what is not seen yet [rad/s].
        rows: `(OUTLOOK_ROWS, na)` all of it, see `kernels.look_ahead`.
    """

    def __init__(self, robot: RobotDescription, fastest: Array, period: float) -> None:
        self._joints, self._period = robot.command_indices, period
        na = len(self._joints)
        self.rows = rows = np.zeros((layout.OUTLOOK_ROWS, na))
        rows[layout.WRONG] = unseen_speed(robot.velocity_limits, speed_noise(robot))[self._joints]
        rows[layout.FASTEST] = fastest
        led, self._observed = rows[layout.LED :], rows[layout.OBSERVED : layout.LED]
        self.position, self.velocity, _, self.room = led
        self.velocities: Array = led[layout.VELOCITY : layout.SPEED + 1]
        self.unexplained: Array = self._observed[layout.STEADY : layout.SOON + 1]
        self._caused: Array = np.zeros((MEMORY, na))
        self._newest = 0
        self._met = 1  # cycles since the measurement came
        self._measured_at = math.nan
        given = (GIVEN,) * 8
        self._look = bind(look_ahead, GIVEN, GIVEN, self._joints, rows, self._caused, *given)
        # compiled now, not in the first cycle
        self.look(RobotState(robot.real_joints), period, 1.0, 1.0)
        self._met = 1
        self._measured_at = math.nan

    def look(self, state: RobotState, round_trip: float, steady: float, soon: float) -> None:
        """Take over where joints are and lead them on.

        Args:
            state: Last measured.
            round_trip: Time from a command to the measurement of what it did, 0: unknown [s].
            steady: Time in which what is unexplained is known without noise [s].
            soon: In which it is known soon [s].
        """
        self._met += 1
        elapsed = self._elapsed(state.stamp)
        self._look(
            state.position,
            state.velocity,
            self._newest,
            self._met,
            steady,
            soon,
            UNMEASURED_MEMORY,
            elapsed,
            self._period,
            round_trip,
        )
        if elapsed == elapsed:  # noqa: PLR0124 - a number, told without a call
            self._met = 0

    def next_caused(self) -> Array:
        """Go on by a cycle; return where to write what its command causes, `(na,)` [rad/s²]."""
        self._newest = (self._newest + 1) % MEMORY
        caused: Array = self._caused[self._newest]
        return caused

    def _elapsed(self, stamp: float) -> float:
        """Return how long after the last measurement this one was made, 0: nobody knows [s].

        Not a number: it is the same one.
        """
        before, self._measured_at = self._measured_at, stamp
        if stamp == 0.0:
            return self._period
        if stamp == before:
            return math.nan
        return 0.0 if math.isnan(before) else stamp - before
