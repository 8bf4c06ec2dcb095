"""Axes: which part of its error a task acts on."""

from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.errors import did_you_mean
from controlit_ros.parameters import Access, Kind, ParameterError, ParameterReflection

DEPENDENT = 1e-6  # [-] singular value, over the largest, below which rows say the same twice


class Axes:
    """Selects components of a task's error, by name or by a matrix.

    What is not selected is left to lower levels: it takes no rows in the stack. Goals, gains and
    errors keep their full length, the error outside the selection counts as zero.

    Args:
        owner: The task; receives the parameters `axes` and `projection`.
        names: Names of the components of the error.
        default: Those that act where nothing is selected; none: all.

    Attributes:
        names: As given.
    """

    def __init__(
        self, owner: ParameterReflection, names: Sequence[str], default: Sequence[str] = ()
    ) -> None:
        self.names = tuple(names)
        self._axes = owner.declare(
            "axes",
            tuple(default),
            kind=Kind.TEXT,
            shape=(None,),
            broadcast=True,
            access=Access.CONFIGURATION,
            description=f"components the task acts on, out of {_listed(self.names)}; none: all",
        )
        self._projection = owner.declare(
            "projection",
            (),
            shape=(None,),
            access=Access.CONFIGURATION,
            description="instead of axes: directions the task acts on, one after the other, "
            f"{len(self.names)} numbers each",
        )

    def resolve(self) -> Array | None:
        """Return the orthonormal directions the task acts on, `(rows, dimension)`, if not all.

        Raises:
            ParameterError: Names are unknown or repeated, or directions do not fit.
        """
        axes, numbers = self._axes.value, self._projection.value
        if self._axes.stated and axes and numbers:
            raise ParameterError(
                f"{self._projection.full_name}: found besides axes, expected one of the two"
            )
        if numbers:
            return self._directions(numbers)
        if not axes:
            return None
        for axis in axes:
            if axis not in self.names:
                raise ParameterError(
                    f"{self._axes.full_name}: unknown axis {axis!r}{did_you_mean(axis, self.names)}"
                )
            if axes.count(axis) > 1:
                raise ParameterError(f"{self._axes.full_name}: found {axis!r} more than once")
        if len(axes) == len(self.names):
            return None
        selected = [self.names.index(axis) for axis in axes]
        return np.eye(len(self.names))[selected]

    def _directions(self, numbers: Sequence[float]) -> Array:
        n = len(self.names)
        where = self._projection.full_name
        if len(numbers) % n:
            raise ParameterError(
                f"{where}: found {len(numbers)} numbers, expected {n} for each direction"
            )
        rows = np.reshape(np.array(numbers), (-1, n))
        values, basis = np.linalg.svd(rows)[1:]
        if len(rows) > n or values[-1] <= DEPENDENT * values[0]:
            raise ParameterError(f"{where}: found {rows.tolist()}, expected independent directions")
        directions: Array = basis[: len(rows)]
        return directions


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 6 else f"{', '.join(names[:3])}, ..."
