"""HumanoidDemo: Talos keeps its balance when pushed, shifts its weight and lifts a foot."""

from contextlib import closing
from typing import NamedTuple

import numpy as np

from controlit_demos.humanoid.pusher import Pusher, pusher
from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.program import Program
from controlit_demos.programs.route import PAUSE
from controlit_demos.running.demo import Demo
from controlit_ros.arrays import Array
from controlit_ros.client import Robot, wait_all
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack

COM, FOOT = "CenterOfMass", "RightFootPosition"
RIGHT_HAND, LEFT_HAND = "RightHandPosition", "LeftHandPosition"
LABELS = {
    COM: "centre of mass",
    RIGHT_HAND: "right hand position",
    LEFT_HAND: "left hand position",
}
"""Names of the tasks whose errors count, and how they are shown."""

BOUNDS = {
    COM: 1.0,
    RIGHT_HAND: 0.5,
    LEFT_HAND: 0.5,
}
"""What mean errors must not exceed, in cm and degrees."""

CHEST = "torso_2_link"
PUSH_TIME = 0.1  # [s]
STILL = 0.5  # [s] before a push
DURATION = 35.0  # [s] of the whole
OVER_BOTH = 0.055  # [m] to the left: most weight on the left foot, the right one still presses
OVER_LEFT = 0.085  # [m] to the left: above the left ankle
AHEAD = 0.004  # [m] to the front, from where it stands: to the middle of the left sole
LIFT = (0.05, 0.0, 0.08)  # [m] of the right foot
REACH = (0.08, 0.0, 0.12)  # [m] of both hands
LEAST_HEIGHT = 0.8  # [-] of the centre of mass: below that it has fallen
LEAST_LIFT = 0.06  # [m] that the foot must have been off the ground

ON_ONE_FOOT = {
    "RightSole.operational_state": "disable",
    "RightFootPosition.operational_state": "enable",
    "RightFootOrientation.operational_state": "enable",
    "RightPressure.operational_state": "disable",
    "LeftPressure.operational_state": "sense",
    "Tension.operational_state": "disable",
}
ON_TWO_FEET = {
    "RightSole.operational_state": "enable",
    "RightFootPosition.operational_state": "sense",
    "RightFootOrientation.operational_state": "sense",
    "RightPressure.operational_state": "enable",
    "LeftPressure.operational_state": "enable",
    "Tension.operational_state": "enable",
}


class HumanoidDemo(Demo):
    """Talos keeps its balance when pushed, shifts its weight and lifts a foot.

    Pushes from three sides, both hands, one foot off the ground and back, all on 16 tasks.
    """

    name = "humanoid"
    title = "Talos on its feet"
    configuration_name = "talos/stand.yaml"
    labels = LABELS
    bounds = BOUNDS

    def program(self, stack: ControllerStack, seed: int) -> Program:  # noqa: ARG002 - the same for every seed
        """Return the program; it is the same for every seed."""
        return HumanoidProgram(stack)


class FallenError(ControlItError):
    """Something is lower than it should be."""


class Least(NamedTuple):
    """What must stay up.

    Attributes:
        task: Whose actual value is looked at.
        height: Above which it must be [m].
        complaint: What is wrong otherwise, in words.
    """

    task: str
    height: float
    complaint: str


class HumanoidProgram:
    """Pushes, both hands, a foot off the ground; ends when the robot falls. A `Program`.

    Args:
        stack: The controller, for where its robot is simulated.
    """

    duration = DURATION

    def __init__(self, stack: ControllerStack) -> None:
        self._stack = stack

    def run(self, robot: Robot, course: DemoCourse) -> None:
        """Do all of it (see `Program.run`)."""
        try:
            with closing(pusher(self._stack)) as somebody:
                _Exercise(robot, course, somebody).do()
        except FallenError as error:
            course.problems.append(f"{error} at {course.elapsed:.2f} s")


class _Exercise:
    """What the robot does, from where it stands."""

    def __init__(self, robot: Robot, course: DemoCourse, somebody: Pusher) -> None:
        self._robot = robot
        self._course = course
        self._pusher = somebody
        tasks = (COM, FOOT, RIGHT_HAND, LEFT_HAND)
        self._place = {name: robot.task(name).goal for name in tasks}
        self._stands = Least(COM, LEAST_HEIGHT * self._place[COM][2], "it fell")

    def do(self) -> None:
        for side, force in (("left", -80.0), ("back", 70.0), ("front", -100.0)):
            along = (0.0, force, 0.0) if side == "left" else (force, 0.0, 0.0)
            self._push(side, along)
        self._use_hands()
        self._use_foot()
        self._push("right", (0.0, 80.0, 0.0))
        self._pass(1.0)

    def _use_hands(self) -> None:
        home = {name: self._place[name] for name in (RIGHT_HAND, LEFT_HAND)}
        self._move("raise both hands", 2.0, {name: home[name] + np.array(REACH) for name in home})
        self._move("lower both hands", 2.0, home)

    def _use_foot(self) -> None:
        com, foot = self._place[COM], self._place[FOOT]
        lifted = Least(FOOT, foot[2] + LEAST_LIFT, "the foot is down")
        self._move("shift the weight to the left", 3.0, {COM: self._over(OVER_BOTH)})
        self._robot.set(ON_ONE_FOOT)
        self._move("leave the right foot", 1.5, {COM: self._over(OVER_LEFT)})
        self._move("lift the right foot", 2.0, {FOOT: foot + np.array(LIFT)})
        self._pass(1.5, lifted)
        self._move("put the right foot down", 2.0, {FOOT: foot})
        self._move("lean on the right foot", 1.5, {COM: self._over(OVER_BOTH)})
        self._robot.set(ON_TWO_FEET)
        self._move("stand on both feet", 3.0, {COM: com}, pause=0.0)

    def _over(self, side: float) -> Array:
        x, _, z = self._place[COM]
        return np.array([x + AHEAD * side / OVER_LEFT, side, z])

    def _push(self, side: str, force: tuple[float, float, float]) -> None:
        self._course.enter(f"pushed from the {side}")
        self._pass(STILL)
        self._pusher.push(CHEST, force, PUSH_TIME)
        self._pass(3.0 - STILL)

    def _move(
        self, name: str, duration: float, goals: dict[str, Array], pause: float = 0.5
    ) -> None:
        self._course.enter(name)
        with self._robot.together():
            motions = [
                self._robot.task(task).move_to(goal, duration, kind="cubic")
                for task, goal in goals.items()
            ]
        self._pass(duration)
        wait_all(motions)
        if pause > 0.0:
            self._course.enter(PAUSE)
            self._pass(pause)

    def _pass(self, duration: float, *others: Least) -> None:
        """Let time pass while all stays up."""
        complaints: list[str] = []

        def has_fallen() -> bool:
            for task, height, complaint in (self._stands, *others):
                if self._robot.task(task).actual[2] <= height:
                    complaints.append(complaint)
            return bool(complaints)

        if self._robot.wait(has_fallen, duration):
            raise FallenError(complaints[0])
