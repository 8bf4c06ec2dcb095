"""Why a part of a running controller must stay: what else refers to it, or rests on it."""

from collections.abc import Sequence

from controlit_ros.bindings import Binding
from controlit_ros.constraints import Constraint
from controlit_ros.constraints.constraint import FORCE_DISABLE
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building.connections import owners_in
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.servo_parts import Part
from controlit_ros.parameters import Access, ParameterReflection


class NeededError(ControlItError):
    """A part cannot leave, as another refers to it."""


def check_unneeded(stack: ControllerStack, part: Part, bindings: Sequence[Binding]) -> None:
    """Check that no event, mode or binding keeps a part that shall leave.

    Args:
        stack: What runs.
        part: Of it.
        bindings: Those of the part.

    Raises:
        NeededError: One does.
    """
    name = part.name
    for entry in stack.configuration.events:
        if entry.name != name and name in owners_in(entry):
            raise NeededError(
                f"{name!r} cannot be removed: the event {entry.name!r} looks at it; remove "
                "that first"
            )
    check_without_mode(stack, name, "removed")
    check_released(part, bindings, "removed")


def check_without_mode(stack: ControllerStack, name: str, what: str) -> None:
    """Check that no mode refers to a part that shall be `removed`, for example.

    Raises:
        NeededError: One does.
    """
    if stack.modes is not None and name in stack.modes.needed:
        raise NeededError(f"{name!r} cannot be {what}: the modes of the file need it")


def check_unled(stack: ControllerStack, name: str, what: str) -> None:
    """Check that no behaviour leads a part that shall be `removed`, for example.

    Raises:
        NeededError: One does.
    """
    for behaviour in stack.behaviours:
        if _names(behaviour, name):
            raise NeededError(
                f"{name!r} cannot be {what}: the behaviour {behaviour.name!r} leads it"
            )


def check_released(part: Part, bindings: Sequence[Binding], what: str) -> None:
    """Check that the bindings of a part that shall be `removed`, for example, can be given up.

    Raises:
        NeededError: One cannot.
    """
    for binding in bindings:
        if binding.close is None:
            raise NeededError(
                f"{part.name!r} cannot be {what}: what binds {binding.config.topic!r} cannot take "
                "that back while it runs"
            )


def check_removable(stack: ControllerStack, constraint: Constraint) -> None:
    """Check that neither the robot nor what is configured rests on a constraint.

    Raises:
        NeededError: It lasts, bears something, or is led or named by another part.
    """
    name = constraint.name
    if constraint.lasting:
        raise NeededError(f"{name!r} cannot be removed: it {constraint.lasting}")
    check_unled(stack, name, "removed")
    if isinstance(constraint, ContactConstraint):
        _check_bears_nothing(stack, constraint)
    if constraint.physical.value and constraint.is_enabled:
        raise NeededError(
            f"{name!r} cannot be removed: it is physical, so the mechanics keep it; set its "
            f"operational_state to {FORCE_DISABLE} first if they have released it"
        )
    for task in stack.tasks.tasks:
        if _names(task, name):
            raise NeededError(
                f"{name!r} cannot be removed: the task {task.name!r} names it; remove that first"
            )


def _check_bears_nothing(stack: ControllerStack, contact: ContactConstraint) -> None:
    """Check that a contact's force is not to be ramped when it leaves, and another holds the robot.

    Raises:
        NeededError: It is, or none does.
    """
    if not contact.is_enabled:
        return
    if contact.needs_reactions and stack.controller.chosen.contact_ramp > 0.0:
        raise NeededError(
            f"{contact.name!r} cannot be removed while it may bear something: set its "
            "operational_state to disable first, and it leaves once it bears nothing"
        )
    others = (other for other in stack.constraints.constraints if other is not contact)
    if not any(isinstance(other, ContactConstraint) and other.is_enabled for other in others):
        raise NeededError(
            f"{contact.name!r} cannot be removed: no other contact holds the robot; add one "
            "first, or set its operational_state to disable if the base shall float"
        )


def _names(owner: ParameterReflection, part: str) -> bool:
    """Tell whether a task or behaviour was configured with the name of a part."""
    texts = [p.value for p in owner.parameters.values() if p.access is Access.CONFIGURATION]
    return any(value == part or part in _listed(value) for value in texts)


def _listed(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()
