"""Modes: all that a file says about modes, compiled."""

from collections.abc import Mapping
from dataclasses import dataclass

from controlit_ros.modes.mode import Mode
from controlit_ros.modes.mode_graph import ModeGraph
from controlit_ros.modes.mode_machine import ModeMachine
from controlit_ros.modes.mode_parameters import ModeParameters
from controlit_ros.modes.newcomers import Newcomers
from controlit_ros.parameters import Parameter


@dataclass(frozen=True)
class Modes:
    """The modes of a controller.

    Attributes:
        reflection: How they are seen.
        graph: Names and transitions.
        modes: By name.
        goals: Of the tasks that modes know, by name.
        needed: Names of the tasks, constraints and others that modes refer to.
        newcomers: Parts that have come since.
    """

    reflection: ModeParameters
    graph: ModeGraph
    modes: Mapping[str, Mode]
    goals: Mapping[str, Parameter]
    needed: frozenset[str]
    newcomers: Newcomers

    def refuses(self, name: str, parameter: Parameter) -> bool:
        """Return whether nobody may set a parameter from outside while a mode lasts."""
        mode, newcomers = self.modes[name], self.newcomers
        if not newcomers.has(parameter):
            return parameter in mode.refused
        original = newcomers.original(parameter)
        return mode.stops if original is None else original in mode.refused

    def refused_tasks(self, name: str) -> list[str]:
        """Return the tasks whose goals a mode does not take."""
        goals = dict(self.goals) | {task.name: task.goal for task in self.newcomers.tasks}
        return [task for task, goal in goals.items() if self.refuses(name, goal)]

    @property
    def ordered(self) -> frozenset[Parameter]:
        """What modes set: the file says it, and saving a controller changes nothing of that."""
        return frozenset(p for mode in self.modes.values() for p, _ in mode.order.assignments)

    def machine(self) -> ModeMachine:
        """Return a machine in the initial mode."""
        return ModeMachine(self.graph)
