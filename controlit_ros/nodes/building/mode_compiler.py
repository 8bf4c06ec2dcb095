"""ModeCompiler: what one entry of the section `modes` means, with its names looked up."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration import KeyPath
from controlit_ros.configuration.entries import ModeEntry
from controlit_ros.constraints import Constraint
from controlit_ros.errors import ControlItError
from controlit_ros.introspection.answering import by_name
from controlit_ros.model import RobotDescription
from controlit_ros.modes import (
    Mode,
    ModeGoal,
    ModeTransition,
)
from controlit_ros.modes.newcomers import commanding, fed_forward, leading
from controlit_ros.nodes.building.control_parts import ControlParts
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.remote_access import goals_of
from controlit_ros.parameters import Parameter, ParameterDirectory
from controlit_ros.parameters.mailbox import check_assignable
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.servo import GuardSettings
from controlit_ros.servo.behaviour import Behaviour
from controlit_ros.tasks import DISABLE, ENABLE, Task
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.joint_position import JointPosition

SECTION = "modes"
RISE_TIME = 0.5  # [s] to the full speed of a return: a person sees it begin


class ModeCompiler:
    """Makes modes of entries.

    Args:
        builder: Of the configuration.
        parts: What modes switch.
        directory: All parameters.
        behaviours: Whose commands modes take or refuse.

    Attributes:
        governed: All that some mode may refuse: what leads the robot, and what modes are.
    """

    def __init__(
        self,
        builder: SectionBuilder,
        parts: ControlParts,
        directory: ParameterDirectory,
        behaviours: Sequence[Behaviour],
    ) -> None:
        section = builder.configuration.modes
        assert section is not None
        self._builder = builder
        self._parts = parts
        self._directory = directory
        self._behaved = [p for behaviour in behaviours for p in behaviour.commands]
        self._entries = section.states
        self._tasks = by_name(parts.tasks.tasks)
        self._constraints = by_name(parts.constraints.constraints)
        self._switched_tasks = self._switched("tasks", self._tasks)
        self._switched_constraints = self._switched("constraints", self._constraints)
        self._base = self._base_values()
        self.governed = self._all_governed()

    def mode(self, number: int, entry: ModeEntry) -> Mode:
        """Return one mode, as far as it is in order."""
        path: KeyPath = (SECTION, "states", number)
        on = self._on(entry)
        values = {**self._base, **self._states(entry), **self._stated(entry, path)}
        if entry.controller is not None:
            values.update(self._choice(entry.controller, path))
        goals = tuple(self._goals(entry, path))
        led = {goal.task.name for goal in goals}
        for key in ("latch", "keep", "goals"):
            for name in getattr(entry, key):
                self._check_on(name, on, (*path, key))
        taken, extra, refused = self._commands(entry, on, path)
        return Mode(
            name=entry.name,
            description=entry.description,
            order=self._order(values, path),
            on=tuple(t for t in self._switched_tasks if t.name in on),
            off=tuple(t for t in self._switched_tasks if t.name not in on),
            constraints=self._switched_constraints,
            latched=tuple(t for t in self._known(entry.latch) if t.name not in led),
            joining=tuple(
                t for t in self._switched_tasks if t.name in on - set(entry.keep) and t.latches
            ),
            goals=goals,
            resting=tuple(self._resting(refused)),
            refused=refused,
            taken=taken,
            extra=extra,
            controller=entry.controller or "",
        )

    def needed(self, transitions: Iterable[ModeTransition]) -> set[str]:
        """Return the names of what modes refer to."""
        found = {part.name for part in (*self._switched_tasks, *self._switched_constraints)}
        found |= {parameter.owner for parameter in self._base}
        for entry in self._entries:
            found.update(entry.goals, entry.latch, entry.keep)
            found.update(name.partition(".")[0] for name in entry.commands or ())
        guards = [way.guard for way in transitions if way.guard is not None]
        return found | {parameter.owner for guard in guards for parameter in guard.parameters}

    def _switched(self, key: str, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the parts that any mode names, in the order of the file."""
        names: set[str] = set()
        for i, entry in enumerate(self._entries):
            for j, name in enumerate(getattr(entry, key) or ()):
                if self._is_known(name, known, key[:-1], (SECTION, "states", i, key, j)):
                    names.add(name)
        return tuple(part for name, part in known.items() if name in names)

    def _is_known(self, name: str, known: Mapping[str, Any], what: str, path: KeyPath) -> bool:
        if name in self._builder.unbuilt:  # what is wrong with it is told
            return False
        return self._builder.is_known(name, tuple(known), what, path)

    def _known(self, names: Iterable[str]) -> tuple[Task, ...]:
        return tuple(self._tasks[name] for name in names if name in self._tasks)

    def _on(self, entry: ModeEntry) -> set[str]:
        """Return the tasks that act or measure in a mode."""
        found = {task.name for task in self._tasks.values() if not task.is_disabled}
        if entry.tasks is None:
            return found
        found -= {task.name for task in self._switched_tasks}
        return found | {name for name in entry.tasks if name in self._tasks}

    def _base_values(self) -> dict[Parameter, Any]:
        """Return what every mode sets, as the rest of the file has it."""
        parameters: list[Parameter] = [
            part.operational_state for part in (*self._switched_tasks, *self._switched_constraints)
        ]
        for i, entry in enumerate(self._entries):
            for name in entry.set:
                found = self._settable(name, (SECTION, "states", i, "set", name))
                parameters += [] if found is None else [found]
        choice = self._parts.controller.choice
        if choice is not None and any(entry.controller for entry in self._entries):
            parameters.append(choice)
        return {p: p.after(None) if p.is_array else p.value for p in parameters}

    def _settable(self, name: str, path: KeyPath) -> Parameter | None:
        if name.partition(".")[0] in self._builder.unbuilt:
            return None
        try:
            parameter = self._directory[name]
            check_assignable(parameter)
        except ControlItError as error:
            self._builder.problems.add(path, str(error))
            return None
        task = self._tasks.get(parameter.owner)
        if task is not None and parameter in goals_of(task):
            text = f"{name} is a goal: expected it in goals, which lead there within bounds"
            self._builder.problems.add(path, text)
            return None
        if parameter.owner == SECTION:
            self._builder.problems.add(path, f"{name} asks for modes: expected other parameters")
            return None
        return parameter

    def _states(self, entry: ModeEntry) -> dict[Parameter, Any]:
        """Return the operational states of a mode."""
        result: dict[Parameter, Any] = {}
        switched: tuple[tuple[tuple[str, ...] | None, tuple[Task | Constraint, ...]], ...] = (
            (entry.tasks, self._switched_tasks),
            (entry.constraints, self._switched_constraints),
        )
        for names, parts in switched:
            if names is not None:
                for part in parts:
                    state = ENABLE if part.name in names else DISABLE
                    result[part.operational_state] = state
        return result

    def _stated(self, entry: ModeEntry, path: KeyPath) -> dict[Parameter, Any]:
        result: dict[Parameter, Any] = {}
        for name, value in entry.set.items():
            parameter = self._directory.get(name)
            if parameter is None or parameter not in self._base:
                continue  # what is wrong with it is told
            try:
                result[parameter] = parameter.after(parameter.validate(value))
            except ControlItError as error:
                self._builder.problems.add((*path, "set", name), str(error))
        return result

    def _choice(self, name: str, path: KeyPath) -> dict[Parameter, Any]:
        controller = self._parts.controller
        known = [alternative.name for alternative in controller.alternatives]
        where = (*path, "controller")
        if controller.choice is None:
            text = f"found {name!r}, expected a section whole_body_controllers to choose from"
            self._builder.problems.add(where, text)
        elif self._builder.is_known(name, known, "whole-body controller", where):
            return {controller.choice: name}
        return {}

    def _order(self, values: Mapping[Parameter, Any], path: KeyPath) -> PreparedValues:
        try:
            return PreparedValues.of(values)
        except ControlItError as error:
            self._builder.problems.add(path, str(error))
            return PreparedValues(())

    def _goals(self, entry: ModeEntry, path: KeyPath) -> Iterable[ModeGoal]:
        for name, value in entry.goals.items():
            where = (*path, "goals", name)
            if not self._is_known(name, self._tasks, "task", where):
                continue
            task = self._tasks[name]
            try:
                check_assignable(task.goal)
                goal = task.goal.after(task.goal.validate(value))
            except ControlItError as error:
                self._builder.problems.add(where, str(error))
                continue
            if task.error_kind is not ErrorKind.DIFFERENCE or task.goal.unit_length:
                text = "found the goal of a direction or an orientation: expected a position"
                self._builder.problems.add(where, text)
                continue
            yield ModeGoal(task, goal, self._speed(task, entry), RISE_TIME)

    def _speed(self, task: Task, entry: ModeEntry) -> float | Array:
        if not isinstance(task, JointPosition):
            return entry.return_speed
        limits = velocity_limits(self._parts.robot, self._parts.guard)
        fastest = [limits.get(name, np.inf) for name in task.goal.labels]
        speed: Array = entry.return_share * np.array(fastest)
        speed[~np.isfinite(speed)] = entry.return_speed
        return speed

    def _check_on(self, name: str, on: set[str], path: KeyPath) -> None:
        if self._is_known(name, self._tasks, "task", path) and name not in on:
            text = f"found {name!r}, which does not act in this mode: expected one of its tasks"
            self._builder.problems.add(path, text)

    def _resting(self, refused: frozenset[Parameter]) -> Iterable[Parameter]:
        """Yield what nobody may keep in motion."""
        for task in self._tasks.values():
            yield from (p for p in fed_forward(task) if p in refused)
        yield from (p for p in self._behaved if p in refused)

    def _commands(
        self, entry: ModeEntry, on: set[str], path: KeyPath
    ) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[Parameter]]:
        """Return the tasks and parameters that are taken, and what is refused."""
        acting = tuple(
            name
            for name, task in self._tasks.items()
            if name in on and (task in self._switched_tasks or is_enabled(task))
        )
        stated = acting if entry.commands is None else entry.commands
        tasks = tuple(name for name in stated if "." not in name)
        extra = tuple(name for name in stated if "." in name)
        taken: set[Parameter] = set()
        if entry.commands is None:
            extra += tuple(parameter.full_name for parameter in self._behaved)
        for name in tasks:
            if self._is_known(name, self._tasks, "task", (*path, "commands")):
                taken.update(leading(self._tasks[name]))
        for name in extra:
            parameter = self._settable_or_goal(name, (*path, "commands"))
            taken |= set() if parameter is None else {parameter}
        return tasks, extra, self.governed - taken

    def _settable_or_goal(self, name: str, path: KeyPath) -> Parameter | None:
        try:
            parameter = self._directory[name]
            check_assignable(parameter)
        except ControlItError as error:
            self._builder.problems.add(path, str(error))
            return None
        return parameter

    def _all_governed(self) -> frozenset[Parameter]:
        found = set(self._base)
        parts: tuple[Task | Constraint, ...] = (
            *self._tasks.values(),
            *self._constraints.values(),
        )
        for part in parts:
            found.update(commanding(part))
        found.update(self._behaved)
        choice = self._parts.controller.choice
        return frozenset(found if choice is None else found | {choice})


def is_enabled(task: Task) -> bool:
    """Return whether the file lets a task act."""
    return bool(task.operational_state.value == ENABLE)


def velocity_limits(robot: RobotDescription, guard: GuardSettings) -> dict[str, float]:
    """Return the velocity limits of the command joints, infinite where none is enforced."""
    limits = guard.limits(robot).velocity
    return dict(zip(robot.command_joints, limits.tolist(), strict=True))
