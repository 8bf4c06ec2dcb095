"""SimulatedScene: what stands around a robot that is simulated."""

from collections.abc import Mapping
from typing import Protocol

from controlit_ros.arrays import Array

POSE_SIZE = 7
"""Numbers of a pose: position [m] and quaternion xyzw."""


class SimulatedScene(Protocol):
    """Tells what there is, and where it is at present; any thread but the servo's."""

    @property
    def scene_file(self) -> str:
        """The MJCF file that describes it."""

    def scene_poses(self) -> Mapping[str, Array]:
        """Return `(POSE_SIZE,)` of each body that moves freely; empty where there is no news."""
