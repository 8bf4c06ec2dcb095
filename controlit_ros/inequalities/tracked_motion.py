"""TrackedMotion: where a thing is between the messages that tell of it."""

import math

import numpy as np

from controlit_ros.arrays import Array

LONGEST = 0.1  # [s] a motion goes on without news; messages that are rarer tell of no motion
SHORTEST = 0.02  # [s] likewise, where messages come in bursts
FASTEST = 5.0  # [m/s] from one message to the next; what is faster was put elsewhere


class TrackedMotion:
    """Goes on with a thing's motion between two messages, and makes good smoothly what was wrong.

    The thing told is at x, with the velocity u that is told, or, until one is, with that from one
    message to the next. It goes on for twice the time between the last two messages. The estimate
    p follows without a lag behind steady motion, and with no jump of its velocity:

        p̈ = (x − p)/T² + 2 (u − ṗ)/T

    solved exactly over a period. What is farther off than allowed is at another place at once.

    Attributes:
        position: `(3,)` p of this cycle [m].
        velocity: `(3,)` ṗ [m/s].
    """

    def __init__(self) -> None:
        self.position: Array = np.zeros(3)
        self.velocity: Array = np.zeros(3)
        self._before: Array = np.zeros((2, 3))  # p and ṗ of the cycle before
        self._told: Array = np.zeros(3)
        self._told_before: Array = np.zeros(3)
        self._speed: Array = np.zeros(3)  # u, as messages told it
        self._speed_before: Array = np.zeros(3)
        self._off: Array = np.zeros((2, 3))
        self._is_begun = False
        self._tells_velocity = False
        self._age = self._age_before = 0.0
        self._interval = self._interval_before = LONGEST

    def restart(self) -> None:
        """Be where the thing is told to be, from the next `update` on."""
        self._is_begun = False

    def update(
        self, told: Array, speed: Array, time_constant: float, most: float, period: float
    ) -> None:
        """Write the estimate of this cycle, once or again; `go_on` ends the cycle.

        Args:
            told: `(3,)` position [m].
            speed: `(3,)` velocity [m/s]; zero until one is told.
            time_constant: T [s]; 0: what is told holds.
            most: What the estimate may be off [m].
            period: Of the servo [s].
        """
        self._tells_velocity |= bool(speed.any())
        np.copyto(self._told, told)
        if not self._is_begun or time_constant <= 0.0:
            np.copyto(self.position, told)
            np.copyto(self.velocity, speed)
            self._age, self._interval = 0.0, LONGEST
            return
        self._hear(period)
        goes_on = min(max(2.0 * self._interval, SHORTEST), LONGEST)
        if self._tells_velocity:
            np.copyto(self._speed, speed)
        np.multiply(self._speed, min(self._age, goes_on), out=self.position)
        self.position += told
        np.multiply(self._speed, self._age <= goes_on, out=self.velocity)
        self._make_good(time_constant, most, period)

    def go_on(self) -> None:
        """End the cycle: what was found holds."""
        np.copyto(self._before[0], self.position)
        np.copyto(self._before[1], self.velocity)
        np.copyto(self._told_before, self._told)
        np.copyto(self._speed_before, self._speed)
        self._age_before, self._interval_before = self._age, self._interval
        self._is_begun = True

    def _hear(self, period: float) -> None:
        """Find out whether there is news, and how fast the thing is by it."""
        passed = self._age_before + period
        if np.array_equal(self._told, self._told_before):
            self._age, self._interval = passed, self._interval_before
            np.copyto(self._speed, self._speed_before)
            return
        self._age, self._interval = 0.0, min(passed, LONGEST)
        step = self._speed
        np.subtract(self._told, self._told_before, out=step)
        comes = max(passed, self._interval_before) < LONGEST  # one message alone is no motion
        moves = comes and step.dot(step) <= (FASTEST * passed) ** 2
        step *= 1.0 / passed if moves else 0.0

    def _make_good(self, time_constant: float, most: float, period: float) -> None:
        """Add to where the thing is told to be what is left of how far the estimate was off."""
        off, rate = self._off
        np.multiply(self.velocity, period, out=off)
        off -= self.position
        off += self._before[0]
        if not off.dot(off) <= most * most:
            return
        np.subtract(self._before[1], self.velocity, out=rate)
        left, part = math.exp(-period / time_constant), period / time_constant
        # e = (e₀ + (ė₀ + e₀/T) t) exp(−t/T)
        self.position += left * ((1.0 + part) * off + period * rate)
        self.velocity += left * ((1.0 - part) * rate - part / time_constant * off)
