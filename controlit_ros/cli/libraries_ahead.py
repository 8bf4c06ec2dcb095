"""libraries_opened_ahead: shared libraries are opened while Python's modules are imported.

To open one takes the linker up to 30 ms, in which it asks nothing of the interpreter: a second
processor does it while the first executes what stands before the import that needs it.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from controlit_ros.running_thread import running_thread

LIBRARIES = (
    ("llvmlite", "binding/libllvmlite"),
    ("pinocchio", "pinocchio_pywrap_default"),
    ("coal", "coal_pywrap"),
    ("cyclonedds", "_clayer"),
)
"""Package and path of the library in it, without suffix, in the order in which they are needed."""


@contextmanager
def libraries_opened_ahead() -> Iterator[None]:
    """Open them beside the block; afterwards there is no other thread any more."""
    opening = running_thread(_open_all, "libraries")
    try:
        yield
    finally:
        opening.join()


def library_files() -> list[Path]:
    """Return the files there are; what is not installed is left to who imports it to tell."""
    found: list[Path] = []
    for package, stem in LIBRARIES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            found += sorted(Path(folder).glob(f"{stem}.*"))
    return found


def _open_all() -> None:
    for path in library_files():
        with suppress(OSError):  # who imports it tells
            ctypes.CDLL(str(path))
