"""StairsDemo: a humanoid goes up three steps and down again, over footsteps that it is given."""

from collections.abc import Mapping
from typing import Any

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

PLACES = (
    0.15,
    0.45,
    0.75,
    1.05,
    1.35,
    1.65,
    1.95,
    2.25,
)  # [m] along x, on the middle of each tread
HEIGHTS = (0.0, 0.15, 0.30, 0.45, 0.45, 0.30, 0.15, 0.0)  # [m]
SLOWER = {"Walk.single_support": 1.0, "Walk.double_support": 0.4, "Walk.swing_height": 0.06}
LIMIT = 40.0  # [s]
NEWS = 0.3  # [s] between two looks
RESTS = 2.0  # [s]

CLIMBED = Criterion("highest place of a sole that stood", "m", least=0.44)
WENT = Criterion("way forward", "m", least=2.0)
OFF = Criterion("feet off the middle of a tread, farthest", "cm", most=4.0)

ON_STAIRS = {
    HEIGHT: HEIGHT._replace(least=80.0),  # the body is above the lower tread by plan
    ESTIMATED_HEIGHT: ESTIMATED_HEIGHT._replace(most=30.0),  # nothing tells how high a tread is
}
"""Criteria with other bounds than on a floor."""


class StairsDemo(WalkingDemo):
    """Talos goes up three steps of 0.15 m and down three, on its own sensors.

    Footsteps come from the client; the controller neither sees the stairs nor touches them before.
    """

    name = "stairs"
    title = "Talos on stairs"
    configuration_name = "talos/walk.yaml"
    criteria = (CLIMBED, WENT, OFF, *(ON_STAIRS.get(c, c) for c in COMMON))

    def settings(self) -> dict[str, Any]:
        """Return the scene."""
        return {"robot_interface.scene": str(share_directory() / "config/scenes/stairs.xml")}

    def walk(self, robot: Robot, trial: Trial) -> None:
        """Give the steps, and wait until they are made."""
        robot.sleep(NEWS)
        robot.set(SLOWER)
        robot.make_steps(stairs(robot))
        until = robot.time + LIMIT
        while robot.parameters["Walk.steps_ahead"] > 0:
            if robot.time > until:
                raise WaitTimeoutError(f"found no end of the stairs within {LIMIT:g} s")
            robot.sleep(NEWS)
        trial.mark("made")
        robot.sleep(RESTS)

    def figures(self, gait: Gait, trial: Trial) -> Mapping[str, float]:  # noqa: ARG002 - of the whole
        """Return how high it was, how far it went, and how exactly it stepped."""
        prints = [place for foot in (0, 1) for place in footprints(gait, foot)]
        off = [np.abs(np.array(PLACES) - place[0]).min() for place in prints if place[0] > 0.1]
        return {
            CLIMBED.name: float(max(place[2] for place in prints)),
            WENT.name: float(gait.base[-1, 0] - gait.base[0, 0]),
            OFF.name: float(100.0 * max(off)),
        }


def stairs(robot: Robot) -> list[Step]:
    """Return the steps over the stairs, a foot on each tread, both on the floor in the end."""
    sides = {
        foot: float(robot.frame(f"{foot}_sole_link").position[1]) for foot in ("left", "right")
    }
    feet = ["left", "right"] * len(PLACES)
    steps = [
        Step(foot, (x, sides[foot], z)) for foot, x, z in zip(feet, PLACES, HEIGHTS, strict=False)
    ]
    last = feet[len(PLACES)]
    return [*steps, Step(last, (PLACES[-1], sides[last], HEIGHTS[-1]))]
