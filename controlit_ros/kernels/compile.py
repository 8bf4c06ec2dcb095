"""How kernels are compiled."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

# Read by numba when it is imported. On these small loops its higher levels gain nothing and take
# half as long again.
os.environ.setdefault("NUMBA_OPT", "1")

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call; the result is cached, beside the source where possible.

    It keeps the interpreter lock: the servo would have to win it back after a few microseconds.
    """
    return _compile(function)


def summing_kernel(function: Kernel) -> Kernel:
    """Compile like `kernel`, but let sums be taken in any order: they become vector instructions.

    Infinities and what is not a number stay what they are.
    """
    return _compile(function, fastmath={"reassoc", "contract"})


def background_kernel(function: Kernel) -> Kernel:
    """Compile like `kernel`, but let other threads run meanwhile: for work beside the servo."""
    return _compile(function, nogil=True)


def _compile(function: Kernel, **options: bool | set[str]) -> Kernel:
    try:
        compiled: Kernel = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # neither the source's folder nor the user's cache can be written
        compiled = numba.njit(**options)(function)
    return compiled
