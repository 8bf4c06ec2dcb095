"""SimulatedRun: a run whose servo, simulation and client share one process and one clock."""

from typing import Any

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_run import DemoRun, RunParts
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.transport.local import LocalTransport

SETTLE = 0.5  # [s] after the soft start
ACTIVATION = 1.0  # [s] of simulated time within which control must have begun


class SimulatedRun(DemoRun):
    """Steers a servo of this process over the local transport, as fast as it computes.

    Between two rounds of goals every message is delivered before time goes on, so a run depends on
    nothing but the program, the configuration and their seeds.

    Args:
        parts: What takes part; its stack is the node's.
        node: The servo, not started.
        client: Transport of stream and recorder.
        server: Transport of the servo.
    """

    def __init__(
        self, parts: RunParts, node: ServoNode, client: LocalTransport, server: LocalTransport
    ) -> None:
        super().__init__(parts)
        self._node = node
        self._client = client
        self._server = server
        assert isinstance(parts.stack.clock, SimulatedClock)
        self._clock = parts.stack.clock
        self._cycles = round(parts.stream.period * self._clock.frequency)

    def go(self) -> bool:
        """Start the servo and run the program; return whether a user ended it."""
        node, stream = self._node, self.parts.stream
        try:
            self._start()
            origin = self.origin = self._clock.now
            elapsed = 0.0
            next_show = 0.0
            while True:
                stream.send(elapsed)
                if elapsed >= self.parts.duration or self.parts.program.is_over(elapsed):
                    break
                self._advance()
                elapsed = self._clock.now - origin
                self.sent_for = elapsed
                self.parts.evaluator.look(elapsed)
                if elapsed >= next_show:
                    next_show += 1.0
                    self.show(elapsed, node.state.value)
            self.sent_for = elapsed
        except KeyboardInterrupt:
            return True
        finally:
            node.stop()
        return False

    def summary(self) -> dict[str, Any] | None:
        """Return nothing: cycles outside real time have no frequency worth telling."""
        return None

    def _start(self) -> None:
        node = self._node
        node.start()
        node.outbox.stop()  # from here on delivered between cycles, by this thread
        begin = self._clock.now
        while node.state is not CoordinatorState.ACTIVE:
            if self._clock.now - begin > ACTIVATION:
                raise DemoError(f"control did not begin within {ACTIVATION:g} s of simulated time")
            self._advance()
        until = self._clock.now + self.parts.stack.servo.soft_start_time + SETTLE
        while self._clock.now < until:
            self._advance()

    def _advance(self) -> None:
        """Let time pass until the next round of goals."""
        self._server.settle()
        self._clock.advance(self._cycles)
        self._node.outbox.ask_for_interest()
        self._node.outbox.deliver_all()
        self._client.settle()
