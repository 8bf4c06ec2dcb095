"""What the rows of Jacobians are made of before anything cancels."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import apart, summing_kernel
from controlit_ros.kernels.independent_rows import NOISE, ROUNDING


@summing_kernel
@apart
def whole_motion(jacobian: Array, mobility: Array, whole: Array) -> None:
    """Write what rounding is a part of in each row: `Σ_k |J_ik| √(A⁻¹)_kk`, and some noise.

    Args:
        jacobian: `(rows, nv)`.
        mobility: `(nv,)` see `project`.
        whole: `(rows or more,)` result.
    """
    noise = 0.0
    for k in range(len(mobility)):
        noise = max(noise, mobility[k] * NOISE / ROUNDING)
    for i in range(jacobian.shape[0]):
        free = noise
        for k in range(len(mobility)):
            free += abs(jacobian[i, k]) * mobility[k]
        whole[i] = free
