"""Sampler: a vector that the servo offers now and then."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from operator import is_
from typing import Any

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import GIVEN, bind, offer_row
from controlit_ros.kernels.bind import address_of
from controlit_ros.kernels.message_row import VALUES
from controlit_ros.kernels.offer_rows import HEADER, RAISED, SOURCE_COLUMNS
from controlit_ros.parameters import Parameter
from controlit_ros.servo.delivery import Copies, Delivery
from controlit_ros.servo.hand_off import HandOff
from controlit_ros.servo.shared_memory import Memory
from controlit_ros.servo.standing_row import StandingRow

Value = Callable[[Array], None] | Sequence[Array] | Parameter | StandingRow
"""What writes a vector into a row, or where it always stands."""
Source = tuple[int, int]
"""Address of an array, and how many numbers it has."""

NOTHING = -1  # no revision


class Sampler:
    """A vector the servo offers at up to a given rate, while somebody wants it.

    Args:
        width: Numbers in the vector.
        value: The arrays where it always stands, one after the other, or a vector or number that is
            a parameter; or a `StandingRow`, where some of it is written just before; or what writes
            it into the row it is given, in the servo thread.
        deliver: Takes stamp [s] and values, or the rows where they are; runs in the writer thread.
        rate: Highest rate of offers [Hz]; 0: every cycle.
        wanted: Tells whether anybody listens; asked by the writer thread now and then.
        of: Whose changes the vector tells, which is then offered only after one.

    Raises:
        TypeError: An array is none of float64 numbers one after the other.
        ValueError: The arrays have more or fewer numbers.

    Attributes:
        begin: Where its rows are in the memory of the outbox, by which servo and front name it.
        delivery: What becomes of its rows.
        hand_off: The ring of its rows; once it is placed.
        ring: Its address, its words, and how many there are from row to row; once it is placed.
        read: What reads the row at a place of the ring for the delivery; once it is placed.
        flag: A byte that tells the writer thread to look there; once it is placed.
        interest: A byte that tells the servo to offer; once it is placed.
        period: Between two offers; 0: a cycle [s].
        due: When it is, at the earliest [s].
    """

    is_on_demand = False
    """Whether a reader waits for its values."""

    hand_off: HandOff
    ring: tuple[int, int, int]
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
        of: Parameter | None = None,
    ) -> None:
        self.delivery = Copies(deliver) if callable(deliver) else deliver
        self.wanted = wanted
        self.width = width
        self.begin = NOTHING
        self._parameter = value if isinstance(value, Parameter) else None
        self._memory: Array | None = None  # of the parameter, when it was last looked at
        self._sources: tuple[Source, ...] = ()
        self._standing: StandingRow | None = None
        self._moves = NOTHING  # of parameters, when its arrays were looked for
        self._kept: tuple[Array, ...] = ()
        if isinstance(value, StandingRow):
            self._standing = value
        elif callable(value):
            self._fill = value
        elif isinstance(value, Parameter):
            self._fill = partial(_write_value, value)
        else:
            self._fill = partial(_write_arrays, tuple(value))
            self._sources = tuple(map(_source, value))
            _check_width(self._sources, width)
        self.period = 1.0 / rate if rate > 0.0 else 0.0
        self.due = 0.0
        self._of = of
        self._offered = NOTHING

    def place(self, memory: Memory, flag: memoryview, interest: memoryview) -> None:
        """Make the ring of rows, in some memory of zeros."""
        self.flag, self.interest = flag, interest
        self.hand_off = HandOff(self.width, memory=memory)
        words = self.hand_off.memory
        self.ring = (address_of(words), len(words), self.hand_off.stride)
        self.read = self.delivery.reader(self.hand_off)
        self.is_wanted = self.wanted is None
        if self._standing is not None:
            self._find(self._standing)
            _compile_copying()

    @property
    def is_paced(self) -> bool:
        """Whether nothing but time makes it due."""
        return self.period > 0.0 and self._of is None

    @property
    def waits_for_change(self) -> bool:
        """Whether nothing but the change of a parameter makes it due, sooner or later."""
        return self._of is not None

    @property
    def has_untold(self) -> bool:
        """Whether that parameter has changed since the last offer."""
        return self._of is not None and self._of.revision != self._offered

    @property
    def sources(self) -> tuple[Source, ...]:
        """What a kernel copies in place of `offer`, until a parameter moves; empty: it cannot."""
        if self._of is not None:
            return ()
        if self._parameter is not None and self._parameter.memory is not self._memory:
            self._memory = memory = self._parameter.memory
            fits = memory is not None and _is_source(memory) and memory.size == self.width
            self._sources = (_source(memory),) if fits else ()
        return self._sources

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
        if self._of is not None:
            if not self.has_untold:
                return False
            self._offered = self._of.revision
        # from the due time, not from now, so that the rate holds on average
        self.due = max(self.due + self.period, now - self.period)
        if self._standing is None:
            self._fill(self.hand_off.begin(now))
            self.hand_off.commit()
        else:
            self._copy_row(self._standing, now)
        self.flag[0] = RAISED
        return True

    def offer_at_rest(self, now: float) -> None:
        """Offer the value out of turn, between two cycles; servo thread."""
        due, self.due = self.due, now
        self.offer(now)
        self.due = due

    def _copy_row(self, row: StandingRow, now: float) -> None:
        """Let a row be prepared, and copy it."""
        if self._moves != Parameter.moves:
            self._find(row)
        row.prepare()
        self._copy(float(now))

    def _find(self, row: StandingRow) -> None:
        """Find where a row stands."""
        self._moves, arrays = Parameter.moves, tuple(row.arrays())
        if len(arrays) == len(self._kept) and all(map(is_, arrays, self._kept)):
            return  # others moved
        sources = [_source(array) for array in arrays if array.size]
        _check_width(sources, self.width)
        ring: Indices = np.array([*self.ring, 0, len(sources), 0], dtype=np.int64)
        table: Indices = np.array(sources, dtype=np.int64).reshape(-1, SOURCE_COLUMNS)
        self._copy = bind(offer_row, GIVEN, ring, table)
        self._kept = arrays


@cache
def _compile_copying() -> None:
    """Copy a row of nothing, so that the kernel is compiled before a cycle needs it."""
    ring: Array = np.zeros(HEADER + VALUES)
    row: Indices = np.array([address_of(ring), len(ring), VALUES, 0, 0, 0], dtype=np.int64)
    table: Indices = np.zeros((0, SOURCE_COLUMNS), dtype=np.int64)
    bind(offer_row, GIVEN, row, table)(0.0)


def _write_value(parameter: Parameter, row: Array) -> None:
    row[:] = parameter.value


def _write_arrays(arrays: tuple[Array, ...], row: Array) -> None:
    begin = 0
    for array in arrays:
        end = begin + array.size
        row[begin:end] = array.reshape(-1)
        begin = end


def _check_width(sources: Sequence[Source], width: int) -> None:
    found = sum(size for _, size in sources)
    if found != width:
        raise ValueError(f"found arrays of {found} numbers, expected {width}")


def _is_source(value: Any) -> bool:
    is_array = isinstance(value, np.ndarray)
    return is_array and value.dtype == np.float64 and value.flags.c_contiguous


def _source(value: Any) -> Source:
    if not _is_source(value):
        raise TypeError(f"found {value!r}, expected an array of float64 in C order")
    return address_of(value), value.size
