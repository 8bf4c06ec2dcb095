"""CourseDemo: a humanoid goes over ground that it is told of by footsteps."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.walking.gait_observer import Gait
from controlit_demos.walking.gait_pictures import footprints
from controlit_demos.walking.walking_demo import (
    COMMON,
    ESTIMATED_HEIGHT,
    HEIGHT,
    Trial,
    WalkingDemo,
)
from controlit_ros.client import Robot, Step, WaitTimeoutError
from controlit_ros.share import share_directory

SLOWER = {"Walk.single_support": 1.0, "Walk.double_support": 0.4, "Walk.swing_height": 0.06}
LIMIT = 40.0  # [s]
NEWS = 0.3  # [s] between two looks
RESTS = 2.0  # [s]

CLIMBED = Criterion("highest place of a sole that stood", "m")
WENT = Criterion("way forward", "m", least=2.0)
OFF = Criterion("feet off their places, farthest", "cm", most=4.0)

UPHILL = {
    HEIGHT: HEIGHT._replace(least=80.0),  # the body is above the lower foot by plan
    ESTIMATED_HEIGHT: ESTIMATED_HEIGHT._replace(most=30.0),  # nothing tells how high the ground is
}
"""Criteria with other bounds than on a floor."""


class SolePlace(NamedTuple):
    """Where a foot stands on a course, seen from its side.

    Attributes:
        ahead: Along x [m].
        height: [m].
        slope: How the ground rises there along x [-].
    """

    ahead: float
    height: float
    slope: float = 0.0


def course_criteria(climbed: float) -> Sequence[Criterion]:
    """Return the criteria of a course with a place of so much height [m]."""
    highest = CLIMBED._replace(least=climbed)
    return (highest, WENT, OFF, *(UPHILL.get(each, each) for each in COMMON))


class CourseDemo(WalkingDemo):
    """Talos goes over a scene on its own sensors, foot after foot, and comes to rest behind it.

    Footsteps come from the client; the controller neither sees the ground nor touches it before.

    Attributes:
        scene: Of the world, below `config/scenes`.
    """

    configuration_name = "talos/walk.yaml"
    scene: ClassVar[str]

    @abstractmethod
    def places(self) -> Sequence[SolePlace]:
        """Return where feet stand, the left one first; the last is where both come to rest."""

    def settings(self) -> dict[str, Any]:
        """Return the scene."""
        return {"robot_interface.scene": str(share_directory() / "config/scenes" / self.scene)}

    def walk(self, robot: Robot, trial: Trial) -> None:
        """Give the steps, and wait until they are made."""
        robot.sleep(NEWS)
        robot.set(SLOWER)
        robot.make_steps(course(robot, self.places()))
        until = robot.time + LIMIT
        while robot.parameters["Walk.steps_ahead"] > 0:
            if robot.time > until:
                raise WaitTimeoutError(f"found no end of the course within {LIMIT:g} s")
            robot.sleep(NEWS)
        trial.mark("made")
        robot.sleep(RESTS)

    def figures(self, gait: Gait, trial: Trial) -> Mapping[str, float]:  # noqa: ARG002 - of the whole
        """Return how high it was, how far it went, and how exactly it stepped."""
        prints = [place for foot in (0, 1) for place in footprints(gait, foot)]
        ahead = np.array([place.ahead for place in self.places()])
        off = [np.abs(ahead - place[0]).min() for place in prints if place[0] > 0.1]
        return {
            CLIMBED.name: float(max(place[2] for place in prints)),
            WENT.name: float(gait.base[-1, 0] - gait.base[0, 0]),
            OFF.name: float(100.0 * max(off)),
        }


def course(robot: Robot, places: Sequence[SolePlace]) -> list[Step]:
    """Return the steps to places, left and right in turns, both feet at the last in the end."""
    sides = {
        foot: float(robot.frame(f"{foot}_sole_link").position[1]) for foot in ("left", "right")
    }
    feet = [("left", "right")[i % 2] for i in range(len(places) + 1)]
    return [
        Step(foot, (place.ahead, sides[foot], place.height), slope=(place.slope, 0.0))
        for foot, place in zip(feet, [*places, places[-1]], strict=True)
    ]
