"""Parts that come to a controller that runs already."""

from collections.abc import Iterator
from typing import TypeVar

from controlit_ros.configuration import Configuration, Extension, PluginKind
from controlit_ros.constraints import Constraint
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotDescription
from controlit_ros.nodes.building.connections import build_event
from controlit_ros.nodes.building.declared import SECTIONS, build_declared
from controlit_ros.nodes.building.section_builder import SectionBuilder
from controlit_ros.nodes.checks.contacts import pressure_problems
from controlit_ros.nodes.checks.prediction import prediction_problems
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.parameters import Event
from controlit_ros.servo import Prediction
from controlit_ros.tasks import Task
from controlit_ros.tasks.continuation import check_continues

TaskOrConstraint = TypeVar("TaskOrConstraint", Task, Constraint)


def build_added_task(extension: Extension, stack: ControllerStack) -> Task:
    """Return the task of a new entry, configured and checked beside those that run.

    Raises:
        ConfigurationError: It cannot be built, or does not go with the rest of the controller.
    """
    builder = SectionBuilder(extension.configuration, extension.collector())
    task = build_declared(builder, PluginKind.TASK, extension.number, stack.robot)
    if task is not None:
        for _, text in pressure_problems((task,)):
            builder.problems.add(("tasks", extension.number, task.goal.name), text)
        for text in _objections(task, stack):
            builder.problems.add(("tasks", extension.number), text)
    extension.raise_if_any(builder.problems)
    assert isinstance(task, Task)
    return task


def build_reloaded_task(task: Task, stack: ControllerStack) -> Task:
    """Return a task built anew from its entry, which can go on where it is.

    Raises:
        ControlItError: It cannot be built, or does not go with the rest of the controller.
    """
    made = build_once_more(stack.configuration, task, stack.robot)
    check_continues(made, task)
    for objection in _objections_of_others(made, stack):
        raise ControlItError(f"{task.name}: {objection}")
    return made


def build_once_more(
    configuration: Configuration, part: TaskOrConstraint, robot: RobotDescription
) -> TaskOrConstraint:
    """Return another task or constraint of an entry that is in use already.

    Args:
        configuration: Has the entry.
        part: That of the entry.
        robot: What the other one is for.

    Raises:
        ConfigurationError: It cannot be built twice.
    """
    builder = SectionBuilder(configuration)
    kind = PluginKind.TASK if isinstance(part, Task) else PluginKind.CONSTRAINT
    entries = getattr(configuration, SECTIONS[kind])
    number = [entry.name for entry in entries].index(part.name)
    made: TaskOrConstraint = builder.required(build_declared(builder, kind, number, robot))
    return made


def build_added_constraint(extension: Extension, stack: ControllerStack) -> Constraint:
    """Return the constraint of a new entry, configured and checked beside those that run.

    Raises:
        ConfigurationError: It cannot be built, or cannot come while the controller runs.
    """
    builder = SectionBuilder(extension.configuration, extension.collector())
    made = build_declared(builder, PluginKind.CONSTRAINT, extension.number, stack.robot)
    for text in () if made is None else _objections_to_constraint(made, stack):
        builder.problems.add(("constraints", extension.number), text)
    extension.raise_if_any(builder.problems)
    assert isinstance(made, Constraint)
    return made


def build_added_event(extension: Extension, stack: ControllerStack) -> Event:
    """Return the event of a new entry.

    Raises:
        ConfigurationError: Its conditions cannot be read.
    """
    builder = SectionBuilder(extension.configuration, extension.collector())
    event = build_event(builder, extension.number, stack.directory)
    extension.raise_if_any(builder.problems)
    assert event is not None
    return event


def _objections_to_constraint(constraint: Constraint, stack: ControllerStack) -> Iterator[str]:
    """Yield why a constraint cannot join the others."""
    present = stack.constraints
    rows = present.rows + constraint.dimension
    if rows > present.max_rows:
        yield (
            f"found {constraint.dimension} rows, which makes {rows} with those of the other "
            f"constraints, expected at most {present.max_rows}: remove one, or start with a larger "
            "added_constraint_rows"
        )
    if constraint.lasting:
        yield f"it {constraint.lasting}: expected it in the file"
    if isinstance(constraint, ContactConstraint):
        for parameter in (constraint.friction, constraint.wrench_sensor):
            if parameter is not None and parameter.value:
                yield (
                    f"found {parameter.name}, but forces are known at those contacts only that "
                    f"there were at the start: expected no {parameter.name}, or the contact in the "
                    "file, disabled"
                )


def _objections(task: Task, stack: ControllerStack) -> Iterator[str]:
    """Yield why a task cannot join the others."""
    rows, room = stack.tasks.task_set.rows + task.rows, stack.controller.max_rows
    if rows > room:
        yield (
            f"found {task.rows} rows, which makes {rows} with those of the other tasks, expected "
            f"at most {room}: remove a task, or start with a larger added_task_rows"
        )
    yield from _objections_of_others(task, stack)


def _objections_of_others(task: Task, stack: ControllerStack) -> Iterator[str]:
    """Yield why the rest of a controller does not go with a task."""
    if task.needs_reactions and not stack.constraints.with_reactions:
        yield (
            "it needs the forces at the contacts, which this controller does not compute; expected "
            "a task or contact that needs them in the file it was started from"
        )
    for part in (stack.controller, stack.friction):
        try:
            if part is not None:
                part.check_tasks((task,))
        except ControlItError as error:
            yield str(error)
    if stack.configuration.parameters.state_prediction != Prediction.NONE.value:
        setup = stack.robot_interface.setup
        yield from prediction_problems(setup, stack.controller, (task,))
