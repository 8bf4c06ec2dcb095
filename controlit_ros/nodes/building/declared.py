"""Tasks and constraints: what one section declares, and another says how it takes part."""

from collections.abc import Mapping
from typing import Any

from controlit_ros.configuration import KeyPath, PluginKind, load_plugin
from controlit_ros.configuration.sections import LISTINGS
from controlit_ros.constraints import ConstraintSet
from controlit_ros.errors import ControlItError
from controlit_ros.inequalities import Inequality
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.checks.contacts import pressure_problems
from controlit_ros.servo import Behaviour, LedParts
from controlit_ros.tasks import CompoundTask, Task

SECTIONS = {PluginKind.CONSTRAINT: "constraints", PluginKind.TASK: "tasks"}
"""Which sections declare parts that are said elsewhere how they take part."""


def build_constraints(builder: SectionBuilder, robot: RobotDescription) -> ConstraintSet:
    """Return the constraints that could be built, in the order of the file."""
    added_rows = builder.configuration.parameters.added_constraint_rows
    return ConstraintSet(_declared(builder, PluginKind.CONSTRAINT, robot), added_rows)


def build_tasks(builder: SectionBuilder, robot: RobotDescription) -> tuple[Task, ...]:
    """Return the tasks that could be built, in the order of the file."""
    tasks = tuple(_declared(builder, PluginKind.TASK, robot))
    if not builder.problems.problems:  # or the numbers of tasks are not those of the file
        for place, text in pressure_problems(tasks):
            builder.problems.add(place, text)
    return tasks


def build_inequalities(
    builder: SectionBuilder, robot: RobotDescription, constraints: ConstraintSet
) -> tuple[Inequality, ...]:
    """Return the inequalities that could be built, in the order of the file."""
    period = 1.0 / builder.configuration.parameters.servo_frequency
    built = []
    for i, entry in enumerate(builder.configuration.inequalities):
        path: KeyPath = ("inequalities", i)
        part = builder.create(PluginKind.INEQUALITY, entry.type, path, entry.name, robot)
        if (
            part is not None
            and builder.fill(part, entry.parameters, path)
            and builder.configure(part, path, constraints, period)
        ):
            built.append(part)
        else:
            builder.unbuilt.add(entry.name)
    return tuple(built)


def build_behaviours(
    builder: SectionBuilder,
    robot: RobotDescription,
    tasks: CompoundTask,
    constraints: ConstraintSet,
) -> tuple[Behaviour, ...]:
    """Return the behaviours that could be built, in the order of the file."""
    parts = LedParts(
        {task.name: task for task in tasks.tasks},
        {constraint.name: constraint for constraint in constraints.constraints},
    )
    built = []
    for i, entry in enumerate(builder.configuration.behaviours):
        path: KeyPath = ("behaviours", i)
        part = builder.create(PluginKind.BEHAVIOUR, entry.type, path, entry.name, robot)
        if (
            part is not None
            and builder.fill(part, entry.parameters, path)
            and builder.configure(part, path, parts)
        ):
            built.append(part)
        else:
            builder.unbuilt.add(entry.name)
    return tuple(built)


def build_declared(
    builder: SectionBuilder, kind: PluginKind, index: int, robot: RobotDescription
) -> Any:
    """Return what one entry declares, a task or a constraint; `None` if it could not be built."""
    section = SECTIONS[kind]
    entry = getattr(builder.configuration, section)[index]
    places = {place.name: place for place in getattr(builder.configuration, LISTINGS[section])}
    path: KeyPath = (section, index)
    part = builder.create(kind, entry.type, path, entry.name, robot)
    if part is not None and _fill(builder, part, entry.parameters, path):
        if kind is PluginKind.TASK:
            part.priority.set(places[entry.name].priority)
        part.operational_state.set(places[entry.name].operational_state)
        if builder.configure(part, path):
            return part
    builder.unbuilt.add(entry.name)
    return None


def _declared(builder: SectionBuilder, kind: PluginKind, robot: RobotDescription) -> list[Any]:
    count = len(getattr(builder.configuration, SECTIONS[kind]))
    built = (build_declared(builder, kind, i, robot) for i in range(count))
    return [part for part in built if part is not None]


def _fill(builder: SectionBuilder, part: Any, values: Mapping[str, Any], path: KeyPath) -> bool:
    """Set parameters, for a task those of the control law that its entry asks for among them."""
    law = values.get("control_law") if isinstance(part, Task) else None
    if isinstance(law, str):  # what else it may be, `fill` tells
        try:
            part.use_law(law, load_plugin(PluginKind.CONTROL_LAW, law))
        except ControlItError as error:
            builder.problems.add((*path, "control_law"), str(error))
            return False
    return builder.fill(part, values, path)
