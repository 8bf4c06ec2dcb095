"""The damped inverse of the control law, as a factor."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.range_factor import ABSOLUTE_CUTOFF

Array = npt.NDArray[np.float64]


@kernel
def damped_factor(matrix: Array, threshold: float, factor: Array) -> None:
    """Write F with `F Fᵀ` the damped inverse of a symmetric positive semi-definite matrix.

    It follows `linear_algebra.damped_inverse`.

    Args:
        matrix: `(n, n)`.
        threshold: Singular value below which damping begins, as a part of the largest.
        factor: `(n, n)` result.
    """
    n = matrix.shape[0]
    values, vectors = np.linalg.eigh(matrix)
    largest = 0.0
    for i in range(n):
        largest = max(largest, values[i])
    for j in range(n):
        scale = 0.0
        if largest > ABSOLUTE_CUTOFF and values[j] > 0.0:
            lost = max(threshold * largest - values[j], 0.0)
            scale = math.sqrt(values[j] / (values[j] * values[j] + lost * lost))
        for i in range(n):
            factor[i, j] = vectors[i, j] * scale
