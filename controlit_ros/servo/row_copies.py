"""RowCopies: vectors that are offered by one compiled call, without the interpreter."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices, Octets
from controlit_ros.kernels import GIVEN, BoundKernel, bind, offer_rows
from controlit_ros.kernels.offer_rows import (
    DUE,
    RING_COLUMNS,
    SOURCE_COLUMNS,
    TIME_COLUMNS,
    TURN_WORDS,
)
from controlit_ros.servo.sampler import Sampler, Source

ROOM = 128  # [#] rows, and arrays they are copied from; made anew for more


class CopiedRow(NamedTuple):
    """What is copied, to where.

    Attributes:
        flag: Number of the flag to raise.
        sampler: Whose ring it is.
        sources: Of the sampler.
    """

    flag: int
    sampler: Sampler
    sources: tuple[Source, ...]


class RowCopies:
    """Samplers whose vectors stand in memory that is known.

    Args:
        flags: Of all rings; a sampler's is the byte with its number.
        spread: Cycles whose time a period must have to be one that can wait.

    Attributes:
        offer: Offers those that are due at a time, some time after the cycle before [s]; tells
            whether there were any.
    """

    def __init__(self, flags: Octets, spread: float) -> None:
        self._flags = flags
        self._spread = spread
        self._rows: Sequence[CopiedRow] = ()
        self._samplers: tuple[Sampler, ...] = ()
        self._first_due: Array = np.array([-math.inf])
        self._turn: Indices = np.zeros(TURN_WORDS, dtype=np.int64)
        self.offer = self._make_room(ROOM)
        self.offer(-math.inf, 0.0)  # compiled now, not in the first cycle

    def adopt(self, rows: Sequence[CopiedRow], share: int) -> None:
        """Offer others from now on; servo thread.

        Args:
            rows: In the order of their turns.
            share: How many of those that can wait are offered in a cycle; the same for the same
                rows.
        """
        if rows == self._rows:
            return  # who comes and goes is offered by Python
        self._settle()
        rings: list[tuple[int, ...]] = []
        sources: list[Source] = []
        for row in rows:
            first = len(sources)
            sources += row.sources
            rings.append((*row.sampler.ring, first, len(sources), row.flag))
        needed = max(len(rings), len(sources))
        if needed > len(self._rings):
            self.offer = self._make_room(2 * needed)
        self._rows = rows
        self._samplers = tuple(row.sampler for row in rows)
        if rings:
            self._rings[: len(rings)] = rings
            self._times[: len(rings)] = [(s.period, s.due) for s in self._samplers]
        if sources:
            self._sources[: len(sources)] = sources
        self._turn[:] = 0, share, len(rings)
        self._first_due[0] = -math.inf

    def restart(self) -> None:
        """Be due when the samplers are: they know of a time that began anew."""
        if self._samplers:
            self._times[: len(self._samplers), DUE] = [sampler.due for sampler in self._samplers]
        self._first_due[0] = -math.inf

    def _settle(self) -> None:
        """Let the samplers know when they are due."""
        for sampler, due in zip(self._samplers, self._times[:, DUE].tolist(), strict=False):
            sampler.due = due

    def _make_room(self, most: int) -> BoundKernel:
        self._rings: Indices = np.zeros((most, RING_COLUMNS), dtype=np.int64)
        self._sources: Indices = np.zeros((most, SOURCE_COLUMNS), dtype=np.int64)
        self._times: Array = np.zeros((most, TIME_COLUMNS))
        return bind(
            offer_rows,
            GIVEN,
            GIVEN,
            self._spread,
            self._rings,
            self._sources,
            self._times,
            self._turn,
            self._first_due,
            self._flags,
        )
