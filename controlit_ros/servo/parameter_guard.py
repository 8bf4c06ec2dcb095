"""ParameterGuard: values out of range that a behaviour leaves in parameters are taken back."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.errors import show
from controlit_ros.kernels import IN_RANGE, first_out_of_range, keep_values, restore_values
from controlit_ros.parameters import Access, Kind, Parameter, ParameterError, ParameterReflection
from controlit_ros.parameters.parameter import LARGEST
from controlit_ros.tasks import Task
from controlit_ros.tasks.task import LARGEST_GOAL


class ParameterGuard:
    """Restores numbers that are not finite, or out of their range, to what they were before.

    Behaviours assign parameters, or write into their memory, without checks. What a client may not
    set, a behaviour may not leave behind either.

    Args:
        parts: Owners of the parameters; those that can change while control is active are guarded.
    """

    def __init__(self, parts: Iterable[ParameterReflection]) -> None:
        guarded = [
            (p, _largest(p, part))
            for part in parts
            for p in part.parameters.values()
            if p.kind is Kind.FLOAT and p.access is Access.RUN_TIME
        ]
        vectors = [(p, most) for p, most in guarded if p.is_array and p.value.size]
        self._vectors = [p for p, _ in vectors]
        self._numbers = [
            (p, *_range(p, most)) for p, most in guarded if not p.is_array and p.shape == ()
        ]
        ranges = [_range(p, most) for p, most in vectors for _ in range(p.value.size)]
        self._lower: Array = np.array([lower for lower, _ in ranges])
        self._upper: Array = np.array([upper for _, upper in ranges])
        self._kept: Array = np.zeros(len(ranges))
        self._kept_numbers: list[float] = []
        self._moves = -1
        self.keep()
        first_out_of_range(self._sources, self._kept, self._lower, self._upper)  # compiled now
        if self._vectors:
            restore_values(self._sources, self._kept, 0)

    def keep(self) -> None:
        """Remember the present values."""
        if self._moves != Parameter.moves:
            self._moves = Parameter.moves
            self._sources: Indices = np.array(
                [(p.value.ctypes.data, p.value.size) for p in self._vectors], dtype=np.int64
            ).reshape(-1, 2)
        keep_values(self._sources, self._kept)
        self._kept_numbers = [p.value for p, _, _ in self._numbers]

    def restore(self, refuse: Callable[[str], None]) -> None:
        """Restore what is out of range, unless it was when it was kept.

        Args:
            refuse: Called with a text for each parameter that is restored.
        """
        sources, kept, lower, upper = self._sources, self._kept, self._lower, self._upper
        while (found := first_out_of_range(sources, kept, lower, upper)) != IN_RANGE:
            parameter = self._vectors[found]
            refuse(_describe(parameter))
            restore_values(sources, kept, found)
            parameter.revision += 1
            Parameter.changes += 1
        for parameter, before in self._numbers_out_of_range():
            refuse(_describe(parameter))
            parameter.assign(before)

    def _numbers_out_of_range(self) -> Iterator[tuple[Parameter, float]]:
        for (p, lower, upper), before in zip(self._numbers, self._kept_numbers, strict=True):
            if not lower <= p.value <= upper and lower <= before <= upper:
                yield p, before


def _largest(parameter: Parameter, part: ParameterReflection) -> float:
    goals = (
        (part.goal, part.goal_velocity, part.goal_acceleration) if isinstance(part, Task) else ()
    )
    return LARGEST_GOAL if any(parameter is goal for goal in goals) else LARGEST


def _range(parameter: Parameter, largest: float) -> tuple[float, float]:
    lower = -largest if parameter.lower is None else parameter.lower
    upper = largest if parameter.upper is None else parameter.upper
    return lower, upper


def _describe(parameter: Parameter) -> str:
    try:
        parameter.validate(parameter.value)
    except ParameterError as error:
        return str(error)
    found, expected = show(parameter.value), parameter.expected
    return f"{parameter.full_name}: found {found}, expected {expected}, up to {LARGEST_GOAL:g}"
