"""StateTopic: where the coordinator stands, for whoever comes."""

from threading import Lock

from controlit_ros.arrays import Array
from controlit_ros.interfaces import new
from controlit_ros.servo import Outbox, Sampler
from controlit_ros.servo.liveliness import Liveliness
from controlit_ros.transport import LATCHED, Transport

RATE = 20.0  # [Hz] a safe state lasts at least the recovery time, 0.1 s
TYPE = "std_msgs/msg/String"


class StateTopic:
    """Publishes where the servo stands on the latched topic `diagnostics/state`.

    `inactive`, `active`, `safe`; `stuck` when it makes no cycles, `dead` when it will not again.

    Args:
        liveliness: Looks after the servo.
        transport: The topic is relative to its namespace.
        outbox: Tells of changes while the servo runs.
    """

    def __init__(self, liveliness: Liveliness, transport: Transport, outbox: Outbox) -> None:
        self._liveliness = liveliness
        self._publisher = transport.publisher("diagnostics/state", TYPE, LATCHED)
        self._lock = Lock()
        self._published = ""
        liveliness.observe(self.update)
        outbox.add_sampler(Sampler(0, _nothing, self._deliver, rate=RATE))
        self.update()

    def update(self) -> None:
        """Publish the state if it is another than the last one; any thread but the servo's."""
        with self._lock:
            state = self._liveliness.state
            if state != self._published:
                self._published = state
                self._publisher.publish(new(TYPE, data=state))

    def _deliver(self, _stamp: float, _values: Array) -> None:
        self.update()


def _nothing(_row: Array) -> None:
    """Offer no numbers: the state itself is looked at when the offer is delivered."""
