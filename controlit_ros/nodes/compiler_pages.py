"""release_compiler: memory of LLVM's library is given back once the kernels are there.

The compiler's code is a quarter of what a controller occupies, and to load machine code touches
much of it once. Who compiles after all gets the pages back from the file, as the first time.
"""

import ctypes
import mmap
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from controlit_ros.memory_maps import MemoryMap, memory_maps, sizes_told

LIBRARY = "libllvmlite"
MAPS = Path("/proc/self/smaps")  # of Linux; elsewhere nothing is given back


def release_compiler(maps: Path = MAPS) -> None:
    """Give back the pages of the library that are as in its file, until somebody needs them."""
    with suppress(OSError):  # not Linux, or /proc is hidden
        text = maps.read_text(encoding="utf-8")
        advise = ctypes.CDLL(None).madvise
        for begin, size in _as_in_file(text):
            # a kernel that refuses, as for locked pages, leaves everything as it was
            advise(ctypes.c_void_p(begin), ctypes.c_size_t(size), mmap.MADV_DONTNEED)


def _as_in_file(text: str) -> Iterator[tuple[int, int]]:
    """Yield address and size of mappings of the library of which no page was ever changed."""
    for mapping in memory_maps(text):
        is_library = Path(mapping.path).name.startswith(LIBRARY)
        if is_library and "w" not in mapping.rights and _is_unchanged(mapping):
            yield mapping.begin, mapping.end - mapping.begin


def _is_unchanged(mapping: MemoryMap) -> bool:
    """Return whether no page was changed; the linker changes some of what is read-only later."""
    return sizes_told(mapping.told).get("Anonymous") == 0
