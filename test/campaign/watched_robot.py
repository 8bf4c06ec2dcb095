"""A servo, its simulated robot and a client in one process, and an evaluator who sees the truth."""

import itertools
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from patience import GENEROUS
from robot_side import RobotSide

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_ONE_THREAD
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport.local import LocalTransport

SOFT_START = {"soft_start_time": 0.2}  # [s]
IN_PROCESS = {"robot_interface_type": "MuJoCo", "robot_interface.mode": "in_process"}
EXCESS = 1.05  # [-] of a velocity limit that a joint may reach
ROUNDING = 1.0 + 1e-9  # [-] of an effort limit
AT_REST = 1e-3  # [rad/s or m/s] for joints that have no velocity limit
_numbers = itertools.count()


class Unsafe(Exception):  # noqa: N818 - it is what the robot is
    """The robot did what no input may make it do."""


class WatchedRobot:
    """Runs a configuration deterministically, with every topic and service of the real node.

    After every cycle the true velocities of the joints are held against their limits, and the
    efforts that the drives were sent against theirs.

    Args:
        file: The configuration.
        overrides: Of its parameters.
    """

    def __init__(self, file: Path, overrides: Mapping[str, Any] | None = None) -> None:
        self.stack = load_stack(file, {**IN_ONE_THREAD, **SOFT_START, **(overrides or IN_PROCESS)})
        name = self.stack.configuration.name
        domain = f"campaign {os.getpid()} {next(_numbers)}"
        self._server = LocalTransport("servo", f"/{name}", domain=domain)
        self.client = LocalTransport("client", f"/{name}", domain=domain)
        self.node = ServoNode(self.stack, self._server)
        self.side = RobotSide(self.node, domain, self._server.settle)
        self.simulation = self.side.simulation
        robot = self.stack.robot
        self._fastest = robot.velocity_limits[robot.command_indices]
        self._strongest = robot.effort_limits[robot.command_indices]
        self._names = robot.command_joints
        self._drives = self.simulation._drive_velocities
        self._places = self.simulation._drive_positions
        self.node.start()
        self.node.outbox.stop()
        self.topics = [
            (topic.name, topic.types[0])
            for topic in self.client.graph().topics
            if topic.subscription_count
        ]
        self.services = [(s.name, s.types[0]) for s in self.client.graph().services]
        self._publishers: dict[str, Any] = {}
        self.come_to_rest()

    @property
    def state(self) -> CoordinatorState:
        """Where the coordinator stands."""
        return self.node.state

    @property
    def positions(self) -> np.ndarray:
        """True positions of the command joints."""
        return self.simulation.data.qpos[self._places].copy()

    def come_to_rest(self) -> None:
        """Become active, as soon as both sides have found each other, and finish the soft start."""
        end = time.monotonic() + GENEROUS
        while self.state is not CoordinatorState.ACTIVE:
            if time.monotonic() > end:
                raise Unsafe(f"the state is {self.state.value} after the start, expected active")
            self.advance(10)
            time.sleep(0.001)  # links look for each other in real time
        self.advance(round((self.stack.servo.soft_start_time + 0.1) * self.stack.clock.frequency))

    def advance(self, cycles: int) -> None:
        """Let time pass, with an eye on the robot."""
        clock, data = self.stack.clock, self.simulation.data
        self._server.settle()
        before = self.node.coordinator.latency.cycles
        for _ in range(cycles):
            clock.advance(1)
            speed = np.abs(data.qvel[self._drives])
            if not (speed <= EXCESS * self._fastest).all():
                raise Unsafe(self._tell("velocity", speed, self._fastest))
            effort = np.abs(self.node.coordinator.command.effort)
            if not (effort <= ROUNDING * self._strongest).all():
                raise Unsafe(self._tell("effort", effort, self._strongest))
        if self.node.coordinator.latency.cycles != before + cycles:
            raise Unsafe("the servo did not run every cycle")
        self.node.outbox.ask_for_interest()
        self.node.outbox.deliver_all()

    def send(self, topic: str, type_name: str, message: Any) -> None:
        """Publish a message on one of the controller's topics."""
        if topic not in self._publishers:
            self._publishers[topic] = self.client.publisher(topic, type_name)
        self._publishers[topic].publish(message)

    def call(self, service: str, type_name: str, request: Any) -> Any:
        """Call a service while time passes; return its answer."""
        client = self.client.client(service, type_name)
        try:
            return self._while_time_passes(lambda: client.call(request, timeout=GENEROUS))
        finally:
            client.close()

    def close(self) -> None:
        """Stop everything."""
        self.node.stop()
        self.side.close()
        self.client.close()

    def _while_time_passes(self, work: Callable[[], Any]) -> Any:
        done: list[Any] = []
        errors: list[Exception] = []

        def run() -> None:
            try:
                done.append(work())
            except Exception as error:  # noqa: BLE001 - is told by the one who waits
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        end = time.monotonic() + GENEROUS
        while thread.is_alive() and time.monotonic() < end:
            self.advance(1)
            thread.join(1e-4)
        if thread.is_alive():
            raise Unsafe("a service did not answer")
        if errors:
            raise errors[0]
        return done[0]

    def _tell(self, what: str, found: np.ndarray, limits: np.ndarray) -> str:
        worst = int(np.nanargmax(np.where(limits > 0.0, found / np.maximum(limits, AT_REST), 0.0)))
        return (
            f"{what} of {self._names[worst]}: found {found[worst]:.4g}, "
            f"expected at most {limits[worst]:.4g} ({self.state.value})"
        )
