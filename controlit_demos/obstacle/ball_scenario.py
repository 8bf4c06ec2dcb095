"""BallScenario: a ball passes through where the hand of an arm is, and lies in its way."""

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.distance_observer import DISTANCE, DistanceObserver
from controlit_demos.comparison.error_observer import ErrorObserver
from controlit_demos.comparison.joint_observer import WITHIN_LIMITS, JointObserver
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.comparison.seen_robot import SeenRobot
from controlit_demos.obstacle.ball import Ball
from controlit_ros.client import Robot
from controlit_ros.scripting import SimulatedController

HAND = "HandPosition"
RADIUS, MARGIN = 0.1, 0.03  # [m] as in the file
LINKS = (
    "panda_link3", "panda_link4", "panda_link5", "panda_link6", "panda_link7", "panda_hand",
)  # fmt: skip
SLOW, FAST = 0.15, 0.3  # [m/s]
SIDE = (0.0, -0.35, 0.0)  # [m] from where the hand begins: where the ball does
PASSES = (((0.0, 0.35, 0.0), SLOW), (SIDE, FAST))
BEHIND = (0.1, 0.45, 0.0)  # [m] a goal beyond the ball
AROUND = ((0.45, -0.2, 0.0), (0.45, 0.22, 0.0))  # [m] where the ball passes by
BETWEEN = (0.05, 0.22, 0.0)  # [m] where the ball lies then
REACH_TIME = 4.0  # [s]
SETTLE = 2.0  # [s]


class BallScenario(Scenario):
    """A ball comes slowly, comes back fast, and lies in the way of a motion."""

    title = "Panda and a ball"
    configuration_name = "panda/obstacle.yaml"
    criteria = (
        Criterion(DISTANCE, "mm", least=28.0),
        Criterion("hand, mean error", "mm"),
        Criterion("hand, error at rest", "mm", most=2.0),
        *WITHIN_LIMITS,
    )

    def __init__(self, controller: SimulatedController) -> None:
        super().__init__(controller)
        self._seen = SeenRobot(controller, LINKS, ball=RADIUS)
        self._start = controller.task(HAND).active.actual.copy()
        self._ball = Ball(controller.transport, self._seen, self._start + SIDE)
        self.observers = [
            DistanceObserver(self._seen, MARGIN),
            ErrorObserver(controller, HAND, "hand"),
            JointObserver(controller),
        ]

    def play(self, robot: Robot) -> None:
        """Let the ball come and go, and lead the hand to where it is behind the ball."""
        hand = robot.task(HAND)
        start, ball = self._start, self._ball
        robot.session.link.beat.begin(self.controller.round_time, ball.move)

        def send(offset: tuple[float, float, float], speed: float) -> None:
            duration = float(np.linalg.norm(start + offset - self._seen.ball)) / speed
            ball.go(start + offset, robot.time, duration)
            robot.sleep(duration)

        for offset, speed in PASSES:
            send(offset, speed)
        robot.sleep(SETTLE)
        for offset in (*AROUND, BETWEEN):
            send(offset, FAST)
        hand.move_to(start + BEHIND, duration=REACH_TIME).wait(2.0 * REACH_TIME)
        robot.sleep(SETTLE)
