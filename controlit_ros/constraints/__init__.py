"""Constraints, their set, and the model seen through them."""

from controlit_ros.constraints.constrained_model import ConstrainedModel
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.constraints.constraint_set import ConstraintSet, slaves_of
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.contact_wrench import ContactWrench, contact_wrenches
from controlit_ros.constraints.coupled_limits import parted, with_coupled_limits
from controlit_ros.constraints.holding_effort import holding_effort
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint

__all__ = [
    "ConstrainedModel",
    "Constraint",
    "ConstraintSet",
    "ContactConstraint",
    "ContactWrench",
    "Coupling",
    "TransmissionConstraint",
    "contact_wrenches",
    "holding_effort",
    "parted",
    "slaves_of",
    "with_coupled_limits",
]
