"""Sleeping until another process changes a word of shared memory: Linux's futex(2).

Where there is no futex, waiting becomes looking every half millisecond.
"""

import ctypes
import platform
import sys
import time
from typing import Any

_SYSCALL_NUMBERS = {"x86_64": 202, "aarch64": 98, "riscv64": 98}
_WAIT = 0  # without FUTEX_PRIVATE_FLAG: waiter and waker are different processes
_WAKE = 1
_EVERYBODY = 0x7FFF_FFFF
_LOOK_PERIOD = 5e-4  # [s] without futex


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


_NUMBER = _SYSCALL_NUMBERS.get(platform.machine()) if sys.platform == "linux" else None
_ARGUMENTS = (
    ctypes.c_long,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_uint32,
    ctypes.POINTER(_Timespec),
)


def _syscall(library: type[ctypes.CDLL]) -> Any:
    function = library(None).syscall
    function.argtypes = _ARGUMENTS
    function.restype = ctypes.c_long
    return function


if _NUMBER is not None:
    # waking takes a microsecond: giving the interpreter away for it could cost the servo half a
    # millisecond, so PyDLL, which keeps it
    _wake = _syscall(ctypes.PyDLL)
    _sleep = _syscall(ctypes.CDLL)


def wake(address: int) -> None:
    """Wake everybody who waits at an address; never blocks."""
    if _NUMBER is not None:
        _wake(_NUMBER, address, _WAKE, _EVERYBODY, None)


def wait(address: int, value: int, timeout: float) -> None:
    """Sleep until woken or for `timeout` [s]; at once if the word has already changed.

    Args:
        address: Of a 32-bit word, a multiple of four.
        value: What the word held when the caller looked last, its lower 32 bits.
        timeout: Longest sleep [s].
    """
    if _NUMBER is None:
        time.sleep(min(timeout, _LOOK_PERIOD))
        return
    seconds = int(timeout)
    limit = _Timespec(seconds, int((timeout - seconds) * 1e9))
    _sleep(_NUMBER, address, _WAIT, value & 0xFFFF_FFFF, ctypes.byref(limit))
