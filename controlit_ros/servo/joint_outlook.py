"""JointOutlook: where joints will be, and how fast, when the next command acts."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import lead_joints, observe_unexplained, observe_unmeasured
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.plausibility import speed_noise, unseen_speed

MEMORY = 128  # [cycles] of commands; what is under way for longer is not led over

UNMEASURED_MEMORY = 0.016  # [s] in which positions tell what measured speeds do not


class JointOutlook:
    """Leads measured joints over the commands they do not show yet; servo thread.

    A measurement shows what the commands did until the round trip before now, and where it is met
    again it shows nothing of those since it came. What accelerates joints beside the efforts
    (friction of their neighbours, loads, pushes) is observed, and counted where it makes a joint
    faster: what holds it back may let go. So is what positions show of a speed and its measurement
    does not.

    Args:
        robot: Its command joints.
        period: Of the servo [s].

    Attributes:
        position: `(na,)` [rad].
        velocity: `(na,)` [rad/s].
        unexplained: `(na,)` acceleration beside that of the efforts [rad/s²].
        largest: `(na,)` size of the largest of that of late [rad/s²].
    """

    def __init__(self, robot: RobotDescription, period: float) -> None:
        self._joints, self._period = robot.command_indices, period
        na = len(self._joints)
        self.position, self.velocity, self.unexplained, self.largest = np.zeros((4, na))
        self._measured, self._last = np.zeros((2, 2, na))
        self._caused: Array = np.zeros((MEMORY, na))
        self._unmeasured: Array = np.zeros(na)
        wrong = unseen_speed(robot.velocity_limits, speed_noise(robot))
        self._most_wrong: Array = wrong[self._joints]
        self._newest = 0
        self._met = 1  # cycles since the measurement came
        self._measured_at = math.nan
        # compiled now, not in the first cycle
        self._observe(0.0, 1, 1.0)
        self._lead(1)
        self._measured_at = math.nan

    def look(self, state: RobotState, round_trip: float, reaction: float) -> None:
        """Take over where joints are and lead them on.

        Args:
            state: Last measured.
            round_trip: Time from a command to the measurement of what it did [s].
            reaction: Time within which what is unexplained is to be known [s].
        """
        under_way = max(round(min(round_trip / self._period, MEMORY // 2)), 1) - 1
        self._met += 1
        if state.stamp != self._measured_at or state.stamp == 0.0:
            state.position.take(self._joints, out=self._measured[0], mode="clip")
            state.velocity.take(self._joints, out=self._measured[1], mode="clip")
            self._observe(state.stamp, under_way, 1.0 / reaction)
            self._met = 0
        self._lead(min(under_way + self._met, MEMORY))

    def acts(self, acceleration: Array) -> None:
        """Remember what the command of this cycle does: `(na,)` [rad/s²]."""
        self._newest = (self._newest + 1) % MEMORY
        np.copyto(self._caused[self._newest], acceleration)

    def _observe(self, stamp: float, under_way: int, gain: float) -> None:
        """Compare a measurement with what the efforts it answers explain."""
        elapsed = stamp - self._measured_at if stamp != 0.0 else self._period
        if elapsed > 0.0:
            observe_unexplained(
                self._measured[1],
                self._last[1],
                self._caused,
                self._newest - under_way,
                min(self._met, MEMORY - under_way),
                gain,
                elapsed,
                self.unexplained,
                self.largest,
            )
            observe_unmeasured(
                self._measured,
                self._last,
                self._most_wrong,
                elapsed,
                UNMEASURED_MEMORY,
                self._unmeasured,
            )
        else:
            self.unexplained[:] = self._unmeasured[:] = 0.0
        self._measured_at = stamp
        np.copyto(self._last, self._measured)

    def _lead(self, cycles: int) -> None:
        lead_joints(
            self._measured,
            self._unmeasured,
            self._caused,
            self._newest,
            cycles,
            self._period,
            self.unexplained,
            self.position,
            self.velocity,
        )
