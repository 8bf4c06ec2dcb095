"""Products and factors of small dense matrices, without temporaries."""

import math
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import overload

from controlit_ros.arrays import Array
from controlit_ros.kernels.bind import matrix_at
from controlit_ros.kernels.compile import apart, counting_kernel, kernel, summing_kernel


@summing_kernel
def dot(a: Array, b: Array) -> float:
    """Return `aᵀ b`; `(n,)`, `(n,)`."""
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@summing_kernel
@apart
def take(row: Array, along: float, direction: Array) -> None:
    """Take off a row what it is along a direction; `(n,)`, `(n,)`."""
    for k in range(len(row)):
        row[k] -= along * direction[k]


@kernel
@apart
def copy(a: Array, out: Array) -> None:
    """Write `a`; `(m, n)`, `(m, n)`.

    As `out[:] = a` does, for which numba compiles the words of its errors as well: 2 s.
    """
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            out[i, k] = a[i, k]


@kernel
@apart
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
@apart
def multiply_transposed(a: Array, b: Array, out: Array) -> None:
    """Write `aᵀ b`; `(k, m)`, `(k, n)`, `(m, n)`."""
    inner, m, n = a.shape[0], a.shape[1], b.shape[1]
    for i in range(m):
        for j in range(n):
            out[i, j] = 0.0
    for k in range(0, inner - 3, 4):  # four at once: what is written is read less often
        for i in range(m):
            f, g, p, q = a[k, i], a[k + 1, i], a[k + 2, i], a[k + 3, i]
            if f != 0.0 or g != 0.0 or p != 0.0 or q != 0.0:
                for j in range(n):
                    out[i, j] += (f * b[k, j] + g * b[k + 1, j]) + (
                        p * b[k + 2, j] + q * b[k + 3, j]
                    )
    for k in range(inner - inner % 4, inner):
        for i in range(m):
            factor = a[k, i]
            if factor != 0.0:
                for j in range(n):
                    out[i, j] += factor * b[k, j]


@summing_kernel
@apart
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


@summing_kernel
@apart
def lengths(rows: Array, out: Array) -> None:
    """Write the length of each row; `(m, n)`, `(m or more,)`."""
    for i in range(rows.shape[0]):
        square = 0.0
        for k in range(rows.shape[1]):
            square += rows[i, k] * rows[i, k]
        out[i] = math.sqrt(square)


def _part(memory: Array, first: int, rows: int, columns: int) -> Array:
    """Return a part of a contiguous array as `(rows, columns)`."""
    return memory.reshape(-1)[first : first + rows * columns].reshape(rows, columns)


@overload(_part)  # type: ignore[untyped-decorator]
def _compiled_part(
    memory: Any, first: Any, rows: Any, columns: Any
) -> Callable[[Any, Any, Any, Any], Any] | None:
    """Do that by an address: what numba makes of `reshape` takes as long as a short product."""
    are_whole = all(isinstance(kind, types.Integer) for kind in (first, rows, columns))
    if memory.layout != "C" or memory.dtype != types.float64 or not are_whole:
        return None

    def part(memory: Any, first: Any, rows: Any, columns: Any) -> Any:
        if first + rows * columns > memory.size:
            raise ValueError("a part is larger than its array")
        return matrix_at(memory.ctypes.data + 8 * first, rows, columns)

    return part


@counting_kernel
def dense(memory: Array, rows: int, columns: int) -> Array:
    """Return the beginning of a contiguous array as `(rows, columns)`, contiguous again.

    Loops over the last index of such an array become vector instructions; those of a slice do not.
    For kernels: it does not keep the memory, as its caller does.
    """
    return _part(memory, 0, rows, columns)


@counting_kernel
def dense_from(memory: Array, first: int, rows: int, columns: int) -> Array:
    """Return `dense` of what follows the first entries."""
    return _part(memory, first, rows, columns)


@kernel
def factor(matrix: Array) -> bool:
    """Write L of `matrix = Lᵀ L` into the lower triangle; false if it is not positive definite.

    Rows are eliminated from the last to the first: where the matrix is the inertia of a tree whose
    bodies come after their parents, L has the zeros of the matrix (Featherstone, Efficient
    factorization of the joint space inertia matrix for branched kinematic trees, 2005).

    Args:
        matrix: `(n, n)`; only its lower triangle is read and written.
    """
    for k in range(matrix.shape[0] - 1, -1, -1):
        pivot = matrix[k, k]
        if not pivot > 0.0:
            return False
        scale = 1.0 / math.sqrt(pivot)
        for j in range(k + 1):
            matrix[k, j] *= scale
        for i in range(k):
            weight = matrix[k, i]
            if weight != 0.0:
                for j in range(i + 1):
                    matrix[i, j] -= weight * matrix[k, j]
    return True


@kernel
@apart
def invert_lower(L: Array, first: int, inverse: Array) -> None:
    """Write the inverse of the block of a lower triangular matrix that begins at `first`.

    Args:
        L: `(first + n or more, first + n or more)`.
        first: First row and column of the block.
        inverse: `(n, n)`, zero above the diagonal.
    """
    n = inverse.shape[0]
    for i in range(n):
        for j in range(n):
            inverse[i, j] = 0.0
        inverse[i, i] = 1.0
        for k in range(i):
            weight = L[first + i, first + k]
            if weight != 0.0:
                for j in range(k + 1):
                    inverse[i, j] -= weight * inverse[k, j]
        scale = 1.0 / L[first + i, first + i]
        for j in range(i + 1):
            inverse[i, j] *= scale
