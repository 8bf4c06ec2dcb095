"""The messages and services that ROS 2 derives from the text of an action."""

from typing import NamedTuple

from .definition import MessageDefinition, Parse, ServiceDefinition
from .errors import DefinitionError
from .field_type import FieldType

PARTS = ("Goal", "Result", "Feedback")
GOAL_ID = FieldType("unique_identifier_msgs/msg/UUID", nested=True)
STAMP = FieldType("builtin_interfaces/msg/Time", nested=True)


class ActionDefinition(NamedTuple):
    """What an action consists of on the wire.

    Attributes:
        messages: Goal, result and feedback, the message of the feedback topic, and the requests
            and responses of the services.
        services: `SendGoal` and `GetResult`.
    """

    messages: tuple[MessageDefinition, ...]
    services: tuple[ServiceDefinition, ...]


def parse_action(name: str, text: str, parse: Parse) -> ActionDefinition:
    """Read the text of an `.action` file.

    Args:
        name: full name, `package/action/Name`.
        text: content of the file.
        parse: reads the parts.

    Raises:
        DefinitionError: the text is not the definition of an action.
    """
    sections: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            sections.append([])
        else:
            sections[-1].append(line)
    if len(sections) != len(PARTS):
        raise DefinitionError(
            f"{name}: found {len(sections) - 1} lines '---', expected two "
            "between goal, result and feedback"
        )
    parts = [
        parse(f"{name}_{part}", "\n".join(lines))
        for part, lines in zip(PARTS, sections, strict=True)
    ]
    goal, result, feedback = (FieldType(part.name, nested=True) for part in parts)
    send, get = ServiceDefinition(f"{name}_SendGoal"), ServiceDefinition(f"{name}_GetResult")
    derived = (
        MessageDefinition(send.request, {"goal_id": GOAL_ID, "goal": goal}),
        MessageDefinition(send.response, {"accepted": FieldType("bool"), "stamp": STAMP}),
        MessageDefinition(get.request, {"goal_id": GOAL_ID}),
        MessageDefinition(get.response, {"status": FieldType("int8"), "result": result}),
        MessageDefinition(f"{name}_FeedbackMessage", {"goal_id": GOAL_ID, "feedback": feedback}),
    )
    return ActionDefinition((*parts, *derived), (send, get))
