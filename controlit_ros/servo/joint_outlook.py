"""JointOutlook: where joints will be, and how fast, when the next command acts."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import joint_outlook as layout
from controlit_ros.kernels import lead_joints, observe_joints
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
    """

    def __init__(self, robot: RobotDescription, fastest: Array, period: float) -> None:
        self._joints, self._fastest, self._period = robot.command_indices, fastest, period
        na = len(self._joints)
        self._measured, self._last = np.zeros((2, 2, na))
        self._observed: Array = np.zeros((layout.OBSERVED_ROWS, na))
        self._led: Array = np.zeros((layout.LED_ROWS, na))
        self.position, self.velocity, _, self.room = self._led
        self.velocities = self._led[layout.VELOCITY : layout.SPEED + 1]
        self.unexplained = self._observed[layout.STEADY : layout.SOON + 1]
        self._caused: Array = np.zeros((MEMORY, na))
        wrong = unseen_speed(robot.velocity_limits, speed_noise(robot))
        self._wrong: Array = wrong[self._joints]
        self._newest = 0
        self._met = 1  # cycles since the measurement came
        self._measured_at = math.nan
        # compiled now, not in the first cycle
        self._observe(0.0, 1, (1.0, 1.0))
        self._lead(1, period)
        self._measured_at = math.nan

    def look(self, state: RobotState, round_trip: float, times: tuple[float, float]) -> None:
        """Take over where joints are and lead them on.

        Args:
            state: Last measured.
            round_trip: Time from a command to the measurement of what it did, 0: unknown [s].
            times: In which what is unexplained is known, without noise and soon [s].
        """
        round_trip = max(min(round_trip, MEMORY // 2 * self._period), self._period)
        under_way = round(round_trip / self._period) - 1
        self._met += 1
        if state.stamp != self._measured_at or state.stamp == 0.0:
            state.position.take(self._joints, out=self._measured[0], mode="clip")
            state.velocity.take(self._joints, out=self._measured[1], mode="clip")
            self._observe(state.stamp, under_way, (1.0 / times[0], 1.0 / times[1]))
            self._met = 0
        self._lead(min(under_way + self._met, MEMORY), round_trip)

    def acts(self, Phi: Array, effort: Array) -> None:
        """Remember what the command of this cycle does.

        Args:
            Phi: `(na, na)` acceleration of the joints by efforts.
            effort: `(na,)` beyond what holds the robot [N m].
        """
        self._newest = (self._newest + 1) % MEMORY
        np.dot(Phi, effort, out=self._caused[self._newest])

    def _observe(self, stamp: float, under_way: int, gains: tuple[float, float]) -> None:
        """Compare a measurement with what the efforts it answers explain."""
        elapsed = stamp - self._measured_at if stamp != 0.0 else self._period
        if elapsed > 0.0:
            observe_joints(
                self._measured,
                self._last,
                self._caused,
                self._newest - under_way,
                min(self._met, MEMORY - under_way),
                self._wrong,
                gains,
                UNMEASURED_MEMORY,
                elapsed,
                self._observed,
            )
        else:  # the first, or time began anew
            self._observed[:] = 0.0
            np.copyto(self._last, self._measured)
        self._measured_at = stamp

    def _lead(self, cycles: int, round_trip: float) -> None:
        lead_joints(
            self._measured,
            self._observed,
            self._caused,
            self._newest,
            cycles,
            self._period,
            round_trip,
            self._fastest,
            self._led,
        )
