"""The servo in a process of its own with everything on, and its network seen from this one."""

import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from controlit_bench.free_domain import free_domain
from controlit_bench.problems import dreamer_content, write_content
from controlit_ros.client.watch import ACTIVE, STRING
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.servo.real_time import kept_off
from controlit_ros.transport import LATCHED, Transport, open_transport
from controlit_ros.transport.domain import in_domain

NAMESPACE = "/benchmark_controller"
TASK = "RightHandPosition"
COMMANDED = "commanded"
"""Topic that carries the command of the task after every cycle."""
MIDDLEWARE = {
    "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp",
}
"""What lets a servo over rclpy and this process, over dds, see each other."""
START_TIMEOUT = 300.0  # [s] of the servo, which may compile its kernels on a busy machine
SETTLE = 1.0  # [s] for discovery and the servo's warm-up
POLL = 0.05  # [s]


@contextmanager
def servo_and_network(
    duration: float,
    *,
    transport: str = "dds",
    sections: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    processors: Collection[int] = (),
) -> Iterator[tuple[ServoProcess, Transport]]:
    """Run a servo on a robot that costs nothing, and join its network over dds.

    Args:
        duration: How long the servo may run once it has started [s].
        transport: Name of the servo's transport.
        sections: Of the controller's file, beside those that it has.
        parameters: Of that file, instead of its own.
        processors: Of the servo alone, which subscribers keep off, too; none: all are everybody's.

    Raises:
        ControlItError: It does not start.
    """
    content = dreamer_content() | dict(sections or {})
    content["parameters"] |= {"default_bindings": True, "cpu_affinity": [*processors]}
    content["parameters"] |= dict(parameters or {})
    content["bindings"] = [
        {"parameter": f"{TASK}.command", "direction": "output", "topic": COMMANDED}
    ]
    with in_domain(str(free_domain())), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_content(content, folder / "controller.yaml")
        limit = duration + START_TIMEOUT + 60.0
        servo = ServoProcess(
            path, folder, duration=limit, transport=transport, environment=MIDDLEWARE
        )
        with (
            servo,
            kept_off(processors),
            open_transport("_benchmark", name="dds") as network,
        ):
            _await_control(servo, network)
            yield servo, network


def _await_control(servo: ServoProcess, network: Transport) -> None:
    """Wait until it controls: its topics are there before its kernels are compiled."""
    states: list[str] = []

    def hear(message: Message) -> None:
        states.append(message.data)

    with closing(network.subscribe(f"{NAMESPACE}/diagnostics/state", STRING, hear, LATCHED)):
        await_servo(
            servo,
            lambda: network.graph().is_complete and states[-1:] == [ACTIVE],
            "the servo did not start",
        )
    time.sleep(SETTLE)


def await_servo(servo: ServoProcess, is_over: Callable[[], bool], complaint: str) -> None:
    """Wait for something that a servo does.

    Args:
        servo: May end meanwhile.
        is_over: Tells whether it has done it.
        complaint: What to say if it does not.

    Raises:
        ControlItError: It does not do it, or has ended.
    """
    end = time.monotonic() + START_TIMEOUT
    while not is_over():
        servo.check()
        if time.monotonic() > end:
            raise ControlItError(f"{complaint}:\n{servo.log_tail()}")
        time.sleep(POLL)
