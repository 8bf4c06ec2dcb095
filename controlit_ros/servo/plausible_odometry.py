"""PlausibleOdometry: odometry that is doubted before it is used."""

import numpy as np

from controlit_ros.model import RobotState
from controlit_ros.servo.odometry import Odometry
from controlit_ros.servo.plausibility import Judgement, Plausibility, PlausibilitySettings


class PlausibleOdometry:
    """Writes where the base is into the robot's state, and keeps what cannot be out of it.

    Args:
        odometry: Takes what is told.
        settings: What is believed.
        period: Of the servo [s].

    Attributes:
        plausibility: Judges each pose that is told.
        name: What complaints are about.
        remark: What was not believed, beside what is complained of: nothing.
    """

    name = "odometry"
    remark = ""

    def __init__(self, odometry: Odometry, settings: PlausibilitySettings, period: float) -> None:
        self.plausibility = Plausibility((), np.zeros((4, 0)), settings, period, with_base=True)
        self._odometry = odometry
        self._told, self._good = RobotState(()), RobotState(())
        self._revision = -1
        self.plausibility.judge(self._told, self._good, 0.0)  # compiled now, not in a cycle
        self.plausibility.begin()

    @property
    def refused(self) -> int:
        """Poses that were not believed."""
        return self.plausibility.refused

    def begin(self) -> None:
        """Forget what was told; servo thread, before the first cycle."""
        self._odometry.begin()
        self.plausibility.begin()
        self._revision = self._odometry.position.revision

    def take_over(self, state: RobotState, now: float) -> str:
        """Write the base into a state; servo thread.

        Returns:
            What is wrong; empty: nothing.
        """
        complaint = self._odometry.take_over(self._told, now)
        if self._odometry.position.revision != self._revision:
            self._revision = self._odometry.position.revision
            complaint = self._judge(now) or complaint
        elif self.plausibility.is_doubtful:
            complaint = self._doubt()
        np.copyto(state.base_position, self._good.base_position)
        np.copyto(state.base_orientation, self._good.base_orientation)
        np.copyto(state.base_velocity, self._good.base_velocity)
        return complaint

    def _judge(self, now: float) -> str:
        plausibility = self.plausibility
        verdict = plausibility.judge(self._told, self._good, now)
        if verdict is Judgement.REFUSED:
            return self._doubt() if plausibility.is_doubtful else ""
        self._good.copy_from(self._told)
        moved = verdict is Judgement.MOVED
        return f"odometry: the base was moved: {plausibility.explain()}" if moved else ""

    def _doubt(self) -> str:
        return f"odometry that cannot be: {self.plausibility.explain()}"
