"""ContactTrigger: which contacts stand on the world."""

from collections.abc import Sequence

import numpy as np

from controlit_ros import kernels
from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.model import RobotDescription, RobotState

NONE = -1  # no sensor


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
        sensors = [names.index(c.name) if c.name in names else NONE for c in contacts]
        self._sensors: Indices = np.array(sensors, dtype=np.int64)
        self._is_enabled: Flags = np.zeros(len(contacts), dtype=np.bool_)
        self._since = np.zeros(len(contacts))
        self.stood: Array = np.zeros(len(contacts))
        self.touches: Flags = np.zeros(len(contacts), dtype=np.bool_)

    def begin(self) -> None:
        """Forget what was: nothing touches."""
        self.touches.fill(False)
        self._since.fill(0.0)
        self.stood.fill(0.0)

    def update(
        self, state: RobotState, root: Array, axes: Array, thresholds: Array, elapsed: float
    ) -> None:
        """Look at the forces.

        Args:
            state: Measured.
            root: `(3, 3)` axes of the root link in the world.
            axes: `(contacts, 3, 3)` of the touching bodies in the root link.
            thresholds: `(4,)` force to make a contact and to break it [N], time it must last if it
                is sensed, if it is expected [s].
            elapsed: Since the measurement before [s]; 0: what bears enough touches at once.
        """
        for i, contact in enumerate(self._contacts):
            self._is_enabled[i] = contact.is_enabled
        kernels.contact_trigger(
            root,
            axes,
            self._sensors,
            state.sensed_wrench,
            state.contact_wrench,
            self._is_enabled,
            thresholds,
            elapsed,
            self._since,
            self.stood,
            self.touches,
        )
