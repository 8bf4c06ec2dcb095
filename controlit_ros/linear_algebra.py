"""Linear algebra with the rank test of the control law (published program; facts of WBOSC)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

RELATIVE_CUTOFF = 1e-6  # [-] of the largest singular value, times the larger side
ABSOLUTE_CUTOFF = 1e-6  # [-] a matrix with no larger singular value counts as zero


class PseudoInverse(NamedTuple):
    """A truncated inverse and what was found on the way.

    Attributes:
        inverse: `(n, n)`.
        rank: Singular values kept.
        condition: Largest over smallest singular value kept; 1 for rank zero.
    """

    inverse: Array
    rank: int
    condition: float


def symmetric_pseudo_inverse(matrix: Array) -> PseudoInverse:
    """Invert a symmetric positive semi-definite matrix `(n, n)` on its range.

    Singular values below `1e-6 n σ_max` are dropped; if `σ_max <= 1e-6` the result is zero.
    """
    size = matrix.shape[0]
    if size == 0:
        return PseudoInverse(matrix.copy(), 0, 1.0)
    values, vectors = np.linalg.eigh(matrix)
    magnitude = np.abs(values)
    largest = magnitude.max()
    if largest <= ABSOLUTE_CUTOFF:
        return PseudoInverse(np.zeros_like(matrix), 0, 1.0)
    kept = magnitude >= RELATIVE_CUTOFF * size * largest
    basis = vectors[:, kept]
    inverse = (basis / values[kept]) @ basis.T
    return PseudoInverse(inverse, int(kept.sum()), float(largest / magnitude[kept].min()))


def damped_inverse(matrix: Array, threshold: float) -> Array:
    """Invert a symmetric positive semi-definite matrix `(n, n)`, damped near singularity.

    Singular values σ of at least `σ_d = threshold σ_max` are inverted as they are; below,

        σ / (σ² + (σ_d − σ)²)

    takes the place of 1/σ: continuous, with a continuous derivative, at most `1.21 / σ_d`, and zero
    where σ is zero. If `σ_max <= 1e-6` the result is zero. The idea is that of numerical filtering
    (Maciejewski and Klein 1988): only the directions that are nearly lost are damped.
    """
    if not matrix.size:
        return np.zeros(matrix.shape)
    values, vectors = np.linalg.eigh(matrix)
    magnitude = np.maximum(values, 0.0)
    largest = float(magnitude.max())
    if largest <= ABSOLUTE_CUTOFF:
        return np.zeros(matrix.shape)
    lost = np.maximum(threshold * largest - magnitude, 0.0)
    inverse: Array = (vectors * (magnitude / (magnitude**2 + lost**2))) @ vectors.T
    return inverse
