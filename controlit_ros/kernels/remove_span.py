"""Rows without what a basis spans."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import apart, summing_kernel
from controlit_ros.kernels.dense import dot, take
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
    if used == 0:
        return
    for i in range(rows.shape[0]):
        row = rows[i]
        before = dot(row, row)
        for _ in range(2):
            for j in range(0, used - 3, 4):  # four at once: none waits for the one before
                p, q, r, s = dual[j], dual[j + 1], dual[j + 2], dual[j + 3]
                a, b, c, d = 0.0, 0.0, 0.0, 0.0
                for k in range(len(row)):
                    a += row[k] * p[k]
                    b += row[k] * q[k]
                    c += row[k] * r[k]
                    d += row[k] * s[k]
                if a == 0.0 and b == 0.0 and c == 0.0 and d == 0.0:  # another branch of the robot
                    continue
                p, q, r, s = basis[j], basis[j + 1], basis[j + 2], basis[j + 3]
                for k in range(len(row)):
                    row[k] -= (a * p[k] + b * q[k]) + (c * r[k] + d * s[k])
            for j in range(used - used % 4, used):
                take(row, dot(row, dual[j]), basis[j])
            if dot(row, row) > MUCH_LEFT * MUCH_LEFT * before and not is_oblique:
                break
