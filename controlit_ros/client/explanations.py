"""Explanations as they come in messages."""

from typing import Any

from controlit_ros.client.client_errors import ClientError
from controlit_ros.client.link import ControllerLink
from controlit_ros.explanations.explanation import Cause, CauseKind, Explanation, TaskAccount

GET_EXPLANATION = "diagnostics/getExplanation"
"""Service that explains, below a controller's name."""


def explanation_of(message: Any) -> Explanation:
    """Return the explanation that a `controlit/msg/Explanation` tells."""
    stamp = message.stamp
    return Explanation(
        stamp.sec + 1e-9 * stamp.nanosec,
        str(message.state),
        str(message.controller),
        str(message.controller_type),
        _causes(message.causes),
        _causes(message.conflict),
        tuple(_account(task) for task in message.tasks),
    )


def _account(message: Any) -> TaskAccount:
    vectors = (message.error, message.asked, message.got, message.missing)
    error, asked, got, missing = (tuple(float(value) for value in vector) for vector in vectors)
    return TaskAccount(
        str(message.name),
        str(message.state),
        int(message.priority),
        str(message.unit),
        tuple(str(name) for name in message.components),
        error,
        asked,
        got,
        missing,
        _causes(message.causes),
    )


def _causes(messages: Any) -> tuple[Cause, ...]:
    return tuple(
        Cause(
            CauseKind(cause.kind),
            str(cause.name),
            str(cause.text),
            float(cause.value),
            str(cause.unit),
            tuple(str(name) for name in cause.tasks),
        )
        for cause in messages
    )


def held_back_by(link: ControllerLink, task: str) -> str:
    """Return in words what holds a task back now; empty where the controller does not say."""
    try:
        explanation = explanation_of(link.ask(GET_EXPLANATION, task=task).explanation)
    except ClientError:
        return ""
    causes = [cause for account in explanation.tasks for cause in account.causes]
    return "; ".join(cause.text for cause in causes)
