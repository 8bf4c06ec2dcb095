"""Products and factors of small dense matrices, without temporaries."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]


@kernel
def multiply(a: Array, b: Array, out: Array) -> None:
    """Write `a b`; `(m, k)`, `(k, n)`, `(m, n)`."""
    m, inner, n = a.shape[0], a.shape[1], b.shape[1]
    for i in range(m):
        for j in range(n):
            out[i, j] = 0.0
        for k in range(inner):
            factor = a[i, k]
            if factor != 0.0:
                for j in range(n):
                    out[i, j] += factor * b[k, j]


@kernel
def multiply_transposed(a: Array, b: Array, out: Array) -> None:
    """Write `aᵀ b`; `(k, m)`, `(k, n)`, `(m, n)`."""
    inner, m, n = a.shape[0], a.shape[1], b.shape[1]
    for i in range(m):
        for j in range(n):
            out[i, j] = 0.0
    for k in range(inner):
        for i in range(m):
            factor = a[k, i]
            if factor != 0.0:
                for j in range(n):
                    out[i, j] += factor * b[k, j]


@kernel
def gram(a: Array, out: Array) -> None:
    """Write `a aᵀ`; `(m, k)`, `(m, m)`."""
    m, inner = a.shape
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * a[j, k]
            out[i, j] = total
            out[j, i] = total


@kernel
def dense(memory: Array, rows: int, columns: int) -> Array:
    """Return the beginning of a contiguous array as `(rows, columns)`, contiguous again.

    Loops over the last index of such an array become vector instructions; those of a slice do not.
    """
    return memory.reshape(-1)[: rows * columns].reshape(rows, columns)


@kernel
def invert_factor(matrix: Array, inverse: Array) -> bool:
    """Write `L⁻¹` of `matrix = L Lᵀ`, `(n, n)`; false if the matrix is not positive definite.

    Args:
        matrix: Read and overwritten, by `Lᵀ`, in its upper triangle.
        inverse: Lower triangular; what stands above the diagonal becomes zero.
    """
    n = matrix.shape[0]
    for k in range(n):
        pivot = matrix[k, k]
        if not pivot > 0.0:
            return False
        scale = 1.0 / math.sqrt(pivot)
        for j in range(k, n):
            matrix[k, j] *= scale
        for i in range(k + 1, n):
            factor = matrix[k, i]
            if factor != 0.0:
                for j in range(i, n):
                    matrix[i, j] -= factor * matrix[k, j]
    for i in range(n):
        for j in range(n):
            inverse[i, j] = 0.0
        inverse[i, i] = 1.0
        for k in range(i):
            factor = matrix[k, i]
            if factor != 0.0:
                for j in range(k + 1):
                    inverse[i, j] -= factor * inverse[k, j]
        scale = 1.0 / matrix[i, i]
        for j in range(i + 1):
            inverse[i, j] *= scale
    return True
