"""NamedBound: a bound of a quadratic program in words."""

from enum import Enum
from typing import NamedTuple

from controlit_ros.model.contact_cone import ContactBound


class BoundKind(Enum):
    """What bounds the efforts."""

    EFFORT = "effort"
    POSITION = "position"
    VELOCITY = "velocity"
    FRICTION = "friction"
    SOLE = "sole"
    TWIST = "twist"
    INEQUALITY = "inequality"
    LEAST = "least normal force"
    GREATEST = "greatest normal force"

    @property
    def is_of_contact(self) -> bool:
        """Whether a contact has it, not a joint."""
        return self in OF_CONTACTS


OF_CONTACTS = frozenset(BoundKind(bound.value) for bound in ContactBound)


class NamedBound(NamedTuple):
    """A limit that efforts keep.

    Attributes:
        kind: What it is.
        owner: The joint, the contact or the inequality that has it.
        unit: Of what is bounded: an effort, an acceleration, or a force.
        part: What of the owner it is about; empty: all of it.
    """

    kind: BoundKind
    owner: str
    unit: str
    part: str = ""

    @property
    def text(self) -> str:
        """`effort limit of 'right_elbow'`, `friction of contact 'RightSole'`."""
        if self.kind is BoundKind.INEQUALITY:
            return f"inequality {self.owner!r}" + (f" ({self.part})" if self.part else "")
        if self.kind.is_of_contact:
            return f"{self.kind.value} of contact {self.owner!r}"
        return f"{self.kind.value} limit of {self.owner!r}"
