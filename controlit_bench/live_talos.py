"""Talos as programs find it: a controller in processes of its own that moves, over dds."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from controlit_bench.free_domain import free_domain
from controlit_bench.network import MIDDLEWARE, START_TIMEOUT
from controlit_ros.client import Robot, connect
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.resource import resolve_resource
from controlit_ros.transport import Transport, open_transport
from controlit_ros.transport.domain import in_domain

FILE = "package://controlit/config/talos/stand.yaml"
NAME = "talos_controller"
HAND, SWING, SWING_TIME = "RightHandPosition", 0.03, 1.5  # [-], [m], [s] to one side
LONGEST = 3600.0  # [s] after which the controller ends by itself
TRANSPORT = "dds"
HELD_UP = {
    "pause_limit": 10.0,
    "state_timeout": 10.0,
    "overrun_limit": 1_000_000,
    "updater_timeout": 60.0,
}
"""Settings by which a busy machine may hold up a servo or its simulator, and control goes on."""


class LiveTalos(NamedTuple):
    """A controller that runs.

    Attributes:
        process: The one that was started; others belong to it.
        network: Where it is seen.
    """

    process: ServoProcess
    network: Transport

    def connected(self) -> Robot:
        """Return another program's connection, over a network of its own."""
        return connect(NAME, timeout=START_TIMEOUT, transport=TRANSPORT)


@contextmanager
def swinging(robot: Robot) -> Iterator[None]:
    """Move a hand to and fro meanwhile; raises what kept it from that."""
    hand = robot.task(HAND)
    home, is_over = hand.goal, threading.Event()
    failures: list[ControlItError] = []

    def swing() -> None:
        side = 1.0
        try:
            while not is_over.is_set():
                hand.move_to(home + np.array([0.0, 0.0, side * SWING]), duration=SWING_TIME).wait()
                side = -side
        except ControlItError as error:
            failures.append(error)

    thread = threading.Thread(target=swing, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    if failures:
        raise failures[0]


@contextmanager
def live_talos(
    frequency: float,
    file: str = FILE,
    moving: Callable[[Robot], AbstractContextManager[object]] = swinging,
) -> Iterator[LiveTalos]:
    """Run Talos in real time.

    Args:
        frequency: Of the servo [Hz].
        file: Its controller.
        moving: What a program does with it meanwhile.

    Raises:
        ControlItError: It does not start, or it ended.
    """
    with in_domain(str(free_domain())), tempfile.TemporaryDirectory() as folder:
        process = ServoProcess(
            resolve_resource(file, Path()),
            Path(folder),
            duration=LONGEST,
            transport=TRANSPORT,
            settings={"servo_frequency": frequency, **HELD_UP},
            environment=MIDDLEWARE,
        )
        with process, open_transport("_benchmark", name=TRANSPORT) as network:
            live = LiveTalos(process, network)
            try:
                with live.connected() as robot, moving(robot):
                    yield live
            except ControlItError as error:
                raise ControlItError(f"{error}\n{process.log_tail()}") from error


class Counted(NamedTuple):
    """What a servo has counted since its start.

    Attributes:
        cycles: Of the servo.
        missed: Deadlines missed altogether.
        overruns: Cycles that took too long.
    """

    cycles: int
    missed: int
    overruns: int

    def since(self, before: "Counted") -> "Counted":
        """Return what has come since another count."""
        return Counted(*(now - then for now, then in zip(self, before, strict=True)))


class ServoCounts:
    """Counts of a servo, which it tells once a second.

    Args:
        network: Where it is heard.
    """

    def __init__(self, network: Transport) -> None:
        self._newest: Counted | None = None
        self._has_come = threading.Event()
        self._subscription = network.subscribe(
            "/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", self._take
        )

    def __enter__(self) -> "ServoCounts":  # noqa: PYI034 - typing.Self needs Python 3.11
        return self

    def __exit__(self, *_error: object) -> None:
        self._subscription.close()

    def next(self, meanwhile: Callable[[], object] = lambda: time.sleep(0.01)) -> Counted:
        """Return the next counts that come.

        Args:
            meanwhile: What to do until then, over and over.

        Raises:
            ControlItError: None come.
        """
        self._has_come.clear()
        end = time.monotonic() + START_TIMEOUT
        while not self._has_come.is_set():
            if time.monotonic() > end:
                raise ControlItError("the servo publishes no diagnostics")
            meanwhile()
        assert self._newest is not None
        return self._newest

    def _take(self, message: Message) -> None:
        for status in message.status:
            if status.name.endswith(": servo"):
                values = {pair.key: pair.value for pair in status.values}
                keys = ("cycles", "deadlines missed", "overruns")
                self._newest = Counted(*(int(values[key]) for key in keys))
                self._has_come.set()
