"""CycleCount: how many cycles a running servo made, and how many of them too late."""

from typing import NamedTuple, cast

from controlit_bench.network import await_servo
from controlit_ros.interfaces import Message
from controlit_ros.processes.servo_process import ServoProcess
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
        self._newest: Count | None = None
        network.subscribe(TOPIC, TYPE, self._hear)

    def next(self, servo: ServoProcess) -> Count:
        """Wait for the next count.

        Raises:
            ControlItError: Nothing comes, or the servo has ended.
        """
        self._newest = None
        await_servo(servo, lambda: self._newest is not None, f"nothing came on {TOPIC}")
        return cast("Count", self._newest)

    def _hear(self, message: Message) -> None:
        for status in message.status:
            values = {entry.key: entry.value for entry in status.values}
            if "overruns" in values:
                self._newest = Count(int(values["cycles"]), int(values["overruns"]))
