"""Constraints, their set, and the model seen through them."""

from controlit_ros.constraints.constrained_model import ConstrainedModel
from controlit_ros.constraints.constraint import Constraint
from controlit_ros.constraints.constraint_set import ConstraintSet, slaves_of
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.constraints.contact_wrench import contact_wrenches
from controlit_ros.constraints.coupled_limits import parted, with_coupled_limits
from controlit_ros.constraints.holding_effort import holding_effort
from controlit_ros.constraints.transmission import Coupling, TransmissionConstraint
