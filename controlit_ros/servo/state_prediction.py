"""StatePrediction: the state that a command will meet, from the commands under way."""

import math
from enum import Enum

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.kernels import lead_state
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription

LONGEST = 0.1  # [s] over which one model may lead a state; later it would be another model
SCRATCH_ROWS = 6

TOO_LONG = (
    f"a measurement answers commands only after more than {LONGEST:g} s: the state is not predicted"
)
UNKNOWN = (
    "the robot reflects no numbers of commands, and no round_trip_delay is stated: the state is "
    "not predicted"
)


class Prediction(Enum):
    """What model and tasks see of the robot."""

    NONE = "none"
    """What was measured."""
    MODEL = "model"
    """What was measured, led ahead over the delay by the model and the commands under way."""


class StatePrediction:
    """Remembers efforts and leads measured states ahead; servo thread, allocates nothing.

    A measurement answers the command whose number it reflects; those sent after it are under way.
    Where the robot reflects no number, the stated delay tells which they are. A joint is led by the
    acceleration that the active model says they cause (`kernels.lead_state`), the base not at all.

    Where the delay is not known, or longer than `LONGEST`, the state stays what was measured.

    Args:
        robot: Its base must be bolted to the world.
        prediction: Whether there is one.
        frequency: Of the servo [Hz].
        delay: Of the round trip, where it is stated; 0: unknown [s].

    Attributes:
        complaint: Why there was no prediction in the last cycle; empty: there was, or nothing is
            under way.
        lead: How far the last state was led ahead [s].
    """

    def __init__(
        self, robot: RobotDescription, prediction: Prediction, frequency: float, delay: float
    ) -> None:
        self.complaint = ""
        self.lead = 0.0
        self._is_on = prediction is Prediction.MODEL
        na = len(robot.command_joints)
        size = 2 * math.ceil(LONGEST * frequency) + 2 if self._is_on else 1
        self._delay = delay
        self._half_period = 0.5 / frequency
        self._size = size
        self._sent: Array = np.zeros((size, na))
        self._sent_at: Array = np.zeros(size)
        self._limits: Array = np.vstack(
            [robot.lower_limits, robot.upper_limits, robot.velocity_limits]
        )
        self._work: Array = np.zeros((SCRATCH_ROWS, na))
        self._led = robot.create_state()
        self.restart()
        if self._is_on:  # compiled now, not in the first cycle
            nv = robot.nv
            lead_state(
                self._led.position, self._led.velocity, self._limits, 0.0, 0.0, self._sent,
                self._sent_at, 0, 0, np.zeros(na), np.zeros((na, na)), np.zeros((na, na)),
                np.zeros((nv, na)), np.zeros(nv), BASE_DOFS, self._work,
            )  # fmt: skip

    def restart(self) -> None:
        """Forget what is under way: no command reaches the robot."""
        self._known = 0
        self._first = self._newest = 0
        self._since = math.inf

    def sent(self, sequence: int, effort: Array, now: float) -> None:
        """Remember what moves the robot from now on.

        Args:
            sequence: Number of the command; one more than that of the last.
            effort: `(na,)` without what friction takes of it.
            now: The present time [s].
        """
        if not self._is_on:
            return
        row = sequence % self._size
        self._sent[row] = effort
        self._sent_at[row] = now
        if not self._known:
            self._first, self._since = sequence, now
        self._newest = sequence
        self._known = min(self._known + 1, self._size)

    def seen(
        self, measured: RobotState, model: ConstrainedModel, now: float, arrived: float
    ) -> RobotState:
        """Return what the next command will meet.

        Args:
            measured: Unchanged.
            model: Newest there is.
            now: The present time [s].
            arrived: When the measurement came [s].

        Returns:
            The same, or a state that is valid until the next call.
        """
        self.complaint, self.lead = "", 0.0
        if not self._is_on or not self._known:
            return measured
        start = self._start(measured.reflected_sequence, now, arrived)
        lead = now - start
        if not lead > 0.0:
            return measured
        if lead > LONGEST + self._half_period:
            self.complaint = TOO_LONG
            return measured
        led = self._led
        led.copy_from(measured)
        is_led = lead_state(
            led.position, led.velocity, self._limits, start, now, self._sent, self._sent_at,
            self._newest % self._size, self._known, model.bias_effort, model.Phi,
            model.effort_map, model.task_map, model.drift, BASE_DOFS, self._work,
        )  # fmt: skip
        if not is_led:
            return measured
        self.lead = lead
        return led

    def _start(self, reflected: int, now: float, arrived: float) -> float:
        """Return since when efforts act that the measurement does not answer; `now`: none [s]."""
        if self._first <= reflected <= self._newest:
            under_way = self._newest - reflected
            if under_way > self._known:
                return -math.inf
            return self._sent_at.item((reflected + 1) % self._size) if under_way else now
        if self._delay > 0.0:
            return arrived - self._delay
        if now - self._since > LONGEST:
            self.complaint = UNKNOWN
        return now
