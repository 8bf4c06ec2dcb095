"""SimulatedRun: a run whose servo, simulation and client share one process and one clock."""

from typing import Any

from controlit_demos.running.demo_run import DemoRun, RunParts
from controlit_ros.client import ControllerLostError, Robot, SimulatedBeat, connect
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.simulated_controller import SimulatedController

SHOW_PERIOD = 1.0  # [s]


class SimulatedRun(DemoRun):
    """Steers a servo of this process over the local transport, as fast as it computes.

    Between two rounds of goals every message is delivered before time goes on, so a run depends on
    nothing but the program, the configuration and their seeds.

    Args:
        parts: What takes part; its stack is the controller's.
        controller: The servo, not started.
    """

    def __init__(self, parts: RunParts, controller: SimulatedController) -> None:
        super().__init__(
            parts, SimulatedBeat(controller), controller.round_time, show_period=SHOW_PERIOD
        )
        self._controller = controller

    def start(self) -> None:
        """Begin control."""
        self._controller.start()

    def stop(self) -> None:
        """End control."""
        self._controller.stop()

    def connect(self) -> Robot:
        """Return the servo as a program sees it."""
        return connect(transport=self.parts.transport, beat=self.beat)

    def check(self) -> str:
        """Return the state of the servo."""
        return self._controller.state.value

    def lost(self, error: ControllerLostError) -> ControlItError:
        """Return the error: the servo has no log of its own."""
        return error

    def summary(self) -> dict[str, Any] | None:
        """Return nothing: cycles outside real time have no frequency worth telling."""
        return None
