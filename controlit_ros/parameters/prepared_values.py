"""PreparedValues: values that the servo thread itself gives parameters, checked beforehand."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.parameters.mailbox import (
    Assignments,
    assign_stated,
    checked_values,
    is_sampled,
)
from controlit_ros.parameters.parameter import Parameter, Patch, Reader


class PreparedValues(NamedTuple):
    """Assignments that take effect together, without a check in the cycle.

    What has its value already is left alone, so that repeating an order changes nothing.

    Attributes:
        assignments: Parameters with values as `assign` takes them.
    """

    assignments: Assignments

    @classmethod
    def of(cls, values: Mapping[Parameter, Any]) -> "PreparedValues":
        """Check values, and what they imply.

        Raises:
            ParameterError: One does not fit, or its parameter cannot change at run time.
        """
        return cls(tuple(checked_values(values).items()))

    def concerns(self, reader: Reader) -> bool:
        """Return whether something changes that a thread reads."""
        return any(p.reader is reader and _differs(p, value) for p, value in self.assignments)

    def assign(self) -> None:
        """Assign what differs; while those rest who read it."""
        for parameter, value in self.assignments:
            if _differs(parameter, value):
                sampled = is_sampled(parameter, self.assignments)
                assign_stated(parameter, value, is_sample=sampled)


def _differs(parameter: Parameter, value: Any) -> bool:
    if isinstance(value, Patch):
        return not np.array_equal(parameter.value[value.indices], value.values)
    if parameter.is_array:
        return not np.array_equal(parameter.value, value)
    return bool(parameter.value != value)
