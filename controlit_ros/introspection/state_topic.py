"""StateTopic: where the coordinator stands, for whoever comes."""

from threading import Lock

import numpy as np
import numpy.typing as npt

from controlit_ros.interfaces import new
from controlit_ros.servo import Coordinator, CoordinatorState, Outbox, Tap
from controlit_ros.transport import LATCHED, Transport

RATE = 20.0  # [Hz] a safe state lasts at least the recovery time, 0.1 s
TYPE = "std_msgs/msg/String"


class StateTopic:
    """Publishes `inactive`, `active` or `safe` on the latched topic `diagnostics/state`.

    Args:
        coordinator: The servo.
        transport: The topic is relative to its namespace.
        outbox: Tells of changes while the servo runs.
    """

    def __init__(self, coordinator: Coordinator, transport: Transport, outbox: Outbox) -> None:
        self._status = coordinator.status
        self._publisher = transport.publisher("diagnostics/state", TYPE, LATCHED)
        self._lock = Lock()
        self._published: CoordinatorState | None = None
        outbox.add_tap(Tap(0, _nothing, self._deliver, rate=RATE))
        self.update()

    def update(self) -> None:
        """Publish the state if it is another than the last one; any thread but the servo's."""
        with self._lock:
            state = self._status.state
            if state is not self._published:
                self._published = state
                self._publisher.publish(new(TYPE, data=state.value))

    def _deliver(self, _stamp: float, _values: npt.NDArray[np.float64]) -> None:
        self.update()


def _nothing(_row: npt.NDArray[np.float64]) -> None:
    """Offer no numbers: the state itself is looked at when the offer is delivered."""
