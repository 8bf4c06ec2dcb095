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
    places = np.array(answer.positions, dtype=float).reshape(-1, 3)
    turns = np.array(answer.orientations, dtype=float).reshape(-1, 4)
    names = (str(name) for name in answer.names)
    return {name: FramePose(*pose) for name, *pose in zip(names, places, turns, strict=True)}
