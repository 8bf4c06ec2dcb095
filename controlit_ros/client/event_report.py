"""Event conditions with the present values of their operands, for error messages."""

import re
from typing import Any

from controlit_ros.client.client_errors import ClientError
from controlit_ros.client.link import ControllerLink
from controlit_ros.client.parameter_values import plain_parameter
from controlit_ros.client.plain_value import plain_value

CONFIGURATION = "diagnostics/getControllerConfiguration"
OPERAND = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
DIGITS = 4  # significant


def event_report(link: ControllerLink, name: str) -> str:
    """Return the expression of an event and the values it reads now, as a sentence.

    Args:
        link: The way to the controller.
        name: Of the event.

    Returns:
        Empty where the controller does not say.
    """
    try:
        text = str(link.ask(CONFIGURATION).configuration)
        event = next(entry for entry in plain_value(text)["events"] if entry["name"] == name)
        expression = str(event["expression"])
        operands = dict.fromkeys(OPERAND.findall(QUOTED.sub("", expression)))
        values = link.ask(
            link.serving("get_parameters"),
            "rcl_interfaces/srv/GetParameters",
            names=list(operands),
        ).values
    except (ClientError, StopIteration):
        return ""
    parts = [
        f"{operand} is {_shown(plain_parameter(value))}"
        for operand, value in zip(operands, values, strict=True)
    ]
    hold = f" for {event['hold']:g} s" if event.get("hold") else ""
    return f"expected {expression}{hold}, found that {', '.join(parts)}"


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_shown, value))}]"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)
