"""StandingRow: numbers that stand in the servo's memory, brought out side by side."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from controlit_ros.arrays import Array


class StandingRow(ABC):
    """A row that a `Sampler` copies by one compiled call.

    What is looked at now and then is in no cache: an array costs more to be found by Python than to
    be copied. So a row tells once where its numbers stand.

    Attributes:
        width: How many numbers there are.
    """

    width: int

    @abstractmethod
    def arrays(self) -> Sequence[Array]:
        """Return the arrays they stand in, contiguous; asked again when parameters moved."""

    @abstractmethod
    def prepare(self) -> None:
        """Write into these what does not stand there by itself; servo thread."""
