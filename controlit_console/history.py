"""History: the last numbers of what is plotted."""

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np

from controlit_ros.arrays import Array

LONGEST = 120.0  # [s]


class History:
    """Keeps numbers by name and time, as long as the longest window."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._rows: deque[Mapping[str, float]] = deque()

    def add(self, time: float, numbers: Mapping[str, float]) -> None:
        """Keep the numbers of a moment [s]; what is too old goes."""
        self._times.append(time)
        self._rows.append(numbers)
        while self._times and time - self._times[0] > LONGEST:
            self._times.popleft()
            self._rows.popleft()

    def series(self, names: Sequence[str], window: float) -> tuple[Array, ...]:
        """Return times before now and the numbers of each name, not a number where there is none.

        Args:
            names: Which.
            window: How far back [s].

        Returns:
            `(k,)` times [s], all at most zero, then `(k,)` for each name; at least one row.
        """
        if not self._times:
            return tuple(np.zeros(1) for _ in range(len(names) + 1))
        now = self._times[-1]
        first = next(i for i, time in enumerate(self._times) if now - time <= window)
        times = np.array(list(self._times)[first:]) - now
        rows = list(self._rows)[first:]
        return (times, *(np.array([row.get(name, np.nan) for row in rows]) for name in names))
