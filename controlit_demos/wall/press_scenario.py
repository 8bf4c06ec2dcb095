"""PressScenario: a humanoid presses a wall while its other hand moves, at last in jumps."""

import numpy as np

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.error_observer import ErrorObserver
from controlit_demos.comparison.feet_observer import EDGE, FRICTION, MARGIN, SLIP, FeetObserver
from controlit_demos.comparison.height_observer import HEIGHT, HeightObserver
from controlit_demos.comparison.joint_observer import WITHIN_LIMITS, JointObserver
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.wall.force_observer import ERROR, FORCE, ForceObserver
from controlit_ros.client import Robot
from controlit_ros.scripting import SimulatedController

MASS, HAND, PUSH = "CenterOfMass", "RightHandPosition", "Push"
SOLES = ("RightSole", "LeftSole")
FORCES = (20.0, 30.0)  # [N] one after the other
RAMP = 1.5  # [s] until a force is there and what it moved has come to rest
WAY = (0.12, 0.09, 0.2)  # [m] of the other hand, to and fro
WAY_TIME = 1.5  # [s]
HOLD = 2.0  # [s]


class PressScenario(Scenario):
    """Two forces while the other hand moves, then a goal of that hand that jumps and jumps back."""

    title = "Talos presses a wall, friction 0.2"
    configuration_name = "talos/wall.yaml"
    criteria = (
        Criterion(HEIGHT, "%", least=95.0),
        Criterion(SLIP, "mm", most=1.0),
        Criterion(MARGIN, "mm"),
        Criterion(EDGE, "ms", most=100.0),
        Criterion(FRICTION, "%", most=100.0),
        Criterion(FORCE, "N"),
        Criterion(ERROR, "N", most=2.0),
        Criterion("centre of mass, mean error", "mm"),
        Criterion("centre of mass, error at rest", "mm", most=2.0),
        Criterion("right hand, mean error", "mm"),
        Criterion("right hand, error at rest", "mm", most=30.0),
        *WITHIN_LIMITS,
    )

    def __init__(self, controller: SimulatedController) -> None:
        super().__init__(controller)
        self._wall = ForceObserver(controller, "wall")
        self.observers = [
            HeightObserver(controller),
            FeetObserver(controller, SOLES),
            self._wall,
            ErrorObserver(controller, MASS, "centre of mass"),
            ErrorObserver(controller, HAND, "right hand"),
            JointObserver(controller),
        ]

    def play(self, robot: Robot) -> None:
        """Press, move the other hand, and let its goal jump."""
        hand = robot.task(HAND)
        rests = hand.goal
        for force in FORCES:
            robot.task(PUSH).goal = [force, 0.0, 0.0, 0.0, 0.0, 0.0]
            robot.sleep(RAMP)
            self._wall.asked = force
            hand.move_to(rests + WAY, duration=WAY_TIME).wait()
            hand.move_to(rests, duration=WAY_TIME).wait()
            self._wall.asked = np.nan
        for goal in (rests + WAY, rests):
            hand.goal = goal
            robot.sleep(HOLD)
