"""WalkDemo: a humanoid walks forward, sideways and in a turn, and stops."""

from collections.abc import Callable, Mapping

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.walking.gait_observer import Gait
from controlit_demos.walking.walking_demo import COMMON, Trial, WalkingDemo
from controlit_ros.arrays import Array
from controlit_ros.client import Robot, WaitTimeoutError

FORWARD, LEFT, TURNING = (0.5, 0.0, 0.0), (0.0, 0.18, 0.0), (0.0, 0.0, 0.4)
"""Velocities that are asked for: forward, to the left [m/s], turning [rad/s]."""
WAY, ASIDE, TURN = 5.0, 2.0, np.pi  # [m], [m], [rad] as far as the controller believes
NEWS = 0.3  # [s] between two messages of the velocity
FAST = (1.0, 4.5)  # [m] between which speed is measured
LIMIT = 40.0  # [s] for each way
RESTS = 3.0  # [s] after each

WENT = Criterion("way forward", "m", least=4.9)
SPEED = Criterion("speed from the second to the fifth metre", "m/s", least=0.4)
WENT_ASIDE = Criterion("way to the left", "m", least=1.9)
TURNED = Criterion("turned to the left", "°", least=172.0)
APART = Criterion("feet off their places side by side, at the end", "cm", most=2.0)


class WalkDemo(WalkingDemo):
    """Talos walks five metres, two to the left, turns round and stops, on its own sensors.

    Masses are off, the floor is more or less slippery, sensors are noisy and biased: all drawn by
    the seed.
    """

    name = "walk"
    title = "Talos walks"
    configuration_name = "talos/walk.yaml"
    criteria = (WENT, SPEED, WENT_ASIDE, TURNED, APART, *COMMON)

    def walk(self, robot: Robot, trial: Trial) -> None:
        """Walk, and rest after each way."""
        robot.sleep(NEWS)
        _go(robot, FORWARD, lambda place, start: place[0] - start[0] > WAY)
        trial.mark("forward")
        _go(robot, LEFT, lambda place, start: place[1] - start[1] > ASIDE)
        trial.mark("aside")
        turned = _TurnWatch(TURN)
        _go(robot, TURNING, lambda place, start: turned.is_over(place[2] - start[2]))
        trial.mark("turned")

    def figures(self, gait: Gait, trial: Trial) -> Mapping[str, float]:
        """Return how far it went, how fast, and how it stands in the end."""
        times = trial.times
        forward = gait.between(0.0, times["forward"])
        aside = gait.between(times["forward"], times["aside"])
        turned = gait.between(times["aside"], times["turned"])
        return {
            WENT.name: float(forward.base[-1, 0] - forward.base[0, 0]),
            SPEED.name: _speed(forward),
            WENT_ASIDE.name: float(aside.base[-1, 1] - aside.base[0, 1]),
            TURNED.name: float(np.degrees(turned.yaw[-1, 0] - turned.yaw[0, 0])),
            APART.name: _apart(gait),
        }


class _TurnWatch:
    """Adds up how far something turned, beyond half a turn."""

    def __init__(self, wanted: float) -> None:
        self._wanted, self._total, self._last = wanted, 0.0, 0.0

    def is_over(self, yaw: float) -> bool:
        self._total += (yaw - self._last + np.pi) % (2.0 * np.pi) - np.pi
        self._last = yaw
        return self._total > self._wanted


def _go(
    robot: Robot, velocity: tuple[float, ...], is_there: Callable[[Array, Array], bool]
) -> None:
    """Walk with a velocity until the robot believes that it is there, and rest.

    Raises:
        WaitTimeoutError: It does not come there.
    """
    start, until = _place(robot), robot.time + LIMIT
    while not is_there(_place(robot), start):
        if robot.time > until:
            raise WaitTimeoutError(f"found no end of the way within {LIMIT:g} s")
        robot.set({"Walk.velocity": velocity})
        robot.sleep(NEWS)
    robot.set({"Walk.velocity": [0.0, 0.0, 0.0]})
    robot.sleep(RESTS)


def _place(robot: Robot) -> Array:
    """Return x and y of ξ as measured, and the yaw to which the pelvis is led."""
    x, y, _ = robot.parameters["Walk.dcm"]
    qx, qy, qz, qw = robot.parameters["Pelvis.goal_orientation"]
    return np.array([x, y, np.arctan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))])


def _speed(gait: Gait) -> float:
    """Return the mean speed from the second metre to the fifth [m/s]; not a number: too short."""
    way = gait.base[:, 0] - gait.base[0, 0]
    first, last = FAST
    if way.max() <= last:
        return np.nan
    began, ended = (gait.times[np.argmax(way > metre)] for metre in FAST)
    return float((last - first) / (ended - began))


def _apart(gait: Gait) -> float:
    """Return how far the feet stand from side by side [cm]: their width is that of the start."""
    first, last = gait.feet[0], gait.feet[-1]
    width = np.linalg.norm(first[:2] - first[4:6])
    yaw = 0.5 * (last[3] + last[3] + (last[7] - last[3] + np.pi) % (2 * np.pi) - np.pi)
    wanted = width * np.array([-np.sin(yaw), np.cos(yaw)])
    return float(100.0 * np.linalg.norm(last[:2] - last[4:6] - wanted))
