"""Why a controller does what it does, without robot, clock or transport."""

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import ControlItError
from controlit_ros.explanations.explain import explain
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.situation import Shaping, Situation
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.offline import Latch, shape, update_tasks
from controlit_ros.tasks import DISABLE, ENABLE


def explain_cycle(
    stack: ControllerStack, state: RobotState, latch: Latch = Latch.NONE
) -> Explanation:
    """Compute one cycle as `compute_cycle` does and explain what it does to the tasks.

    The stack computes nothing else afterwards.
    """
    model = update_tasks(stack, state, latch)
    tasks = tuple(stack.tasks.tasks)
    situation = Situation(
        robot=stack.robot,
        constraints=stack.constraints,
        model=model,
        tasks=tasks,
        commands={
            task.name: task.command.value.copy()
            for task in tasks
            if task.operational_state.value == ENABLE
        },
        errors={
            task.name: task.error.value.copy()
            for task in tasks
            if task.operational_state.value != DISABLE
        },
        controller=stack.controller.chosen,
        limits=stack.guard.limits(stack.robot),
        period=1.0 / stack.servo.frequency,
        shaping=_shaped(stack, model),
    )
    return explain(situation)


def _shaped(stack: ControllerStack, model: ConstrainedModel) -> Shaping | None:
    """Return what becomes of the command on its way to the robot; `None`: there is none."""
    command = stack.controller.create_command()
    try:
        stack.controller.compute_command(model, stack.tasks, command)
    except ControlItError:
        return None
    return shape(stack, model, command)
