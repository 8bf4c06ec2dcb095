"""ParameterRow: parameters as a row of numbers, to leave the servo thread in a sampler."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from controlit_ros.arrays import Array
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection

_PYTHON = {Kind.FLOAT: float, Kind.INTEGER: int, Kind.BOOLEAN: bool}


class ParameterRow:
    """Writes the values of parameters into a row, and reads them from there.

    Args:
        parameters: Numbers, vectors of numbers, and texts out of a choice, which travel as the
            number of the choice; see `changing`.

    Attributes:
        width: Numbers in the row.
    """

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._parameters = tuple(parameters)
        self._ends = list(accumulate([p.width for p in self._parameters]))
        self.width: int = self._ends[-1] if self._ends else 0

    def fill(self, row: Array) -> None:
        """Write the present values; servo thread."""
        start = 0
        for parameter, end in zip(self._parameters, self._ends, strict=True):
            if parameter.is_array:
                row[start:end] = parameter.value.reshape(-1)
            elif parameter.kind is Kind.TEXT:
                row[start] = parameter.choices.index(parameter.value)
            else:
                row[start] = parameter.value
            start = end

    def values(self, row: Array) -> list[Any]:
        """Return the values in a row: views of it for vectors, else plain values."""
        starts = [0, *self._ends]
        return [
            _value(parameter, row[start:end])
            for parameter, start, end in zip(self._parameters, starts, self._ends, strict=False)
        ]


def changing(owners: Iterable[ParameterReflection]) -> list[Parameter]:
    """Return the parameters of some owners that can change and fit into a row."""
    return [
        parameter
        for owner in owners
        for parameter in owner.parameters.values()
        if parameter.width and parameter.access is not Access.CONFIGURATION
    ]


def _value(parameter: Parameter, numbers: Array) -> Any:
    if parameter.is_array:
        return numbers.reshape(parameter.value.shape)
    number = numbers.item(0)
    if parameter.kind is Kind.TEXT:
        return parameter.choices[int(number)]
    return _PYTHON[parameter.kind](number)
