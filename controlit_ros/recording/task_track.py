"""TaskTrack: goal and actual value of a task over time."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from controlit_ros.arrays import Array

FORCE_AXES = 3  # of a wrench: the force comes first


class TrackKind(Enum):
    """What the numbers of a track are."""

    POSITION = "position"
    """Points [m]: the error is their distance."""
    DIRECTION = "direction"
    """Unit vectors: the error is the angle between them."""
    ORIENTATION = "orientation"
    """Quaternions xyzw: the error is the angle of the rotation between them."""
    POSTURE = "posture"
    """Joint positions [rad or m]: the error is that of the joint farthest from its goal."""
    FORCE = "force"
    """Forces [N], maybe with moments [N m] behind them: the error is that of the force."""


UNITS = {
    TrackKind.POSITION: "cm",
    TrackKind.DIRECTION: "°",
    TrackKind.ORIENTATION: "°",
    TrackKind.POSTURE: "rad",
    TrackKind.FORCE: "N",
}
"""Of the errors."""


@dataclass(frozen=True)
class TaskTrack:
    """Goal and actual value of one task over time, of the same instants.

    Attributes:
        times: `(n,)` since the first goal [s].
        goal: `(n, k)` what the client wanted at these times.
        actual: `(n, k)` what the controller published as the task's actual value.
        kind: What the numbers are.
        names: Of the `k` components, where they have some: joints of a posture.
    """

    times: Array
    goal: Array
    actual: Array
    kind: TrackKind
    names: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """Unit of the errors."""
        return UNITS[self.kind]

    def errors(self) -> Array:
        """Return the error at each time, `(n,)`, in the unit of the kind."""
        missing = self.goal - self.actual
        if self.kind is TrackKind.POSTURE:
            largest: Array = np.abs(missing).max(axis=1, initial=0.0)
            return largest
        if self.kind is TrackKind.FORCE:
            missing = missing[:, :FORCE_AXES]
        chord: Array = np.linalg.norm(missing, axis=1)
        if self.kind is TrackKind.POSITION:
            return 100.0 * chord
        if self.kind is TrackKind.FORCE:
            return chord
        turn = 2.0
        if self.kind is TrackKind.ORIENTATION:  # q and -q are the same, half the angle apart
            turn = 4.0
            chord = np.minimum(chord, np.linalg.norm(self.goal + self.actual, axis=1))
        angle: Array = turn * np.arcsin(np.minimum(chord / 2.0, 1.0))
        return np.degrees(angle)

    def part(self, chosen: Array) -> "TaskTrack":
        """Return the instants that are chosen, `(n,)` of booleans."""
        return TaskTrack(
            self.times[chosen], self.goal[chosen], self.actual[chosen], self.kind, self.names
        )
