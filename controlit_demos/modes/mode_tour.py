"""ModeTour: leads a walking robot through its modes, and tries what they refuse."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.client import RefusedError, Robot
from controlit_ros.client.mode_picture import ModeWay

STOPS = ("soft_stop", "freeze")
MOVING = ("stand", "stand_manipulate", "step", "step_manipulate", "walk", "walk_manipulate")
START, FALL, BASE = "stand_prep", "fall", "base_link"
VELOCITY = (0.2, 0.0, 0.0)  # [m/s, m/s, rad/s]
REACH = 0.04  # [m] that a hand is sent up
NEWS = 0.3  # [s] between two messages of the velocity
MOVES = 2.4  # [s] in a mode before it is stopped: a robot that walks is in its second step by then
RESTS = 1.5  # [s] after a stop
WATCHES, LOOKS = 4.0, 0.02  # [s] how long a hand is watched, and how often
HAND = "arm_right_7_link"
HANDS = ("RightHandPosition", "RightHandOnBase")


class RefusedMode(NamedTuple):
    """A mode that was asked for and refused.

    Attributes:
        mode: Where the robot was.
        asked: What was asked for.
        reason: What was answered; empty: nothing was refused, which is a mistake.
    """

    mode: str
    asked: str
    reason: str


class PushedStop(NamedTuple):
    """A stop while the robot moved and was pushed.

    Attributes:
        mode: Where the robot was.
        stop: What was asked for.
        answer: Why it was refused; empty: it was not.
        duration: Until it was confirmed [s].
        lowest: The base after it [m].
        tilt: Largest after it [rad].
        end: The mode at the end.
    """

    mode: str
    stop: str
    answer: str
    duration: float
    lowest: float
    tilt: float
    end: str


class HandPath(NamedTuple):
    """How far a hand left its place while the body moved.

    Attributes:
        mode: Where the robot was.
        goal: What led the hand.
        mean: Distance [m].
        largest: [m].
    """

    mode: str
    goal: str
    mean: float
    largest: float


class ModeTour:
    """Goes through modes on the ways there are.

    Args:
        robot: Connected to the controller.
        push: Pushes the robot.
    """

    def __init__(self, robot: Robot, push: Callable[[], None]) -> None:
        self._robot = robot
        self._push = push
        self._ways = robot.modes.ways
        self.names: Sequence[str] = robot.modes.names

    def try_refused(self, mode: str) -> list[RefusedMode]:
        """Enter a mode and ask for every other one that no way leads to from there."""
        self.enter(mode)
        leads = {way.target for way in self._ways if way.source == mode}
        leads -= {way.target for way in self._ways if way.automatic}
        return [self._refused(mode, name) for name in self.names if name not in {mode, *leads}]

    def _refused(self, mode: str, asked: str) -> RefusedMode:
        try:
            self._robot.modes.request(asked).wait()
        except RefusedError as error:
            return RefusedMode(mode, asked, str(error))
        return RefusedMode(mode, asked, "")

    def stop(self, mode: str, stop: str, start: str = START) -> PushedStop:
        """Enter a mode, move, be pushed, and stop; then go back to where standing begins."""
        self.enter(mode)
        self._move()
        self._push()
        began, answer = self._robot.time, ""
        try:
            self._robot.modes.request(stop).wait()
        except RefusedError as error:
            answer = str(error)
        duration = self._robot.time - began
        lowest, tilt = self._look(RESTS)
        end = self._robot.modes.current
        if end == stop:
            self.enter(start)
        return PushedStop(mode, stop, answer, duration, lowest, tilt, end)

    def enter(self, mode: str) -> None:
        """Go to a mode, by as few others as can be.

        Raises:
            RefusedError: One is refused, or no way leads there.
        """
        for step in self._way(self._robot.modes.current, mode):
            self._robot.modes.request(step).wait()

    def held_by_joints(self, mode: str = "step") -> HandPath:
        """Let joints hold an arm, as planned for a base that rests; watch the hand in the world."""
        self.enter(mode)
        places = self._places("", None)
        return _path(mode, "joints, for a base that rests", places - places.mean(axis=0))

    def held_by_goal(self, mode: str, task: str, reference: str, goal: str) -> HandPath:
        """Let a goal hold a hand, in the world or on the base, and watch it there."""
        self.enter(mode)
        velocity = VELOCITY if "Walk.velocity" in self._robot.modes.commands else None
        wanted = self._robot.task(task).goal
        return _path(mode, goal, self._places(reference, velocity) - wanted)

    def _places(self, reference: str, velocity: tuple[float, ...] | None) -> Array:
        """Return where the right hand is while time passes, `(n, 3)` [m]."""
        places, until = [], self._robot.time + WATCHES
        while self._robot.time < until:
            if velocity is not None:
                self._robot.set({"Walk.velocity": velocity})
            self._robot.sleep(LOOKS)
            places.append(self._robot.frame(HAND, reference).position)
        return np.array(places)

    def fall(self, seconds: float) -> bool:
        """Let time pass; return whether a fall is noticed."""
        return self._robot.wait(lambda: self._robot.modes.current == FALL, seconds)

    def _move(self) -> None:
        """Do what a mode takes."""
        taken, until = self._robot.modes.commands, self._robot.time + MOVES
        for name in (name for name in HANDS if name in taken):
            task = self._robot.task(name)
            task.goal = np.add(task.goal, (0.0, 0.0, REACH))
        while self._robot.time < until:
            if "Walk.velocity" in taken:
                self._robot.set({"Walk.velocity": VELOCITY})
            self._robot.sleep(NEWS)

    def _look(self, seconds: float) -> tuple[float, float]:
        """Let time pass; return the lowest height of the base and its largest tilt."""
        until, heights, tilts = self._robot.time + seconds, [], []
        while self._robot.time < until:
            self._robot.sleep(0.1)
            pose = self._robot.frame(BASE)
            x, y = pose.orientation[:2]
            heights.append(float(pose.position[2]))
            tilts.append(float(2.0 * np.arcsin(min(1.0, np.hypot(x, y)))))
        return min(heights), max(tilts)

    def _way(self, start: str, end: str) -> list[str]:
        """Return the modes after one, up to another."""
        before: dict[str, str] = {start: ""}
        waiting = deque([start])
        while waiting and end not in before:
            mode = waiting.popleft()
            for name in _next(self._ways, mode):
                if name not in before:
                    before[name] = mode
                    waiting.append(name)
        if end not in before:
            raise RefusedError(f"no way leads from {start} to {end}")
        return _back(before, end)


def _path(mode: str, goal: str, ways: Array) -> HandPath:
    distances = np.linalg.norm(ways, axis=1)
    return HandPath(mode, goal, float(distances.mean()), float(distances.max()))


def _next(ways: Sequence[ModeWay], mode: str) -> list[str]:
    return [
        way.target for way in ways if way.source == mode and not way.automatic and not way.through
    ]


def _back(before: Mapping[str, str], end: str) -> list[str]:
    steps = []
    while before[end]:
        steps.append(end)
        end = before[end]
    return steps[::-1]
