"""Pseudo-inverse of what `independent_rows` tells of rows, and the solution it gives."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import apart, counting_kernel, summing_kernel
from controlit_ros.kernels.dense import dense, dense_from, factor, invert_lower


@summing_kernel
@apart
def transposed_inverse(
    coefficients: Array, order: Array, rank: int, inverse: Array, work: Array
) -> None:
    """Write E with `Cᵀ E = 1` whose columns lie in the range of C: `E Eᵀ = (C Cᵀ)⁺`.

    The rows of C that were taken form a triangle R in their order, the others are `G R`:

        K = 1 + Gᵀ G = Lᵀ L    E of those taken: W = K⁻¹ R⁻ᵀ,  of the others: G W

    Args:
        coefficients: `(m, rank or more)` C of `independent_rows`; its rows may have been scaled.
        order: `(m,)` of `independent_rows`.
        rank: Columns of C.
        inverse: `(m, rank)` result E.
        work: `(3, m or more, m or more)` scratch.
    """
    others = inverse.shape[0] - rank
    root = dense(work[0], rank, rank)
    _invert_triangle(coefficients, order, root)
    if others == 0:
        for k in range(rank):
            pivot = int(order[k])
            for j in range(k):
                inverse[pivot, j] = 0.0
            for j in range(k, rank):
                inverse[pivot, j] = root[j, k]
        return
    G, L_inverse, P = _parts(others, rank, work)
    _weigh_others(coefficients, order, root, G, L_inverse, P)
    for k in range(rank):
        pivot = int(order[k])
        for j in range(rank):
            total = 0.0
            for i in range(min(k, j) + 1):
                total += L_inverse[k, i] * P[j, i]
            inverse[pivot, j] = total
    for a in range(others):
        row = int(order[rank + a])
        for j in range(rank):
            inverse[row, j] = 0.0
        for k in range(rank):
            pivot = int(order[k])
            for j in range(rank):
                inverse[row, j] += G[a, k] * inverse[pivot, j]


@summing_kernel
@apart
def least_squares(
    coefficients: Array, order: Array, rank: int, wanted: Array, found: Array, work: Array
) -> float:
    """Write z of the least `|C z − w|`, `Eᵀ w` with E of `transposed_inverse`.

    E itself is not needed, nor are its rows of those that were not taken:

        z = P L⁻ᵀ (w of those taken + Gᵀ w of the others),    P = R⁻¹ L⁻¹,  |E| = |P|

    Args:
        coefficients: `(m, rank or more)` C of `independent_rows`; its rows may have been scaled.
        order: `(m,)` of `independent_rows`.
        rank: Columns of C.
        wanted: `(m,)` w.
        found: `(rank or more,)` result z.
        work: `(3, m or more, m or more)` scratch.

    Returns:
        `|E|²`, the sum of the squares of its entries.
    """
    others = len(wanted) - rank
    root = dense(work[0], rank, rank)
    _invert_triangle(coefficients, order, root)
    inverse_size = 0.0
    if others == 0:
        for k in range(rank):
            found[k] = 0.0
            for j in range(k + 1):
                found[k] += root[k, j] * wanted[int(order[j])]
                inverse_size += root[k, j] * root[k, j]
        return inverse_size
    G, L_inverse, P = _parts(others, rank, work)
    _weigh_others(coefficients, order, root, G, L_inverse, P)
    across = root[0]  # no more needed
    for k in range(rank):
        across[k] = wanted[int(order[k])]
    for a in range(others):
        value = wanted[int(order[rank + a])]
        for k in range(rank):
            across[k] += G[a, k] * value
    for i in range(rank):  # rows from i on, which are not yet overwritten
        total = 0.0
        for k in range(i, rank):
            total += L_inverse[k, i] * across[k]
        across[i] = total
    for j in range(rank):
        found[j] = 0.0
        for k in range(j + 1):
            found[j] += P[j, k] * across[k]
            inverse_size += P[j, k] * P[j, k]
    return inverse_size


@summing_kernel
@apart
def _invert_triangle(coefficients: Array, order: Array, root: Array) -> None:
    """Write the lower triangle of `R⁻¹`, `(rank, rank)`."""
    for k in range(root.shape[0]):
        pivot = int(order[k])
        for j in range(k):
            root[k, j] = 0.0
        root[k, k] = 1.0
        for i in range(k):
            value = coefficients[pivot, i]
            if value != 0.0:
                for j in range(i + 1):
                    root[k, j] -= value * root[i, j]
        scale = 1.0 / coefficients[pivot, k]
        for j in range(k + 1):
            root[k, j] *= scale


@counting_kernel
def _parts(others: int, rank: int, work: Array) -> tuple[Array, Array, Array]:
    """Return memory for G, `L⁻¹` and P."""
    G = dense(work[1], others, rank)
    L_inverse = dense_from(work[1], others * rank, rank, rank)
    return G, L_inverse, dense(work[2], rank, rank)


@summing_kernel
@apart
def _weigh_others(
    coefficients: Array, order: Array, root: Array, G: Array, L_inverse: Array, P: Array
) -> None:
    """Write G and the lower triangles of `L⁻¹` and of `P = R⁻¹ L⁻¹`; of it alone in P."""
    (others, rank), K = G.shape, P
    for k in range(rank):
        for j in range(k):
            K[k, j] = 0.0
        K[k, k] = 1.0
    for a in range(others):
        row = int(order[rank + a])
        for j in range(rank):
            G[a, j] = 0.0
        for k in range(rank):
            value = coefficients[row, k]
            if value != 0.0:
                for j in range(k + 1):
                    G[a, j] += value * root[k, j]
        for k in range(rank):
            value = G[a, k]
            if value != 0.0:
                for j in range(k + 1):
                    K[k, j] += value * G[a, j]
    factor(K)
    invert_lower(K, 0, L_inverse)
    for j in range(rank):  # K is no more needed
        for k in range(j + 1):
            P[j, k] = 0.0
        for i in range(j + 1):
            for k in range(i + 1):
                P[j, k] += root[j, i] * L_inverse[i, k]
