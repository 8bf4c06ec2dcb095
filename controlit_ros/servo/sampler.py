"""Sampler: a vector that the servo offers now and then."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels.offer_rows import RAISED
from controlit_ros.servo.delivery import Copies, Delivery
from controlit_ros.servo.hand_off import HandOff
from controlit_ros.servo.shared_memory import Memory

Value = Callable[[Array], None] | Sequence[Array]
"""What writes a vector into a row, or the arrays that it consists of."""

NOTHING = -1  # no revision


class Sampler:
    """A vector the servo offers at up to a given rate, while somebody wants it.

    Args:
        width: Numbers in the vector.
        value: The arrays where it always stands, one after the other; or what writes it into the
            row it is given, in the servo thread.
        deliver: Takes stamp [s] and values, or the rows where they are; runs in the writer thread.
        rate: Highest rate of offers [Hz]; 0: every cycle.
        wanted: Tells whether anybody listens; asked by the writer thread now and then.
        revision: Counts the changes of the vector, which is then offered only after one; runs in
            the servo thread.

    Raises:
        TypeError: An array is none of float64 numbers one after the other.

    Attributes:
        begin: Where its rows are in the memory of the outbox, by which servo and front name it.
        sources: The arrays where the vector always stands, if it does.
        delivery: What becomes of its rows.
        hand_off: The ring of its rows; once it is placed.
        read: What reads the row at a place of the ring for the delivery; once it is placed.
        flag: A byte that tells the writer thread to look there; once it is placed.
        interest: A byte that tells the servo to offer; once it is placed.
        period: Between two offers; 0: a cycle [s].
        due: When it is, at the earliest [s].
    """

    hand_off: HandOff
    read: Callable[[int], Any]
    flag: memoryview
    interest: memoryview

    def __init__(
        self,
        width: int,
        value: Value,
        deliver: Callable[[float, Array], None] | Delivery,
        *,
        rate: float = 0.0,
        wanted: Callable[[], bool] | None = None,
        revision: Callable[[], int] | None = None,
    ) -> None:
        self.delivery = Copies(deliver) if callable(deliver) else deliver
        self.wanted = wanted
        self.width = width
        self.begin = NOTHING
        self.sources = () if callable(value) else tuple(map(_source, value))
        self._fill = value if callable(value) else self._copy
        self.period = 1.0 / rate if rate > 0.0 else 0.0
        self.due = 0.0
        self._revision = revision
        self._offered = NOTHING

    def place(self, memory: Memory, flag: memoryview, interest: memoryview) -> None:
        """Make the ring of rows, in some memory of zeros."""
        self.flag, self.interest = flag, interest
        self.hand_off = HandOff(self.width, memory=memory)
        self.read = self.delivery.reader(self.hand_off)
        self.is_wanted = self.wanted is None

    @property
    def is_paced(self) -> bool:
        """Whether nothing but time makes it due."""
        return self.period > 0.0 and self._revision is None

    @property
    def is_copied(self) -> bool:
        """Whether a kernel can do what `offer` does."""
        return self._revision is None and bool(self.sources)

    @property
    def is_wanted(self) -> bool:
        """Whether anybody listens, as the writer thread found."""
        return self.interest[0] == RAISED

    @is_wanted.setter
    def is_wanted(self, is_wanted: bool) -> None:
        self.interest[0] = RAISED if is_wanted else 0

    def remind(self) -> None:
        """Raise the flag if there are rows that nobody has read."""
        if self.hand_off.written[0] != self.hand_off.read:
            self.flag[0] = RAISED

    def restart(self, now: float) -> None:
        """Be due at a time [s], whatever was before; servo thread."""
        self.due = now
        self._offered = NOTHING

    def offer(self, now: float) -> bool:
        """Offer the value if it is due; servo thread."""
        if now < self.due:
            return False
        if self._revision is not None:
            revision = self._revision()
            if revision == self._offered:
                return False
            self._offered = revision
        # from the due time, not from now, so that the rate holds on average
        self.due = max(self.due + self.period, now - self.period)
        self._fill(self.hand_off.begin(now))
        self.hand_off.commit()
        self.flag[0] = RAISED
        return True

    def _copy(self, row: Array) -> None:
        np.concatenate(self.sources, axis=None, out=row)


def _source(value: Any) -> Array:
    is_array = isinstance(value, np.ndarray)
    if not (is_array and value.dtype == np.float64 and value.flags.c_contiguous):
        raise TypeError(f"found {value!r}, expected an array of float64 in C order")
    array: Array = value
    return array
