"""Whole-body controllers and the commands they compute."""

from controlit_ros.controllers.command import Command
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.exchangeable_controller import ExchangeableController
from controlit_ros.controllers.friction_compensation import FrictionCompensation
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.controllers.null_space_projector import NullSpaceProjector
from controlit_ros.controllers.prioritisation import Prioritisation
from controlit_ros.controllers.whole_body_controller import WholeBodyController
