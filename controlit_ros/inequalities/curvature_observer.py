"""CurvatureObserver: the acceleration of distances that rows of material points leave out."""

import numpy as np

from controlit_ros.arrays import Array, Indices

CYCLES = 5.0  # [cycles] time constant: nearest points of corners jump from cycle to cycle


class CurvatureObserver:
    """Observes how the row of a pair of bodies turns, and what that does to their distance.

    A row n · J of the nearest material points gives ḣ = −row v + n · u, with u the velocity of
    what no joint moves, but its derivative is more than that of these points:

        ḧ = −row v̇ + bias + c        c = −(d row/dt) v + d(n · u)/dt − bias

    as the normal turns, the nearest points slide, and u changes. c is the mean over the last
    cycle, found from the change of the row, so that noise of v̇ is not in it; smoothed, since at
    corners the row jumps, and never above zero, which would rely on what may end at once.

    Args:
        pairs: How many there are.
        columns: Of a row.
    """

    def __init__(self, pairs: int, columns: int) -> None:
        self._rows: Array = np.zeros((2, pairs, columns))  # of the cycle before, and of this one
        self._rest: Array = np.zeros((2, pairs, 2))  # bias and n · u, likewise
        self._observed: Array = np.zeros((2, pairs))
        self._cycles: Indices = np.full((2, pairs), -2)
        self._cycle = 0

    def restart(self) -> None:
        """Forget everything."""
        self._observed.fill(0.0)
        self._cycles.fill(-2)
        self._cycle = 0

    def observe(
        self,
        pair: int,
        row: Array,
        v: Array,
        bias: float,
        approach: float,
        most: float,
        period: float,
    ) -> float:
        """Return c of a pair [m/s²], at most zero; perhaps more than once a cycle.

        Args:
            pair: Its number.
            row: `(columns,)` of its nearest points.
            v: `(columns,)` velocity now.
            bias: Acceleration of the gap by these points at `v̇ = 0` [m/s²].
            approach: n · u [m/s].
            most: Largest size of c that counts [m/s²].
            period: Since the cycle before [s].
        """
        before, kept = self._rows[0, pair], 0.0
        if self._cycles[0, pair] == self._cycle - 1:
            kept = float(self._observed[0, pair])
            turned = float(before.dot(v) - row.dot(v))
            if turned or approach != self._rest[0, pair, 1]:  # else it is the model of that cycle
                rates = turned + approach - float(self._rest[0, pair, 1])
                found = rates / period - float(self._rest[0, pair, 0])
                kept += (min(max(found, -most), 0.0) - kept) / CYCLES
        self._rows[1, pair] = row
        self._rest[1, pair] = bias, approach
        self._observed[1, pair] = kept
        self._cycles[1, pair] = self._cycle
        return kept

    def end_cycle(self) -> None:
        """Let what was observed be that of the cycle before."""
        for both in (self._rows, self._rest, self._observed, self._cycles):
            np.copyto(both[0], both[1])
        self._cycle += 1
