"""LateDispatcher: a kernel that others call has machine code of its own once Python calls it.

numba optimises and emits each function, and then what calls it, which contains it again: at every
level of calls the same code once more. Here only the outermost call pays. What it calls is typed,
lowered and linked into it, which is all that a caller needs.
"""

from typing import Any

from numba.core import compiler
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types.misc import unliteral

from controlit_ros.collections_of_garbage import looked_for_seldom


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """What callers link; nothing in it is optimised or has an address."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _LateCompiler(compiler.Compiler):  # type: ignore[misc]
    """Makes what Python calls of the outermost function alone."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        flags, is_called = self.state.flags, LateDispatcher.depth > 1
        flags.no_compile = flags.no_cpython_wrapper = is_called
        flags.no_cfunc_wrapper = True
        if is_called:
            codegen = self.state.targetctx.codegen()
            self.state.library = _LinkedLibrary(codegen, func.__qualname__)
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
        with global_compiler_lock, looked_for_seldom():  # it makes objects that live to its end
            if not LateDispatcher.depth:
                self._forget_what_callers_have(sig)
            LateDispatcher.depth += 1
            try:
                return super().compile(sig)
            finally:
                LateDispatcher.depth -= 1

    def _forget_what_callers_have(self, sig: Any) -> None:
        kinds = tuple(normalize_signature(sig)[0])
        known = self.overloads.get(kinds)
        if known is not None and isinstance(known.entry_point, _NoAddress):
            del self.overloads[kinds]

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call: a number that is written there, as `0`, makes no kernel of its own."""
        named = {name: unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(unliteral, args)), named)

    def add_overload(self, cres: Any) -> None:
        """Keep a result; what has no address is for callers alone."""
        if cres.entry_point is not None:
            super().add_overload(cres)
            return
        found = cres._replace(entry_point=_NoAddress())
        self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        self.overloads[tuple(found.signature.args)] = found


class _NoAddress:
    """Stands for what Python would call, where there is nothing."""
