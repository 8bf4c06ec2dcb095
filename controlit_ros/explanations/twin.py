"""Twin: the parts of a controller once more, for those who are not the servo."""

from typing import NamedTuple

from controlit_ros.constraints import ConstraintSet
from controlit_ros.controllers import JointLimits, WholeBodyController
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import ParameterReflection
from controlit_ros.servo import GuardSettings
from controlit_ros.tasks import Task


class Twin(NamedTuple):
    """Built from the same configuration as the servo's parts, which its threads write at any time.

    Attributes:
        robot: Structure of the robot.
        constraints: In the order of the originals.
        tasks: Likewise.
        controller: The whole-body controller, or what chooses from several.
        limits: Those that the guard enforces.
        guard: Which these are.
        period: Of the servo [s].
    """

    robot: RobotDescription
    constraints: ConstraintSet
    tasks: tuple[Task, ...]
    controller: WholeBodyController
    limits: JointLimits
    guard: GuardSettings
    period: float

    @property
    def owners(self) -> tuple[ParameterReflection, ...]:
        """Tasks, constraints, inequalities and controllers, in this order."""
        controller = self.controller
        return (
            *self.tasks,
            *self.constraints.constraints,
            *controller.inequalities,
            *controller.parts,
        )
