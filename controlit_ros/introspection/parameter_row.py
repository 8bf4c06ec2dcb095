"""ParameterRow: parameters as a row of numbers, to leave the servo thread in a sampler."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection
from controlit_ros.servo.standing_row import StandingRow

_PYTHON = {Kind.FLOAT: float, Kind.INTEGER: int, Kind.BOOLEAN: bool}


class ParameterRow(StandingRow):
    """Tells the values of parameters as a row, and reads them from there.

    Args:
        parameters: Numbers, vectors of numbers, and texts out of a choice, which travel as the
            number of the choice; see `changing`.

    Attributes:
        width: Numbers in the row.
    """

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._arrays = [p for p in parameters if p.is_array]
        self._texts = [p for p in parameters if p.kind is Kind.TEXT]
        self._numbers = [p for p in parameters if not p.is_array and p.kind is not Kind.TEXT]
        grouped = [*self._arrays, *self._numbers, *self._texts]
        ends = list(accumulate([p.width for p in grouped], initial=0))
        spans = {id(p): slice(*span) for p, span in zip(grouped, pairwise(ends), strict=True)}
        self._readers = [_reader(p, spans[id(p)]) for p in parameters]
        self._plain_readers = [
            (p, read) for p, read in zip(parameters, self._readers, strict=True) if not p.is_array
        ]
        self.width = ends[-1]
        plain = len(self._numbers) + len(self._texts)
        self._plain: Array = np.zeros(plain)
        self._pack = Struct(f"@{plain}d").pack_into
        self._packed = self._plain.data.cast("B") if plain else bytearray()

    def arrays(self) -> list[Array]:
        """Return the values of vectors, and a vector of all others."""
        return [*(p.value for p in self._arrays), self._plain]

    def prepare(self) -> None:
        """Write the values that are no vectors; servo thread."""
        numbers = [p.value for p in self._numbers]
        texts = [p.choices.index(p.value) for p in self._texts]
        self._pack(self._packed, 0, *numbers, *texts)

    def values(self, row: Array) -> list[Any]:
        """Return the values in a row: views of it for vectors, else plain values."""
        return [read(row) for read in self._readers]

    def plain_values(self, row: Array) -> Iterator[tuple[Parameter, Any]]:
        """Yield the parameters that are no vectors, and their values in a row."""
        for parameter, read in self._plain_readers:
            yield parameter, read(row)


def changing(owners: Iterable[ParameterReflection]) -> list[Parameter]:
    """Return the parameters of some owners that can change and fit into a row."""
    return [
        parameter
        for owner in owners
        for parameter in owner.parameters.values()
        if parameter.width and parameter.access is not Access.CONFIGURATION
    ]


def _reader(parameter: Parameter, span: slice) -> Callable[[Array], Any]:
    """Return what reads a parameter's value in its span of a row."""
    if parameter.is_array:
        shape = parameter.value.shape
        if len(shape) == 1:
            return itemgetter(span)  # which Python takes no step for
        return lambda row: row[span].reshape(shape)
    place, kind, choices = span.start, parameter.kind, parameter.choices
    if kind is Kind.TEXT:
        return lambda row: choices[int(row[place])]
    python = _PYTHON[kind]
    return lambda row: python(row[place])
