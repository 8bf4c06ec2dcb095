"""Pushes on a simulated robot, from whoever wants to disturb it."""

import contextlib

import numpy as np
import numpy.typing as npt

from controlit_ros.errors import did_you_mean
from controlit_ros.model.urdf_document import urdf_tree
from controlit_ros.robots.channel import ChannelError, ChannelReader, ChannelWriter
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.robot_interface import RobotInterfaceError

PUSH = "push"
SIZE = 5  # number of the link, force, duration


def _links(urdf: str) -> tuple[str, ...]:
    return tuple(link.get("name", "") for link in urdf_tree(urdf).findall("link"))


def _layout(links: tuple[str, ...]) -> str:
    return f"push {','.join(links)}"


class PushWriter:
    """Pushes links of a robot that a simulator process simulates.

    Args:
        urdf: Text of the robot description.
        channel: Name of the shared memory that joins simulator and servo.

    Raises:
        ChannelError: Somebody else pushes already.
    """

    def __init__(self, urdf: str, channel: str) -> None:
        self._links = _links(urdf)
        self._vector = np.zeros(SIZE)
        self._writer = ChannelWriter(f"{channel}.{PUSH}", _layout(self._links), SIZE)

    def push(self, link: str, force: npt.ArrayLike, duration: float) -> None:
        """Push a link at its centre of mass.

        A simulator that runs when this writer is made notices, within 0.1 s of its time.

        Args:
            link: Its name.
            force: `(3,)` world frame [N].
            duration: In simulated time [s].

        Raises:
            RobotInterfaceError: There is no such link; the text names the nearest.
        """
        if link not in self._links:
            raise RobotInterfaceError(f"no link {link!r}{did_you_mean(link, self._links)}")
        self._vector[0] = self._links.index(link)
        self._vector[1:4] = force
        self._vector[4] = duration
        self._writer.write(self._vector)

    def close(self) -> None:
        """Give the channel up."""
        self._writer.close()


class PushReader:
    """Applies to a simulation what a `PushWriter` asks for.

    Args:
        simulation: Of the same robot.
        channel: Name of the shared memory that joins simulator and servo.
    """

    def __init__(self, simulation: Simulation, channel: str) -> None:
        self._simulation = simulation
        self._links = _links(simulation.setup.urdf)
        self._vector = np.zeros(SIZE)
        self._reader = ChannelReader(f"{channel}.{PUSH}", _layout(self._links), SIZE)

    def look_for_writer(self) -> None:
        """Follow the present writer, if there is one; not at every step."""
        with contextlib.suppress(ChannelError):  # of another robot
            self._reader.attach()

    def apply(self) -> None:
        """Begin the push that was asked for last, unless it was begun before."""
        if not self._reader.read(self._vector) or not np.isfinite(self._vector).all():
            return
        number, *force, duration = self._vector.tolist()
        if 0 <= number < len(self._links):
            self._simulation.push(self._links[int(number)], force, max(duration, 0.0))
