"""Numbers that stand in many places, written one after the other."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at
from controlit_ros.kernels.compile import kernel

SOURCE_AT, SOURCE_WORDS, SOURCE_COLUMNS = range(3)


@kernel
def gather(sources: Indices, row: Array) -> None:
    """Write into a row what stands in some arrays, in their order.

    Args:
        sources: `(arrays, SOURCE_COLUMNS)` their addresses and how many numbers each has.
        row: As many numbers as they have together, result.
    """
    at = 0
    for s in range(len(sources)):
        for number in array_at(sources[s, SOURCE_AT], sources[s, SOURCE_WORDS]):
            row[at] = number
            at += 1
