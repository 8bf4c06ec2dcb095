"""ActionCall: sending a goal to an action and hearing what becomes of it."""

import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from controlit_ros.client.network import AmbiguousNameError, NotFoundError
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new, to_dict
from controlit_ros.transport import Graph, ServiceTimeoutError, Transport

SEND, RESULT, CANCEL, FEEDBACK = (
    f"/_action/{part}" for part in ("send_goal", "get_result", "cancel_goal", "feedback")
)
CANCEL_TYPE = "action_msgs/srv/CancelGoal"
REASONS = ("message", "error_string")  # fields of results that say in words what happened
REASON_TIME = 2.0  # [s] to say why: who has no words answers at once, or not at all
STATUSES = ("unknown", "accepted", "executing", "canceling", "succeeded", "canceled", "aborted")


class RejectedGoalError(ControlItError):
    """The action takes no such goal; the text says why, if the action does."""


class ActionInfo(NamedTuple):
    """An action that somebody serves.

    Attributes:
        name: Absolute.
        type_name: `package/action/Name`.
    """

    name: str
    type_name: str


class ActionResult(NamedTuple):
    """How a goal ended.

    Attributes:
        status: `succeeded`, `canceled` or `aborted`; `unknown` if it is forgotten.
        result: Fields of the result.
    """

    status: str
    result: dict[str, Any]


def actions(graph: Graph) -> list[ActionInfo]:
    """Return the actions of a graph."""
    return [
        ActionInfo(info.name.removesuffix(SEND), info.types[0].removesuffix("_SendGoal"))
        for info in graph.services
        if info.server_count and info.name.endswith(SEND)
    ]


def find_action(graph: Graph, name: str) -> ActionInfo:
    """Return an action.

    Args:
        graph: Where to look.
        name: Absolute, or its end where that is unique.

    Raises:
        NotFoundError: It is not there, or the short name fits several.
    """
    known = {info.name: info for info in actions(graph)}
    absolute = name if name.startswith("/") else f"/{name}"
    fitting = [full for full in known if full == absolute] or [
        full for full in known if full.endswith(absolute)
    ]
    if len(fitting) > 1:
        raise AmbiguousNameError("action", name, fitting)
    if not fitting:
        raise NotFoundError(f"the action {name!r} is not there{did_you_mean(name, known)}")
    return known[fitting[0]]


class ActionCall:
    """One goal of an action.

    Args:
        transport: Carries it.
        action: Which one.
        told: Takes the fields of each feedback; on a thread of the transport.
    """

    def __init__(
        self, transport: Transport, action: ActionInfo, told: Callable[[dict[str, Any]], None]
    ) -> None:
        self._transport = transport
        self._action = action
        self._told = told
        self._id = {"uuid": list(uuid.uuid4().bytes)}
        transport.subscribe(
            action.name + FEEDBACK, f"{action.type_name}_FeedbackMessage", self._hear
        )

    def send(self, goal: Mapping[str, Any], timeout: float) -> None:
        """Send the goal.

        Args:
            goal: Its fields.
            timeout: Longest wait for an answer [s].

        Raises:
            RejectedGoalError: It was not accepted.
            FieldError: The goal has no such fields.
            ServiceTimeoutError: Nobody answers.
        """
        if not self._ask(SEND, "SendGoal", timeout, goal=goal).accepted:
            raise RejectedGoalError(f"{self._action.name} rejected the goal{self._reason(timeout)}")

    def result(self, timeout: float) -> ActionResult:
        """Wait until the goal has ended.

        Raises:
            ServiceTimeoutError: It has not in that time [s].
        """
        answer = self._ask(RESULT, "GetResult", timeout)
        return ActionResult(STATUSES[int(answer.status)], to_dict(answer.result))

    def cancel(self, timeout: float) -> None:
        """Cancel the goal.

        Raises:
            ServiceTimeoutError: Nobody answers in that time [s].
        """
        client = self._transport.client(self._action.name + CANCEL, CANCEL_TYPE)
        client.call(new(f"{CANCEL_TYPE}_Request", goal_info={"goal_id": self._id}), timeout)

    def _ask(self, part: str, kind: str, timeout: float, **fields: Any) -> Message:
        type_name = f"{self._action.type_name}_{kind}"
        client = self._transport.client(self._action.name + part, type_name)
        return client.call(new(f"{type_name}_Request", goal_id=self._id, **fields), timeout)

    def _reason(self, timeout: float) -> str:
        """Return what the result of a rejected goal tells; others than controllers have none."""
        with suppress(ServiceTimeoutError):
            result = self.result(min(timeout, REASON_TIME)).result
            words = next((result[key] for key in REASONS if result.get(key)), "")
            if words:
                return f": {words}"
        return "; its node does not say why"

    def _hear(self, message: Message) -> None:
        if list(message.goal_id.uuid) == self._id["uuid"]:
            self._told(to_dict(message.feedback))
