"""KernelCache: machine code of kernels on disk, found again only while their sources stay."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.np import linalg  # noqa: F401 - the order of imports is that of choices in typing

from controlit_ros.kernels.compiler_lock import CompilerLock
from controlit_ros.kernels.stored_code import StoredCode

FOLDER = Path(__file__).resolve().parent
BINDER = "bind"  # the module whose kernels call one that they do not import


def hash_texts(texts: Mapping[str, bytes]) -> str:
    """Return a hash over names and contents of files, in 16 digits."""
    whole = hashlib.sha256()
    for name in sorted(texts):
        whole.update(f"{name} {len(texts[name])}\n".encode())
        whole.update(texts[name])
    return whole.hexdigest()[:16]


# Read once, with the modules: a process that runs old sources must not fill the cache of new ones.
_TEXTS = {path.stem: path.read_bytes() for path in FOLDER.glob("*.py")}
_IMPORT = re.compile(rb"^from controlit_ros\.kernels(?:\.(\w+))? import (.*)", re.MULTILINE)
_OWN_FILE = re.compile(r"\.kernels-(?P<sources>[0-9a-f]{16})(\.\d+\.nbc|\.nbi)")


@cache
def sources_of(*modules: str) -> str:
    """Return a hash over modules of this folder and all they import from it, in 16 digits."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found and module in _TEXTS:
            found.add(module)
            for name, names in _IMPORT.findall(_TEXTS[module]):
                waiting += [name.decode()] if name else re.findall(r"\w+", names.decode())
    return hash_texts({f"{module}.py": _TEXTS[module] for module in found})


def lacks_machine_code(kernel: Any) -> bool:
    """Tell whether a kernel, bound to its arrays, has to be compiled, and where to keep it."""
    folder = kernel._cache.cache_path  # noqa: SLF001 - none where nothing can be written
    place = kernel.__module__.rpartition(".")[2]
    sources = sources_of(*sorted((BINDER, place)))
    name = f"*bound_{place}_{kernel.__name__}_*.kernels-{sources}.nbi"
    return folder is not None and not any(Path(folder).glob(name))


def _known() -> set[str]:
    """Return the hashes that kernels of these sources can have."""
    return {sources_of(*modules) for name in _TEXTS for modules in ((name,), (name, BINDER))}


class _FilesOfSources(StoredCode):
    """Names the files of a kernel after the sources it is made of.

    Args:
        function: The kernel.
        sources: Their hash.
    """

    def __init__(self, function: Any, sources: str) -> None:
        super().__init__(function)
        self._sources = sources

    @property
    def filename_base(self) -> str:
        """What the names of the files begin with."""
        return f"{super().filename_base}.kernels-{self._sources}"


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Keeps the machine code of a kernel as long as none of the sources it is made of changes.

    A kernel contains the code of those it calls. numba looks for changes in the file of a kernel
    alone, and by the time of its last change, so that it would go on with the old code of what a
    kernel calls, and forget what a package brought along or a copy of the sources had compiled.
    Processes with other sources have files of their own; those of sources that are no more go when
    kernels are compiled.

    Args:
        function: The kernel; its folder or the user's cache takes the files.
        called: Another kernel that it calls, and does not import.

    Raises:
        RuntimeError: Neither can be written.
    """

    def __init__(self, function: Any, called: Any = None) -> None:
        modules = [Path(function.__code__.co_filename).stem]
        if called is not None:
            modules.append(called.__module__.rpartition(".")[2])
        sources = sources_of(*sorted(modules))
        self._impl_class = partial(_FilesOfSources, sources=sources)
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=sources,
        )
        self._lock = CompilerLock(Path(self._cache_path, f"{self._impl.filename_base}.lock"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return machine code, or nothing; then nobody else compiles it until `release`.

        numba gets ready to compile before it looks, which imports all that kernels could be made
        of: a tenth of a start. What is found needs none of it.
        """
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
            if found is None:
                target_context.refresh()
                self._lock.take()
                found = self._load_overload(sig, target_context)  # of who had the lock before
            return found

    def release(self) -> None:
        """Let others compile it; idempotent."""
        self._lock.release()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save machine code, and drop what other sources left."""
        super().save_overload(sig, data)
        known = _known()
        for path in Path(self.cache_path).glob("*.kernels-*"):
            found = _OWN_FILE.search(path.name)
            if found and found["sources"] not in known:
                path.unlink(missing_ok=True)
