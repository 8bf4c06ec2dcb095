"""Rosout: the log of a node on the topic `/rosout`."""

import logging
import os
from contextlib import suppress

from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.interfaces import new
from controlit_ros.transport import ROSOUT, Publisher, Transport
from controlit_ros.transport.names import NodeName

TOPIC = "/rosout"
LOG = "rcl_interfaces/msg/Log"
STEP = 10  # between the levels, whose numbers are those of Python


class Rosout(logging.Handler):
    """Publishes what is logged; what was logged before there is a transport, too."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(message)s"))
        self._waiting: list[logging.LogRecord] = []
        self._publisher: Publisher | None = None
        self._name = ""
        self._is_busy = False
        self._process = os.getpid()

    def install(self) -> None:
        """Hear what is logged in this process from now on, as far as levels let it."""
        logging.getLogger().addHandler(self)

    def publish_by(self, transport: Transport) -> None:
        """Publish as the node of a transport, named as its logger is: `robot1.arm.servo`.

        Does nothing if this is not installed.

        Raises:
            TransportError: The transport does not publish that.
        """
        if self not in logging.getLogger().handlers:
            return
        name = NodeName(transport.namespace, transport.node_name).full_name
        publisher = transport.publisher(TOPIC, LOG, ROSOUT)
        self.acquire()
        try:
            self._name = name.strip("/").replace("/", ".")
            self._publisher = publisher
            waiting, self._waiting = self._waiting, []
        finally:
            self.release()
        for record in waiting:
            self.handle(record)

    def close(self) -> None:
        """Hear nothing any more."""
        logging.getLogger().removeHandler(self)
        super().close()

    def emit(self, record: logging.LogRecord) -> None:
        """Publish a record, or keep it; the lock of the handler is held."""
        if os.getpid() != self._process:
            return  # a servo's process has no transport
        if self._publisher is None:
            self._waiting.append(record)
        elif not self._is_busy:  # whatever publishing itself would log
            self._is_busy = True
            try:
                self._publish(self._publisher, record)
            finally:
                self._is_busy = False

    def _publish(self, publisher: Publisher, record: logging.LogRecord) -> None:
        with suppress(Exception):  # a log that cannot be sent ends no servo
            publisher.publish(
                new(
                    LOG,
                    stamp=time_fields(record.created),
                    level=max(record.levelno // STEP, 1) * STEP,
                    name=self._name,
                    msg=self.format(record),
                    file=record.filename,
                    function=record.funcName or "",
                    line=record.lineno,
                )
            )
