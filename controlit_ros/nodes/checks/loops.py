"""Gains that delays or drives do not bear."""

from collections.abc import Sequence

from controlit_ros.configuration import Configuration, KeyPath
from controlit_ros.constraints import ConstraintSet
from controlit_ros.controllers import WholeBodyController
from controlit_ros.model import RobotState
from controlit_ros.nodes.checks.delays import delay_warnings
from controlit_ros.nodes.checks.drives import drive_warnings
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.nodes.controller_stack import ALTERNATIVES, SINGLE
from controlit_ros.robots import RobotInterface
from controlit_ros.servo import ServoSettings
from controlit_ros.tasks import Task

DRIVE_STEP = "timestep"
"""Parameter of a simulator: how often its drives compute [s]."""


def loop_warnings(
    configuration: Configuration,
    tasks: Sequence[Task],
    constraints: ConstraintSet,
    controller: WholeBodyController,
    settings: ServoSettings,
    simulated: RobotInterface,
    start: RobotState,
) -> Findings:
    """Yield warnings, each with its place, about loops that swing.

    Args:
        configuration: Where the places are.
        tasks: In the order of the file.
        constraints: Of the robot.
        controller: Of the stack.
        settings: Of the servo.
        simulated: The robot interface or, where it joins a simulator, that.
        start: Where the robot begins.
    """
    yield from delay_warnings(tasks, settings)
    if DRIVE_STEP not in simulated.parameters:
        return
    step = simulated.parameters[DRIVE_STEP].value
    names = [entry.name for entry in configuration.whole_body_controllers]
    for part, text in drive_warnings(controller.parts, constraints, start, step):
        path: KeyPath = (ALTERNATIVES, names.index(part.name)) if part.name in names else (SINGLE,)
        yield (*path, "damping"), text
