"""HandOff: bounded, one-way, from the servo thread to one reader, never waiting."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CAPACITY = 64  # [rows] 64 ms at 1 kHz, more than any pause of a healthy reader


class Sample(NamedTuple):
    """One row as the reader receives it.

    Attributes:
        stamp: When it was offered, on the servo's clock [s].
        values: `(width,)`, the reader's own copy.
    """

    stamp: float
    values: npt.NDArray[np.float64]


class HandOff:
    """Ring of rows allocated once; a slow reader loses the oldest and the loss is counted.

    The writer never looks at the reader: it overwrites. The reader copies a row and then checks
    that the writer has not come round to it meanwhile.

    Args:
        width: Numbers in a row.
        capacity: Rows kept for the reader.

    Attributes:
        dropped: Rows the reader was too slow for.
    """

    def __init__(self, width: int, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._rows: npt.NDArray[np.float64] = np.zeros((capacity, width + 1))
        self._slots: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]] = [
            (row, row[1:]) for row in self._rows
        ]
        self._written = 0
        self._read = 0
        self.dropped = 0

    def begin(self, stamp: float) -> npt.NDArray[np.float64]:
        """Return the row to fill in; writer only."""
        row, values = self._slots[self._written % self._capacity]
        row[0] = stamp
        return values

    def commit(self) -> None:
        """Hand the row over; writer only."""
        self._written += 1

    def drain(self) -> list[Sample]:
        """Return copies of all rows not read yet, oldest first; reader only."""
        samples = []
        end = self._written  # what is offered meanwhile waits for the next call
        while self._read < end:
            # the row after the newest may be half written, so one row less than the capacity counts
            behind = self._written - self._read - (self._capacity - 1)
            if behind > 0:
                self._read += behind
                self.dropped += behind
            row = self._rows[self._read % self._capacity].copy()
            if self._written - self._read >= self._capacity:
                self.dropped += 1
            else:
                samples.append(Sample(float(row[0]), row[1:]))
            self._read += 1
        return samples
