"""ContactRamp: what a contact may bear while it comes or goes."""

import math

from controlit_ros.constraints import ContactConstraint
from controlit_ros.constraints.contact_phase import ContactPhase


class ContactRamp:
    """Lets the greatest normal force f of a contact rise once it is there, fall before it leaves.

        leaves: f falls evenly from what the contact bears to what counts as none
        arrives, or waits:  f = W s / (1 − s),  s rises evenly to 1, and with it f to infinity

    W is the robot's weight. Where it turns back it goes on from the force it has. Servo thread.

    Args:
        contact: Tells its friction.
    """

    def __init__(self, contact: ContactConstraint) -> None:
        assert contact.phase is not None
        self.contact = contact
        self._phase = contact.phase
        self._limit = contact.normal_force_limit
        self._is_there = contact.is_enabled
        self._fall = 0.0  # [N] in a whole ramp; 0: it has not begun to fall

    @property
    def is_idle(self) -> bool:
        """Whether the contact is what was asked for, and nothing is to be done."""
        phase = self._phase.value
        return phase == ContactPhase.SETTLED.value and self._is_there == self.contact.is_wanted

    @property
    def leaves(self) -> bool:
        """Whether it is to be gone, but is still there."""
        return self._is_there and not self.contact.is_wanted

    def settle(self) -> None:
        """Be at once what was asked for; while the threads rest that read it."""
        self._is_there = self.contact.is_wanted
        if self._is_there:
            self._limit.value = math.inf
        self._fall = 0.0
        self._turn(ContactPhase.SETTLED)

    def arrive(self, part: float) -> None:
        """Let it bear more; it begins with nothing if it was not there.

        Args:
            part: Of a whole ramp.
        """
        if not self._is_there:
            self._is_there = True
            self._limit.value = self.contact.negligible_force
        self._fall = 0.0
        self._turn(ContactPhase.ARRIVING)
        self._rise(part)
        if math.isinf(self._limit.value):
            self.settle()

    def wait(self, part: float) -> None:
        """Let it bear more, as it shall leave but cannot yet."""
        self._fall = 0.0
        self._turn(ContactPhase.WAITING)
        self._rise(part)

    def leave(self, part: float, borne: float) -> bool:
        """Let it bear less, at first no more than it does.

        Args:
            part: Of a whole ramp.
            borne: What it bears square to the ground [N].

        Returns:
            Whether it bears nothing any more.
        """
        self._turn(ContactPhase.LEAVING)
        limit, floor = self._limit, self.contact.negligible_force
        if not self._fall:
            limit.value = self._fall = max(min(limit.value, borne), floor)
        limit.value = max(limit.value - part * self._fall, floor)
        return bool(limit.value <= floor)

    def _rise(self, part: float) -> None:
        limit, weight = self._limit.value, self.contact.weight
        share = 1.0 if math.isinf(limit) else limit / (limit + weight)
        share += part
        self._limit.value = math.inf if share >= 1.0 else weight * share / (1.0 - share)

    def _turn(self, phase: ContactPhase) -> None:
        if self._phase.value != phase.value:
            self._phase.assign(phase.value)
