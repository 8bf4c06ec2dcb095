"""How the robot of a problem moves from call to call."""

from itertools import count
from math import pi
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Swaying:
    """Joints that swing about a posture.

    Args:
        problem: With `joints`, `posture` by joint, `phases` [rad], `sway` [rad], `frequency` [Hz]
            and `period` [s].
    """

    def __init__(self, problem: dict[str, Any]) -> None:
        self.names: list[str] = problem["joints"]
        self._start = np.array([problem["posture"].get(name, 0.0) for name in self.names])
        self._phases = np.array(problem["phases"])
        self._sway, self._angular = problem["sway"], 2.0 * pi * problem["frequency"]
        self._times = (problem["period"] * i for i in count())

    def advance(self) -> tuple[Array, Array]:
        """Return positions and velocities of the joints after another period."""
        angle = self._phases + self._angular * next(self._times)
        velocity = self._sway * self._angular * np.cos(angle)
        return self._start + self._sway * np.sin(angle), velocity
