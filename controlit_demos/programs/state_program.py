"""StateProgram: a program that is a finite state machine."""

import contextlib
import importlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from controlit_demos.programs.goal_program import Actual
from controlit_demos.programs.stage import Stage
from controlit_ros.arrays import Array
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.paths.trajectory import Trajectory, TrajectorySample

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

    The machine is one of the library transitions: the trigger `advance` leads from each state to
    the next under its conditions, `give_up` from any to `failed`. It sees only what the controller
    publishes.

    Args:
        stack: The controller, for the kinds of its tasks.
        states: In their order; the machine rests in the last.
        tasks: Names of the tasks with goals.

    Attributes:
        phases: Begin [s] and name of each state entered so far.
        problems: Why the machine failed, empty if it did not.
        machine: The state machine.

    Raises:
        NoMachineError: transitions is not installed.
    """

    state: str
    """Name of the present state, kept by the machine."""

    def __init__(
        self, stack: ControllerStack, states: Sequence[ProgramState], tasks: Sequence[str]
    ) -> None:
        if transitions is None:
            raise NoMachineError(
                "state machines come with transitions, which is not installed; "
                "expected transitions >= 0.9.2: pip install 'controlit[demos]'"
            )
        self.phases: list[tuple[float, str]] = []
        self.problems: list[str] = []
        self._states = {state.name: state for state in states}
        self._tasks = tuple(tasks)
        known = {task.name: task for task in stack.tasks.tasks}
        self._units = {name: known[name].goal.unit_length for name in tasks}
        self._now = 0.0
        self._entered = 0.0
        self._is_over = False
        self._actual: Actual = {}
        self._goals: dict[str, Array] = {}
        self._pieces: list[dict[str, Trajectory]] = []
        names = [state.name for state in states]
        self.machine = transitions.Machine(
            self,
            states=[*names, FAILED],
            initial=names[0],
            auto_transitions=False,
            after_state_change="_enter",
        )
        for name, following in pairwise(names):
            self.machine.add_transition("advance", name, following, conditions="_conditions_hold")
        self.machine.add_transition("give_up", [*names], FAILED)

    @property
    def duration(self) -> float:
        """Time of all motions [s]; conditions that are not met at once make it longer."""
        return sum(stage.duration for state in self._states.values() for stage in state.stages)

    @property
    def tasks(self) -> Sequence[str]:
        """Names of the tasks with goals."""
        return self._tasks

    @property
    def watched(self) -> Sequence[str]:
        """Every one of them: motions begin where the robot is."""
        return self._tasks

    def goals(self, time: float, actual: Actual) -> Mapping[str, TrajectorySample]:
        """Return the goals at a time, after all transitions that are due."""
        self._now, self._actual = time, actual
        if not self.phases:
            self._goals = {name: self._measured(name) for name in self._tasks}
            self._enter()
        if time >= self._end and not self._is_over:
            self._goals = {name: path.at(time).value for name, path in self._pieces[-1].items()}
            self._leave()
        samples = {name: path.at(time) for name, path in self._piece(time).items()}
        self._goals = {name: sample.value for name, sample in samples.items()}
        return samples

    def is_over(self, time: float) -> bool:
        """Whether the machine has come to its last state and rests there, or has failed."""
        return self._is_over and time >= self._end

    @property
    def _end(self) -> float:
        return max((path.end for path in self._pieces[-1].values()), default=self._entered)

    def _piece(self, time: float) -> dict[str, Trajectory]:
        for piece in self._pieces[:-1]:
            if time < max(path.end for path in piece.values()):
                return piece
        return self._pieces[-1]

    def _enter(self) -> None:
        """Prepare the motions of the state just entered."""
        self._entered = begin = self._now
        self.phases.append((begin, self.state))
        stages = self._states[self.state].stages if self.state != FAILED else ()
        goals = self._goals
        self._pieces = []
        for stage in stages or (Stage(0.01, {}),):
            piece = stage.trajectories(begin, goals, self._units)
            self._pieces.append(piece)
            goals = {name: path.at(path.end).value for name, path in piece.items()}
            begin += stage.duration
        self._is_over = self.state == FAILED or self.state == list(self._states)[-1]

    def _leave(self) -> None:
        """Go on if the conditions hold, give up if they have not for a while."""
        if not self.machine.events["advance"].trigger(self) and self._now > self._end + PATIENCE:
            self.problems += [f"{self.state}: {text}" for text in self._complaints()]
            self.machine.events["give_up"].trigger(self)

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
        difference: Array = self._measured(condition.task) - self._goals[condition.task]
        return difference if condition.entries is None else difference[list(condition.entries)]

    def _measured(self, name: str) -> Array:
        value = self._actual[name]
        assert value is not None, f"nothing was heard of {name}"
        return np.array(value)


def _holds(condition: Condition, difference: Array) -> bool:
    return bool((difference > condition.lowest).all() and (difference < condition.highest).all())


def _listed(values: Array) -> str:
    return ", ".join(f"{value:+.4f}" for value in values)
