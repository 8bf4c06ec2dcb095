"""FallWatch: notices that a robot that stood on its feet has fallen over."""

import math

from controlit_ros.model import RobotState
from controlit_ros.servo.base_vertical import BaseVertical
from controlit_ros.servo.cycle_faults import CycleFaults


class FallWatch:
    """Compares how the base leans with how it did when control began; servo thread.

    A robot that has fallen is no longer on the contacts that its model has, so neither control nor
    a posture nor compensation of gravity is of use: they would make it thrash about. It has fallen
    until control is asked for anew, standing up or not. Turns about the vertical do not count.

    Args:
        limit: Tilt from which the robot has fallen [rad]; infinite: it cannot fall.
        faults: Is told, which keeps the robot in the safe state.

    Attributes:
        has_fallen: Whether it has since control began.
    """

    def __init__(self, limit: float, faults: CycleFaults) -> None:
        self.has_fallen = False
        self._limit = limit
        self._faults = faults
        self._begun: BaseVertical | None = None
        self._tilt = 0.0

    def restart(self) -> None:
        """Forget everything: the robot is not controlled."""
        self.has_fallen = False
        self._begun = None

    def look(self, state: RobotState, now: float) -> None:
        """See how the base leans, and tell if the robot has fallen.

        Args:
            state: Measured, or estimated.
            now: Time on the servo's clock [s].
        """
        if math.isinf(self._limit):
            return
        up = BaseVertical.of(state)
        if self._begun is None:
            self._begun = up
        tilt = self._begun.angle_to(up)
        if tilt > self._limit and not self.has_fallen:
            self.has_fallen = True
            self._tilt = tilt
        if self.has_fallen:
            self._faults.fail("fall", self._told, now)

    def _told(self) -> str:
        return (
            f"the robot has fallen: its base leans by {self._tilt:.2f} rad from how it did when "
            f"control began, expected at most {self._limit:g} (fall_tilt); joints are damped "
            "until control is activated anew"
        )
