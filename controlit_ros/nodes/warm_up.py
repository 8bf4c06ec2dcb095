"""Warm-up: everything compiled and allocated before the servo's first cycle."""

import time
from contextlib import suppress

import numpy as np

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.errors import ControlItError
from controlit_ros.kernels.compiler_lock import BusyError
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.tried_parts import trying
from controlit_ros.tasks.task_round import TaskRound

PAUSE = 0.05  # [s] before the next step, where somebody else compiles a kernel of one
TRIES = 20  # [#] that wait a second for such kernels, no longer: a large one takes several


def warm_up(stack: ControllerStack) -> float:
    """Run one cycle beside the robot; return how long it took [s].

    The first cycle on a machine compiles the kernels, which takes some seconds; later ones load
    them from the cache. The stack is left as it was.

    Raises:
        RehearsalError: A part raises what no part should.
    """
    begin = time.monotonic()
    with trying(*stack.computing_parts):
        model = stack.create_model()
        for step in (_update, _measure_tasks, _command_tasks, _command, _compensate):
            step(stack, model)
        for task in stack.tasks.tasks:
            task.invalidate()
    return time.monotonic() - begin


def warm_up_apart(stack: ControllerStack) -> None:
    """Take the steps of a warm-up one by one, those of large kernels first, for their sake.

    A large step whose kernel somebody else compiles has its turn again after a small one, and one
    that fails for want of a model after that. Only after `TRIES` is a large one begun instead: it
    would keep this process from a larger one. What a kernel computes from what nobody has computed
    before means nothing, so the stack may be used for nothing else.
    """
    model = stack.create_model()
    small = [_measure_tasks, _compensate]  # whose kernels take a second or less
    steps, tries = [_update, _command, _command_tasks, *small], TRIES
    while steps:
        step = steps.pop(0)
        try:
            step(stack, model)
        except BusyError:
            time.sleep(PAUSE)
            tries -= 1
            if tries > 0 and step in small:
                steps = [*steps, step]
            elif tries > 0 and not (steps and steps[-1] in small):
                steps = [step, *steps]
            else:
                steps = [*steps[-1:], step, *steps[:-1]]
        except Exception:  # noqa: BLE001 - numbers that mean nothing may lead to any
            if _update in steps:
                steps.insert(steps.index(_update) + 1, step)


def _update(stack: ControllerStack, model: ConstrainedModel) -> None:
    with suppress(ControlItError):  # no model, task or command may exist here: at all joints zero
        model.update(RobotState(stack.robot.real_joints))
    if model.constraints.with_reactions:
        effort = np.zeros(len(stack.robot.command_joints))
        model.write_contact_wrenches(effort, model.robot_model.state.contact_wrench)


def _measure_tasks(stack: ControllerStack, model: ConstrainedModel) -> None:
    for task in stack.tasks.tasks:
        with suppress(ControlItError):
            task.update(model.robot_model, task.inactive)
        task.swap()
    TaskRound(stack.tasks.tasks).warm_up(model.robot_model)


def _command_tasks(stack: ControllerStack, _model: ConstrainedModel) -> None:
    stack.tasks.compute(1.0 / stack.servo.frequency)


def _command(stack: ControllerStack, model: ConstrainedModel) -> None:
    for controller in stack.controller.alternatives:
        command = controller.create_command()
        with suppress(ControlItError):
            controller.compute_command(model, stack.tasks, command)
            controller.compute(model, stack.tasks, 0.0, command)  # in which nothing grows
        controller.restart()


def _compensate(stack: ControllerStack, model: ConstrainedModel) -> None:
    if stack.friction is not None:
        command = stack.controller.create_command()
        stack.friction.warm_up(command, model.robot_model.state, model)
