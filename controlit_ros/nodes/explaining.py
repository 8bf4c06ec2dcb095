"""Why a controller does what it does, without robot, clock or transport."""

import math

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers import Command
from controlit_ros.errors import ControlItError
from controlit_ros.explanations.explain import explain
from controlit_ros.explanations.explanation import Explanation
from controlit_ros.explanations.situation import Shaping, Situation
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.offline import Latch, update_tasks
from controlit_ros.servo import CommandGuard, LocalQueue, Notice, NoticeBoard
from controlit_ros.servo.command_guard import HELD_BY
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.tasks import DISABLE, ENABLE

MEASURED_AT = 1.0  # [s] any stamp but zero: the guard takes what came before for unknown


def explain_cycle(
    stack: ControllerStack, state: RobotState, latch: Latch = Latch.NONE
) -> Explanation:
    """Compute one cycle as `compute_cycle` does, the guard included, and tell why it is so.

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
    """Return what the guard makes of the command; `None`: there is none."""
    command = stack.controller.create_command()
    try:
        stack.controller.compute_command(model, stack.tasks, command)
    except ControlItError:
        return None
    robot, measured = stack.robot, model.robot_model.state
    guard = CommandGuard(robot, stack.guard, NoticeBoard(LocalQueue(_ignore)))
    asked = _total(stack, command, measured)
    measured.vector[0] = MEASURED_AT
    now = MEASURED_AT
    guard.enforce(command, now)
    delay = stack.servo.round_trip_delay
    guard.keep_inside(command, measured, model, now, 0.0 if math.isnan(delay) else delay)
    sent = _total(stack, command, measured)
    held = {
        joint: HELD_BY[kind]
        for joint, kind in zip(robot.command_joints, guard.kinds.tolist(), strict=True)
        if kind
    }
    return Shaping(asked=asked, sent=sent, net=sent, held=held)


def _total(stack: ControllerStack, command: Command, measured: RobotState) -> Array:
    """Return the effort of a command with what drives add to it, `(na,)`."""
    joints = stack.robot.command_indices
    memory = np.zeros((2, len(joints)))
    position, velocity = measured.position[joints], measured.velocity[joints]
    total: Array = total_effort(command, position, velocity, out=memory[0], part=memory[1]).copy()
    return total


def _ignore(_notice: Notice) -> None:
    pass
