"""What explains a running controller, or says why nothing does."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, NamedTuple

from controlit_ros.errors import ControlItError, told
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.preview import Preview
from controlit_ros.introspection import CycleRow, Explanations, ExplanationSource, Previews
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.front.arbitration import Arbitration
from controlit_ros.nodes.front.crossing import Crossing
from controlit_ros.nodes.front.following_twin import FollowingTwin
from controlit_ros.parameters import Parameter


class Unexplained(NamedTuple):
    """Says why nothing can be explained.

    Attributes:
        reason: Why the parts cannot be built once more.
    """

    reason: str

    def explain(self) -> Explanation:
        """Refuse.

        Raises:
            ControlItError: Always.
        """
        raise self._error

    def preview(self, _values: Mapping[Parameter, Any]) -> Preview:
        """Refuse.

        Raises:
            ControlItError: Always.
        """
        raise self._error

    @property
    def _error(self) -> ControlItError:
        return ControlItError(
            f"the parts of the controller cannot be built once more: {self.reason}"
        )


def explanation_source(
    crossing: Crossing, present: Callable[[], ControllerStack], changing: Lock
) -> ExplanationSource | Unexplained:
    """Return what explains; its own parts, since the servo writes those of the stack.

    Args:
        crossing: To the servo.
        present: Returns what runs now.
        changing: Held while a part comes or goes.
    """
    stack = crossing.stack
    try:
        twin = FollowingTwin(stack.configuration, stack.members)
    except Exception as error:  # noqa: BLE001 - a plugin that cannot be made twice
        return Unexplained(told(error))
    return ExplanationSource(
        lambda: twin.of(present().configuration, present().members),
        CycleRow(crossing.coordinator, stack.members, stack.friction),
        changing,
        lambda: crossing.announcements.news.troubles,
        crossing.outbox,
        stack.servo.round_trip_delay,
    )


def offer_explanations(
    crossing: Crossing, arbitration: Arbitration, source: ExplanationSource | Unexplained
) -> Explanations:
    """Let everybody ask why, and what a change would do; started, it publishes explanations."""
    transport, offset = crossing.transport, crossing.clock_offset
    Previews(crossing.stack.directory, arbitration.remote, source.preview, offset, transport)
    return Explanations(source.explain, offset, transport)
