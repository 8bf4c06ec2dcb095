"""Listener: a subscriber on every topic of the servo."""

from controlit_bench.network import NAMESPACE, await_servo
from controlit_ros.interfaces import Message
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.transport import Transport
from controlit_ros.transport.qos import SENSOR_STATE

COMPILED = ("markers", "diagnostics/explanation")
"""Topics for whose first messages a new machine compiles kernels."""


class Listener:
    """Counts what arrives on all topics the servo publishes.

    Attributes:
        counts: Messages received so far, by topic.
    """

    def __init__(self, network: Transport) -> None:
        self.counts: dict[str, int] = {}
        for topic in network.graph().topics:
            if topic.publisher_count and topic.types and topic.name.startswith(NAMESPACE):
                self._listen(network, topic.name, topic.types[0])

    def received(self) -> int:
        """Return the number of messages received so far."""
        return sum(self.counts.values())

    def await_compiled(self, servo: ServoProcess) -> None:
        """Wait until there is nothing left to compile.

        Args:
            servo: What publishes.

        Raises:
            ControlItError: A topic stays silent, or the servo has ended.
        """
        topics = {f"{NAMESPACE}/{name}" for name in COMPILED}
        await_servo(
            servo,
            lambda: topics <= self.counts.keys(),
            f"nothing came on one of {', '.join(sorted(topics))}",
        )

    def _listen(self, network: Transport, topic: str, kind: str) -> None:
        def count(_message: Message) -> None:
            self.counts[topic] = self.counts.get(topic, 0) + 1

        network.subscribe(topic, kind, count, SENSOR_STATE)
