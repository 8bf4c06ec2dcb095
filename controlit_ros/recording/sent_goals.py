"""Goals at any time, from those that were sent."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.recording.series import Track
from controlit_ros.recording.task_track import TrackKind

STREAM = 0.05  # [s] between goals of a stream; one that comes later than that is a new goal


def interpolated(sent: Track, times: Array, kind: TrackKind) -> Array:
    """Return the goals of all moments between those they were sent at, `(n, k)`.

    Goals of a stream are joined by straight lines: they come every 10 ms, so that is within a
    hundredth of a millimetre of any smooth path. A goal after which none came for a while stays
    until the next. Unit vectors and quaternions are brought back to unit length.
    """
    values = sent.values
    if kind is TrackKind.ORIENTATION and len(values):  # q and -q are the same orientation
        flips = np.sign(np.einsum("ij,ij->i", values[1:], values[:-1]))
        flips[flips == 0.0] = 1.0
        values = values * np.cumprod(np.concatenate([[1.0], flips]))[:, np.newaxis]
    columns = [np.interp(times, sent.times, column) for column in values.T]
    goals: Array = np.stack(columns, axis=1)
    if len(sent.times) > 1:
        before = np.searchsorted(sent.times, times, side="right") - 1
        gaps = np.append(np.diff(sent.times), 0.0)
        stays = (before >= 0) & (gaps[before] > STREAM)
        goals[stays] = values[before[stays]]
    if kind in (TrackKind.DIRECTION, TrackKind.ORIENTATION):
        goals /= np.maximum(np.linalg.norm(goals, axis=1, keepdims=True), math.ulp(1.0))
    return goals
