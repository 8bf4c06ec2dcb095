"""ArmsScenario: two hands change sides, and come back."""

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.distance_observer import DISTANCE, DistanceObserver
from controlit_demos.comparison.error_observer import ErrorObserver
from controlit_demos.comparison.joint_observer import WITHIN_LIMITS, JointObserver
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.comparison.seen_robot import SeenRobot
from controlit_ros.client import Robot, wait_all
from controlit_ros.scripting import SimulatedController

HANDS = {"RightHand": "right hand", "LeftHand": "left hand"}
SEGMENTS = (
    "upper_elbow", "lower_elbow", "upper_forearm", "lower_forearm", "wrist", "hand_link",
    "gripper_base_link",
)  # fmt: skip
MARGIN = 0.03  # [m] as in the file
CROSSED = {"RightHand": (0.5, 0.1, -0.35), "LeftHand": (0.6, -0.1, -0.3)}  # [m]
TIME = 3.0  # [s] of a motion
SETTLE = 2.0  # [s]


class ArmsScenario(Scenario):
    """The right hand goes to the left, the left one to the right, and both back."""

    title = "Baxter's arms"
    configuration_name = "baxter/arms.yaml"
    criteria = (
        Criterion(DISTANCE, "mm", least=10.0),
        *(Criterion(f"{hand}, mean error", "mm") for hand in HANDS.values()),
        *(Criterion(f"{hand}, error at rest", "mm", most=2.0) for hand in HANDS.values()),
        *WITHIN_LIMITS,
    )

    def __init__(self, controller: SimulatedController) -> None:
        super().__init__(controller)
        left, right = ([f"{side}_{part}" for part in SEGMENTS] for side in ("left", "right"))
        seen = SeenRobot(controller, left, right)
        self.observers = [
            DistanceObserver(seen, MARGIN),
            *(ErrorObserver(controller, task, label) for task, label in HANDS.items()),
            JointObserver(controller),
        ]

    def play(self, robot: Robot) -> None:
        """Lead both hands across and back."""
        start = {name: robot.task(name).goal for name in HANDS}
        for goals in (CROSSED, start):
            motions = [robot.task(name).move_to(goals[name], duration=TIME) for name in HANDS]
            wait_all(motions, 2.0 * TIME)
            robot.sleep(SETTLE)
