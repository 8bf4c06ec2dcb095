"""Gathering: arrays that stay where they are, as a row of numbers."""

from collections.abc import Callable, Sequence

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import GIVEN, bind, gather
from controlit_ros.kernels.bind import address_of
from controlit_ros.kernels.gather import SOURCE_COLUMNS
from controlit_ros.parameters import Parameter


class Gathering:
    """Copies arrays into a row by one compiled call; servo thread.

    What a program looks at now and then is in no cache: an array costs more to be found by Python
    than to be copied.

    Args:
        arrays: Returns them, of numbers one after the other; asked again when parameters moved.

    Raises:
        TypeError: One is not contiguous in C order.

    Attributes:
        width: Numbers in the row.
    """

    def __init__(self, arrays: Callable[[], Sequence[Array]]) -> None:
        self._arrays = arrays
        self._look()
        self.width = sum(array.size for array in self._kept)
        self._gather(np.zeros(self.width))  # compiled now, not in a cycle

    def fill(self, row: Array) -> None:
        """Write the present numbers.

        Args:
            row: `(width,)`, contiguous.
        """
        if self._moves != Parameter.moves:
            self._look()
        self._gather(row)

    def _look(self) -> None:
        self._moves = Parameter.moves
        self._kept = [array for array in self._arrays() if array.size]
        table: Indices = np.array(
            [(address_of(array), array.size) for array in self._kept], dtype=np.int64
        )
        self._gather = bind(gather, table.reshape(-1, SOURCE_COLUMNS), GIVEN)
