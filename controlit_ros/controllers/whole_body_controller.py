"""WholeBodyController: from tasks and model to a command."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from controlit_ros.arrays import Flags
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.acceleration_limits import AccelerationLimits
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.dynamically_consistent import DynamicallyConsistent
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.controllers.null_space_projector import NullSpaceProjector
from controlit_ros.controllers.prioritisation import Prioritisation
from controlit_ros.controllers.weighted import Weighted
from controlit_ros.inequalities import Inequality
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.solvers import QPSolver
from controlit_ros.solvers.daqp import DAQP
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task import Task

CONDITION_NUMBERS = "condition_numbers"
"""Output parameter of some controllers: of the levels, highest priority first."""


class WholeBodyController(ParameterReflection, ABC):
    """Computes the command of one servo cycle (paper section 4.2).

    A plugin: the class is named in the entry point group `controlit.whole_body_controllers`; its
    parameters, declared in `__init__`, stand under `whole_body_controller` in the configuration, or
    in an entry of `whole_body_controllers`, whose name it then takes.

    Args:
        robot: The robot's structure.
        max_rows: Rows that all tasks together have at most, those included that are added later.

    Attributes:
        null_space_projector: What lower levels are left by higher ones; set before `configure`.
        qp_solver: Of a controller that solves quadratic programs; set before `configure`.
        prioritisation: How levels share the limits, of such a controller; set before `configure`.
        limits: What a command may ask of the joints, those of the URDF unless told otherwise; set
            before `configure`. The servo enforces them whether a controller looks at them or not.
        servo_limits: How the servo keeps the joints inside `limits`; set before `configure`.
            `None`: it does not.
        period: Time between two commands [s]; set before `configure`.
        inequalities: What the commands of a controller that `keeps_inequalities` keep, in the order
            of the configuration; configured, set before `configure`.
    """

    keeps_inequalities = False
    """Whether a controller of this kind looks at `inequalities`."""
    inequalities: tuple[Inequality, ...] = ()

    def __init__(self, robot: RobotDescription, max_rows: int) -> None:
        super().__init__("whole_body_controller")
        self.robot = robot
        self.max_rows = max_rows
        self.null_space_projector: NullSpaceProjector = DynamicallyConsistent()
        self.qp_solver: QPSolver = DAQP()
        self.prioritisation: Prioritisation = Weighted()
        self.limits = JointLimits.of(robot)
        self.servo_limits: AccelerationLimits | None = None
        self.period = 1e-3

    @property
    def alternatives(self) -> tuple["WholeBodyController", ...]:
        """The controllers that can compute the command: this one, unless it chooses from others."""
        return (self,)

    @property
    def parts(self) -> tuple["WholeBodyController", ...]:
        """Each that has parameters: this controller and, if it chooses, those it chooses from."""
        return (self,)

    @property
    def choice(self) -> Parameter | None:
        """The parameter that names one of `alternatives`; `None`: there is no choice."""
        return None

    @property
    def chosen(self) -> "WholeBodyController":
        """The one of `alternatives` that shall compute the command."""
        return self

    def configure(self, tasks: CompoundTask) -> None:
        """Prepare for a set of tasks; called once, after the parameters are set.

        Raises:
            ParameterError: The parameters do not fit the robot or each other.
        """

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Check that these tasks are among those this controller can do; once configured.

        Raises:
            ParameterError: One is not.
        """

    def create_command(self) -> Command:
        """Allocate a command with the fields this controller fills in."""
        return Command(self.robot.command_joints)

    def compute(
        self, model: ConstrainedModel, tasks: CompoundTask, period: float, command: Command
    ) -> bool:
        """Compute tasks that are updated, then the command for them: what a cycle does.

        Args:
            model: Computed just before.
            tasks: Not computed yet.
            period: Time since they were [s].
            command: Result.

        Returns:
            Whether the commands of the tasks and the command are known to be finite; if not,
            somebody has to look.
        """
        tasks.compute(period)
        self.compute_command(model, tasks, command)
        return False

    @abstractmethod
    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the command for a model and tasks that were computed just before."""

    def complaint(self) -> str:
        """Tell what of the tasks cannot be had, if something cannot; see `Task.complaint`."""
        return ""

    @property
    def contact_ramp(self) -> float:
        """How long it lets the greatest force of contacts that come or go rise and fall [s].

        Zero: it does not limit the forces of contacts; they come and go at once.
        """
        return 0.0

    def unborne(
        self,
        model: ConstrainedModel,  # noqa: ARG002 - for those that limit forces
        tasks: CompoundTask,  # noqa: ARG002 - likewise
        without: Flags,  # noqa: ARG002 - likewise
    ) -> float:
        """Return by how much contacts are asked for more than they bear if some bear nothing [N].

        Args:
            model: The one of the last command.
            tasks: Likewise.
            without: `(contacts,)` which bear nothing.
        """
        return 0.0

    def restart(self) -> None:
        """Forget what was integrated so far: control begins, or this controller begins to act.

        Called by the servo thread before a command is computed; allocates nothing.
        """

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Compute what the next `compute_command` will, without effect, if that is possible.

        Called shortly before a cycle, so that the cycle finds code and data in the caches.
        """
