"""The pseudo-inverse of the control law, as a factor of its range."""

import math

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel, summing_kernel
from controlit_ros.kernels.dense import dense, factor, gram, gram_transposed, invert_lower

Array = npt.NDArray[np.float64]

RELATIVE_CUTOFF = 1e-6  # [-] of the largest singular value, times the size
ABSOLUTE_CUTOFF = 1e-6  # [-] a matrix with no larger singular value counts as zero
NOTHING_LEFT = 1e-13  # [-] of the largest diagonal entry: what rounding leaves of dependent rows


@kernel
def range_factor(matrix: Array, range_basis: Array, work: Array) -> tuple[int, float]:
    """Write E with `M⁺ = E Eᵀ` and `Eᵀ M E = 1` for a symmetric positive semi-definite M.

    `M⁺` follows the rule of `linear_algebra.symmetric_pseudo_inverse`. A pivoted Cholesky
    factorisation `M ≈ C Cᵀ` gives `E = C (Cᵀ C)⁻¹`, which is `C⁻ᵀ` at full rank; bounds on the
    singular values, from Frobenius norms of `Cᵀ C` and its inverse, tell whether the rule would
    keep exactly the columns of C. Only where they cannot tell, the eigenvalues are computed.

    Args:
        matrix: `(n, n)`.
        range_basis: `(n, n)`, E in its first `rank` columns.
        work: `(4, n or more, n or more)` scratch.

    Returns:
        The rank, and an upper estimate of the condition number of the part kept, at most `rank`
        times too large.
    """
    n = matrix.shape[0]
    if n == 0:
        return 0, 1.0
    columns = dense(work[0], n, n)
    order = work[1][0]
    rank, rest = _pivoted_cholesky(matrix, columns, order, work[2])
    if rank == 0:
        return 0, 1.0
    if rank == n:
        return _invert(matrix, columns, order, range_basis, work)
    normal = dense(work[1], rank, rank)
    for i in range(rank):
        for j in range(i + 1):
            normal[i, j] = 0.0
    for k in range(n):
        for i in range(rank):
            value = columns[k, i]
            if value != 0.0:
                for j in range(i + 1):
                    normal[i, j] += value * columns[k, j]
    _mirror(normal)
    size = _frobenius(normal)
    if not factor(normal):
        return _eigen_factor(matrix, range_basis)
    root = dense(work[2], rank, rank)
    invert_lower(normal, 0, root)
    inverse = dense(work[3], rank, rank)
    gram(root, inverse)
    inverse_size = _frobenius(inverse)
    cutoff = RELATIVE_CUTOFF * n
    least_of_largest = size / math.sqrt(rank)
    surely_kept = 1.0 / inverse_size - rest >= cutoff * (size + rest)
    surely_dropped = rest <= cutoff * least_of_largest
    surely_not_zero = least_of_largest > ABSOLUTE_CUTOFF
    if not (surely_kept and surely_dropped and surely_not_zero):
        return _eigen_factor(matrix, range_basis)
    for i in range(n):
        for j in range(rank):
            range_basis[i, j] = 0.0
        for k in range(rank):
            value = columns[i, k]
            if value != 0.0:
                for j in range(rank):
                    range_basis[i, j] += value * inverse[k, j]
    return rank, size * inverse_size


@kernel
def _invert(
    matrix: Array, columns: Array, order: Array, range_basis: Array, work: Array
) -> tuple[int, float]:
    """Write `E = C⁻ᵀ` where no column is missing."""
    n = matrix.shape[0]
    size = _frobenius(matrix)
    root = dense(work[2], n, n)
    for k in range(n):
        pivot = int(order[k])
        for j in range(n):
            root[k, j] = 0.0
        root[k, k] = 1.0
        for i in range(k):
            value = columns[pivot, i]
            for j in range(i + 1):
                root[k, j] -= value * root[i, j]
        scale = 1.0 / columns[pivot, k]
        for j in range(k + 1):
            root[k, j] *= scale
    inverse = dense(work[3], n, n)
    gram_transposed(root, inverse)
    inverse_size = _frobenius(inverse)
    surely_kept = RELATIVE_CUTOFF * n * size * inverse_size <= 1.0
    surely_not_zero = size / math.sqrt(n) > ABSOLUTE_CUTOFF
    if not (surely_kept and surely_not_zero):
        return _eigen_factor(matrix, range_basis)
    for k in range(n):
        pivot = int(order[k])
        for j in range(n):
            range_basis[pivot, j] = root[j, k]
    return n, size * inverse_size


@summing_kernel
def _pivoted_cholesky(
    matrix: Array, columns: Array, order: Array, work: Array
) -> tuple[int, float]:
    """Write C with `M ≈ C Cᵀ` and its pivots; return its columns and a bound on what is left."""
    n = matrix.shape[0]
    left = work[0]
    for i in range(n):
        left[i] = matrix[i, i]
        for j in range(n):
            columns[i, j] = 0.0
    threshold = NOTHING_LEFT * n * left[:n].max()
    for k in range(n):
        pivot = 0
        for i in range(1, n):
            if left[i] > left[pivot]:
                pivot = i
        if not left[pivot] > threshold:
            rest = 0.0
            for i in range(n):
                rest += max(left[i], 0.0)
            return k, rest
        diagonal = math.sqrt(left[pivot])
        for i in range(n):
            if i != pivot and left[i] != -math.inf:
                total = matrix[i, pivot]
                for j in range(k):
                    total -= columns[i, j] * columns[pivot, j]
                total /= diagonal
                columns[i, k] = total
                left[i] -= total * total
        columns[pivot, k] = diagonal
        order[k] = pivot
        left[pivot] = -math.inf
    return n, 0.0


@kernel
def _eigen_factor(matrix: Array, range_basis: Array) -> tuple[int, float]:
    """Write E from eigenvalues, by the rule itself."""
    n = matrix.shape[0]
    values, vectors = np.linalg.eigh(matrix)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(values[i]))
    if largest <= ABSOLUTE_CUTOFF:
        return 0, 1.0
    threshold = RELATIVE_CUTOFF * n * largest
    rank = 0
    smallest = largest
    for j in range(n):
        if values[j] >= threshold:
            smallest = min(smallest, values[j])
            scale = 1.0 / math.sqrt(values[j])
            for i in range(n):
                range_basis[i, rank] = vectors[i, j] * scale
            rank += 1
    return rank, largest / smallest


@kernel
def _mirror(matrix: Array) -> None:
    """Copy what stands below the diagonal above it."""
    for i in range(matrix.shape[0]):
        for j in range(i):
            matrix[j, i] = matrix[i, j]


@kernel
def _frobenius(matrix: Array) -> float:
    total = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * matrix[i, j]
    return math.sqrt(total)
