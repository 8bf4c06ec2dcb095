"""Commands along directions that are nearly lost."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import counting_kernel
from controlit_ros.kernels.dense import dense, factor, gram, invert_lower


@counting_kernel
def fade(jacobian: Array, threshold: float, command: Array, square: Array, work: Array) -> None:
    """Let commands fade along the directions in which a Jacobian is nearly lost.

    It follows `linear_algebra.fading`. Where a bound on the condition of `J Jᵀ` tells that nothing
    is nearly lost, no eigenvalue is computed.

    Args:
        jacobian: `(n, k)` J.
        threshold: Eigenvalue of `J Jᵀ` below which fading begins, as a part of the largest.
        command: `(n,)` changed.
        square: `(1, n or more, n or more)` scratch.
        work: `(2, n or more, n or more)` scratch.
    """
    n = jacobian.shape[0]
    root, inverse = dense(work[0], n, n), dense(work[1], n, n)
    M = dense(square[0], n, n)
    gram(jacobian, M)
    size = 0.0
    for i in range(n):
        size += M[i, i]
        for j in range(n):
            root[i, j] = M[i, j]
    if factor(root):
        invert_lower(root, 0, inverse)
        inverse_size = 0.0
        for i in range(n):
            for j in range(n):
                inverse_size += inverse[i, j] * inverse[i, j]
        if threshold * size * inverse_size < 1.0:
            return
    values, vectors = np.linalg.eigh(M)
    least = threshold * values[n - 1]
    kept = root[0]
    for j in range(n):
        kept[j] = 0.0
        value = max(values[j], 0.0)
        if value > 0.0:
            lost = max(least - value, 0.0)
            share = value * value / (value * value + lost * lost)
            for i in range(n):
                kept[j] += share * vectors[i, j] * command[i]
    for i in range(n):
        command[i] = 0.0
        for j in range(n):
            command[i] += vectors[i, j] * kept[j]
