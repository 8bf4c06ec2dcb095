"""CycleCount: how many cycles a running servo made, and how many of them too late."""

import queue
from typing import NamedTuple

from controlit_bench.network import START_TIMEOUT
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.transport import Transport

TOPIC, TYPE = "/diagnostics", "diagnostic_msgs/msg/DiagnosticArray"


class Count(NamedTuple):
    """Since the servo's start: cycles, and deadlines missed altogether."""

    cycles: int
    overruns: int

    def rate_since(self, before: "Count") -> float:
        """Return the share of overruns in the cycles since an earlier count."""
        return (self.overruns - before.overruns) / max(self.cycles - before.cycles, 1)


class CycleCount:
    """Hears what a servo counts, once a second.

    Args:
        network: The only servo there publishes its diagnostics.
    """

    def __init__(self, network: Transport) -> None:
        self._counts: queue.SimpleQueue[Count] = queue.SimpleQueue()
        network.subscribe(TOPIC, TYPE, self._hear)

    def next(self) -> Count:
        """Wait for the next count.

        Raises:
            ControlItError: Nothing comes.
        """
        while not self._counts.empty():
            self._counts.get()
        try:
            return self._counts.get(timeout=START_TIMEOUT)
        except queue.Empty:
            raise ControlItError(f"nothing came on {TOPIC}") from None

    def _hear(self, message: Message) -> None:
        for status in message.status:
            values = {entry.key: entry.value for entry in status.values}
            if "overruns" in values:
                self._counts.put(Count(int(values["cycles"]), int(values["overruns"])))
