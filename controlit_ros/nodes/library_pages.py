"""Memory of shared libraries is given back once a controller has started.

What imports and the loading of kernels touch of them, once, is a quarter of what a controller
occupies. Linux could take it back by itself, as it is in files, and does when memory is short. Who
needs it after all gets the pages back from the file, as the first time.
"""

import ctypes
import mmap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core import event

from controlit_ros.memory_maps import MemoryMap, memory_maps, sizes_told

COMPILER = "libllvmlite"
MAPS = Path("/proc/self/smaps")  # of Linux; elsewhere nothing is given back
USE = "numba:compiler_lock"  # numba's event while kernels are loaded or compiled
PAUSE = 0.2  # [s] within which a library is mapped that another thread opens
QUIET = 3.0  # [s] in which no kernel is loaded; what loads one often loads more soon after


def release_compiler(maps: Path = MAPS) -> None:
    """Give back pages of LLVM's library, which no cycle needs."""
    _release(maps, lambda name: name.startswith(COMPILER))


def release_libraries(maps: Path = MAPS) -> None:
    """Give back pages of all libraries, in a process that makes no cycles; takes `PAUSE`."""
    _release(maps, lambda name: ".so" in name, PAUSE)


class UnusedLibraries:
    """Gives libraries back at first, and again after kernels were loaded or compiled.

    What explains a controller, for one, loads kernels once somebody asks.

    Args:
        makes_cycles: Whether this process does. Only pages of the compiler are given back then, and
            only at first: to look for them holds the interpreter for many cycles.
    """

    def __init__(self, *, makes_cycles: bool) -> None:
        self._makes_cycles = makes_cycles
        self._use = _Use()

    @contextmanager
    def noticed(self) -> Iterator[None]:
        """Notice within when kernels are loaded."""
        if self._makes_cycles:
            yield
        else:
            with event.install_listener(USE, self._use):
                yield

    def look(self) -> None:
        """Give back what is no longer used, if there may be any; quick otherwise."""
        if self._use.is_new and time.monotonic() - self._use.last > QUIET:
            self._use.is_new = False
            if self._makes_cycles:
                release_compiler()
            else:
                release_libraries()


class _Use(event.Listener):  # type: ignore[misc]
    """Remembers a use.

    Attributes:
        is_new: Whether there was one.
        last: When it ended, on the monotonic clock [s].
    """

    def __init__(self) -> None:
        self.is_new = True
        self.last = -QUIET

    def on_start(self, _event: Any) -> None:
        pass

    def on_end(self, _event: Any) -> None:
        self.last = time.monotonic()
        self.is_new = True


def _release(maps: Path, is_released: Callable[[str], bool], pause: float = 0.0) -> None:
    """Give back the pages of libraries that are as in their files, until somebody needs them.

    After a pause [s] only those that stood the same before it: of a library that is being opened,
    all is as in its file for a moment, before parts of it are put elsewhere and changed.
    """
    with suppress(OSError):  # not Linux, or /proc is hidden
        found = set(_as_in_file(maps.read_text(encoding="utf-8"), is_released))
        if pause > 0.0:
            time.sleep(pause)
            found &= set(_as_in_file(maps.read_text(encoding="utf-8"), is_released))
        advise = ctypes.CDLL(None).madvise
        for begin, size in found:
            # a kernel that refuses, as for locked pages, leaves everything as it was
            advise(ctypes.c_void_p(begin), ctypes.c_size_t(size), mmap.MADV_DONTNEED)


def _as_in_file(text: str, is_released: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield address and size of mappings of libraries of which no page was ever changed."""
    for mapping in memory_maps(text):
        is_wanted = mapping.path.startswith("/") and is_released(Path(mapping.path).name)
        if is_wanted and "w" not in mapping.rights and _is_unchanged(mapping):
            yield mapping.begin, mapping.end - mapping.begin


def _is_unchanged(mapping: MemoryMap) -> bool:
    """Return whether no page was changed; the linker changes some of what is read-only later."""
    return sizes_told(mapping.told).get("Anonymous") == 0
