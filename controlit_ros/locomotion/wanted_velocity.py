"""WantedVelocity: a velocity that is asked for, as far as a robot can follow it."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.parameters import ParameterReflection, Quantity

LABELS = ("forward", "left", "turning")
STILL = 1e-3  # [m/s, rad/s] a stick that is let go tells about as much


class WantedVelocity:
    """Hears a velocity, forgets it when there is no more news, and follows it in small changes.

    Args:
        owner: Receives the parameters.
    """

    def __init__(self, owner: ParameterReflection) -> None:
        vector = {"shape": (3,), "labels": LABELS}
        self.wanted = owner.declare(
            "velocity",
            (0.0, 0.0, 0.0),
            unit="m/s, rad/s",
            quantity=Quantity.PLANAR_TWIST,
            description="velocity to walk with: forward, to the left, turning to the left; zero: "
            "stop",
            **vector,
        )
        self.timeout = owner.declare(
            "velocity_timeout",
            0.5,
            lower=0.0,
            unit="s",
            description="time without news after which velocity counts as zero; 0: never",
        )
        self.change = owner.declare(
            "max_velocity_change",
            (0.1, 0.06, 0.15),
            lower=0.0,
            unit="m/s, rad/s",
            description="largest change of the velocity from one step to the next; a stop is none",
            **vector,
        )
        self._present: Array = np.zeros(3)
        self.begin(0.0)

    def begin(self, now: float) -> None:
        """Rest; what was asked for before does not count."""
        self._present.fill(0.0)
        self._revision = self.wanted.revision
        self._news = -np.inf
        self._now = now

    def halt(self) -> None:
        """Begin again from rest with what is asked for."""
        self._present.fill(0.0)

    def hear(self, now: float) -> None:
        """Look whether there is news; once a cycle."""
        self._now = now
        if self.wanted.revision != self._revision:
            self._revision, self._news = self.wanted.revision, now

    @property
    def target(self) -> Array:
        """What is asked for now, `(3,)`; a copy."""
        timeout, wanted = self.timeout.value, self.wanted.value
        is_old = self._now - self._news > timeout > 0.0 or self._news == -np.inf
        is_still = np.abs(wanted).max() < STILL
        target: Array = np.zeros(3) if is_old or is_still else wanted.copy()
        return target

    def next(self, reach: Array) -> Array:
        """Return the velocity of the next step, `(3,)`; a copy.

        Args:
            reach: `(3,)` the largest that steps can follow; more does not count.
        """
        change, target = self.change.value, _within(self.target, reach)
        if target.any():
            self._present += _within(target - self._present, change)
        else:
            self._present.fill(0.0)
        present: Array = self._present.copy()
        return present


def _within(values: Array, most: Array) -> Array:
    """Return numbers that are no larger than others; quicker than `np.clip` for three."""
    within: Array = np.minimum(np.maximum(values, -most), most)
    return within
