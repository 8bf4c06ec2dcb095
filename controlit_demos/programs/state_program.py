"""StateProgram: a program that is a finite state machine."""

import contextlib
import importlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.stage import Stage
from controlit_ros.arrays import Array
from controlit_ros.client import Robot
from controlit_ros.errors import ControlItError

transitions: Any = None
with contextlib.suppress(ImportError):  # an extra; told when somebody asks for a machine
    transitions = importlib.import_module("transitions")

FAILED = "failed"
PATIENCE = 3.0  # [s] for a state to meet its conditions once its goals rest


class Condition(NamedTuple):
    """What must hold before a state is left.

    Attributes:
        task: Whose actual value is looked at.
        lowest: What each entry of actual minus goal must exceed.
        highest: What it must stay below.
        complaint: What is wrong if it does not hold, in words.
        entries: Numbers of the entries that matter; `None`: all.
    """

    task: str
    lowest: float
    highest: float
    complaint: str
    entries: Sequence[int] | None = None


class ProgramState(NamedTuple):
    """A state of the machine.

    Attributes:
        name: Of the state.
        stages: Motions, one after the other.
        conditions: What must hold at the end for the next state to begin.
    """

    name: str
    stages: Sequence[Stage]
    conditions: Sequence[Condition] = ()


class NoMachineError(ControlItError):
    """The library of state machines is not installed."""


class StateProgram:
    """Goes through states, each a sequence of motions, and on only when its conditions hold.

    A `Program`. The machine is one of the library transitions: the trigger `advance` leads from
    each state to the next under its conditions, `give_up` from any to `failed`.

    Args:
        states: In their order; the machine rests in the last.

    Attributes:
        machine: The state machine.

    Raises:
        NoMachineError: transitions is not installed.
    """

    state: str
    """Name of the present state, kept by the machine."""

    def __init__(self, states: Sequence[ProgramState]) -> None:
        if transitions is None:
            raise NoMachineError(
                "state machines come with transitions, which is not installed; "
                "expected transitions >= 0.9.2: pip install 'controlit[demos]'"
            )
        self._states = {state.name: state for state in states}
        self._robot: Robot | None = None
        self._goals: dict[str, Array] = {}
        names = [state.name for state in states]
        self.machine = transitions.Machine(
            self, states=[*names, FAILED], initial=names[0], auto_transitions=False
        )
        for name, following in pairwise(names):
            self.machine.add_transition("advance", name, following, conditions="_conditions_hold")
        self.machine.add_transition("give_up", [*names], FAILED)

    @property
    def states(self) -> Sequence[ProgramState]:
        """All but `failed`, in their order."""
        return tuple(self._states.values())

    @property
    def duration(self) -> float:
        """Time of all motions [s]; conditions that are not met at once make it longer."""
        return sum(stage.duration for state in self.states for stage in state.stages)

    def run(self, robot: Robot, course: DemoCourse) -> None:
        """Go to the last state, or to `failed` (see `Program.run`)."""
        self._robot = robot
        watched = {each.task for state in self.states for each in state.conditions}
        self._goals = {name: robot.task(name).goal for name in watched}
        while self.state != FAILED:
            course.enter(self.state)
            self._play(robot, course)
            if self.state == self.states[-1].name:
                return
            if not robot.wait(lambda: self._trigger("advance"), PATIENCE):
                course.problems += [f"{self.state}: {text}" for text in self._complaints()]
                self._trigger("give_up")
        course.enter(self.state)

    def _play(self, robot: Robot, course: DemoCourse) -> None:
        for stage in self._states[self.state].stages:
            stage.play(robot, course)
            self._goals |= {name: np.array(points[-1]) for name, points in stage.paths.items()}

    def _trigger(self, name: str) -> bool:
        return bool(self.machine.events[name].trigger(self))

    def _conditions_hold(self) -> bool:
        return not self._complaints()

    def _complaints(self) -> list[str]:
        return [
            f"{condition.complaint} (from its goal: {_listed(difference)})"
            for condition in self._states[self.state].conditions
            for difference in [self._difference(condition)]
            if not _holds(condition, difference)
        ]

    def _difference(self, condition: Condition) -> Array:
        assert self._robot is not None
        difference: Array = self._robot.task(condition.task).actual - self._goals[condition.task]
        return difference if condition.entries is None else difference[list(condition.entries)]


def _holds(condition: Condition, difference: Array) -> bool:
    return bool((difference > condition.lowest).all() and (difference < condition.highest).all())


def _listed(values: Array) -> str:
    return ", ".join(f"{value:+.4f}" for value in values)
