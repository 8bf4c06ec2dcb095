"""What a predicted state cannot be combined with."""

from collections.abc import Iterator, Sequence

from controlit_ros.controllers import WholeBodyController
from controlit_ros.robots import RobotSetup
from controlit_ros.tasks import CommandKind, Task

FOUND = "found 'model'"
EXPECTED = "expected 'none'"


def prediction_problems(
    setup: RobotSetup, controller: WholeBodyController, tasks: Sequence[Task]
) -> Iterator[str]:
    """Yield what is wrong with `state_prediction: model`.

    Args:
        setup: Of the robot.
        controller: Of the stack.
        tasks: All there are.
    """
    if not setup.fixed_base:
        yield (
            f"{FOUND}, but no contact bolts the root link to the world, and where a base goes that "
            f"stands or floats depends on contacts that give way; {EXPECTED}"
        )
    command = controller.create_command()
    if command.stiffness is not None or command.damping is not None:
        yield (
            f"{FOUND} beside a controller whose commands have gains: what drives do at gains of "
            f"their own follows from states that are not known beforehand; {EXPECTED}"
        )
    forces = [task.name for task in tasks if task.command_kind is CommandKind.FORCE]
    if forces:
        yield (
            f"{FOUND} beside the force task{'s' if len(forces) > 1 else ''} {', '.join(forces)}: "
            f"the model moves freely where the robot pushes; {EXPECTED}"
        )
