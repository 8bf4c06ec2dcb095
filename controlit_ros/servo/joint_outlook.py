"""JointOutlook: where joints will be, and how fast, when the next command acts."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels import bind, look_ahead
from controlit_ros.kernels import joint_outlook as layout
from controlit_ros.model import RobotDescription, RobotState
from controlit_ros.servo.plausibility import speed_noise, unseen_speed
from controlit_ros.servo.routine import Duty, nothing_more

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
        times: `(OUTLOOK_TIMES,)` likewise; who knows the round trip writes what depends on it [s].
        caused: `(MEMORY, na)` ring of what the commands cause, written by who commands [rad/s²].
        ring: `(2,)` its newest row, and the cycles since the measurement came.
    """

    def __init__(self, robot: RobotDescription, fastest: Array, period: float) -> None:
        self._joints = robot.command_indices
        na = len(self._joints)
        self.rows = rows = np.zeros((layout.OUTLOOK_ROWS, na))
        rows[layout.WRONG] = unseen_speed(robot.velocity_limits, speed_noise(robot))[self._joints]
        rows[layout.FASTEST] = fastest
        led, observed = rows[layout.LED :], rows[layout.OBSERVED : layout.LED]
        self.position, self.velocity, _, self.room = led
        self.velocities: Array = led[layout.VELOCITY : layout.SPEED + 1]
        self.unexplained: Array = observed[layout.STEADY : layout.SOON + 1]
        self.caused: Array = np.zeros((MEMORY, na))
        self.ring = np.array([0, 1], dtype=np.int64)
        self.times: Array = np.zeros(layout.OUTLOOK_TIMES)
        self.times[layout.OUTLOOK_PERIOD] = period
        self.times[layout.MEMORY] = UNMEASURED_MEMORY
        self.times[layout.MEASURED_AT] = math.nan

    def looking(self, state: RobotState) -> Duty:
        """Return what takes over where joints are, as it is measured, and leads them on."""
        look = bind(
            look_ahead,
            state.motion,
            state.position,
            state.velocity,
            self._joints,
            self.rows,
            self.caused,
            self.ring,
            self.times,
        )
        return Duty(look, nothing_more)
