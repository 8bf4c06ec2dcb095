"""Services below `control/` that add parts to a running controller and remove them."""

from collections.abc import Callable
from typing import Protocol

from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.parameters import RemoteAccess
from controlit_ros.parameters.remote_mailbox import CONFIGURATION, GAINS, GOALS
from controlit_ros.transport import Handler, Later, Transport

PACKAGE = "controlit/srv"


class Parts(Protocol):
    """Parts that come and go; see `nodes.running_parts.RunningParts`."""

    def add_task(self, definition: str, priority: int, state: str) -> str:
        """Add a task; return its name once the servo has taken it in."""

    def remove_task(self, name: str) -> None:
        """Remove a task."""

    def reload_task(self, name: str) -> None:
        """Let a task go on with the code that its file has now."""

    def add_constraint(self, definition: str, state: str) -> str:
        """Add a constraint; return its name once the servo has taken it in."""

    def remove_constraint(self, name: str) -> None:
        """Remove a constraint."""

    def add_event(self, definition: str) -> str:
        """Add an event; return its name."""

    def remove_event(self, name: str) -> None:
        """Remove an event."""


class PartServices:
    """Serves `control/addTask`, `removeTask`, `reloadTask`, the first two for other parts, too.

    Who adds a task chooses its goal and its gains as well, and so must be allowed to set all of
    these.

    Args:
        parts: What is changed.
        access: What may be set over services.
        check_free: Raises a `ControlItError` if nothing is taken at present; is told of what.
        changed: Called when parts have come or gone.
        transport: Services are relative to its namespace.
    """

    def __init__(
        self,
        parts: Parts,
        access: RemoteAccess,
        check_free: Callable[[str], None],
        changed: Callable[[], None],
        transport: Transport,
    ) -> None:
        self._parts = parts
        self._access = access
        self._check_free = check_free
        self._changed = changed
        handlers: dict[str, Handler] = {
            "AddTask": self._add_task,
            "RemoveTask": self._remove_task,
            "ReloadTask": self._reload_task,
            "AddConstraint": self._add_constraint,
            "RemoveConstraint": self._remove_constraint,
            "AddEvent": self._add_event,
            "RemoveEvent": self._remove_event,
        }
        for name, handler in handlers.items():
            service = f"control/{name[0].lower()}{name[1:]}"
            serve(transport, service, f"{PACKAGE}/{name}", self._told(handler))

    def _told(self, handler: Handler) -> Handler:
        def answer(request: Message) -> Message | Later:
            response = handler(request)
            self._changed()
            return response

        return answer

    def _add_task(self, request: Message) -> Message:
        for what in (GOALS, GAINS, CONFIGURATION):
            self._access.check(what, "a task that is added")
        self._check_free("adding a task")
        name = self._parts.add_task(request.definition, request.priority, request.state)
        return new(f"{PACKAGE}/AddTask_Response", success=True, task=name)

    def _remove_task(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "which tasks there are")
        self._check_free("removing a task")
        self._parts.remove_task(request.task)
        return new(f"{PACKAGE}/RemoveTask_Response", success=True)

    def _reload_task(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "the code of tasks")
        self._check_free("reloading a task")
        self._parts.reload_task(request.task)
        return new(f"{PACKAGE}/ReloadTask_Response", success=True)

    def _add_constraint(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "which constraints there are")
        self._check_free("adding a constraint")
        name = self._parts.add_constraint(request.definition, request.state)
        return new(f"{PACKAGE}/AddConstraint_Response", success=True, constraint=name)

    def _remove_constraint(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "which constraints there are")
        self._check_free("removing a constraint")
        self._parts.remove_constraint(request.constraint)
        return new(f"{PACKAGE}/RemoveConstraint_Response", success=True)

    def _add_event(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "which events there are")
        name = self._parts.add_event(request.definition)
        return new(f"{PACKAGE}/AddEvent_Response", success=True, event=name)

    def _remove_event(self, request: Message) -> Message:
        self._access.check(CONFIGURATION, "which events there are")
        self._parts.remove_event(request.event)
        return new(f"{PACKAGE}/RemoveEvent_Response", success=True)
