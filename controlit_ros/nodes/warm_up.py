"""Warm-up: everything compiled and allocated before the servo's first cycle."""

import time
from contextlib import suppress

import numpy as np

from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotState
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.tasks.task_round import TaskRound


def warm_up(stack: ControllerStack) -> float:
    """Run one cycle beside the robot; return how long it took [s].

    The first cycle on a machine compiles the kernels, which takes some seconds; later ones load
    them from the cache. The stack is left as it was.
    """
    begin = time.monotonic()
    model = stack.create_model()
    with suppress(ControlItError):  # no model, task or command may exist here: at all joints zero
        model.update(RobotState(stack.robot.real_joints))
    if model.constraints.with_reactions:
        effort = np.zeros(len(stack.robot.command_joints))
        model.write_contact_wrenches(effort, model.robot_model.state.contact_wrench)
    for task in stack.tasks.tasks:
        with suppress(ControlItError):
            task.update(model.robot_model, task.inactive)
        task.swap()
    TaskRound(stack.tasks.tasks).warm_up(model.robot_model)
    stack.tasks.compute(1.0 / stack.servo.frequency)
    for controller in stack.controller.alternatives:
        with suppress(ControlItError):
            controller.compute_command(model, stack.tasks, controller.create_command())
        controller.restart()
    if stack.friction is not None:
        command = stack.controller.create_command()
        stack.friction.warm_up(command, model.robot_model.state, model)
    for task in stack.tasks.tasks:
        task.invalidate()
    return time.monotonic() - begin
