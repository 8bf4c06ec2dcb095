"""CommandWatch: whether commands do what they are for."""

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.goal_watch import GoalWatch
from controlit_ros.servo.oscillation_watch import OscillationWatch
from controlit_ros.servo.routine import Duty, by_python
from controlit_ros.servo.truncation_watch import TruncationWatch


class CommandWatch:
    """Joins what watches commands: whether the robot shakes, whether limits hold it back.

    Args:
        oscillations: Sees the shaking.
        truncations: Sees what is held back.
        goals: Remembers goals that swing.
        faults: Is told why the robot shall stay in the safe state.
    """

    def __init__(
        self,
        oscillations: OscillationWatch,
        truncations: TruncationWatch,
        goals: GoalWatch,
        faults: CycleFaults,
    ) -> None:
        self.follow_goals = goals.follow
        self._oscillations = oscillations
        self._truncations = truncations
        self._faults = faults
        self._rests = ("divergence", oscillations.rest), ("truncation", truncations.rest)

    @property
    def asked(self) -> Array:
        """What was asked for last, drives of the robot included; `(na,)`, always this memory."""
        return self._truncations.asked

    def restart(self) -> None:
        """Forget everything: time begins anew, or nothing is commanded."""
        self._oscillations.restart()
        self._truncations.restart()

    def complain(self, now: float) -> None:
        """Tell why the robot shall stay in the safe state, if it shall."""
        for what, rest in self._rests:
            if complaint := rest.complaint(now):
                self._faults.fail(what, complaint, now)

    def asking(self, command: Command, state: RobotState) -> Duty:
        """Return what keeps what is asked for, before any limit is applied.

        Args:
            command: As it was computed.
            state: Measured.
        """
        return self._truncations.asking(command, state)

    def looking(
        self, command: Command, state: RobotState, gravity: Array | None
    ) -> tuple[Duty, ...]:
        """Return what sees what becomes of it.

        Args:
            command: With limits applied.
            state: Measured.
            gravity: `(na,)` effort at which nothing accelerates [N m]; `None`: control is not
                active, and nothing is held back.
        """
        oscillations = self._oscillations.looking(command, state)
        if gravity is None:
            return *oscillations, by_python(lambda _: self._truncations.begin())
        return oscillations + self._truncations.looking(command, gravity)
