"""Rests of a goal: which of them the robot reached, and which it could not."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Flags
from controlit_ros.recording.task_track import TaskTrack, TrackKind

REST = 1.0  # [s] a goal that stays for so long is one to be reached
LAST = 0.3  # [s] at the end of a rest, in which it shows whether the robot rests, too
UNCHANGED = 1e-9  # [-] by which a resting goal may differ from the sample before
REACHED = {
    TrackKind.POSITION: 1.0,  # [cm]
    TrackKind.DIRECTION: 2.0,  # [degree]
    TrackKind.ORIENTATION: 2.0,  # [degree]
    TrackKind.POSTURE: 0.03,  # [rad]
    TrackKind.FORCE: 2.0,  # [N]
}
"""Largest error of a goal that counts as reached."""
STILL = 0.1  # [-] of the above: how far the error may change while the robot counts as at rest


class GoalRests(NamedTuple):
    """What became of the places a goal rested at.

    Attributes:
        places: How many there were.
        missed: How many the robot came to rest away from: out of reach, or held back.
        nearest: Least error among the missed ones at their ends, in the unit of the track; `None`
            without any.
        is_missed: `(n,)` which instants of the track belong to missed ones, the way there included.
    """

    places: int
    missed: int
    nearest: float | None
    is_missed: Flags


def goal_rests(track: TaskTrack) -> GoalRests:
    """Find where the goal rested, and whether the robot got there.

    A robot that still moves at the end of a rest has not missed the goal: it was short of time.
    """
    errors, times = track.errors(), track.times
    is_missed = np.zeros(len(times), dtype=np.bool_)
    count, ends = 0, []
    previous_end = 0
    bound = REACHED[track.kind]
    for begin, end in _stretches(track):
        if times[end - 1] - times[begin] < REST:
            continue
        count += 1
        last = errors[begin:end][times[begin:end] >= times[end - 1] - LAST]
        if last.min() > bound and np.ptp(last) < STILL * bound:
            is_missed[previous_end:end] = True
            ends.append(float(last[-1]))
        previous_end = end
    return GoalRests(count, len(ends), min(ends, default=None), is_missed)


def _stretches(track: TaskTrack) -> list[tuple[int, int]]:
    """Return begins and ends of the stretches in which the goal stays where it is."""
    if not len(track.times):
        return []
    changes = np.abs(np.diff(track.goal, axis=0)).max(axis=1, initial=0.0) > UNCHANGED
    edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(track.times)]
    return list(pairwise(edges))
