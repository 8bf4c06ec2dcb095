"""Odd and hostile messages on every topic and service a controller has."""

from pathlib import Path
from typing import ClassVar

import numpy as np
from hostile import has_only_finite_numbers, hostile_message
from robots_for_tests import REPOSITORY
from trial import TrialClass
from watched_robot import Unsafe, WatchedRobot

from controlit_ros.parameters import Access
from controlit_ros.transport.errors import TransportError

ROBOTS = ("dreamer/hands.yaml", "panda/reach.yaml", "trikey/drive.yaml")
TRIALS_OF_A_ROBOT = 40  # [-] after which another takes over, as new
CYCLES = 40  # [-] after each message
LEGITIMATE = ("change_state",)  # of a lifecycle: ends control, as it shall


class OnARobot(TrialClass):
    """Base of trials on a robot that is replaced now and then."""

    robots: ClassVar[tuple[str, ...]] = ROBOTS

    def __init__(self) -> None:
        self._robot: WatchedRobot | None = None
        self._used = 0
        self._made = 0

    def run(self, rng: np.random.Generator) -> str | None:
        """Mistreat the present robot."""
        if self._robot is None or self._used >= TRIALS_OF_A_ROBOT:
            self.close()
            self._robot = WatchedRobot(self._file(), self.overrides())
            self._made += 1
            self._used = 0
        self._used += 1
        try:
            return self.mistreat(self._robot, rng)
        except Unsafe as danger:
            return str(danger)

    def overrides(self) -> dict[str, object]:
        """Return settings of the next robot."""
        return {}

    def mistreat(self, robot: WatchedRobot, rng: np.random.Generator) -> str | None:
        """Do it."""
        raise NotImplementedError

    def close(self) -> None:
        """Switch the robot off."""
        if self._robot is not None:
            self._robot.close()
            self._robot = None

    def _file(self) -> Path:
        return REPOSITORY / "config" / self.robots[self._made % len(self.robots)]


class MessageTrials(OnARobot):
    """A hostile message, or a burst of them, on any topic the servo listens to."""

    name = "messages"
    share = 2500
    least = 15

    def mistreat(self, robot: WatchedRobot, rng: np.random.Generator) -> str | None:
        """Send them; what is not finite must change nothing."""
        topic, type_name = robot.topics[rng.integers(len(robot.topics))]
        values = {
            name: p.value
            for name, p in robot.stack.directory.items()
            if p.access is Access.RUN_TIME
        }
        before = {name: np.array(value, copy=True) for name, value in values.items()}
        all_bad = True
        for _ in range(int(rng.choice([1, 1, 1, 5]))):
            message = hostile_message(rng, type_name)
            all_bad &= not has_only_finite_numbers(message)
            robot.send(topic, type_name, message)
        robot.advance(CYCLES)
        if all_bad and type_name.startswith(("geometry_msgs/", "std_msgs/")):
            return _changed(robot, before, topic)
        return None


def _changed(robot: WatchedRobot, before: dict[str, np.ndarray], topic: str) -> str | None:
    for name, value in before.items():
        now = np.array(robot.stack.directory[name].value)
        if now.shape != value.shape or not (now == value).all():
            return f"{topic}: a message that is not finite changed {name} from {value} to {now}"
    return None


class ServiceTrials(OnARobot):
    """A hostile request to any service."""

    name = "services"
    share = 800
    least = 8

    def mistreat(self, robot: WatchedRobot, rng: np.random.Generator) -> str | None:
        """Ask; there must be an answer, and control must go on."""
        services = [s for s in robot.services if not s[0].endswith(LEGITIMATE)]
        service, type_name = services[rng.integers(len(services))]
        request = hostile_message(rng, f"{type_name}_Request")
        try:
            robot.call(service, type_name, request)
        except TransportError as error:
            return f"{service}: {error}"
        robot.advance(CYCLES)
        return None
