"""BoltDemo: a biped on point feet stays up by stepping, is pushed, and walks."""

from collections.abc import Mapping

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.walking.gait_observer import Gait
from controlit_demos.walking.walking_demo import (
    COMMON,
    ESTIMATE,
    ESTIMATED_HEIGHT,
    STILL,
    TILT,
    Trial,
    WalkingDemo,
    along,
)
from controlit_ros.client import Robot

IN_PLACE, RECOVERY, WALK = 5.0, 3.0, 8.0  # [s]
FORWARD, LEFT = (0.15, 0.0, 0.0), (0.0, 0.06, 0.0)  # [m/s, m/s, rad/s]
NEWS = 0.2  # [s] between two messages of the velocity
TRUNK, PUSH_TIME = "base_link", 0.1  # [s]
IMPULSE = 0.25  # [N s] to the left, 0.2 for each kg

STEPPED = Criterion("steps in place", least=8.0)
DRIFTED = Criterion("drift in place", "cm")
GAVE_WAY = Criterion("way to the side after the push", "cm", least=1.0)
WENT = Criterion("way forward", "m", least=0.2)
WENT_ASIDE = Criterion("way to the left", "m")

ON_POINTS = {
    ESTIMATE: ESTIMATE._replace(most=None),  # nothing tells how a robot on points is turned,
    ESTIMATED_HEIGHT: ESTIMATED_HEIGHT._replace(most=30.0),  # nor when a foot comes down
    TILT: TILT._replace(most=1.0),
}
"""Criteria with other bounds than on soles; a robot that never rests has no speed at the end."""


class BoltDemo(WalkingDemo):
    """Bolt steps in place on point feet, gives way to a push, walks ahead and sideways.

    Masses are off, the floor is more or less slippery, sensors are noisy and biased: all drawn by
    the seed. It has no sensors in its feet.
    """

    name = "bolt"
    title = "Bolt on point feet"
    configuration_name = "bolt/walk.yaml"
    criteria = (
        STEPPED, DRIFTED, GAVE_WAY, WENT, WENT_ASIDE,
        *(ON_POINTS.get(c, c) for c in COMMON if c is not STILL),
    )  # fmt: skip

    def walk(self, robot: Robot, trial: Trial) -> None:
        """Let it step, push it, and let it walk."""
        robot.sleep(IN_PLACE)
        trial.mark("pushed")
        trial.push(TRUNK, (0.0, IMPULSE / PUSH_TIME, 0.0), PUSH_TIME)
        robot.sleep(RECOVERY)
        trial.mark("recovered")
        _go(robot, FORWARD)
        trial.mark("forward")
        _go(robot, LEFT)
        trial.mark("aside")

    def figures(self, gait: Gait, trial: Trial) -> Mapping[str, float]:
        """Return how it stepped in place, gave way, and how far it went."""
        times = trial.times
        place = gait.between(0.0, times["pushed"])
        pushed = gait.between(times["pushed"], times["recovered"])
        forward = gait.between(times["recovered"], times["forward"])
        aside = gait.between(times["forward"], times["aside"])
        return {
            STEPPED.name: float(place.steps[-1, 0]),
            DRIFTED.name: float(100.0 * np.linalg.norm(place.base[-1, :2] - place.base[0, :2])),
            GAVE_WAY.name: float(100.0 * (pushed.base[:, 1].max() - pushed.base[0, 1])),
            WENT.name: _way(forward)[0],
            WENT_ASIDE.name: _way(aside)[1],
        }


def _go(robot: Robot, velocity: tuple[float, ...]) -> None:
    """Walk with a velocity for its time."""
    until = robot.time + WALK
    while robot.time < until:
        robot.set({"Walk.velocity": velocity})
        robot.sleep(NEWS)


def _way(gait: Gait) -> list[float]:
    """Return how far it went ahead and to the left, as it faced at first [m]."""
    (way,) = along(gait.base[-1:] - gait.base[0], gait.yaw[:1, 0]).tolist()
    return list(way)
