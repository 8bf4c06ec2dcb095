"""ShownController: a controller in simulated time that others can look at."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from controlit_ros.configuration import Configuration
from controlit_ros.nodes.name_claim import claim_name
from controlit_ros.nodes.servo_node import NODE_NAME
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.transport import Relay, open_transport
from controlit_ros.transport.local import LocalTransport

NODE = "shown"
LAG = 0.1  # [s] behind the wall's time after which it is not caught up with


class ShownController(SimulatedController):
    """Passes time no faster than the wall's, and is on the network while it is started.

    A run still depends on nothing but its calls, as long as nobody outside commands.

    Args:
        configuration: See `SimulatedController`.
        overrides: Likewise.
        network: Name of the transport by which others reach it; `None`: the best there is.
    """

    def __init__(
        self,
        configuration: str | Path | Configuration,
        overrides: Mapping[str, Any] | None = None,
        *,
        network: str | None = None,
    ) -> None:
        domain = f"shown-{id(self)}"
        super().__init__(configuration, overrides, domain=domain)
        self._domain, self._network = domain, network
        self._exits = ExitStack()
        self._due = time.monotonic()

    def start(self) -> None:
        """Start control where others see it (see `SimulatedController.start`).

        Raises:
            NameTakenError: A controller of this name is on the network already.
            TransportError: The network cannot be joined.
        """
        namespace = f"/{self.stack.configuration.name}"
        enter = self._exits.enter_context
        enter(claim_name(NODE_NAME, namespace, self._network))
        outer = enter(open_transport(NODE, namespace, name=self._network))
        inner = enter(LocalTransport(NODE, namespace, domain=self._domain))
        enter(Relay(inner, outer))
        super().start()

    def advance(self, duration: float) -> None:
        """Let time pass as slowly as that of the wall (see `SimulatedController.advance`)."""
        super().advance(duration)
        now = time.monotonic()
        self._due = max(self._due + duration, now - LAG)
        time.sleep(max(0.0, self._due - now))

    def stop(self) -> None:
        """Leave the network, and stop (see `SimulatedController.stop`)."""
        self._exits.close()
        super().stop()
