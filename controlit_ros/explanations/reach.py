"""Whether any posture reaches the goal of a task."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.situation import Situation
from controlit_ros.explanations.trials import is_force
from controlit_ros.explanations.words import listed
from controlit_ros.model import BASE_DOFS, RobotState
from controlit_ros.tasks import Task

STEPS = 100  # [#] Newton's come close in ten where there is a way
PATIENCE = 10  # [#] steps without progress that end a search
PROGRESS = 0.01  # [-] of the nearest so far
LONGEST = 0.2  # [rad, m] of a joint in a step
DAMPING = 1e-3  # [-] of the largest singular value
FAR = 2e-3  # [m, rad] nearer counts as there
PART = 0.05  # [-] of the error must be left for the goal to count as out of reach
STARTS = (
    0.0,
    0.35,
    0.7,
    1.0,
)  # [-] of the way from here to the middle of the ranges where a search begins


def reach_cause(situation: Situation, task: Task, error: Array) -> Cause | None:
    """Look for a posture that brings a task to its goal; tell how near the best one comes.

    Damped Newton steps along what the constraints leave free, joints kept within their range, from
    a few postures. The base stays where it is: only robots whose base is held are looked at.

    Args:
        situation: Its model is left as it is; the task's active state is renewed.
        task: Its goal rests where it is.
        error: `(dimension,)` now.
    """
    if is_force(task) or task.is_led or np.linalg.norm(error) < FAR or not _is_held(situation):
        return None
    before = task.active.valid
    best = np.inf
    stuck: tuple[str, ...] = ()
    try:
        for share in STARTS:
            found, at = _search(situation, task, share)
            if found < best:
                best, stuck = found, at
            if best < FAR:
                return None
    finally:
        task.update(situation.model.robot_model, task.active)
        task.active.valid = before
        task.compute_error()
    if best < PART * np.linalg.norm(error):
        return None
    return _told(task, best, stuck)


def _told(task: Task, best: float, stuck: tuple[str, ...]) -> Cause:
    unit = task.controller.unit
    ends = f", with {listed(stuck)} at the end of the range" if stuck else ""
    text = (
        f"no posture was found that brings {task.name} nearer to its goal than {best:.3g} "
        f"{unit}{ends}"
    )
    return Cause(CauseKind.REACH, task.goal.full_name, text, best, unit)


def _is_held(situation: Situation) -> bool:
    """Tell whether the constraints hold the base."""
    base = situation.model.task_map[:BASE_DOFS]
    return not base.size or bool(np.abs(base).max() < 1e-9)


def _search(situation: Situation, task: Task, share: float) -> tuple[float, tuple[str, ...]]:
    """Return how near the task comes to its goal, and which joints are at their ends there."""
    robot = situation.robot
    lower, upper = robot.lower_limits, robot.upper_limits
    state = _start(situation, share)
    model = ConstrainedModel(robot, situation.constraints)
    nearest, at, since = np.inf, state.position.copy(), 0
    for _ in range(STEPS):
        model.update(state)
        size, step = _step(task, model)
        since = 0 if size < (1.0 - PROGRESS) * nearest else since + 1
        if size < nearest:
            nearest = size
            np.copyto(at, state.position)
        if nearest < FAR or since > PATIENCE:
            break
        leaving = ((state.position <= lower) & (step < 0.0)) | (
            (state.position >= upper) & (step > 0.0)
        )
        if leaving.any():
            _, step = _step(task, model, leaving)
        state.position[:] = np.clip(state.position + step, lower, upper)
    is_at_end = (at <= lower) | (at >= upper)
    names = tuple(name for name, ends in zip(robot.real_joints, is_at_end, strict=True) if ends)
    return float(nearest), names


def _start(situation: Situation, share: float) -> RobotState:
    """Return a state at rest, joints some way from where they are to the middle of their range."""
    robot, now = situation.robot, situation.model.robot_model.state
    state = RobotState.like(now)
    state.copy_from(now)
    state.velocity[:] = 0.0
    lower, upper = robot.lower_limits, robot.upper_limits
    limited = np.isfinite(lower) & np.isfinite(upper)
    middle = 0.5 * (lower[limited] + upper[limited])
    state.position[limited] += share * (middle - state.position[limited])
    return state


def _step(task: Task, model: ConstrainedModel, blocked: Array | None = None) -> tuple[float, Array]:
    """Return the length of the error and how the joints make it less, `(n,)`."""
    task.update(model.robot_model, task.active)
    task.compute_error()
    error = task.followed.error.value.copy()
    task.project(error)
    J = task.active.jacobian @ model.UNc_bar
    free = model.UNc_bar
    if blocked is not None:
        free = free * ~blocked[model.robot_model.description.command_indices]
        J = task.active.jacobian @ free
    U, sizes, V = np.linalg.svd(J, full_matrices=False)
    floor = DAMPING * max(sizes.max(initial=0.0), 1e-9)
    motion = V.T @ (sizes / (sizes**2 + floor**2) * (U.T @ error))
    step: Array = (free @ motion)[BASE_DOFS:]
    largest = np.abs(step).max(initial=0.0)
    return float(np.linalg.norm(error)), step * min(1.0, LONGEST / max(largest, LONGEST))
