"""Previews: a service that tells what a change would do before it acts."""

from collections.abc import Callable, Mapping
from typing import Any

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.explanations.explanation import plain
from controlit_ros.explanations.preview import Preview
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.introspection.requested_values import requested_values
from controlit_ros.parameters import Parameter, ParameterDirectory
from controlit_ros.parameters.remote_mailbox import RemoteMailbox
from controlit_ros.transport import Transport

SERVICE = "diagnostics/previewParameters"
SERVICE_TYPE = "controlit/srv/PreviewParameters"


class Previews:
    """Answers `diagnostics/previewParameters`.

    Args:
        directory: Every parameter by full name.
        mailbox: Knows what may be set, and what fits.
        preview: Tells what values that were checked would do; may raise.
        clock_offset: Seconds from the servo's clock to ROS time.
        transport: The service is relative to its namespace.
    """

    def __init__(
        self,
        directory: ParameterDirectory,
        mailbox: RemoteMailbox,
        preview: Callable[[Mapping[Parameter, Any]], Preview],
        clock_offset: float,
        transport: Transport,
    ) -> None:
        self._directory = directory
        self._mailbox = mailbox
        self._preview = preview
        self._clock_offset = clock_offset
        serve(transport, SERVICE, SERVICE_TYPE, self._answer)

    def _answer(self, request: Message) -> Message:
        values = requested_values(list(request.names), list(request.values), self._directory)
        preview = self._preview(self._mailbox.check(values))
        stamp = time_fields(preview.explanation.stamp + self._clock_offset)
        priorities, rows, directions = (
            zip(*preview.levels, strict=True) if preview.levels else 3 * [()]
        )
        return new(
            f"{SERVICE_TYPE}_Response",
            success=True,
            explanation={"stamp": stamp, **plain(preview.explanation)},
            joints=list(preview.joints),
            effort_now=preview.effort_now.tolist(),
            effort=preview.effort.tolist(),
            priorities=list(priorities),
            rows=list(rows),
            directions=list(directions),
        )
