"""Mode: what of a controller is on in one of its states, and what is taken there."""

from dataclasses import dataclass
from typing import NamedTuple

from controlit_ros.arrays import Array
from controlit_ros.constraints import Constraint
from controlit_ros.parameters import Parameter
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.tasks import Task


class ModeGoal(NamedTuple):
    """Where a mode leads a task.

    Attributes:
        task: Whose goal moves.
        value: `(k,)` where it comes to rest.
        speed: Highest on the way there: of the length, or `(k,)` of joints [m/s or rad/s].
        rise_time: Time to that speed with the highest acceleration [s].
    """

    task: Task
    value: Array
    speed: float | Array
    rise_time: float


@dataclass(frozen=True)
class Mode:
    """A state of the robot, compiled: entering it is one order, and some goals.

    An order names every parameter that any mode sets, so that what a mode is does not depend on the
    way into it.

    Attributes:
        name: Of the mode.
        description: For people.
        order: What it sets.
        on: Tasks that act or measure in it, of those that modes switch.
        off: Tasks that rest in it, likewise.
        constraints: Those that modes switch.
        latched: Tasks whose goal becomes what they measure, at rest, when the mode begins.
        joining: Tasks of which that is so only if they did not act before.
        goals: Where it leads tasks, within bounds.
        resting: What becomes zero when it begins: what is fed forward with goals that nobody may
            lead any more, and where behaviours may not lead.
        refused: Parameters that nobody may set from outside while it lasts.
        taken: Tasks whose goals are taken.
        extra: Full names of other parameters that are taken.
        controller: Which whole-body controller computes; empty: any.
    """

    name: str
    description: str
    order: PreparedValues
    on: tuple[Task, ...]
    off: tuple[Task, ...]
    constraints: tuple[Constraint, ...]
    latched: tuple[Task, ...]
    joining: tuple[Task, ...]
    goals: tuple[ModeGoal, ...]
    resting: tuple[Parameter, ...]
    refused: frozenset[Parameter]
    taken: tuple[str, ...]
    extra: tuple[str, ...]
    controller: str

    @property
    def stops(self) -> bool:
        """Whether it takes no commands."""
        return not (self.taken or self.extra)
