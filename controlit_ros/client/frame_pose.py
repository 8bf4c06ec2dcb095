"""FramePose: where a body of the robot is."""

from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array

GET_FRAMES = "diagnostics/getFrames"
"""Service that tells of frames, below a controller's name."""


class FramePose(NamedTuple):
    """A pose by the model, at the newest measurement.

    Attributes:
        position: `(3,)` [m].
        orientation: `(4,)` quaternion xyzw.
    """

    position: Array
    orientation: Array


def frame_poses(answer: Any) -> dict[str, FramePose]:
    """Return the poses that a `controlit/srv/GetFrames` answers, by name."""
    poses = zip(answer.names, answer.poses, strict=True)
    return {str(name): _pose(pose) for name, pose in poses}


def _pose(pose: Any) -> FramePose:
    place, turn = pose.position, pose.orientation
    return FramePose(
        np.array([place.x, place.y, place.z]), np.array([turn.x, turn.y, turn.z, turn.w])
    )
