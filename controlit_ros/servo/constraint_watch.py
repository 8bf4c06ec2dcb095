"""ConstraintWatch: drops contacts that measured motion contradicts."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import Constraint, ConstraintSet, ContactConstraint
from controlit_ros.constraints.constraint import DISABLE
from controlit_ros.model import RobotModel
from controlit_ros.parameters.prepared_values import PreparedValues
from controlit_ros.servo.behaviours import ServoAccess
from controlit_ros.servo.coordinator_state import CoordinatorState

SPEED = 0.1  # [m/s] a body that the world holds moves less
TURN = 0.5  # [rad/s] likewise
LASTING = 3  # [cycles] in a row for a contact that is relied on: one is noise
LINEAR_ROWS = 3


class ConstraintWatch:
    """Tests contacts that come while the servo runs before the model relies on them; servo thread.

    A contact that was added or enabled claims that its rows are at rest: `Jc v = 0`. If `|Jc v|` of
    the measured state is too large it is disabled in the cycle in which it came, before a model
    knows it, and later as soon as its body moves. In the safe state a contact that was added is
    disabled in any case, so that the fallback relies on contacts of the file alone. Contacts that
    were enabled at the start, physical ones, and those with friction, whose forces the controllers
    bound, are left alone. Physical constraints that are disabled are reported.

    Args:
        constraints: All constraints, those included that come later.
    """

    name = "constraint watch"

    def __init__(self, constraints: ConstraintSet) -> None:
        self._constraints = constraints
        self._revision = -1
        self._trusted: set[ContactConstraint] | None = None
        self._tested: dict[ContactConstraint, int] = {}  # for how many cycles each has moved
        self._neglected: tuple[Constraint, ...] = ()
        self._rows: Array = np.zeros((0, 0))
        self._bias: Array = np.zeros(0)

    def begin(self, now: float) -> None:  # noqa: ARG002 - as behaviours do
        """Trust what is enabled at the start; contacts that came later are tested on."""
        if self._trusted is None:
            self._trusted = set(self._enabled())

    def act(self, now: float, servo: ServoAccess) -> None:
        """Disable contacts whose bodies move, at a time [s]."""
        revision = self._constraints.revision
        if revision != self._revision:
            self._revision = revision
            self._follow()
        for constraint in self._neglected:
            servo.warn(f"constraint {constraint.name}", constraint.describe_neglect(), now)
        if not self._tested:
            return
        model = servo.model
        is_safe = servo.state is CoordinatorState.SAFE
        for contact, moving in tuple(self._tested.items()):
            if is_safe and contact not in self._constraints.contacts:
                self._drop(contact, "control is in the safe state", servo, now)
            elif model is not None:
                self._test(contact, moving, model, servo, now)

    def _follow(self) -> None:
        """Find the contacts to be tested; one that is new is dropped on the first sample."""
        self._neglected = tuple([c for c in self._constraints.constraints if c.is_neglected])
        enabled = self._enabled()
        trusted = (self._trusted or set()).intersection(enabled)
        self._trusted = trusted
        self._tested = {
            contact: self._tested.get(contact, LASTING - 1)
            for contact in enabled
            if contact not in trusted
        }

    def _enabled(self) -> list[ContactConstraint]:
        return [
            c
            for c in self._constraints.constraints
            if isinstance(c, ContactConstraint)
            and c.is_enabled
            and not (c.physical.value or c.needs_reactions)
        ]

    def _test(
        self,
        contact: ContactConstraint,
        moving: int,
        model: RobotModel,
        servo: ServoAccess,
        now: float,
    ) -> None:
        velocity = self._velocity(contact, model)
        speed = float(np.linalg.norm(velocity[:LINEAR_ROWS]))
        turn = float(np.linalg.norm(velocity[LINEAR_ROWS:]))
        if speed <= SPEED and turn <= TURN:
            self._tested[contact] = 0
        elif moving + 1 < LASTING:
            self._tested[contact] = moving + 1
        else:
            found = (
                f"{contact.body.value!r} moves by {speed:.2g} m/s and {turn:.2g} rad/s (limits "
                f"{SPEED:g} and {TURN:g})"
            )
            self._drop(contact, found, servo, now)

    def _velocity(self, contact: ContactConstraint, model: RobotModel) -> Array:
        """Return how fast the rows of a contact move, which it says are at rest."""
        count, nv = contact.dimension, len(model.v)
        if self._rows.shape != (count, nv):
            self._rows, self._bias = np.zeros((count, nv)), np.zeros(count)
        contact.update(model, self._rows, self._bias)
        velocity: Array = self._rows @ model.v
        return velocity

    def _drop(self, contact: ContactConstraint, found: str, servo: ServoAccess, now: float) -> None:
        if servo.assign(PreparedValues.of({contact.operational_state: DISABLE})):
            del self._tested[contact]
            text = (
                f"contact {contact.name!r} is not relied on and was disabled: found that "
                f"{found}; expected a body that the world holds; hold it before you enable "
                "the contact again"
            )
            servo.warn(f"contact {contact.name}", text, now)
