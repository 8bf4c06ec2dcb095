"""NumberInMemory: an output that a kernel writes."""

from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters.parameter import Parameter


class NumberInMemory(Parameter):
    """A single number that stands in an array, so that who computes it need not tell anybody."""

    __slots__ = ()

    memory: Array

    def __init__(self, name: str, default: Any, **properties: Any) -> None:
        super().__init__(name, default, memory=np.zeros(1), **properties)

    @property
    def value(self) -> float:
        """The present value."""
        return self.memory.item()

    @value.setter
    def value(self, value: float | None) -> None:
        self.memory[0] = np.nan if value is None else value

    def rebind(self, memory: Array) -> None:
        """Move it into other memory, `(1,)`."""
        memory[0] = self.memory[0]
        self.memory = memory
        Parameter.moves += 1
