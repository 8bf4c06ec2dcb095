"""TransmissionConstraint: joints that move together."""

from abc import abstractmethod
from typing import NamedTuple

from controlit_ros.constraints.constraint import Constraint


class Coupling(NamedTuple):
    """A slave joint driven by a master joint: `slave = ratio * master + offset`."""

    master: str
    slave: str
    ratio: float
    offset: float = 0.0


class TransmissionConstraint(Constraint):
    """Base of the transmissions; a slave is no command joint even while the constraint is off."""

    is_physical_by_default = True
    lasting = (
        "says which joints have an actuator of their own, and that stays as it was at the start"
    )

    @property
    @abstractmethod
    def couplings(self) -> tuple[Coupling, ...]:
        """One coupling for each slave."""
