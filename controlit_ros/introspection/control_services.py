"""Services below `control/`: changing a running controller, with an answer when it is done."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from controlit_ros.constraints import Constraint
from controlit_ros.controllers import WholeBodyController
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import by_name, find, serve
from controlit_ros.introspection.flow_text import flow_text
from controlit_ros.introspection.requested_values import plain_value, requested_values
from controlit_ros.parameters import (
    Event,
    Parameter,
    ParameterDirectory,
    Poster,
    check_applied,
)
from controlit_ros.tasks import Task
from controlit_ros.transport import Handler, Transport

PACKAGE = "controlit/srv"


class Controlled(NamedTuple):
    """What the services change.

    Attributes:
        tasks: Those there are, in the order of the configuration.
        constraints: Likewise.
        controller: The whole-body controller, or what chooses from several.
        events: Likewise.
        directory: Every parameter by full name.
        mailbox: Takes the changes to the servo.
        changed: Called with values that the servo has taken.
    """

    tasks: Sequence[Task]
    constraints: Sequence[Constraint]
    controller: WholeBodyController
    events: Sequence[Event]
    directory: ParameterDirectory
    mailbox: Poster
    changed: Callable[[Mapping[Parameter, Any]], None]


class ControlServices:
    """Changes tasks, constraints, events, parameters and which whole-body controller computes.

    Every change is validated at once, applied by the servo between two cycles, and answered when
    that has happened. A change that fails leaves everything as it was, now and later.

    Args:
        controlled: The controller.
        transport: Services are relative to its namespace.
    """

    def __init__(self, controlled: Controlled, transport: Transport) -> None:
        self._tasks = controlled.tasks
        self._constraints = controlled.constraints
        self._controller = controlled.controller
        self._events = controlled.events
        self._directory = controlled.directory
        self._mailbox = controlled.mailbox
        self._changed = controlled.changed
        handlers: dict[str, Handler] = {
            "TaskState": self._task_state,
            "TaskPriority": self._task_priority,
            "ConstraintState": self._constraint_state,
            "WholeBodyController": self._whole_body_controller,
            "EventEnabled": self._event_enabled,
            "Parameter": self._parameter,
            "Parameters": self._parameters,
        }
        for name, handler in handlers.items():
            serve(transport, f"control/set{name}", f"{PACKAGE}/Set{name}", handler)

    def _task_state(self, request: Message) -> Message:
        task = find(request.task, by_name(self._tasks), "task")
        return self._change("TaskState", {task.operational_state: request.state})

    def _task_priority(self, request: Message) -> Message:
        task = find(request.task, by_name(self._tasks), "task")
        return self._change("TaskPriority", {task.priority: request.priority})

    def _constraint_state(self, request: Message) -> Message:
        constraint = find(request.constraint, by_name(self._constraints), "constraint")
        return self._change("ConstraintState", {constraint.operational_state: request.state})

    def _whole_body_controller(self, request: Message) -> Message:
        controller = self._controller
        name = request.whole_body_controller
        find(name, by_name(controller.alternatives), "whole-body controller")
        if controller.choice is not None:
            return self._change("WholeBodyController", {controller.choice: name})
        return new(f"{PACKAGE}/SetWholeBodyController_Response", success=True)  # there is no other

    def _event_enabled(self, request: Message) -> Message:
        event = find(request.event, by_name(self._events), "event")
        return self._change("EventEnabled", {event.enabled: request.enabled})

    def _parameter(self, request: Message) -> Message:
        parameter = self._directory[request.name]
        fields: dict[str, Any] = {"success": True}
        try:
            self._apply({parameter: plain_value(request.name, request.value)})
        except ControlItError as error:
            fields = {"success": False, "message": str(error)}
        value = flow_text(parameter.snapshot())
        return new(f"{PACKAGE}/SetParameter_Response", **fields, value=value)

    def _parameters(self, request: Message) -> Message:
        values = requested_values(list(request.names), list(request.values), self._directory)
        return self._change("Parameters", values)

    def _change(self, name: str, values: Mapping[Parameter, Any]) -> Message:
        self._apply(values)
        return new(f"{PACKAGE}/Set{name}_Response", success=True)

    def _apply(self, values: Mapping[Parameter, Any]) -> None:
        self._mailbox.check_read()
        check_applied(self._mailbox.post(values))
        self._changed(values)
