"""SteadyDrift: what puts ξ off in every step alike."""

from math import exp

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.locomotion.footstep import Footstep, Side

SHORTEST = 0.12  # [s] of a step that tells
FARTHEST = 0.006  # [m] that a step differs from those before: what is more was a push
PART = 0.3  # [-] of what a step tells that is believed at once


class SteadyDrift:
    """Learns how far the repellent point is off while a robot is on one point foot.

    A foot without a sole leaves ξ at ξ Γ, Γ = e^(ωt), from itself, and no way to press against what
    is left out of that: masses and gravity that are felt wrongly, the moments of the other leg.
    They come again in every step, and ξ goes to (ξ + δ) Γ − δ. What was seen of steps before tells
    δ (the integral term of walking on soles, such as in Caron and others, Stair climbing
    stabilization of the HRP-4 humanoid robot, ICRA 2019, once a step). What is to the left on one
    foot and to the right on the other one moves the robot nowhere, and is left.
    """

    def __init__(self) -> None:
        self._drifts = {side: np.zeros(2) for side in Side}
        self._now, self._newest = 0.0, np.zeros(2)
        self.begin()

    def begin(self) -> None:
        """Forget what was."""
        for drift in self._drifts.values():
            drift.fill(0.0)
        self._stance: Footstep | None = None

    def look(self, now: float, dcm: Array, stance: Footstep, omega: float) -> Array:
        """Look at ξ.

        Args:
            now: [s].
            dcm: ξ as it is, `(3,)` [m].
            stance: The foot that stands.
            omega: Of the pendulum [1/s].

        Returns:
            δ in the world, `(3,)` [m].
        """
        if stance is not self._stance:
            self._learn(omega)
            self._stance, self._began = stance, now
            self._first = stance.seen(dcm - stance.position)
        self._now, self._newest = now, stance.seen(dcm - stance.position)
        left, right = self._drifts.values()
        ahead, aside = (0.5 * (left + right)).tolist()
        drift: Array = stance.from_here(ahead, aside) - stance.position
        return drift

    def _learn(self, omega: float) -> None:
        """Take in what the step before told."""
        time = self._now - self._began if self._stance is not None else 0.0
        if self._stance is None or time < SHORTEST:
            return
        growth = exp(omega * time)
        found = (self._newest - growth * self._first) / (growth - 1.0)
        change = found - self._drifts[self._stance.side]
        if np.abs(change).max() <= FARTHEST:
            self._drifts[self._stance.side] += PART * change
