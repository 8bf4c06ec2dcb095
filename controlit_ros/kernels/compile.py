"""How kernels are compiled."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar, cast

# Read by numba when it is imported. On these small loops its higher levels gain nothing and take
# half as long again.
os.environ.setdefault("NUMBA_OPT", "1")

import numba
from numba.core import event

from controlit_ros.kernels.kernel_cache import KernelCache
from controlit_ros.kernels.late_code import LateDispatcher, Nowhere

COMPILING_NOTICE = "compiling kernels, once on a machine, which takes a minute"

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function at its first call; the result is cached, beside the source where possible.

    It keeps the interpreter lock: the servo would have to win it back after a few microseconds. It
    can make no arrays and return none: then nothing counts who holds one, at each row that a loop
    looks at.
    """
    return _compile(function)


def counting_kernel(function: Kernel) -> Kernel:
    """Compile like `kernel`, but count who holds an array: some may be made, or returned."""
    return _compile(function, _nrt=True)


def summing_kernel(function: Kernel) -> Kernel:
    """Compile like `kernel`, but let sums be taken in any order: they become vector instructions.

    Infinities and what is not a number stay what they are.
    """
    return _compile(function, fastmath={"reassoc", "contract"})


def apart(function: Kernel) -> Kernel:
    """Promise that no array which a function writes overlaps another of its arguments.

    Stands below one of the decorators here. Loops are then not compiled a second time for the case
    that arrays overlap, nor look, each time they begin, whether they do.
    """
    function.is_apart = True  # type: ignore[attr-defined]
    return function


def background_kernel(function: Kernel) -> Kernel:
    """Compile like `kernel`, but let other threads run meanwhile: for work beside the servo."""
    return _compile(function, nogil=True)


def calling_kernel(function: Kernel, called: Any) -> Kernel:
    """Compile a function that does nothing but call a kernel, as that one was.

    Only what calls a kernel of this package is cached: what others change, nobody looks for.
    """
    nogil = called.targetoptions.get("nogil", False)
    if called.__module__.rpartition(".")[0] != __package__:
        return cast("Kernel", numba.njit(nogil=nogil)(function))
    return _compile(function, called, nogil=nogil, _nrt=True)


@contextmanager
def told_of_compilation(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell, before the first kernel is compiled within, that this takes its time."""
    listener = _FirstCompilation(tell)
    with event.install_listener("numba:compile", listener):
        yield


class _FirstCompilation(event.Listener):  # type: ignore[misc]
    """Tells once."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._is_told = False

    def on_start(self, _event: event.Event) -> None:
        if not self._is_told:
            self._is_told = True
            self._tell(COMPILING_NOTICE)

    def on_end(self, _event: event.Event) -> None:
        pass


def _compile(function: Kernel, called: Any = None, **options: bool | set[str]) -> Kernel:
    options = {"_nrt": False, **options}
    compiled: Any = LateDispatcher(function, partial(_cache_of, function, called), **options)
    return cast("Kernel", compiled)


def _cache_of(function: Callable[..., Any], called: Any) -> KernelCache | Nowhere:
    with suppress(RuntimeError):  # neither the source's folder nor the user's cache can be written
        return KernelCache(function, called)
    return Nowhere()
