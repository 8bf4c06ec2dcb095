"""RowCopies: vectors that are offered by one compiled call, without the interpreter."""

import math
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array, Octets
from controlit_ros.kernels import GIVEN, bind, offer_rows
from controlit_ros.kernels.bind import address_of
from controlit_ros.kernels.offer_rows import DUE, RING_COLUMNS, SOURCE_COLUMNS, TIME_COLUMNS
from controlit_ros.servo.sampler import Sampler


class RowCopies:
    """Samplers whose vectors always stand in the same memory.

    Args:
        samplers: In the order of their turns.
        share: How many of those that can wait are offered in a cycle.
        spread: Cycles whose time a period must have to be one that can wait.
        flags: Of all rings; a sampler's is the byte with its number.
        numbers: Of the samplers' flags.
    """

    def __init__(
        self,
        samplers: Sequence[Sampler],
        share: int,
        spread: float,
        flags: Octets,
        numbers: Sequence[int],
    ) -> None:
        self._samplers = samplers
        rings: list[tuple[int, ...]] = []
        sources: list[tuple[int, int]] = []
        for sampler, number in zip(samplers, numbers, strict=True):
            ring, first = sampler.hand_off.memory, len(sources)
            sources += [(address_of(source), source.size) for source in sampler.sources]
            stride = sampler.hand_off.stride
            rings.append((ring.ctypes.data, len(ring), stride, first, len(sources), number))
        times = [(sampler.period, sampler.due) for sampler in samplers]
        self._times: Array = np.array(times, dtype=np.float64).reshape(-1, TIME_COLUMNS)
        self._first_due: Array = np.array([-math.inf])
        self.offer = bind(
            offer_rows,
            GIVEN,
            GIVEN,
            spread,
            np.array(rings, dtype=np.int64).reshape(-1, RING_COLUMNS),
            np.array(sources, dtype=np.int64).reshape(-1, SOURCE_COLUMNS),
            self._times,
            np.array([0, share], dtype=np.int64),
            self._first_due,
            flags,
        )
        """Offers those that are due at a time, some time after the cycle before [s]; tells whether
        there were any."""

    def settle(self) -> None:
        """Let the samplers know when they are due: others are going to offer them."""
        for sampler, due in zip(self._samplers, self._times[:, DUE].tolist(), strict=True):
            sampler.due = due

    def restart(self) -> None:
        """Be due when the samplers are: they know of a time that began anew."""
        self._times[:, DUE] = [sampler.due for sampler in self._samplers]
        self._first_due[0] = -math.inf
