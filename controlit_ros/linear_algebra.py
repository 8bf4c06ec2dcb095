"""Linear algebra of the control law, written to be read: what counts as independent, and inverses.

The published program drops singular values below a part of the largest, in whatever units the rows
have: a heavy joint beside a light one, or a metre beside a radian, was no motion then. Here rows
are compared with themselves.
"""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array

# as in `kernels.independent_rows`, which a test holds it to
ROUNDING = 1e-9  # [-] a row of which no more is left depends on others
NOISE = 1e-13  # [m/rad, -] what a Jacobian of a body that does not move may hold of rounding
LOST = 1e-3  # [-] what a task has no more of in a direction, it gives up


class IndependentRows(NamedTuple):
    """What `independent_rows` finds.

    Attributes:
        order: `(rank,)` the rows that were taken, in this order.
        basis: `(rank, n)` B, orthonormal.
        coefficients: `(m, rank)` C: `M = C B` but for what is neglected.
    """

    order: tuple[int, ...]
    basis: Array
    coefficients: Array


def independent_rows(
    M: Array,
    whole: Array | None = None,
    size: Array | None = None,
    reach: Array | None = None,
    reach_size: Array | None = None,
) -> IndependentRows:
    """Find an orthonormal basis of the rows `(m, n)` of M.

    Always the row comes next of which most is left beside those taken, as a part of its `size`.
    A row of which no more than `ROUNDING` is left of its `whole` is dependent. With a `reach` R, so
    is one of which less than `LOST` is left both of its size and, in R, of `reach_size`: what is
    hard to move for its inertia can be moved, what no joint moves cannot.

    Args:
        M: `(m, n)`.
        whole: `(m,)`; `None`: the lengths of the rows.
        size: `(m,)`; `None`: the lengths of the rows.
        reach: `(k, n)`, or `None`.
        reach_size: `(m,)`.
    """
    m, n = M.shape
    length = np.linalg.norm(M, axis=1)
    whole = length if whole is None else whole
    size = length if size is None else size
    order: list[int] = []
    basis = np.zeros((0, n))
    left = M
    while len(order) < min(m, n):
        remaining = np.linalg.norm(left, axis=1)
        part = np.divide(remaining, size, out=np.zeros(m), where=size > 0.0)
        part[remaining <= ROUNDING * whole] = 0.0
        part[order] = 0.0
        if reach is not None and reach_size is not None and part.max() < LOST:
            part[np.linalg.norm(left @ reach.T, axis=1) < LOST * reach_size] = 0.0
        if not part.any():
            break
        order.append(int(np.argmax(part)))
        basis = np.linalg.qr(np.vstack([basis, left[order[-1:]]]).T)[0].T
        left = left - (left @ basis.T) @ basis
    return IndependentRows(tuple(order), basis, M @ basis.T)


def transposed_inverse(coefficients: Array) -> Array:
    """Return E `(m, rank)` with `Cᵀ E = 1` in the range of C, so that `E Eᵀ = (C Cᵀ)⁺`."""
    if not coefficients.size:
        return np.zeros(coefficients.shape)
    Q, R = np.linalg.qr(coefficients)
    inverse: Array = np.linalg.solve(R, Q.T).T
    return inverse
