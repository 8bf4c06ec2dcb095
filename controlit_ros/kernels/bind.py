"""Kernels bound to their arrays: a call hands over one array of addresses instead of all of them.

Handing an array to machine code takes 0.1 µs, and a kernel takes up to twenty: a third of what
short ones cost. Most of them are always the same memory.
"""

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from typing import Any, Final, TypeVar

import numpy as np
from numba import carray, farray, types
from numba.extending import intrinsic

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.few import Few
from controlit_ros.kernels.compile import calling_kernel, counting_kernel, kernel

BoundKernel = Callable[..., Any]
Key = TypeVar("Key")

MOST = 8  # [kernels] kept for one memory; the servo has two models


class _Given:
    """Stands for an argument that each call gives."""


GIVEN: Final = _Given()

C, FORTRAN = "C", "F"
NUMBER = "number"  # in place of an order
Layout = tuple[str, int, str] | None  # order, dimensions and type of an array; none: given


def bind(function: Callable[..., Any], *arguments: Any) -> BoundKernel:
    """Return a kernel that knows some of its arguments, and takes the others in their order.

    It keeps the arrays alive, and writes to them. Where an array is replaced or a number is another
    the kernel has to be bound anew, which compiles nothing as long as dimensions, types and orders
    stay.

    Args:
        function: A kernel.
        arguments: For each argument an array, contiguous in either order, a number, or `GIVEN`.

    Raises:
        TypeError: Something is no number and no contiguous array of numbers a kernel computes with,
            or there are too few or too many.
    """
    expected = function.__code__.co_argcount
    if len(arguments) != expected:
        raise TypeError(f"found {len(arguments)} arguments; {function.__name__} takes {expected}")
    layouts = tuple(_layout(argument) for argument in arguments)
    known = [argument for argument in arguments if argument is not GIVEN]
    words = np.array([word for argument in known for word in _words(argument)], dtype=np.int64)
    unpacking = _unpacking(function, layouts)
    bound: Any = partial(unpacking, words)
    bound.kept, bound.unpacking, bound.words = known, unpacking, words
    return bound  # type: ignore[no-any-return]


class BoundKernels(Few[Key, BoundKernel]):
    """Kernels that write the same memory, each by what it reads; it keeps few.

    Look with `get`, and `bind` what is not there.
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__(most)

    def bind(self, key: Key, function: Callable[..., Any], *arguments: Any) -> BoundKernel:
        """Bind a kernel, keep and return it; see `bind`."""
        return self.keep(key, bind(function, *arguments))


def _layout(argument: Any) -> Layout:
    if argument is GIVEN:
        return None
    if type(argument) in _NAMES_OF_NUMBERS:
        return NUMBER, 0, _NAMES_OF_NUMBERS[type(argument)]
    if not isinstance(argument, np.ndarray):
        raise TypeError(f"found {argument!r}; expected an array, a number, or GIVEN")
    flags = argument.flags
    if not (flags.c_contiguous or flags.f_contiguous):
        raise TypeError(
            f"found an array with strides {argument.strides}; expected a contiguous one"
        )
    name = _NAMES_OF_TYPES.get(argument.dtype)
    if name is None:
        dtype = argument.dtype
        found = dtype.str if dtype.name in _TYPES else dtype.name
        raise TypeError(f"found an array of {found}; expected one of {', '.join(_TYPES)}")
    return (C if flags.c_contiguous else FORTRAN), argument.ndim, name


def _words(argument: Any) -> tuple[int, ...]:
    """Return what tells a kernel of an array, or of a number."""
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data, *argument.shape
    if isinstance(argument, float):
        return (int(np.float64(argument).view(np.int64)),)
    return (int(argument),)


@cache
def _unpacking(function: Any, layouts: tuple[Layout, ...]) -> Callable[..., Any]:
    """Return a kernel of an array of addresses, shapes and numbers, and of what is given."""
    given = [f"given_{i}" for i, layout in enumerate(layouts) if layout is None]
    passed, word = [], 0
    for i, layout in enumerate(layouts):
        if layout is None:
            passed.append(f"given_{i}")
            continue
        order, dimensions, name = layout
        if order == NUMBER:
            passed.append(f"number_{name}(words[{word}])")
            word += 1
            continue
        shape = "".join(f"words[{word + 1 + k}]," for k in range(dimensions))
        passed.append(f"array_{order}(pointer_{name}(words[{word}]), ({shape}))")
        word += 1 + dimensions
    digest = sha256(repr(layouts).encode()).hexdigest()[:12]
    place = function.__module__.rpartition(".")[2]
    name = f"bound_{place}_{function.__name__}_{digest}"
    source = f"def {name}({', '.join(['words', *given])}):\n return function({', '.join(passed)})\n"
    names: dict[str, Any] = {"__name__": __name__, "function": function, **_NAMES}
    exec(compile(source, __file__, "exec"), names)  # noqa: S102 - of our own words alone
    bound: BoundKernel = calling_kernel(names[name], function)
    return bound


def _pointer_to(kind: Any) -> Callable[[int], Any]:
    def pointer(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(address), generate

    return intrinsic(pointer)  # type: ignore[no-any-return]


@intrinsic  # type: ignore[untyped-decorator]
def real_of(_context: Any, _word: Any) -> Any:
    """Return the real number that stands in a word; for kernels."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return types.float64(types.int64), generate


@kernel
def _whole(word: int) -> int:
    """Return the whole number that stands in a word."""
    return word


@kernel
def _truth(word: int) -> bool:
    """Return the truth value that stands in a word."""
    return word != 0


_NAMES_OF_NUMBERS: Final = {float: "float64", int: "int64", bool: "bool"}
_TYPES: Final = {
    "float64": types.float64,
    "int64": types.int64,
    "int8": types.int8,
    "bool": types.boolean,
}
_NAMES_OF_TYPES: Final = {np.dtype(name): name for name in _TYPES}  # `dtype.name` is slow
_NAMES: Final = {
    f"array_{C}": carray,
    f"array_{FORTRAN}": farray,
    **{f"pointer_{name}": _pointer_to(kind) for name, kind in _TYPES.items()},
    "number_float64": real_of,
    "number_int64": _whole,
    "number_bool": _truth,
}


def address_of(array: Any, order: str = C) -> int:
    """Return the address of an array, for tables that kernels read; who makes one keeps the array.

    Raises:
        TypeError: It is not contiguous in that order, or its numbers are none a kernel reads there.
    """
    layout = _layout(array)
    is_vector = array.ndim == 1
    if layout is None or not (is_vector or layout[0] == order) or layout[2] not in _TYPES:
        raise TypeError(f"found an array in order {layout and layout[0]}; expected {order}")
    address: int = array.ctypes.data
    return address


_pointer_float64, pointer_int64 = _NAMES["pointer_float64"], _NAMES["pointer_int64"]
_pointer_bool = _NAMES["pointer_bool"]


@counting_kernel
def array_at(address: int, count: int) -> Array:
    """Return an array `(count,)` by its address, for kernels that read tables of them."""
    found: Array = carray(_pointer_float64(address), (count,))
    return found


@counting_kernel
def matrix_at(address: int, rows: int, columns: int) -> Array:
    """Return an array `(rows, columns)` in C order by its address."""
    found: Array = carray(_pointer_float64(address), (rows, columns))
    return found


@counting_kernel
def turned_matrix_at(address: int, rows: int, columns: int) -> Array:
    """Return an array `(rows, columns)` in Fortran order by its address."""
    found: Array = farray(_pointer_float64(address), (rows, columns))
    return found


@counting_kernel
def flags_at(address: int, count: int) -> Flags:
    """Return flags `(count,)` by their address."""
    found: Flags = carray(_pointer_bool(address), (count,))
    return found


@counting_kernel
def indices_at(address: int, count: int) -> Indices:
    """Return indices `(count,)` by their address."""
    found: Indices = carray(pointer_int64(address), (count,))
    return found
