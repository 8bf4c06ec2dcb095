"""PlannedTurns: how many whole turns a plan adds to angles of joints without limits."""

from typing import Any

from controlit_ros.arrays import Array
from controlit_ros.parameters.parameter import Parameter, Patch, whole_turns


class PlannedTurns:
    """Chooses whole turns once for each joint of a plan, where the plan first names it.

    All later points of the plan are shifted by the same, so that motions between them stay as they
    were planned (as ROS 2's joint_trajectory_controller does).

    Args:
        goal: What the plan leads.
    """

    def __init__(self, goal: Parameter) -> None:
        self._goal = goal
        self._shift: dict[int, float] = {}

    def place(self, value: Any, before: Array) -> Array:
        """Return a point of the plan.

        Args:
            value: As `Parameter.validate` returned it.
            before: The point before; where the goal is at present before the first one.
        """
        goal = self._goal
        result = goal.overlaid(value, before)
        named = value.indices.tolist() if isinstance(value, Patch) else goal.turning
        for i in goal.turning:
            if i in named:
                turns = whole_turns(float(result[i]), float(before[i]))
                result[i] += self._shift.setdefault(i, turns)
        return result
