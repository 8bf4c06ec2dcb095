"""StoredCode: what of a compiled kernel is kept on disk, and how it comes back."""

from functools import cache
from typing import Any

from llvmlite import binding as llvm
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime import _nrt_python

_RUNTIME_PREFIX = "NRT_"  # of numba's, before names of its functions that begin with no underscore


class StoredCode(CompileResultCacheImpl):  # type: ignore[misc]
    """Keeps machine code and the names in it.

    numba also keeps what the code was made of, for other functions to contain it, and whoever loads
    a kernel has LLVM build that, too: four fifths of the time, and up to 5 MB of memory a kernel.
    Here callers link `LateDispatcher.linked`, which is never stored, and nobody asks for it.
    """

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Return what goes to disk."""
        library, *rest = super().reduce(compiled)
        name, kind, (code, _) = library
        bare = _bare_module(compiled.library.codegen, name)
        return _defined(compiled.library), (name, kind, (code, bare)), *rest

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:
        """Return a compiled kernel, of what came from disk."""
        names, *rest = payload
        _know_runtime()
        engine = target_context.codegen()._engine  # noqa: SLF001 - numba reads them off the module
        engine._defined_symbols |= names  # noqa: SLF001 - likewise
        return super().rebuild(target_context, rest)


def _defined(library: JITCodeLibrary) -> frozenset[str]:
    """Return the names of functions and variables that are in the machine code of a library."""
    module = library._final_module  # noqa: SLF001 - what the machine code was made of
    entries = (*module.functions, *module.global_variables)
    return frozenset(entry.name for entry in entries if not entry.is_declaration)


def _bare_module(codegen: Any, name: str) -> bytes:
    """Return a module with nothing in it, as numba reads it."""
    text = str(codegen._create_empty_module(name))  # noqa: SLF001 - with the target of all others
    code: bytes = llvm.parse_assembly(text).as_bitcode()
    return code


@cache
def _know_runtime() -> None:
    """Tell LLVM where the functions of numba's runtime are that machine code calls.

    Initialising the runtime also compiles what kernels contain of it, which nobody needs who only
    loads them: 20 ms, and 28 MB of LLVM's library are read.
    """
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"{_RUNTIME_PREFIX}{name}", address)
