"""Whether numbers are numbers, in one call for what belongs together.

As `controlit_ros.finite.is_finite` tells of any array: squares that add up to a number, so that
what is larger than 1e154 is none. `all_finite` is for those who only draw: to them that is one.
"""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel, summing_kernel


@kernel
def all_finite(values: Array) -> bool:
    """Tell whether every entry is finite, however large; `(n,)`."""
    are = True
    for i in range(len(values)):
        are &= math.isfinite(values[i])
    return are


@summing_kernel
def is_finite_vector(values: Array) -> bool:
    """Tell whether every entry is finite; `(n,)`."""
    total = 0.0
    for i in range(len(values)):
        total += values[i] * values[i]
    return total < math.inf


@summing_kernel
def are_finite(rows: Array, count: int, first: Array, second: Array) -> bool:
    """Tell whether every entry of two vectors and of the rows they belong to is finite.

    Args:
        rows: `(m, n)`.
        count: How many of the rows count, and of the entries of the first vector.
        first: `(m,)` or longer.
        second: `(k,)`; all of it counts.
    """
    total = 0.0
    for i in range(count):
        total += first[i] * first[i]
        for j in range(rows.shape[1]):
            total += rows[i, j] * rows[i, j]
    for i in range(len(second)):
        total += second[i] * second[i]
    return total < math.inf
