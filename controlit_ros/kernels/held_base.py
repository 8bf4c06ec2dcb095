"""Constraints that hold the base, whatever it weighs."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.independent_rows import independent_rows
from controlit_ros.kernels.pseudo_inverse import least_squares

BASE = 6  # [-] degrees of freedom of the base, which come first
SURELY_HELD = 0.05  # [-] a pivot that is more of the row it was in needs no second look
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
def _quickly_held(X: Array, bias: Array, size: Array, found: Array) -> bool:
    """Write `X⁻¹ J̇c v` by elimination; false where a pivot leaves doubts. Overwrites the rest."""
    for k in range(BASE):
        pivot = k
        for i in range(k + 1, BASE):
            if abs(X[i, k]) * size[pivot] > abs(X[pivot, k]) * size[i]:
                pivot = i
        if not abs(X[pivot, k]) > SURELY_HELD * size[pivot]:
            return False
        if pivot != k:
            for j in range(k, BASE):
                X[k, j], X[pivot, j] = X[pivot, j], X[k, j]
            bias[k], bias[pivot] = bias[pivot], bias[k]
            size[k], size[pivot] = size[pivot], size[k]
        for i in range(k + 1, BASE):
            if X[i, k] != 0.0:
                part = X[i, k] / X[k, k]
                for j in range(k + 1, BASE):
                    X[i, j] -= part * X[k, j]
                bias[i] -= part * bias[k]
    for k in range(BASE - 1, -1, -1):
        rest = bias[k]
        for j in range(k + 1, BASE):
            rest -= X[k, j] * found[j]
        found[k] = rest / X[k, k]
    return True


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
    bias, length = work[4][4], work[4][5]
    for i in range(BASE):
        size[i] = 0.0
        for j in range(BASE):
            rows[i, j] = C[i, j] = Jc[start + i, j]
            size[i] += abs(rows[i, j])
        bias[i], length[i] = Jc_bias[start + i], size[i]
    if _quickly_held(C, bias, length, found):
        for j in range(BASE):
            drift[j] = found[j]
        return True
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
