"""KernelCache: machine code of kernels on disk, found again only while all their sources stay."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.np import linalg

FOLDER = Path(__file__).resolve().parent


def hash_sources(paths: Iterable[Path]) -> str:
    """Return a hash over names and contents of files, in 16 digits."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        content = path.read_bytes()
        whole.update(f"{path.name} {len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()[:16]


# Read once, with the modules: a process that runs old sources must not fill the cache of new ones.
SOURCES = hash_sources(FOLDER.glob("*.py"))
_OWN_FILE = re.compile(r"\.kernels-(?P<sources>[0-9a-f]{16})(\.\d+\.nbc|\.nbi)")


@contextmanager
def _blas_taken_for_granted() -> Iterator[None]:
    """Let numba, when it loads its first kernel, not import SciPy to see whether it is there.

    That is a tenth of a start. A kernel that uses BLAS imports SciPy all the same.
    """
    found = linalg.ensure_blas
    linalg.ensure_blas = _do_nothing
    try:
        yield
    finally:
        linalg.ensure_blas = found


def _do_nothing() -> None:
    pass


class _FilesOfSources(CompileResultCacheImpl):  # type: ignore[misc]
    """Names the files of a kernel after the sources of all kernels."""

    @property
    def filename_base(self) -> str:
        """What the names of the files begin with."""
        return f"{super().filename_base}.kernels-{SOURCES}"


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Keeps the machine code of a kernel as long as no source of any kernel changes.

    A kernel contains the code of those it calls. numba looks for changes in the file of a kernel
    alone, so that it would go on with the old code of what a kernel calls. Processes with other
    sources have files of their own; those of sources that are no more go when kernels are compiled.

    Args:
        function: The kernel; its folder or the user's cache takes the files.

    Raises:
        RuntimeError: Neither can be written.
    """

    _impl_class = _FilesOfSources

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return machine code, or nothing."""
        with _blas_taken_for_granted():
            return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save machine code, and drop what other sources left."""
        super().save_overload(sig, data)
        for path in Path(self.cache_path).glob("*.kernels-*"):
            found = _OWN_FILE.search(path.name)
            if found and found["sources"] != SOURCES:
                path.unlink(missing_ok=True)
