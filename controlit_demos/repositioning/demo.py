"""RepositioningDemo: the right hand goes to random places, reachable or not, and stays stable."""

import numpy as np

from controlit_demos.programs.program import Program
from controlit_demos.programs.route import Route
from controlit_demos.programs.stop import Stop
from controlit_demos.repositioning.goals import random_places
from controlit_demos.running.demo import Demo
from controlit_demos.running.evaluator import Evaluation
from controlit_ros.arrays import Array, Flags
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.recording.run_record import RunRecord

TASK = "RightHandPosition"
MOVE, PAUSE = 5.0, 5.0  # [s] of the paper
PLACES = 6
LOOK = 0.5  # [s] at the end of a pause in which the hand must rest
PRECISE = 0.5  # [cm] from a reachable goal
CALM = 0.05  # [rad/s] of every joint at rest in a reachable place
RESTLESS = 0.1  # [rad/s] of every joint where the goal is out of reach
FASTEST = 1.02  # [-] of the velocity limits: a cycle that is late holds a joint back late
STRONGEST = 1.0 + 1e-6  # [-] of its effort limits

LABELS = {TASK: "right hand position"}
"""Names of the tasks, and how they are shown."""


class RepositioningDemo(Demo):
    """Dreamer's right hand goes to random places, some of them out of its reach.

    The paper's second demonstration: moves of 5 s, pauses of 5 s, some out of reach.

    Stable means: every joint rests at the end of a pause, also while the goal is out of reach; no
    joint ever moves faster than its limit or is asked for more effort than it has; every reachable
    place is reached precisely, whatever came before; and the servo never leaves control.
    """

    name = "repositioning"
    title = "Dreamer, flexible repositioning"
    configuration_name = "dreamer/repositioning.yaml"
    labels = LABELS

    def program(self, stack: ControllerStack, seed: int) -> Program:
        """Return the route through random places."""
        self._places = random_places(stack, PLACES, seed)
        names = ("out of reach", "within reach")
        return Route(
            [
                Stop(names[place.is_reachable], MOVE, {TASK: place.position}, PAUSE)
                for place in self._places
            ]
        )

    def judge(self, record: RunRecord) -> Evaluation:
        """Measure whether the robot was stable."""
        pauses = [
            (place, (number + 1) * (MOVE + PAUSE))
            for number, place in enumerate(self._places)
            if (number + 1) * (MOVE + PAUSE) <= record.duration
        ]
        arrivals = [_error(record, end) for place, end in pauses if place.is_reachable]
        calm = [_unrest(record, end) for place, end in pauses if place.is_reachable]
        stretched = [_unrest(record, end) for place, end in pauses if not place.is_reachable]
        speed = _highest(record.velocity.values, record.velocity_limits)
        effort = _highest(record.effort.values, record.effort_limits)
        failures = [text for _, level, text in record.notices if level == "error"]
        findings = {
            "places, of them out of reach": f"{len(pauses)}, {len(pauses) - len(arrivals)}",
            "worst error at a reachable place [cm]": max(arrivals, default=0.0),
            "fastest joint in a reachable place [rad/s]": max(calm, default=0.0),
            "fastest joint out of reach [rad/s]": max(stretched, default=0.0),
            "highest velocity, of its limit [%]": 100.0 * speed,
            "highest effort, of its limit [%]": 100.0 * effort,
        }
        checks = (
            (max(arrivals, default=0.0) <= PRECISE, "a reachable place was not reached"),
            (max(calm, default=0.0) <= CALM, "a joint did not come to rest"),
            (max(stretched, default=0.0) <= RESTLESS, "the arm did not calm down out of reach"),
            (speed <= FASTEST, "a joint was faster than its limit"),
            (effort <= STRONGEST, "a joint was asked for more effort than it has"),
            (not failures, f"the servo left control: {'; '.join(failures[:3])}"),
        )
        problems = tuple(text for holds, text in checks if not holds)
        return Evaluation(findings, problems, {TASK: len(pauses) - len(arrivals)})


def _error(record: RunRecord, end: float) -> float:
    """Return the mean error of the hand before a time [cm]."""
    track = record.tasks[TASK]
    return float(track.errors()[_before(track.times, end)].mean())


def _unrest(record: RunRecord, end: float) -> float:
    """Return the highest velocity of a joint before a time [rad/s]."""
    return float(np.abs(record.velocity.values[_before(record.velocity.times, end)]).max())


def _before(times: Array, end: float) -> Flags:
    before: Flags = (times > end - LOOK) & (times <= end)
    return before


def _highest(values: Array, limits: Array) -> float:
    return float((np.abs(values) / limits).max()) if len(values) else 0.0
