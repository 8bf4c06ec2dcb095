"""Series: values over time."""

from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from controlit_ros.arrays import Array


class Track(NamedTuple):
    """What a series holds, as arrays.

    Attributes:
        times: `(n,)` [s].
        values: `(n, k)`.
    """

    times: Array
    values: Array


class Series:
    """Grows by one row of `width` numbers at a time; one writer, any number of readers.

    Attributes:
        last: The newest row, `None` before the first.
        last_time: Its time, minus infinity before the first [s].
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.last: Array | None = None
        self.last_time = -np.inf
        self._rows: deque[tuple[float, Array]] = deque()

    def append(self, time: float, values: npt.ArrayLike) -> None:
        """Add a row."""
        row = np.array(values, dtype=float).reshape(self.width)
        self._rows.append((time, row))
        self.last, self.last_time = row, time

    def __len__(self) -> int:
        return len(self._rows)

    def track(self, begin: float = -np.inf, end: float = np.inf) -> Track:
        """Return the rows of a span of time, ends included."""
        rows = [row for row in self._rows.copy() if begin <= row[0] <= end]
        times = np.array([time for time, _ in rows])
        values = np.array([row for _, row in rows]).reshape(len(rows), self.width)
        return Track(times, values)
