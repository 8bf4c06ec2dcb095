"""Gains that swing, or nearly, over the delays on the way to the robot and back."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from controlit_ros.configuration import KeyPath
from controlit_ros.nodes.checks.findings import Findings
from controlit_ros.servo import Fallback, Prediction, ServoSettings
from controlit_ros.servo.state_prediction import LONGEST
from controlit_ros.tasks import Task
from controlit_ros.tasks.control_law import ControlLaw, LawKind
from controlit_ros.tasks.delay_margin import delay_margin

OWN_CYCLES = 1.5  # [cycles] from a sample to the middle of what answers it
ENOUGH = 0.5  # [-] of the margin: what swings, fades within a few swings


class _Loop(NamedTuple):
    """What a gain feeds back to, and the dead time at which it swings ever more [s]."""

    gains: str
    margin: float


def delay_warnings(tasks: Sequence[Task], settings: ServoSettings) -> Findings:
    """Yield warnings, each with its place, about gains that the delays do not bear.

    The loops of tasks that see a predicted state have only the servo's own cycles as dead time.

    Args:
        tasks: In the order of the file.
        settings: Of the servo.
    """
    delay, of_tasks = settings.round_trip_delay, task_dead_time(settings)
    if _shall_be_predicted(settings) and delay > LONGEST:
        text = (
            f"nothing is predicted over a round trip of {delay:g} s, expected at most {LONGEST:g} s"
        )
        yield ("parameters", "state_prediction"), text
    can_be_predicted = not _shall_be_predicted(settings) and 0.0 < delay <= LONGEST
    advice = ", or state_prediction: model" if can_be_predicted else ""
    for i, task in enumerate(tasks):
        if task.controller.kind is LawKind.PID and not task.is_referred:
            yield from _doubt(("tasks", i), task.name, _weakest(task.controller), of_tasks, advice)
    if settings.fallback is Fallback.POSTURE:
        kp, kd = settings.fallback_kp, 2.0 * math.sqrt(settings.fallback_kp)
        loop = _Loop(f"fallback_kp {kp:g}", delay_margin(kp, 0.0, kd))
        yield from _doubt(("parameters",), "the fallback posture", loop, _dead_time(settings))


def task_dead_time(settings: ServoSettings) -> float:
    """Return how long after a measurement what a task answers to it acts [s].

    That is the whole way to the robot and back, unless tasks see a predicted state.
    """
    is_predicted = _shall_be_predicted(settings) and settings.round_trip_delay <= LONGEST
    return OWN_CYCLES / settings.frequency if is_predicted else _dead_time(settings)


def _dead_time(settings: ServoSettings) -> float:
    return OWN_CYCLES / settings.frequency + settings.round_trip_delay


def _shall_be_predicted(settings: ServoSettings) -> bool:
    return settings.state_prediction is Prediction.MODEL


def _weakest(law: ControlLaw) -> _Loop:
    loop = _loop_of_first_order if law.is_first_order else _loop
    rows = zip(*(gain.value.tolist() for gain in law.gains), strict=True)
    return min((loop(*row) for row in rows), key=lambda found: found.margin)


def _loop(kp: float, ki: float, kd: float) -> _Loop:
    # a task without damping swings however short the delay: no matter of delays
    margin = delay_margin(kp, ki, kd) if kd > 0.0 else math.inf
    return _Loop(f"{_told(kp, ki)}, kd {kd:g}", margin)


def _loop_of_first_order(kp: float, ki: float) -> _Loop:
    return _Loop(_told(kp, ki), delay_margin(ki, 0.0, kp))


def _told(kp: float, ki: float) -> str:
    return f"kp {kp:g}" + (f", ki {ki:g}" if ki > 0.0 else "")


def _doubt(path: KeyPath, name: str, loop: _Loop, dead_time: float, advice: str = "") -> Findings:
    if dead_time < ENOUGH * loop.margin:
        return
    effect = "swings ever more" if dead_time >= loop.margin else "rings"
    text = (
        f"{name} with {loop.gains} {effect}: a measurement is answered after "
        f"{1e3 * dead_time:.3g} ms, and the gains bear {1e3 * loop.margin:.3g} ms at most; "
        f"expected lower gains, or less delay (up to {1e3 * ENOUGH * loop.margin:.3g} ms){advice}"
    )
    yield path, text
