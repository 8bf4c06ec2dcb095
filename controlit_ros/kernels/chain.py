"""Chains of bound kernels: one call from Python runs several, one after the other.

What Python does between two kernels costs more than a short kernel, most of all where other work
has emptied the caches. In one compiled function kernels would have to be compiled again for each
chain; here one calls the machine code of each by its address.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from controlit_ros.arrays import Indices
from controlit_ros.kernels.bind import BoundKernel, indices_at
from controlit_ros.kernels.compile import kernel

ENTRY, WORDS_AT, WORD_COUNT = range(3)  # columns of a table of links
_WORDS = types.Array(types.int64, 1, "C")


def chain(*links: BoundKernel) -> BoundKernel:
    """Return a call of bound kernels, in this order, up to the first one that returns false.

    It returns whether all returned true, and raises what one of them raises. The interpreter lock
    is kept, also where kernels release it: to get it back takes longer than most of them.

    Args:
        links: What `bind` returns for kernels that return a truth value, with nothing `GIVEN`.

    Raises:
        TypeError: One is something else.
    """
    bound: Any = partial(_run, _table(links))
    bound.kept = links
    return bound  # type: ignore[no-any-return]


def chain_from(*links: BoundKernel) -> Callable[[int], int]:
    """Return a call of bound kernels like `chain`, from one of them on.

    It takes the number of the first one to run, and returns that of the first one that returns
    false, after which none runs; as many as there are: all returned true.

    Args:
        links: See `chain`.

    Raises:
        TypeError: One is something else.
    """
    bound: Any = partial(_run_from, _table(links))
    bound.kept = links
    return bound  # type: ignore[no-any-return]


def _table(links: tuple[BoundKernel, ...]) -> Indices:
    rows = np.array([_link(bound) for bound in links], dtype=np.int64)
    return rows.reshape(-1, WORD_COUNT + 1)


def _link(bound: Any) -> tuple[int, int, int]:
    """Return a row of the table."""
    words = bound.words
    return _entry(bound.unpacking), words.ctypes.data, len(words)


@cache
def _entry(unpacking: Any) -> int:
    """Return the address of a kernel's machine code; compile it if that was not done."""
    if unpacking.py_func.__code__.co_argcount > 1:
        raise TypeError(f"{unpacking.__name__} has to be given arguments; a chain gives none")
    unpacking.compile((_WORDS,))
    compiled = unpacking.overloads[(_WORDS,)]
    if types.unliteral(compiled.signature.return_type) != types.boolean:
        raise TypeError(
            f"{unpacking.__name__} returns {compiled.signature.return_type}; expected a truth value"
        )
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return address


@intrinsic  # type: ignore[untyped-decorator]
def _enter(_context: Any, entry: Any, words: Any) -> Any:
    """Call the machine code at an address; return what it does, and raise what it raises."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result, kinds = signature.return_type, signature.args[1:]
        convention = context.call_conv
        kind = convention.get_function_type(result, kinds).as_pointer()
        code = builder.inttoptr(arguments[0], kind)
        status, value = convention.call_function(builder, code, result, kinds, arguments[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return value

    return types.boolean(entry, words), generate


@kernel
def _run_from(table: Indices, first: int) -> int:
    for i in range(first, len(table)):
        row = table[i]
        words = indices_at(row[WORDS_AT], row[WORD_COUNT])
        if not _enter(row[ENTRY], words):
            return i
    return len(table)


@kernel
def _run(table: Indices) -> bool:
    return _run_from(table, 0) == len(table)


@kernel
def ask_python() -> bool:
    """Return false: what is to be done at this place of a `chain_from` is not for kernels."""
    return False
