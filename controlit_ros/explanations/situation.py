"""Situation: everything an explanation is computed from."""

from collections.abc import Mapping
from dataclasses import dataclass

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.controllers import JointLimits, WholeBodyController
from controlit_ros.model import RobotDescription
from controlit_ros.tasks import Task

OFFLINE = "offline"


@dataclass(frozen=True)
class Shaping:
    """What became of the computed effort on its way to the robot.

    Attributes:
        asked: `(na,)` before limits were applied [N m].
        sent: `(na,)` after them [N m].
        net: `(na,)` of it, what friction leaves [N m].
        held: By joint that the guard held back: for which limit, `position` for example.
        fallback_share: How much of it is the fallback, from 0 to 1.
        ramp: What is left of the ramp after a change, from 1 to 0.
    """

    asked: Array
    sent: Array
    net: Array
    held: Mapping[str, str]
    fallback_share: float = 0.0
    ramp: float = 0.0


@dataclass(frozen=True)
class Situation:
    """One cycle of a controller; tasks, constraints and controller belong to whoever explains.

    Attributes:
        robot: Its structure.
        constraints: As they were.
        model: Updated to the state that the cycle used.
        tasks: In the order of the configuration, updated on that model.
        commands: By name of a task that commands: `(dimension,)` what its law asked for.
        errors: By name of a task that is not disabled: `(dimension,)`.
        controller: The one that computed.
        limits: Those that the guard enforces.
        period: Of the servo [s].
        shaping: `None`: nothing was sent.
        stamp: When, on the servo's clock [s].
        state: Of the servo, or `OFFLINE`.
        troubles: Why the servo is not active, as far as it told; the newest first.
        silence: Age of the last good measurement [s]; 0: fresh.
    """

    robot: RobotDescription
    constraints: ConstraintSet
    model: ConstrainedModel
    tasks: tuple[Task, ...]
    commands: Mapping[str, Array]
    errors: Mapping[str, Array]
    controller: WholeBodyController
    limits: JointLimits
    period: float
    shaping: Shaping | None = None
    stamp: float = 0.0
    state: str = OFFLINE
    troubles: tuple[str, ...] = ()
    silence: float = 0.0
