"""How kernels are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call; the result is cached beside the source."""
    compiled: Kernel = numba.njit(cache=True, nogil=True)(function)
    return compiled
