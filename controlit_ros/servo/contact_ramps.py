"""ContactRamps: contacts come and go by way of the forces they may bear."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.servo.contact_ramp import ContactRamp
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.tasks import CompoundTask

LOOK_PERIOD = 0.02  # [s] a robot moves little meanwhile
PATIENCE = 0.2  # [s] for which a contact waits that cannot leave, so that it does not chatter
LONGEST_CYCLE = 0.1  # [s] a servo that stood still does not skip ramps


class ContactRamps:
    """Keeps contacts in the constraint set until they bear nothing; servo thread.

    Contacts that tell their friction, while the controller that acts limits their forces
    (`WholeBodyController.contact_ramp`) and control is active; others come and go at once. One that
    shall leave while the others do not bear the robot without it waits, and a warning tells.

    Args:
        models: Their constraints are followed; a contact leaves while they rest.
        controller: Limits the forces.
        tasks: What they exert loads the contacts.
        wrenches: `(contacts, 6)` what the contacts bear under the last command, world axes.
        faults: Takes the warning.
    """

    def __init__(
        self,
        models: ModelUpdater,
        controller: WholeBodyController,
        tasks: CompoundTask,
        wrenches: Array,
        faults: CycleFaults,
    ) -> None:
        contacts = models.active.constraints.contacts
        self._ramps = tuple(
            (number, ContactRamp(contact))
            for number, contact in enumerate(contacts)
            if contact.needs_reactions
        )
        self._models = models
        self._controller = controller
        self._tasks = tasks
        self._wrenches = wrenches
        self._faults = faults
        self._leaving = np.zeros(len(contacts), dtype=bool)
        self.begin(0.0)

    def begin(self, now: float) -> None:
        """Count from a time on [s]; what was under way ends as soon as the models rest."""
        self._now = now
        self._next_look = -math.inf
        self._unborne = 0.0

    def follow(self, now: float, *, is_active: bool) -> None:
        """Let contacts come and go as their states say; after mail, before a model is updated.

        Args:
            now: Time on the servo's clock [s].
            is_active: Whether control is.
        """
        passed, self._now = now - self._now, now
        if self._are_idle():
            return
        elapsed = min(max(passed, 0.0), LONGEST_CYCLE)
        duration = self._controller.chosen.contact_ramp if is_active else 0.0
        part = elapsed / duration if duration > 0.0 else math.inf
        if duration > 0.0:
            self._look(now)
        for number, ramp in self._ramps:
            if not ramp.is_idle:
                self._advance(number, ramp, part)

    def _are_idle(self) -> bool:
        for _, ramp in self._ramps:  # noqa: SIM110 - a generator would cost as much as all of it
            if not ramp.is_idle:
                return False
        return True

    def _advance(self, number: int, ramp: ContactRamp, part: float) -> None:
        if math.isinf(part):
            if self._models.is_idle:
                ramp.settle()
        elif not ramp.leaves:
            ramp.arrive(part)
        elif self._unborne:
            ramp.wait(part)
        elif ramp.leave(part, self._borne(number, ramp)) and self._models.is_idle:
            ramp.settle()

    def _borne(self, number: int, ramp: ContactRamp) -> float:
        """Return the normal force under the last command [N]; none: nobody knows it."""
        borne = ramp.contact.borne(self._models.active.robot_model, self._wrenches[number])
        return borne if math.isfinite(borne) else 0.0

    def _look(self, now: float) -> None:
        """Find out whether contacts that shall leave can."""
        for number, ramp in self._ramps:
            self._leaving[number] = ramp.leaves
        if not self._leaving.any():
            self._unborne, self._next_look = 0.0, -math.inf
        elif now >= self._next_look:
            model = self._models.active
            missing = self._controller.chosen.unborne(model, self._tasks, self._leaving)
            smallest = min(ramp.contact.negligible_force for _, ramp in self._ramps)
            self._unborne = missing if missing > smallest else 0.0
            self._next_look = now + (PATIENCE if self._unborne else LOOK_PERIOD)
            if self._unborne:
                self._faults.warn("contacts that wait", self._complaint, now)

    def _complaint(self) -> str:
        names = [ramp.contact.name for _, ramp in self._ramps if ramp.leaves]
        missing = self._unborne
        found = "that nothing else holds the robot"
        if math.isfinite(missing):
            found = f"that the other contacts miss {missing:.3g} N without it"
        return (
            f"{', '.join(names)} shall leave, but waits: found {found}; expected that the robot "
            "shifts its weight first, or contacts_wait: false where it shall step all the same"
        )
