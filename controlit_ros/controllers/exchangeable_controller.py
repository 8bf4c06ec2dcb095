"""ExchangeableController: several whole-body controllers, one of which computes."""

from collections.abc import Iterable, Sequence

import numpy as np

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.command import FIELDS, Command
from controlit_ros.controllers.whole_body_controller import CONDITION_NUMBERS, WholeBodyController
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.parameters import Access, Parameter, ParameterError
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task import Task

EFFORT_ONLY = ("effort",)


class ExchangeableController(WholeBodyController):
    """Lets one of several controllers compute, which `active` names and which may change.

    All are built and configured beforehand, so an exchange costs the servo no more than a look-up.
    Only the one that acts computes; one that begins to act begins anew (`restart`).

    The command has the fields of all. Where one gives efforts alone and others motion and gains
    as well, its gains are zero and its motion is the measured one: joints that follow

        τ + stiffness (q_d − q) + damping (q̇_d − q̇)

    then follow τ, as without those fields. Other differences cannot be bridged: a position that
    joints follow without a gain has no value that means none.

    Args:
        robot: The robot's structure.
        max_rows: Rows of all tasks together.
        alternatives: Configured controllers with names of their own, at least one; the first acts
            unless told otherwise.

    Attributes:
        active: Parameter: name of the one that shall act.
    """

    def __init__(
        self, robot: RobotDescription, max_rows: int, alternatives: Sequence[WholeBodyController]
    ) -> None:
        super().__init__(robot, max_rows)
        self._alternatives = tuple(alternatives)
        self._by_name = {controller.name: controller for controller in alternatives}
        self.inequalities = alternatives[0].inequalities
        names = tuple(self._by_name)
        self.active = self.declare(
            "active",
            names[0],
            choices=names,
            description="which of whole_body_controllers computes the command",
        )
        self._acting = self._alternatives[0]
        self._condition_numbers: Parameter | None = None
        self._joints = robot.command_indices

    @property
    def alternatives(self) -> tuple[WholeBodyController, ...]:
        """Those that `active` chooses from, in the order of the configuration."""
        return self._alternatives

    @property
    def parts(self) -> tuple[WholeBodyController, ...]:
        """This one and those it chooses from."""
        return (self, *self._alternatives)

    @property
    def choice(self) -> Parameter:
        """Which of `alternatives` shall act."""
        return self.active

    @property
    def chosen(self) -> WholeBodyController:
        """The one that `active` names."""
        return self._by_name[self.active.value]

    def configure(self, tasks: CompoundTask) -> None:
        """Find the fields of the command, and declare `condition_numbers` if any has them.

        Raises:
            ParameterError: The commands of the controllers cannot be exchanged.
        """
        self._check_fields()
        if any(CONDITION_NUMBERS in c.parameters for c in self._alternatives):
            self._condition_numbers = self.declare(
                CONDITION_NUMBERS,
                1.0,
                shape=(min(len(tasks.tasks), self.max_rows),),
                broadcast=True,
                access=Access.OUTPUT,
                description="of each level, highest priority first, of the active controller; not "
                "a number where it knows none",
            )

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Refuse what one of the controllers cannot do: it may be chosen at any time."""
        checked = tuple(tasks)
        for controller in self._alternatives:
            controller.check_tasks(checked)

    def create_command(self) -> Command:
        """Allocate a command with the fields of all."""
        commands = [controller.create_command() for controller in self._alternatives]
        return max(commands, key=lambda command: len(_fields(command)))

    def compute_command(
        self, model: ConstrainedModel, tasks: CompoundTask, command: Command
    ) -> None:
        """Write the command of the active controller."""
        acting = self._begin(model, command)
        acting.compute_command(model, tasks, command)
        self._show(acting)

    def compute(
        self, model: ConstrainedModel, tasks: CompoundTask, period: float, command: Command
    ) -> bool:
        """Let the active controller compute tasks and command."""
        acting = self._begin(model, command)
        is_finite = acting.compute(model, tasks, period, command)
        self._show(acting)
        return is_finite

    def _begin(self, model: ConstrainedModel, command: Command) -> WholeBodyController:
        """Return the one that acts, which knows that it does."""
        acting = self.chosen
        if acting is not self._acting:
            acting.restart()
            self._acting = acting
        if command.position is not None:
            self._follow_effort_alone(model, command)
        return acting

    def restart(self) -> None:
        """Let the one that acts begin anew."""
        self._acting.restart()

    def rehearse(self, model: ConstrainedModel, tasks: CompoundTask) -> None:
        """Let the one that acts rehearse."""
        self._acting.rehearse(model, tasks)

    def _follow_effort_alone(self, model: ConstrainedModel, command: Command) -> None:
        """Write what a controller that gives efforts alone leaves as it is."""
        state = model.robot_model.state
        for measured, field in (
            (state.position, command.position),
            (state.velocity, command.velocity),
        ):
            if field is not None:
                np.take(measured, self._joints, out=field, mode="clip")
        for gains in (command.stiffness, command.damping):
            if gains is not None:
                gains.fill(0.0)

    def _show(self, acting: WholeBodyController) -> None:
        """Show the condition numbers of the one that acts."""
        if self._condition_numbers is None:
            return
        shown = self._condition_numbers.value
        numbers = acting.parameters.get(CONDITION_NUMBERS)
        if numbers is None or numbers.value.shape != shown.shape:
            shown.fill(np.nan)
        else:
            np.copyto(shown, numbers.value)

    def _check_fields(self) -> None:
        """Tell the first controller whose command cannot be exchanged with that of the first.

        Raises:
            ParameterError: There is one.
        """
        first, *others = self._alternatives
        fields = _fields(first.create_command())
        for other in others:
            found = _fields(other.create_command())
            if found != fields and not {found, fields} <= {EFFORT_ONLY, FIELDS}:
                raise ParameterError(
                    f"{other.name!r} commands {', '.join(found)}, {first.name!r} "
                    f"{', '.join(fields)}: expected the same, or effort alone beside "
                    f"{', '.join(FIELDS)}; nothing else can be exchanged while the robot moves"
                )


def _fields(command: Command) -> tuple[str, ...]:
    """Return the names of the fields a command has."""
    return tuple(name for name in FIELDS if getattr(command, name) is not None)
