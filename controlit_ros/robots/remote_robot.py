"""RemoteRobot: a robot behind a link."""

import threading
import time
from abc import abstractmethod

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.parameters import Access, Kind, Parameter
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.link import Link
from controlit_ros.robots.robot_interface import RobotInterface, RobotInterfaceError, RobotSetup
from controlit_ros.running_thread import running_thread

TENDING_PERIOD = 0.02  # [s] how soon a robot that came back is joined again

_COUNTS = {
    "received": "Measurements that were taken over.",
    "lost": "Measurements whose numbers were left out.",
    "duplicate": "Measurements refused because they had come before.",
    "reordered": "Measurements refused because a later one had come before.",
    "stale": "Measurements refused because they are of another life of the robot, or forged.",
    "malformed": "What was refused because it is no measurement of this robot.",
    "not_finite": "Measurements refused because they hold infinities or what is not a number.",
}


class RemoteRobot(RobotInterface):
    """Base of the interfaces to joint controllers in another process or on another computer.

    `activate` does not wait for the robot: it may come, die and come back at any time. While it is
    away, `read` returns False and `explain` says why. What comes and is refused is counted in
    outputs that can be bound and watched by events, and never reaches the servo.
    """

    def __init__(self, setup: RobotSetup, name: str = "robot_interface") -> None:
        super().__init__(setup, name)
        self._wait = self.declare_setting(
            "wait",
            0.0,
            "Longest time a cycle waits for the next measurement, for robots that step "
            "with the servo. 0: the servo takes what is there.",
            unit="s",
            lower=0.0,
            upper=1.0,
        )
        self._outputs: dict[str, Parameter] = {
            key: self.declare(
                key, 0, kind=Kind.INTEGER, description=description, access=Access.OUTPUT
            )
            for key, description in _COUNTS.items()
        }
        self._link: Link | None = None
        self._frame = CommandFrame(len(setup.command_names))
        self._arrived = setup.create_state()
        self._last_sequence = 0
        self._refused = 0
        self._stop = threading.Event()
        self._tender: threading.Thread | None = None

    @abstractmethod
    def servo_end(self) -> Link:
        """Return a new link for the servo: states in, commands out.

        Raises:
            RobotInterfaceError: The parameters do not fit the robot.
        """

    @abstractmethod
    def robot_end(self) -> Link:
        """Return a new link for the robot, the other end of `servo_end`.

        Raises:
            RobotInterfaceError: Somebody else makes it.
        """

    @property
    @abstractmethod
    def place(self) -> str:
        """Where the robot is reached, in words."""

    @property
    def refused(self) -> int:
        """How much came from the robot and was refused."""
        return self._refused

    def configure(self) -> None:
        """Allocate the link."""
        self._link = self.servo_end()

    def activate(self) -> None:
        """Open the link; idempotent.

        Raises:
            RobotInterfaceError: The link is taken or not permitted.
        """
        if self._tender is not None:
            return
        link = self._configured()
        try:
            link.open()
        except RobotInterfaceError:
            link.close()
            raise
        self._last_sequence = 0
        self._stop.clear()
        self._tender = running_thread(self._tend, "robot link")

    def read(self, state: RobotState) -> bool:
        """Take the newest measurement, waiting for it if so configured."""
        fresh = self._take(state)
        patience = self._wait.value
        if not fresh and patience > 0.0:
            fresh = self._wait_for(state, patience)
        return fresh

    def write(self, command: Command) -> None:
        """Send a command; joint controllers that get none for a while must fall back."""
        self._frame.pack(command)
        self._configured().send(self._frame.vector)

    def explain(self) -> str:
        """Say what is wrong with what comes from the robot, or why nothing does."""
        return self._configured().explain()

    def deactivate(self) -> None:
        """Close the link; the robot notices the silence."""
        self._stop.set()
        if self._tender is not None:
            self._tender.join()
            self._tender = None
        if self._link is not None:
            self._link.close()

    def _take(self, state: RobotState) -> bool:
        link, arrived = self._configured(), self._arrived
        came = link.receive(arrived.vector)
        self._count(link)
        # a robot that has nothing new may repeat itself so that late comers know where it is
        if not came or (arrived.sequence == self._last_sequence and arrived.sequence > 0):
            return False
        self._last_sequence = arrived.sequence
        state.copy_from(arrived)
        return True

    def _wait_for(self, state: RobotState, patience: float) -> bool:
        deadline = time.monotonic() + patience
        while True:
            left = deadline - time.monotonic()
            if left <= 0.0:
                return False
            self._configured().wait(left)
            if self._take(state):
                return True

    def _count(self, link: Link) -> None:
        counts = link.counts
        if counts.refused != self._refused or counts.received != self._outputs["received"].value:
            self._refused = counts.refused
            for key, output in self._outputs.items():
                output.value = getattr(counts, key)

    def _tend(self) -> None:
        while not self._stop.wait(TENDING_PERIOD):
            self._configured().tend()

    def _configured(self) -> Link:
        if self._link is None:
            raise RobotInterfaceError(f"{self.name} is not configured")
        return self._link
