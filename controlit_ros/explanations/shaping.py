"""What the guard would make of a command, without a servo."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers import Command
from controlit_ros.explanations.situation import Shaping
from controlit_ros.model import RobotDescription
from controlit_ros.servo import CommandGuard, GuardSettings, LocalQueue, Notice, NoticeBoard
from controlit_ros.servo.command_guard import HELD_BY
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.servo.routine import Routine

MEASURED_AT = 1.0  # [s] any stamp but zero: the guard takes what came before for unknown


def shaped(
    robot: RobotDescription,
    settings: GuardSettings,
    model: ConstrainedModel,
    command: Command,
    delay: float,
    friction: Array | float = 0.0,
) -> Shaping:
    """Return what a guard that has seen no cycle makes of a command, which it changes.

    Args:
        robot: Structure of the robot.
        settings: Which limits are enforced.
        model: Updated to where the robot is; the stamp of its state is lost.
        command: What was computed.
        delay: Of the round trip [s]; not a number: unknown.
        friction: `(na,)` effort that friction takes, which is added [N m, N].
    """
    measured = model.robot_model.state
    guard = CommandGuard(robot, settings, NoticeBoard(LocalQueue(_ignore)))
    command.effort += friction
    asked = drive_total(robot, command, measured.position, measured.velocity)
    measured.vector[0] = MEASURED_AT
    round_trip = np.array([0.0 if np.isnan(delay) else delay])
    duties = guard.enforcing(command) + guard.keeping_inside(command, measured, model, round_trip)
    Routine(duties).run(MEASURED_AT)
    sent = drive_total(robot, command, measured.position, measured.velocity)
    kinds = zip(robot.command_joints, guard.kinds.tolist(), strict=True)
    held = {joint: HELD_BY[kind] for joint, kind in kinds if kind}
    return Shaping(asked=asked, sent=sent, net=sent - friction, held=held)


def drive_total(
    robot: RobotDescription, command: Command, position: Array, velocity: Array
) -> Array:
    """Return the effort of a command with what drives add to it, `(na,)`.

    Args:
        robot: Structure of the robot.
        command: What is sent.
        position: `(n,)` of all joints [rad, m].
        velocity: `(n,)` of all joints [rad/s, m/s].
    """
    joints = robot.command_indices
    memory = np.zeros((2, len(joints)))
    total: Array = total_effort(
        command, position[joints], velocity[joints], out=memory[0], part=memory[1]
    ).copy()
    return total


def _ignore(_notice: Notice) -> None:
    pass
