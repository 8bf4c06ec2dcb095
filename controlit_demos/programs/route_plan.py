"""RoutePlan: goals of tasks along stops of a route."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_demos.programs.goal_plan import GoalPlan, PlanBuilder
from controlit_ros.arrays import Array
from controlit_ros.nodes.controller_stack import ControllerStack


class Stop(NamedTuple):
    """Goals to pass on the way, or to rest at.

    Attributes:
        name: What the motion towards them does, for displays.
        duration: Time from the last stop to this one [s]; of no meaning for the first.
        goals: By task name; a task left out stays where it was.
        pause: Time to rest here [s]; 0: pass through.
    """

    name: str
    duration: float
    goals: Mapping[str, Sequence[float]]
    pause: float = 0.0


class RoutePlan(GoalPlan):
    """Goals of some tasks along the stops of a route; in between they follow cubic splines.

    Args:
        stack: Holds the tasks.
        stops: The first names the goals of all tasks of the route.

    Raises:
        TrajectoryError: Times do not fit.
    """

    def __init__(self, stack: ControllerStack, stops: Sequence[Stop]) -> None:
        builder = PlanBuilder([task for task in stack.tasks.tasks if task.name in stops[0].goals])
        goals: dict[str, Array] = {}
        for stop in stops:
            goals |= {name: np.array(goal, dtype=float) for name, goal in stop.goals.items()}
            builder.add(stop.name, stop.duration, goals, stop.pause)
        super().__init__(builder)
