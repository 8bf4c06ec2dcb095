"""Rows without what a basis spans."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import apart, summing_kernel
from controlit_ros.kernels.independent_rows import MUCH_LEFT


@summing_kernel
@apart
def remove_span(rows: Array, basis: Array, dual: Array, used: int, is_oblique: bool) -> None:
    """Make rows orthogonal to the first `used` rows of the basis, in the metric of the duals.

    Rounding is that of the row as it was: where little of it is left this is done once more. In an
    oblique metric the length tells nothing of that.

    Args:
        rows: `(n, width)` replaced.
        basis: `(used or more, width)`.
        dual: `(used or more, width)` G times the basis.
        used: Rows of the basis.
        is_oblique: Whether the metric is another than the identity.
    """
    width = rows.shape[1]
    if used == 0:
        return
    for i in range(rows.shape[0]):
        before = 0.0
        for k in range(width):
            before += rows[i, k] * rows[i, k]
        for _ in range(2):
            for j in range(0, used - 3, 4):  # four at once: none waits for the one before
                a, b, c, d = 0.0, 0.0, 0.0, 0.0
                for k in range(width):
                    a += rows[i, k] * dual[j, k]
                    b += rows[i, k] * dual[j + 1, k]
                    c += rows[i, k] * dual[j + 2, k]
                    d += rows[i, k] * dual[j + 3, k]
                for k in range(width):
                    rows[i, k] -= (a * basis[j, k] + b * basis[j + 1, k]) + (
                        c * basis[j + 2, k] + d * basis[j + 3, k]
                    )
            for j in range(used - used % 4, used):
                along = 0.0
                for k in range(width):
                    along += rows[i, k] * dual[j, k]
                for k in range(width):
                    rows[i, k] -= along * basis[j, k]
            left = 0.0
            for k in range(width):
                left += rows[i, k] * rows[i, k]
            if left > MUCH_LEFT * MUCH_LEFT * before and not is_oblique:
                break
