"""ServoEngine: what makes cycles, in whichever process that is."""

import logging
from contextlib import ExitStack

from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.library_pages import release_compiler
from controlit_ros.nodes.warm_up import warm_up
from controlit_ros.servo import Coordinator, LatencySummary

_log = logging.getLogger("controlit.servo")


class ServoEngine:
    """Robot interface, updaters and servo thread, started and stopped together.

    Args:
        stack: Robot interface and clock.
        coordinator: The servo.
    """

    def __init__(self, stack: ControllerStack, coordinator: Coordinator) -> None:
        self._stack = stack
        self._coordinator = coordinator
        self._is_prepared = False

    def prepare(self) -> None:
        """Prepare the kernels for the next start, unless that was done."""
        if not self._is_prepared:
            with told_of_compilation(_log.info):
                _log.info("kernels ready after %.1f s", warm_up(self._stack))
            release_compiler()
            self._is_prepared = True

    def start(self) -> None:
        """Prepare the kernels, connect to the robot and begin to make cycles.

        Raises:
            RobotInterfaceError: The robot cannot be reached.
        """
        self.prepare()
        self._is_prepared = False
        stack = self._stack
        stack.robot_interface.activate()
        self._coordinator.exchange.open()
        for updater in self._coordinator.updaters:
            updater.start()
        stack.clock.start(self._coordinator)
        if stack.clock.warnings:
            _log.warning("no real time: %s", "; ".join(stack.clock.warnings))

    def stop(self) -> None:
        """End control, cycles and the connection to the robot; idempotent.

        Raises:
            ControlItError: The servo thread is stuck; the rest has been ended all the same.
        """
        coordinator = self._coordinator
        coordinator.request_deactivation()
        with ExitStack() as ending:  # from the last to the first, whatever raises
            ending.callback(self._stack.robot_interface.deactivate)
            ending.callback(coordinator.end)
            for updater in coordinator.updaters:
                ending.callback(updater.stop)
            ending.callback(self._stack.clock.stop)

    def summary(self) -> LatencySummary:
        """Return the statistics of the servo so far, without its warm-up."""
        return self._coordinator.latency.settled()
