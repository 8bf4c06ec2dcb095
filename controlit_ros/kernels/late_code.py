"""LateDispatcher: a kernel that others call has machine code of its own once Python calls it.

numba optimises, and turns into machine code, each function and then what calls it, which contains
it again: at every level of calls the same code once more. Here only the outermost call pays. What
it calls is typed, lowered and linked into it, which is all that a caller needs.
"""

from typing import Any

from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

from controlit_ros.collections_of_garbage import looked_for_seldom


class _LateLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Links what a kernel calls; optimises and emits when somebody asks for an address."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._is_emitted = False

    def finalize(self) -> None:
        """Link; from here on others can link this one."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)  # noqa: SLF001 - of the same kind
            module = library._get_module_for_linking()  # noqa: SLF001
            self._final_module.link_in(module, preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, emitted now if it was not."""
        self._emit()
        return int(super().get_pointer_to_function(name))

    def serialize_using_object_code(self) -> Any:
        """Return what is cached."""
        self._emit()
        return super().serialize_using_object_code()

    def _emit(self) -> None:
        self._ensure_finalized()
        if not self._is_emitted:
            self._is_emitted = True
            self._optimize_final_module()
            self._final_module.verify()
            self._finalize_final_module()


class _LateCompiler(compiler.Compiler):  # type: ignore[misc]
    """Compiles into a library that emits late, and does not ask for an address within a caller."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        library = _LateLibrary(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        self.state.flags.no_compile = LateDispatcher.depth > 1
        return super().compile_extra(func)


class LateDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel: compiled at its first call, by type of arguments.

    Args:
        function: What to compile.
        options: Those of `numba.njit`.

    Attributes:
        depth: How many kernels are being compiled now, each for the one before; guarded by the lock
            of the compiler.
    """

    depth = 0

    def __init__(self, function: Any, **options: Any) -> None:
        options = {"nopython": True, "boundscheck": None, **options}
        super().__init__(function, targetoptions=options, pipeline_class=_LateCompiler)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature; return what Python calls, or nothing within a caller."""
        with global_compiler_lock:
            known = self.overloads.get(tuple(normalize_signature(sig)[0]))
            if known is not None and isinstance(known.entry_point, _Unemitted):
                return known.entry_point if LateDispatcher.depth else self._emit(sig, known)
            with (
                looked_for_seldom()
            ):  # a compiler makes millions of objects that live until its end
                return self._compile(sig)

    def _compile(self, sig: Any) -> Any:
        LateDispatcher.depth += 1
        try:
            return super().compile(sig)
        finally:
            LateDispatcher.depth -= 1

    def add_overload(self, cres: Any) -> None:
        """Keep a result: for callers alone while it has no address."""
        if cres.entry_point is not None:
            super().add_overload(cres)
            return
        found = cres._replace(entry_point=_Unemitted())
        self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        self.overloads[tuple(found.signature.args)] = found

    def _emit(self, sig: Any, known: Any) -> Any:
        found = self.targetctx.get_executable(known.library, known.fndesc, known.environment)
        self.targetctx.insert_user_function(found, known.fndesc, [known.library])
        emitted = known._replace(entry_point=found)
        self.add_overload(emitted)
        self._cache.save_overload(sig, emitted)
        return found


class _Unemitted:
    """Stands for the address of a kernel that has none."""
