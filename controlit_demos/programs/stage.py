"""Stage: a piece of a program in which every goal moves along one spline."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import Trajectory
from controlit_ros.paths.unit_trajectory import UnitTrajectory


class Stage(NamedTuple):
    """Where goals go within a time.

    Attributes:
        duration: Time it takes [s].
        paths: Points to pass, evenly in time, the last one to rest at; by task name. Goals of
            other tasks stay where they are.
    """

    duration: float
    paths: Mapping[str, Sequence[Sequence[float]]]

    def trajectories(
        self, begin: float, goals: Mapping[str, Array], units: Mapping[str, bool]
    ) -> dict[str, Trajectory]:
        """Return cubic splines from where the goals are.

        Args:
            begin: When the stage begins [s].
            goals: Where the goals of all tasks are.
            units: Which tasks have goals of unit length.
        """
        result = {}
        for name, goal in goals.items():
            points = [goal, *(np.asarray(point) for point in self.paths.get(name, (goal,)))]
            times = begin + np.linspace(0.0, self.duration, len(points))
            result[name] = (UnitTrajectory if units[name] else Trajectory)(times, points)
        return result
