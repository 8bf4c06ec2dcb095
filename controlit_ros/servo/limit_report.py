"""LimitReport: counts the violations of one kind of limit and tells of them, joint by joint."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from controlit_ros.servo.notice import THROTTLE_PERIOD, NoticeBoard, NoticeLevel

Array = npt.NDArray[np.float64]


class LimitReport:
    """Warns of each joint at most once a second; joints that are due together share a notice.

    Args:
        what: Name of the limit.
        quantity: What was compared with it.
        joints: Names of the joints.
        notices: Takes the warnings.

    Attributes:
        counts: `(n,)` cycles in which each joint passed the limit.
        total: Their sum.
    """

    def __init__(
        self, what: str, quantity: str, joints: Sequence[str], notices: NoticeBoard
    ) -> None:
        self.what = what
        self.counts: npt.NDArray[np.int64] = np.zeros(len(joints), dtype=np.int64)
        self.total = 0
        self._quantity = quantity
        self._joints = tuple(joints)
        self._notices = notices
        self._told_at = np.full(len(joints), -np.inf)
        self._told = np.zeros(len(joints), dtype=np.int64)

    def tell(
        self, passed: npt.NDArray[np.bool_], values: Array, lower: Array, upper: Array, now: float
    ) -> None:
        """Count the joints that passed a limit and warn of those that were not told of lately.

        Args:
            passed: `(n,)` which joints.
            values: `(n,)` what was found.
            lower: `(n,)` the limits below.
            upper: `(n,)` the limits above.
            now: The present time [s].
        """
        self.counts += passed
        self.total += int(np.count_nonzero(passed))
        due = np.flatnonzero(passed & (now - self._told_at >= THROTTLE_PERIOD))
        if not len(due):
            return
        parts = [
            f"{self._joints[i]}: {self._quantity} {values[i]:.4g}, "
            f"limit {_nearer(values[i], lower[i], upper[i]):.4g}"
            for i in due.tolist()
        ]
        repeated = int((self.counts[due] - self._told[due] - 1).sum())
        self._told_at[due] = now
        self._told[due] = self.counts[due]
        text = f"{self.what} of {'; '.join(parts)}"
        self._notices.put(NoticeLevel.WARNING, self.what, text, now, repeated)


def _nearer(value: float, lower: float, upper: float) -> float:
    return upper if abs(upper - value) <= abs(value - lower) else lower
