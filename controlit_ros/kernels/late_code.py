"""LateDispatcher: a kernel that others call has machine code of its own once Python calls it.

numba optimises and emits each function, and then what calls it, which contains it again: at every
level of calls the same code once more. Here only the outermost call pays. What it calls is typed,
lowered and linked into it, which is all that a caller needs. The two are kept apart, so that the
machine code of a caller, to its last rounding, does not depend on what Python had called before.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numba.core import compiler, errors, types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral
from numba.np.numpy_support import from_dtype, map_layout

from controlit_ros.collections_of_garbage import looked_for_seldom
from controlit_ros.kernels.quick_flags import flags_compared_quickly


def _checked(result: Any, flags: Any) -> Any:
    """Refuse what returns arrays that nobody counts; numba overlooks those in tuples."""
    if not flags.nrt and _has_array(result.signature.return_type):
        raise errors.TypingError(
            f"{result.fndesc.qualname} returns {result.signature.return_type}; expected no array, "
            "or a counting_kernel"
        )
    return result


def _has_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) or any(map(_has_array, getattr(kind, "types", ())))


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """What callers link; nothing in it is optimised or has an address."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _LinkedCompiler(compiler.Compiler):  # type: ignore[misc]
    """Makes what callers link, and nothing that Python calls."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        flags = self.state.flags
        flags.noalias = getattr(func, "is_apart", False)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        codegen = self.state.targetctx.codegen()
        self.state.library = _LinkedLibrary(codegen, func.__qualname__)
        return _checked(super().compile_extra(func), flags)


class _OutermostCompiler(compiler.Compiler):  # type: ignore[misc]
    """Makes what Python calls, and nothing that C calls."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        self.state.flags.no_cfunc_wrapper = True
        self.state.flags.noalias = getattr(func, "is_apart", False)
        return _checked(super().compile_extra(func), self.state.flags)


class _LinkedDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel as callers know it."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call: a number that is written there, as `0`, makes no kernel of its own."""
        named = {name: unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(unliteral, args)), named)

    def add_overload(self, cres: Any) -> None:
        """Keep a result, which has no address, under a name that callers ask for."""
        found = cres._replace(entry_point=_NoAddress())
        self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        self.overloads[tuple(found.signature.args)] = found


class Nowhere(NullCache):  # type: ignore[misc]
    """Keeps no machine code, so that nobody waits for it."""

    def release(self) -> None:
        """Have nothing to let go of."""


class LateDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A kernel: compiled at its first call, by type of arguments.

    Args:
        function: What to compile.
        find_cache: Returns where its machine code is kept on disk; nowhere if not given.
        options: Those of `numba.njit`.
    """

    def __init__(
        self, function: Any, find_cache: Callable[[], Any] = Nowhere, **options: Any
    ) -> None:
        options = {"nopython": True, "boundscheck": None, **options}
        super().__init__(function, targetoptions=options, pipeline_class=_OutermostCompiler)
        self._find_cache = find_cache
        del self._cache  # numba's, which is none

    @cached_property
    def _cache(self) -> Any:
        """Where machine code is kept; looked for once a kernel is called, as few of them are."""
        return self._find_cache()

    @cached_property
    def linked(self) -> _LinkedDispatcher:
        """The same as its callers know it; made when one is compiled, so in few processes."""
        return _LinkedDispatcher(
            self.py_func, targetoptions=self.targetoptions, pipeline_class=_LinkedCompiler
        )

    def compile(self, sig: Any) -> Any:
        """Compile for a signature; return what Python calls."""
        # what it makes lives to its end, so there is no garbage to look for
        with global_compiler_lock, looked_for_seldom(), flags_compared_quickly():
            try:
                return super().compile(sig)
            finally:
                self._cache.release()

    def typeof_pyval(self, val: Any) -> Any:
        """Return the type of an argument.

        numba asks of each array whether it is masked, which imports all that masked ones can do.
        """
        if type(val) is not np.ndarray or not _is_plain(val.dtype):
            return super().typeof_pyval(val)
        found = types.Array(
            from_dtype(val.dtype), val.ndim, map_layout(val), readonly=not val.flags.writeable
        )
        self._types_active_call.add(found)
        return found

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call in a caller."""
        return self.linked.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return what a caller links."""
        return self.linked.get_overload(sig)


def _is_plain(dtype: Any) -> bool:
    """Return whether elements are numbers or truth values, which every kernel can have."""
    return dtype.kind in "biufc" and bool(dtype.isnative)


class _NoAddress:
    """Stands for what Python would call, where there is nothing."""
