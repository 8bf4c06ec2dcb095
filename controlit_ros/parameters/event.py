"""Event: something that happens when a condition over parameters becomes true."""

from collections.abc import Mapping

from controlit_ros.parameters.expression import Expression, ExpressionError
from controlit_ros.parameters.parameter import Access, Kind, Parameter
from controlit_ros.parameters.reflection import ParameterReflection


class Event(ParameterReflection):
    """Fires once each time its condition changes from false to true (paper section 4.4).

    A condition that is true when it is first looked at counts as a change, also after the event
    was disabled and enabled again.

    Args:
        name: Name of the event, unique within a controller.
        expression: The condition, in the language of `Expression`.
        directory: Parameters by full name.

    Raises:
        ExpressionError: The expression is wrong or computes a number.
    """

    def __init__(self, name: str, expression: str, directory: Mapping[str, Parameter]) -> None:
        super().__init__(name)
        self.expression = Expression(expression, directory)
        if not self.expression.is_condition:
            raise ExpressionError(
                expression, 1, "found a number, expected a condition, as in x < 0.005"
            )
        self.enabled = self.declare(
            "enabled",
            True,
            kind=Kind.BOOLEAN,
            description="Whether the event may fire; enabling it arms it anew.",
        )
        self.active = self.declare(
            "active",
            False,
            kind=Kind.BOOLEAN,
            access=Access.OUTPUT,
            description="Whether the condition held when it was last looked at.",
        )
        self.count = self.declare(
            "count",
            0,
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="How often the event fired.",
        )

    def poll(self) -> bool:
        """Evaluate the condition and return whether the event fires now; servo thread only."""
        holds = bool(self.enabled.value and self.expression.evaluate())
        if holds == self.active.value:
            return False
        self.active.assign(holds)
        if holds:
            self.count.assign(self.count.value + 1)
        return holds
