"""Limits of vectors that are read and restored where they are, by their addresses."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at
from controlit_ros.kernels.compile import kernel

ADDRESS, SIZE, SOURCE_COLUMNS = range(3)
IN_RANGE = -1


@kernel
def keep_values(sources: Indices, kept: Array) -> None:
    """Copy vectors into a row.

    Args:
        sources: `(k, SOURCE_COLUMNS)` address and size of each vector.
        kept: `(n,)` the row, of all sizes together; written.
    """
    n = 0
    for source in range(len(sources)):
        values = array_at(sources[source, ADDRESS], sources[source, SIZE])
        for i in range(len(values)):
            kept[n] = values[i]
            n += 1


@kernel
def first_out_of_range(sources: Indices, kept: Array, lower: Array, upper: Array) -> int:
    """Return the first vector that has left its range since it was kept, or `IN_RANGE`.

    Args:
        sources: As in `keep_values`.
        kept: `(n,)` earlier values. A vector that was out of range then is not considered.
        lower: `(n,)` smallest values.
        upper: `(n,)` largest values; what is not a number is in no range.
    """
    n = 0
    for source in range(len(sources)):
        values = array_at(sources[source, ADDRESS], sources[source, SIZE])
        was, is_in = True, True
        for i in range(len(values)):
            was &= lower[n] <= kept[n] <= upper[n]
            is_in &= lower[n] <= values[i] <= upper[n]
            n += 1
        if was and not is_in:
            return source
    return IN_RANGE


@kernel
def restore_values(sources: Indices, kept: Array, restored: int) -> None:
    """Write one of the vectors back.

    Args:
        sources: As in `keep_values`.
        kept: `(n,)` earlier values.
        restored: Which vector.
    """
    n = 0
    for source in range(restored):
        n += sources[source, SIZE]
    values = array_at(sources[restored, ADDRESS], sources[restored, SIZE])
    for i in range(len(values)):
        values[i] = kept[n + i]
