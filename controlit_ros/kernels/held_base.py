"""Constraints that hold the base, whatever it weighs."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.independent_rows import independent_rows
from controlit_ros.kernels.pseudo_inverse import least_squares

BASE = 6  # [-] degrees of freedom of the base, which come first
NOWHERE = -1


@kernel
def find_base_rows(Jc: Array) -> int:
    """Return where six rows begin that move nothing but the base, or `NOWHERE`."""
    nc, nv = Jc.shape
    count = 0
    for i in range(nc):
        count += 1
        for j in range(BASE, nv):
            if Jc[i, j] != 0.0:
                count = 0
                break
        if count == BASE and nv > BASE:
            return i + 1 - BASE
    return NOWHERE


@kernel
def hold_base(Jc: Array, Jc_bias: Array, start: int, drift: Array, work: Array) -> bool:
    """Find what six rows `[X 0]` demand of the base, `X⁻¹ J̇c v`; no inertia matters.

    Args:
        Jc: `(nc, nv)`.
        Jc_bias: `(nc,)` `J̇c v`.
        start: Where the six rows begin.
        drift: `(nv,)`; the base's part is written.
        work: `(8, 6, 6)` scratch.

    Returns:
        Whether they hold the base: X is regular.
    """
    rows, basis, C = work[0], work[1], work[2]
    size, order, left, found = work[4][0], work[4][1], work[4][2], work[4][3]
    for i in range(BASE):
        size[i] = 0.0
        for j in range(BASE):
            rows[i, j] = Jc[start + i, j]
            size[i] += abs(rows[i, j])
    nothing = work[4][:0]
    rank = independent_rows(
        rows, rows, nothing, size, size, nothing, size, 0, basis, basis, C, order, left
    )
    if rank < BASE:
        return False
    least_squares(C, order, rank, Jc_bias[start : start + BASE], found, work[5:])
    for j in range(BASE):
        drift[j] = 0.0
    for k in range(BASE):
        for j in range(BASE):
            drift[j] += basis[k, j] * found[k]
    return True
