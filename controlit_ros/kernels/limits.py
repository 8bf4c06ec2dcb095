"""Comparison with limits."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]


@kernel
def is_within(values: Array, lower: Array, upper: Array) -> bool:
    """Tell whether `lower <= values <= upper` everywhere; `(n,)` each."""
    for i in range(len(values)):  # noqa: SIM110 - numba compiles no generators
        if not lower[i] <= values[i] <= upper[i]:
            return False
    return True
