"""FallWatch: notices that a robot that stood on its feet has fallen over."""

import math

from controlit_ros.model import RobotState
from controlit_ros.servo.base_vertical import BaseVertical
from controlit_ros.servo.cycle_faults import CycleFaults

LARGEST_SHARE = 0.2  # [-] of an effort limit that damps a joint of a fallen robot
FADING = 2.0  # [s] in which that decreases to 1/e


class FallWatch:
    """Compares how the base leans with how it did when control began; servo thread.

    A robot that has fallen is no longer on the contacts that its model has, so neither control nor
    a posture nor compensation of gravity is of use: they would make it thrash about. It has fallen
    until control is asked for anew, standing up or not. Turns about the vertical do not count.
    Until then its joints are damped by efforts within a share of their limits, which decreases.

    Args:
        limit: Tilt from which the robot has fallen [rad]; infinite: it cannot fall.
        faults: Is told, which keeps the robot in the safe state.

    Attributes:
        fallen_at: When it fell since control began [s]; infinite: it has not.
    """

    def __init__(self, limit: float, faults: CycleFaults) -> None:
        self.fallen_at = math.inf
        self._limit = limit
        self._faults = faults
        self._begun: BaseVertical | None = None
        self._tilt = 0.0

    @property
    def has_fallen(self) -> bool:
        """Whether it has since control began."""
        return self.fallen_at < math.inf

    def effort_share(self, now: float) -> float:
        """Return the largest share of each effort limit that a fallen robot gets at a time [s]."""
        return LARGEST_SHARE * math.exp(min(self.fallen_at - now, 0.0) / FADING)

    def restart(self) -> None:
        """Forget everything: the robot is not controlled."""
        self.fallen_at = math.inf
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
            self.fallen_at = now
            self._tilt = tilt
        if self.has_fallen:
            self._faults.fail("fall", self._told, now)

    def _told(self) -> str:
        return (
            f"the robot has fallen: its base leans by {self._tilt:.2f} rad from how it did when "
            f"control began, expected at most {self._limit:g} (fall_tilt); joints are damped "
            f"by at most {LARGEST_SHARE:.0%} of their effort limits until control is deactivated "
            "and activated again"
        )
