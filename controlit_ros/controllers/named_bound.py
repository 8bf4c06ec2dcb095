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
        owner: The joint or the contact that has it.
        unit: Of what is bounded: an effort, an acceleration, or a force.
    """

    kind: BoundKind
    owner: str
    unit: str

    @property
    def text(self) -> str:
        """`effort limit of 'right_elbow'`, `friction of contact 'RightSole'`."""
        if self.kind.is_of_contact:
            return f"{self.kind.value} of contact {self.owner!r}"
        return f"{self.kind.value} limit of {self.owner!r}"
