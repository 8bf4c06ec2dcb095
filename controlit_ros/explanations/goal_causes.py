"""What a task, its goal and its gains tell by themselves."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.trials import is_force
from controlit_ros.explanations.words import listed
from controlit_ros.tasks import DISABLE, SENSE, PIDController, Task

AT_GOAL = 1e-3  # [m, rad] less is no error to explain
ROUNDING = 1e-6  # [m, rad]


def goal_causes(task: Task, error: Array | None, command: Array | None) -> list[Cause]:
    """Tell what of a task keeps its error, whatever robot and other tasks do.

    Args:
        task: Its states are updated.
        error: `(dimension,)`, or `None` if it has none.
        command: `(dimension,)` what it asks for, or `None` if it takes no part.
    """
    return list(_found(task, error, command))


def _found(task: Task, error: Array | None, command: Array | None) -> Iterator[Cause]:
    state = task.operational_state.value
    if state == DISABLE:
        text = f"{task.name} is disabled: it neither commands nor senses"
        yield Cause(CauseKind.STATE, state, text)
    elif state == SENSE:
        text = f"{task.name} only senses: its operational_state is {state!r}, not 'enable'"
        yield Cause(CauseKind.STATE, state, text)
    if error is None or command is None or is_force(task):
        return
    size = float(np.linalg.norm(error))
    if size < AT_GOAL:
        return
    yield from _beyond_range(task)
    yield from _without_gain(task, error, command)
    if isinstance(task.controller, PIDController):
        yield from _saturated(task, task.controller)
    if task.is_led:
        yield from _on_its_way(task)


def _without_gain(task: Task, error: Array, command: Array) -> Iterator[Cause]:
    """Yield the components whose error no gain acts on.

    The first two gains of a law act on the error and on its integral or rate of return; damping
    alone takes no error back.
    """
    law = task.controller
    if not law.gains:
        if not command.any():
            text = f"{task.name} has an error of {np.linalg.norm(error):.3g} and commands nothing"
            yield Cause(CauseKind.GAIN, "", text, float(np.linalg.norm(error)), law.unit)
        return
    gain = law.gains[0]
    acts = np.any([values.value != 0.0 for values in law.gains[:2]], axis=0)
    idle = np.flatnonzero(~acts & (np.abs(error) > AT_GOAL))
    if not len(idle):
        return
    size = float(np.linalg.norm(error[idle]))
    where = "" if not acts.any() else f" at {listed([task.component_names[i] for i in idle])}"
    text = (
        f"{gain.full_name} is zero{where}: nothing reduces the error of {size:.3g} {law.unit}; "
        "set a gain greater than zero"
    )
    yield Cause(CauseKind.GAIN, gain.name, text, size, law.unit)


def _beyond_range(task: Task) -> Iterator[Cause]:
    """Tell joints whose goals are beyond their range."""
    robot = task.robot
    joints = task.goal.labels
    if not joints or not set(joints) <= set(robot.real_joints) or task.is_unilateral:
        return
    indices = robot.indices(joints)
    lower, upper = robot.lower_limits[indices], robot.upper_limits[indices]
    acts = np.ones(len(joints)) if task.projection is None else np.abs(task.projection).sum(axis=0)
    goals = task.goal.value
    for joint, goal, low, high, act in zip(joints, goals, lower, upper, acts, strict=True):
        beyond = max(low - goal, goal - high)
        if act and beyond > ROUNDING:
            end = low if goal < low else high
            text = (
                f"{task.goal.full_name} of {joint!r} is {goal:.4g}, beyond its position limit "
                f"{end:.4g} by {beyond:.3g}"
            )
            yield Cause(CauseKind.GOAL, joint, text, float(beyond), task.goal.unit)


def _saturated(task: Task, law: PIDController) -> Iterator[Cause]:
    """Tell that more speed is asked for than the law allows; see `kernels.pid`."""
    speed = _speed_asked(task, law)
    limit = law.max_velocity.value
    unit = law.max_velocity.unit
    if not law.by_component:
        found = float(np.linalg.norm(speed))
        if 0.0 < limit < found:
            yield _too_fast(task, found, float(limit), unit, "")
        return
    over = [i for i in range(len(speed)) if 0.0 < limit[i] < abs(speed[i])]
    if over:
        worst = max(over, key=lambda i: abs(speed[i]) / limit[i])
        names = listed([task.component_names[i] for i in over])
        yield _too_fast(task, abs(float(speed[worst])), float(limit[worst]), unit, f" at {names}")


def _too_fast(task: Task, found: float, limit: float, unit: str, where: str) -> Cause:
    text = (
        f"{task.name} would ask for {found:.3g} {unit}{where}, its max_velocity is {limit:.3g} "
        f"{unit}: the error fades no faster"
    )
    return Cause(CauseKind.SATURATION, "max_velocity", text, found - limit, unit)


def _speed_asked(task: Task, law: PIDController) -> Array:
    followed = task.followed
    asked: Array = law.kp.value * followed.error.value
    if followed.velocity is not None:
        asked = asked + law.kd.value * followed.velocity.value
    if followed.acceleration is not None:
        asked = asked + followed.acceleration.value
    speed: Array = np.divide(asked, law.kd.value, out=np.zeros(len(asked)), where=law.kd.value > 0)
    return speed


def _on_its_way(task: Task) -> Iterator[Cause]:
    way = np.zeros(task.dimension)
    task.write_way(task.followed.goal.value, task.goal.value, way)
    behind, unit = float(np.linalg.norm(way)), task.controller.unit
    if behind > AT_GOAL:
        text = (
            f"the intermediate goal of {task.name} is on its way and still {behind:.3g} "
            f"{unit} from the goal"
        )
        yield Cause(CauseKind.REFERENCE, "reference", text, behind, unit)
