"""LimitReport: counts the violations of one kind of limit and tells of them, joint by joint."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.servo.throttle import Throttle

LONGEST_PERIOD = (
    60.0  # [s] between warnings of a joint that stays at its limit, as some do for ever
)


@dataclass
class Tally:
    """Violations of all limits together.

    Attributes:
        total: Cycles in which a joint passed a limit, summed over joints and limits.
    """

    total: int = 0


class LimitReport:
    """Warns of each joint less and less often while it goes on; see `Throttle`.

    Joints that are due together share a notice.

    Args:
        what: Name of the limit.
        quantity: What was compared with it.
        joints: Names of the joints.
        notices: Takes the warnings.
        tally: Counts with it what all reports count.

    Attributes:
        total: Cycles in which a joint passed the limit, summed over the joints.
    """

    def __init__(
        self,
        what: str,
        quantity: str,
        joints: Sequence[str],
        notices: NoticeBoard,
        tally: Tally,
    ) -> None:
        self.what = what
        self.total = 0
        self._quantity = quantity
        self._joints = tuple(joints)
        self._notices = notices
        self._tally = tally
        self._throttles = tuple(Throttle(LONGEST_PERIOD) for _ in joints)

    def tell_passed(self, values: Array, lower: Array, upper: Array, now: float) -> None:
        """Count and warn of values that are beyond limits, see `tell`; one that is none is not."""
        self.tell((values < lower) | (values > upper), values, lower, upper, now)

    def tell(self, passed: Flags, values: Array, lower: Array, upper: Array, now: float) -> None:
        """Count the joints that passed a limit and warn of those that were not told of lately.

        Args:
            passed: `(n,)` which joints.
            values: `(n,)` what was found.
            lower: `(n,)` the limits below.
            upper: `(n,)` the limits above.
            now: The present time [s].
        """
        found = np.flatnonzero(passed).tolist()
        self.total += len(found)
        self._tally.total += len(found)
        due = [i for i in found if self._throttles[i].passes(now)]
        if not due:
            return
        parts = [
            f"{self._joints[i]}: {self._quantity} {values[i]:.4g}, "
            f"limit {_nearer(values[i], lower[i], upper[i]):.4g}"
            for i in due
        ]
        repeated = sum(self._throttles[i].take_held() for i in due)
        text = f"{self.what} of {'; '.join(parts)}"
        self._notices.put(NoticeLevel.WARNING, self.what, text, now, repeated)


def _nearer(value: float, lower: float, upper: float) -> float:
    return upper if abs(upper - value) <= abs(value - lower) else lower
