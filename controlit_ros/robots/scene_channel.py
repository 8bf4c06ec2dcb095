"""Poses of a scene's bodies from a simulator process to whoever watches."""

from collections.abc import Mapping

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.robots.channel import ChannelError, ChannelReader, ChannelWriter
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.simulated_scene import POSE_SIZE

SCENE = "scene"


def scene_layout(bodies: tuple[str, ...]) -> str:
    """Describe the values of the scene channel."""
    return f"scene {','.join(bodies)}"


class SceneWriter:
    """Writes where the scene's bodies are.

    Args:
        simulation: Holds them.
        channel: Name of the shared memory that joins simulator and servo.

    Raises:
        ChannelError: Another simulator owns the channel.
    """

    def __init__(self, simulation: Simulation, channel: str) -> None:
        self._simulation = simulation
        bodies = simulation.scene_bodies
        self._poses = np.zeros((len(bodies), POSE_SIZE))
        self._writer = ChannelWriter(
            f"{channel}.{SCENE}", scene_layout(bodies), len(bodies) * POSE_SIZE
        )

    def write(self) -> None:
        """Write the present poses."""
        self._simulation.scene_poses(self._poses)
        self._writer.write(self._poses.reshape(-1))

    def close(self) -> None:
        """Give the channel up."""
        self._writer.close()


class SceneReader:
    """Reads where the scene's bodies are.

    Args:
        bodies: Their names, in the order of the simulation.
        channel: Name of the shared memory that joins simulator and servo.
    """

    def __init__(self, bodies: tuple[str, ...], channel: str) -> None:
        self._bodies = bodies
        self._vector = np.zeros(len(bodies) * POSE_SIZE)
        self._reader = ChannelReader(
            f"{channel}.{SCENE}", scene_layout(bodies), len(bodies) * POSE_SIZE
        )

    def read(self) -> Mapping[str, Array] | None:
        """Return position and quaternion xyzw of each body, `(7,)`, `None` without news."""
        try:
            if not self._reader.read(self._vector):
                self._reader.attach()
                return None
        except ChannelError:
            return None
        return dict(zip(self._bodies, self._vector.reshape(-1, POSE_SIZE).copy(), strict=True))

    def close(self) -> None:
        """Let go of the channel."""
        self._reader.detach()
