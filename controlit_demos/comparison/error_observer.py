"""ErrorObserver: how far a task is off its goal."""

from collections.abc import Mapping, Sequence

import numpy as np

from controlit_demos.comparison.trace import Trace
from controlit_ros.recording.series import Series
from controlit_ros.scripting import SimulatedController

AT_REST = 0.5  # [s] at the end of a scenario, when all goals have rested for a while
MILLIMETRES = 1e3  # [mm/m]


class ErrorObserver:
    """Looks at the error of a task that leads a point.

    Args:
        controller: Started.
        task: Its name.
        label: How it is called.
    """

    def __init__(self, controller: SimulatedController, task: str, label: str) -> None:
        self._task = controller.task(task)
        self._label = label
        self._series = Series(1)

    def look(self, elapsed: float) -> None:
        """Keep the length of the error."""
        self._series.append(elapsed, [MILLIMETRES * self._task.error_norm.value])

    def findings(self) -> Mapping[str, float]:
        """Return the mean over all and that over the end [mm]."""
        times, values = self._series.track()
        return {
            f"{self._label}, mean error": float(np.mean(values)),
            f"{self._label}, error at rest": float(np.mean(values[times > times[-1] - AT_REST])),
        }

    def traces(self) -> Sequence[Trace]:
        """Return the error over time."""
        return [Trace(f"{self._label}, error [mm]", self._series)]
