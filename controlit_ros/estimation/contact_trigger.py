"""ContactTrigger: which contacts stand on the world."""

import math
from collections.abc import Sequence

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.model import RobotDescription, RobotState

LASTING = 1e-9  # [s] rounding of times that are added up


class ContactTrigger:
    """Believes a contact from one force on, for some time, and until it bears less than another.

    The force is the sensed one; without a sensor, that which the controller expects of contacts
    that hold by its constraints; where nobody knows it, constraints alone count. An expected force
    must last for a time of its own: a foot may come down later than it was to. While others hold,
    one that was let go does not count: a foot that is lifted still presses with its toes.

    Args:
        robot: The robot, with its sensors.
        contacts: In the order of `RobotState.contact_wrench`.

    Attributes:
        touches: `(contacts,)` which do.
        stood: `(contacts,)` how long they have [s]; infinite for those that did at the start.
    """

    def __init__(self, robot: RobotDescription, contacts: Sequence[ContactConstraint]) -> None:
        self._contacts = tuple(contacts)
        names = [sensor.contact for sensor in robot.sensors]
        self._sensor = [names.index(c.name) if c.name in names else None for c in contacts]
        self._since = np.zeros(len(contacts))
        self.stood: Array = np.zeros(len(contacts))
        self.touches: Flags = np.zeros(len(contacts), dtype=np.bool_)

    def begin(self) -> None:
        """Forget what was: nothing touches."""
        self.touches.fill(False)
        self._since.fill(0.0)
        self.stood.fill(0.0)

    def update(
        self,
        state: RobotState,
        axes: Array,
        thresholds: tuple[float, float, float, float],
        elapsed: float,
    ) -> None:
        """Look at the forces.

        Args:
            state: Measured.
            axes: `(contacts, 3, 3)` of the touching bodies in the world.
            thresholds: Force to make a contact and to break it [N], time it must last if it is
                sensed, if it is expected [s].
            elapsed: Since the measurement before [s]; 0: what bears enough touches at once.
        """
        make, break_, sensed_time, expected_time = thresholds
        some_hold = any(contact.is_enabled for contact in self._contacts)
        for i, contact in enumerate(self._contacts):
            sensed = self._sensed(i, state, axes[i])
            is_sensed = math.isfinite(sensed)
            force = sensed if is_sensed else self._expected(i, contact, state)
            if some_hold and not contact.is_enabled:
                force = 0.0
            if self.touches[i] and force >= break_:
                self.stood[i] += elapsed
                continue
            self._since[i] = self._since[i] + elapsed if force >= make else 0.0
            is_first = elapsed == 0.0
            lasts = sensed_time if is_sensed else expected_time
            lasted = is_first or self._since[i] >= lasts - LASTING
            self.touches[i] = force >= make and lasted
            self.stood[i] = np.inf if is_first else 0.0

    def _sensed(self, i: int, state: RobotState, axes: Array) -> float:
        """Return what bears a contact by its sensor, upwards [N]; NaN: there is none."""
        sensor = self._sensor[i]
        return math.nan if sensor is None else float(axes[2] @ state.sensed_wrench[sensor, :3])

    def _expected(self, i: int, contact: ContactConstraint, state: RobotState) -> float:
        """Return what shall bear it [N]; infinite: it holds, and nobody knows with what."""
        if not contact.is_enabled:
            return 0.0
        expected = state.contact_wrench.item(i, 2)
        return expected if math.isfinite(expected) else math.inf
