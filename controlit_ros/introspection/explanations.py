"""Explanations: a service and a topic that tell what holds the tasks back."""

import logging
import threading
from collections.abc import Callable

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import ControlItError, told
from controlit_ros.explanations.explanation import Explanation, plain
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import find, serve
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import Transport

SERVICE = "diagnostics/getExplanation"
SERVICE_TYPE = "controlit/srv/GetExplanation"
TOPIC = "diagnostics/explanation"
TYPE = "controlit/msg/Explanation"
PERIOD = 1.0  # [s] between two messages: people read them, and each is 30 ms of work

_log = logging.getLogger("controlit.explanations")


class Explanations:
    """Answers `diagnostics/getExplanation`, and publishes the same while somebody listens.

    Args:
        explain: Explains the present cycle; may raise.
        clock_offset: Seconds from the servo's clock to ROS time.
        transport: Both are relative to its namespace.
    """

    def __init__(
        self, explain: Callable[[], Explanation], clock_offset: float, transport: Transport
    ) -> None:
        self._explain = explain
        self._clock_offset = clock_offset
        self._publisher = transport.publisher(TOPIC, TYPE)
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        serve(transport, SERVICE, SERVICE_TYPE, self._answer)

    def start(self) -> None:
        """Begin to publish; idempotent."""
        if self._thread is None:
            self._ending.clear()
            self._thread = running_thread(self._run, "explanations")

    def stop(self) -> None:
        """Publish no more; idempotent."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _answer(self, request: Message) -> Message:
        explanation = self._explain()
        if request.task:
            known = {account.name: account for account in explanation.tasks}
            find(request.task, known, "task")
        return new(
            f"{SERVICE_TYPE}_Response",
            success=True,
            explanation=self._fields(explanation.only(request.task)),
        )

    def _run(self) -> None:
        while not self._ending.wait(PERIOD):
            if self._publisher.subscriber_count() > 0:
                self._publish()

    def _publish(self) -> None:
        try:
            explanation = self._explain()
        except ControlItError as error:
            _log.debug("nothing is explained: %s", error)
        except Exception as error:  # noqa: BLE001 - of a plugin; the next one may work
            _log.warning("explaining failed: %s", told(error))
        else:
            self._publisher.publish(new(TYPE, **self._fields(explanation)))

    def _fields(self, explanation: Explanation) -> dict[str, object]:
        stamp = time_fields(explanation.stamp + self._clock_offset)
        return {"stamp": stamp, **plain(explanation)}
