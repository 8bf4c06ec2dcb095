"""What became of the computed effort: cuts of the guard, by joint."""

from collections.abc import Iterator

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.explanations.explanation import Cause, CauseKind
from controlit_ros.explanations.situation import Shaping, Situation
from controlit_ros.explanations.trials import LimitedEffort, Trials, is_force
from controlit_ros.tasks import CompoundTask, Task

CUT = 1e-3  # [-] of the effort limit, or of the effort: less is no cut
PART = 0.05  # [-] of what a task asks for must a cut cost it
LEAST = 1.0  # [m/s², rad/s²] what a task asks for at least in this comparison


def saturation_causes(
    trials: Trials, stack: CompoundTask, free: Array, limited: LimitedEffort
) -> list[Cause]:
    """Return the joints that the law holds at a limit, with the tasks that get less for it.

    Args:
        trials: Computes without limits.
        stack: All tasks.
        free: `(na,)` effort without limits.
        limited: With limits.
    """
    robot, (held_effort, active) = trials.situation.robot, limited
    slides, shaping = robot.is_sliding[robot.command_indices], trials.situation.shaping
    sent = held_effort if shaping is None else shaping.sent
    accelerations = [trials.acceleration(stack, effort) for effort in (free, held_effort)]
    held = []
    for task in trials.enabled:
        if is_force(task):
            continue
        without, within = (np.linalg.norm(trials.missing(stack, task, a)) for a in accelerations)
        asked = float(np.linalg.norm(stack.command[stack.place(task)]))
        if within - without > PART * max(asked, LEAST):
            held.append(task.name)
    causes = []
    for i in np.flatnonzero(active):
        joint, unit = robot.command_joints[i], "N" if slides[i] else "N m"
        text = (
            f"the effort of {joint!r} is held at its position limit: asked "
            f"{free[i]:.4g} {unit}, sent {sent[i]:.4g} {unit}"
        )
        cut = float(abs(free[i] - sent[i]))
        causes.append(Cause(CauseKind.GUARD, joint, text, cut, unit, tuple(held)))
    return causes


def guard_causes(trials: Trials, stack: CompoundTask) -> list[Cause]:
    """Return the joints whose effort was cut, with the tasks that it costs something."""
    shaping = trials.situation.shaping
    return [] if shaping is None else list(_cuts(trials, stack, shaping))


def _cuts(trials: Trials, stack: CompoundTask, shaping: Shaping) -> Iterator[Cause]:
    situation = trials.situation
    robot = situation.robot
    slides = robot.is_sliding[robot.command_indices]
    for i, joint in enumerate(robot.command_joints):
        asked, sent = float(shaping.asked[i]), float(shaping.sent[i])
        cut, limit = asked - sent, float(situation.limits.effort[i])
        scale = limit if np.isfinite(limit) else max(abs(asked), 1.0)
        if not abs(cut) > CUT * scale:
            continue
        unit = "N" if slides[i] else "N m"
        kind = shaping.held.get(joint) if abs(asked) <= limit else "effort"
        what = "beside a neighbour at a limit, or for the rate of efforts"
        if kind is not None:
            what = f"for its {kind} limit"
        text = (
            f"the guard cut the effort of {joint!r} {what}: asked {asked:.4g} {unit}, sent "
            f"{sent:.4g} {unit}"
        )
        held = tuple(task.name for task in trials.enabled if _costs(stack, task, situation, i, cut))
        yield Cause(CauseKind.GUARD, joint, text, abs(cut), unit, held)


def _costs(stack: CompoundTask, task: Task, situation: Situation, i: int, cut: float) -> bool:
    if is_force(task):
        return False
    place = stack.place(task)
    model = situation.model
    taken: Array = stack.jacobian[place] @ (model.UNc_bar @ (model.Phi[:, i] * cut))
    asked = float(np.linalg.norm(stack.command[place]))
    return bool(np.linalg.norm(taken) > PART * max(asked, LEAST))


def servo_causes(situation: Situation) -> Iterator[Cause]:
    """Tell what the servo does instead of following the tasks."""
    state, shaping = situation.state, situation.shaping
    if state == "inactive":
        yield Cause(CauseKind.STATE, state, "the servo is inactive: nothing is commanded")
    if state == "safe":
        why = "; ".join(situation.troubles) or "see diagnostics/errors"
        text = f"the servo is in the safe state, where the fallback is commanded: {why}"
        yield Cause(CauseKind.STATE, state, text)
    if situation.silence > 0.0:
        text = f"the last good measurement is {situation.silence:.3g} s old"
        yield Cause(CauseKind.STATE, "measurement", text, situation.silence, "s")
    if shaping is None or state in ("safe", "inactive"):
        return
    if shaping.fallback_share > 0.0:
        share = shaping.fallback_share
        text = f"the soft start has not ended: {share:.0%} of the command is the fallback"
        yield Cause(CauseKind.STATE, "soft_start_time", text, share)
    if shaping.ramp > 0.0:
        text = f"a change is ramped: {shaping.ramp:.0%} of the jump of the command is left"
        yield Cause(CauseKind.STATE, "reconfiguration_time", text, shaping.ramp)
