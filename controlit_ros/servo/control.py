"""Control: what makes a command of a state."""

from typing import NamedTuple

from controlit_ros.controllers.friction_compensation import FrictionCompensation
from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.servo.model_updater import ModelUpdater
from controlit_ros.tasks import CompoundTask


class Control(NamedTuple):
    """Models, tasks and the law that a servo computes, in this order.

    Attributes:
        model_updater: Both models.
        compound_task: The tasks there are at any time.
        controller: From models and tasks to a command.
        friction: What is added against friction of the joints; `None`: nothing.
    """

    model_updater: ModelUpdater
    compound_task: CompoundTask
    controller: WholeBodyController
    friction: FrictionCompensation | None = None
