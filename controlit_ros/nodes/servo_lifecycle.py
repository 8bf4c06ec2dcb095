"""ServoLifecycle: what a servo does in each transition of a managed node."""

import logging
import time
from contextlib import suppress

from controlit_ros.awake_time import AwakeTime
from controlit_ros.errors import ControlItError
from controlit_ros.introspection import Lifecycle, LifecycleHooks, StateTopic
from controlit_ros.introspection.lifecycle_graph import (
    ACTIVATE,
    ACTIVATING,
    ACTIVE,
    CONFIGURE,
    DEACTIVATING,
    FINALIZED,
    INACTIVE,
    SHUTDOWN,
    UNCONFIGURED,
    LifecycleState,
)
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.process_layout import ProcessLayout, ServoGoneError
from controlit_ros.nodes.servo_engine import ServoEngine
from controlit_ros.servo import Coordinator, CoordinatorState, Outbox

ACTIVATION_PATIENCE = 5.0  # [s] for a robot to report its state and control to begin
DEACTIVATION_PATIENCE = 1.0  # [s] many cycles of any servo
POLL = 0.005  # [s]
END_PATIENCE = 5.0  # [s] for the servo to give the robot up; its simulator may take two
TRANSITION_GAP = 1e-4  # [s] between batches of simulated cycles: lets a waiting transition in

_log = logging.getLogger("controlit.servo")


class ServoLifecycle:
    """Connects, starts and stops a servo as ROS 2's managed nodes do.

    Configured means that the robot is connected and the servo runs without commanding; active
    that it commands. Goals that nobody stated are latched at each activation, and the command
    grows softly.

    Args:
        stack: Robot interface and clock.
        coordinator: The servo.
        outbox: Started when first configured.
        state_topic: Tells where the coordinator stands when the servo no longer does.
        layout: Where the servo runs.

    Attributes:
        machine: The state machine.
        engine: What makes cycles.
        failure: Why the servo did not end as it was told; empty: it did.
        has_begun: Whether it ever made cycles.
    """

    def __init__(
        self,
        stack: ControllerStack,
        coordinator: Coordinator,
        outbox: Outbox,
        state_topic: StateTopic,
        layout: ProcessLayout,
    ) -> None:
        self.engine = ServoEngine(stack, coordinator)
        self._status = coordinator.status
        self._clock = stack.clock
        self._begin = layout.call(self.engine.start)
        self._end = layout.call(self.engine.stop, END_PATIENCE)
        self._request_activation = layout.call(coordinator.request_activation)
        self._request_deactivation = layout.call(coordinator.request_deactivation)
        self._outbox = outbox
        self._state_topic = state_topic
        self.failure = ""
        self.has_begun = False
        self._is_waiting = True
        self.machine = Lifecycle(
            LifecycleHooks(
                configure=self._configure,
                activate=self._activate,
                deactivate=self._deactivate,
                cleanup=self._tear_down,
                shutdown=self._tear_down,
                recover=self._tear_down,
            )
        )

    @property
    def is_running(self) -> bool:
        """Whether the servo makes cycles."""
        return self.machine.state in (INACTIVE, ACTIVATING, ACTIVE, DEACTIVATING)

    def start(self, goal: LifecycleState = ACTIVE) -> None:
        """Configure and activate as far as wanted, without waiting until control has begun.

        Raises:
            ControlItError: The robot cannot be reached.
        """
        labels = {UNCONFIGURED: (), INACTIVE: (CONFIGURE,), ACTIVE: (CONFIGURE, ACTIVATE)}[goal]
        with self.machine.paused():
            self._is_waiting = False
            try:
                for label in labels:
                    if not self.machine.trigger(label):
                        raise self.machine.error or ControlItError(f"{label} failed")
            finally:
                self._is_waiting = True

    def stop(self) -> None:
        """End control, servo and connection, whatever the state; idempotent."""
        for _ in range(2):  # what fails the first time leaves nothing to be torn down
            if self.machine.state != FINALIZED:
                self.machine.trigger(SHUTDOWN)
        with self.machine.paused(), suppress(ControlItError):  # `failure` tells
            self._tear_down()

    def advance(self, cycles: int) -> float:
        """Let cycles of a simulated clock pass, if the servo runs; return the simulated time [s].

        Raises:
            ControlItError: The clock is a real one.
        """
        clock = self._clock
        if not clock.is_stepped:
            raise ControlItError("only a simulated clock can be advanced")
        with self.machine.paused():
            if self.is_running:
                clock.advance(cycles)
        time.sleep(TRANSITION_GAP if self.is_running else POLL)
        return clock.now

    def _configure(self) -> bool:
        self._outbox.start()
        self._begin()
        self.has_begun = True
        return True

    def _activate(self) -> bool:
        self._request_activation()
        if self._reaches(CoordinatorState.ACTIVE, ACTIVATION_PATIENCE):
            return True
        self._request_deactivation()
        _log.error("control did not begin within %g s", ACTIVATION_PATIENCE)
        return False

    def _deactivate(self) -> bool:
        self._request_deactivation()
        stopped = self._reaches(CoordinatorState.INACTIVE, DEACTIVATION_PATIENCE)
        if not stopped and self._clock.is_ticking:  # without ticks nothing is commanded
            raise ControlItError(f"the servo made no cycle for {DEACTIVATION_PATIENCE:g} s")
        return True

    def _tear_down(self) -> bool:
        try:
            with suppress(ServoGoneError):
                self._end()
        except ControlItError as error:
            self.failure = str(error)
            raise
        finally:
            self._state_topic.update()
        return True

    def _reaches(self, state: CoordinatorState, patience: float) -> bool:
        """Wait for a state, except where time stands still or nobody wants to wait."""
        if self._clock.is_stepped or not self._is_waiting:
            return True
        waited = AwakeTime()
        while self._status.state is not state:
            if waited.look() > patience:
                return False
            time.sleep(POLL)
        return True
