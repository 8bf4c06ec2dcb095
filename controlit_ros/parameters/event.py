"""Event: something that happens when a condition over parameters becomes true."""

import math
from collections.abc import Callable, Mapping

from controlit_ros.parameters.expression import Expression, ExpressionError
from controlit_ros.parameters.parameter import Access, Kind, Parameter
from controlit_ros.parameters.reflection import ParameterReflection

LONGEST_HOLD = 3600.0  # [s]


class Event(ParameterReflection):
    """Fires once each time its condition changes from false to true (paper section 4.4).

    The condition must hold for the time `hold` without a break before the event fires. Having
    fired, it is armed again when the condition is false and, if there is one, `until` is true: with
    `x < 0.005` until `x > 0.01` noise about 0.005 fires it once. A condition that is true when it
    is first looked at counts as a change, also after the event was disabled and enabled again.

    Args:
        name: Name of the event, unique within a controller.
        expression: The condition, in the language of `Expression`.
        directory: Parameters by full name.
        until: What arms the event again, likewise; empty: that the condition is false.

    Raises:
        ExpressionError: An expression is wrong or computes a number.
    """

    def __init__(
        self,
        name: str,
        expression: str,
        directory: Mapping[str, Parameter],
        until: str = "",
    ) -> None:
        super().__init__(name)
        self.expression = _condition(expression, directory)
        self.until = _condition(until, directory) if until else None
        self.enabled = self.declare(
            "enabled",
            True,
            description="Whether the event may fire; enabling it arms it anew.",
        )
        self.hold = self.declare(
            "hold",
            0.0,
            lower=0.0,
            upper=LONGEST_HOLD,
            unit="s",
            description="How long the condition must hold without a break before the event fires.",
        )
        self.active = self.declare(
            "active",
            False,
            access=Access.OUTPUT,
            description="Whether the event has fired and is not armed again.",
        )
        self.count = self.declare(
            "count",
            0,
            kind=Kind.INTEGER,
            access=Access.OUTPUT,
            description="How often the event fired.",
        )
        self._since = math.nan  # [s] when the condition became true; not a number: it is false

    def poll(self, now: float) -> bool:
        """Evaluate the condition and return whether the event fires now; servo thread only.

        Args:
            now: Time on the servo's clock [s]; where it steps back, `hold` begins anew.
        """
        holds = bool(self.enabled.value and self.expression.evaluate())
        if self.active.value:
            if not holds and self._is_over():
                self.active.assign(False)
                self._since = math.nan
            return False
        if not holds:
            self._since = math.nan
            return False
        if not self._since <= now:
            self._since = now
        if now - self._since < self.hold.value:
            return False
        self.active.assign(True)
        self.count.assign(self.count.value + 1)
        return True

    def renewed(self, directory: Mapping[str, Parameter]) -> Callable[[], None]:
        """Return what lets the conditions look at other parameters of the same names.

        Args:
            directory: Those parameters by full name.

        Raises:
            ExpressionError: One is gone, or is of another kind.
        """
        expression = _condition(self.expression.text, directory)
        until = None if self.until is None else _condition(self.until.text, directory)

        def renew() -> None:
            self.expression, self.until = expression, until

        return renew

    def looks_at(self, owner: str) -> bool:
        """Tell whether a condition reads parameters of an owner."""
        conditions = (self.expression,) if self.until is None else (self.expression, self.until)
        return any(p.owner == owner for condition in conditions for p in condition.parameters)

    def _is_over(self) -> bool:
        """Tell whether what made the event fire is over."""
        return not self.enabled.value or self.until is None or bool(self.until.evaluate())


def _condition(text: str, directory: Mapping[str, Parameter]) -> Expression:
    expression = Expression(text, directory)
    if not expression.is_condition:
        raise ExpressionError(text, 1, "found a number, expected a condition, as in x < 0.005")
    return expression
