"""Gap: distances that are to stay open, as rows over accelerations."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.inequalities.inequality import Inequality
from controlit_ros.kernels import least_gap_acceleration
from controlit_ros.parameters import Access

SPARE = 5.0  # [-] of the deceleration, for bodies that turn and obstacles that speed up
RESERVE = 5e-4  # [m] inside the margin: for nearest points that jump between two cycles


class Gap:
    """Turns gaps h with `ḧ = −A v̇ + bias` into rows `A v̇ ≤ b` that keep them open.

    Declares what all inequalities of distances have: margin, braking, reaction time, distance.

    Args:
        owner: The inequality, whose parameters these are.
        count: Most gaps at a time.

    Attributes:
        gap: `(count,)` h without the margin [m]; written by the owner.
        rate: `(count,)` ḣ [m/s]; likewise.
        bias: `(count,)` ḧ at `v̇ = 0` [m/s²]; likewise.
        distance: Output: the least gap.
    """

    def __init__(self, owner: Inequality, count: int) -> None:
        self._owner = owner
        self.margin = owner.declare(
            "margin", 0.02, lower=0.0, unit="m", description="least distance that is kept"
        )
        self.deceleration = owner.declare(
            "deceleration",
            2.0,
            lower=1e-3,
            unit="m/s²",
            description="with which an approach can always be braked: the smaller, the earlier "
            "bodies slow down",
        )
        self.reaction = owner.declare_reaction()
        self.distance = owner.declare(
            "distance",
            0.0,
            unit="m",
            access=Access.OUTPUT,
            description="the least distance now",
        )
        self.resize(count)

    def resize(self, count: int) -> None:
        """Take memory for other gaps."""
        self.gap: Array = np.zeros(count)
        self.rate: Array = np.zeros(count)
        self.bias: Array = np.zeros(count)
        self._braking: Array = np.zeros(count)
        self._least: Array = np.zeros(count)

    def check(self) -> None:
        """Check the time constant; once the owner knows its period.

        Raises:
            ParameterError: It is too short.
        """
        self._owner.check_reaction(self.reaction)

    def bound(self, count: int, upper: Array) -> None:
        """Write b of the first gaps, whose rows the owner has written.

        Args:
            count: How many there are.
            upper: `(count or more,)` result [m/s²].
        """
        gap, rate, least = self.gap[:count], self.rate[:count], self._least[:count]
        if count:
            self.distance.value = gap.min().item()
        gap -= self.margin.value + RESERVE
        self._braking.fill(self.deceleration.value)
        least_gap_acceleration(
            gap, rate, self._braking, SPARE, self.reaction.value, self._owner.period, least
        )
        np.subtract(self.bias[:count], least, out=upper[:count])
