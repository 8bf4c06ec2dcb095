"""BalanceScenario: what a humanoid with two feet on the ground goes through."""

from collections.abc import Mapping

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.error_observer import ErrorObserver
from controlit_demos.comparison.feet_observer import EDGE, FRICTION, MARGIN, SLIP, FeetObserver
from controlit_demos.comparison.height_observer import HEIGHT, HeightObserver
from controlit_demos.comparison.joint_observer import WITHIN_LIMITS, JointObserver
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.programs.stage import wait_for_goals
from controlit_ros.client import Robot
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.scripting import SimulatedController

MASS, HAND = "CenterOfMass", "RightHandPosition"
SOLES = ("RightSole", "LeftSole")
SQUAT = (0.0, 0.0, -0.05)  # [m]
SQUATS, SQUAT_TIME = 2, 1.5  # [-, s] down, and up again
SHIFTS = ((0.0, 0.035, 0.0), (0.0, -0.035, 0.0))  # [m]
OUTSIDE = (0.15, 0.0, 0.0)  # [m] beyond the toes: nobody can stand there
SHIFT_TIME = 2.0  # [s]
TOO_FAR = (0.6, 0.0, 0.1)  # [m] from where the hand is: out of reach
REACH_TIME = 2.0  # [s]
CHEST, PUSH_TIME = "chest", 0.1  # [s]
PUSHES = {"the left": (0.0, -40.0, 0.0), "the back": (30.0, 0.0, 0.0), "ahead": (-30.0, 0.0, 0.0)}
"""Forces by where they come from [N]."""
RECOVERY = 2.0  # [s]


class BalanceScenario(Scenario):
    """Squats, shifts of the weight, a goal that the hand cannot reach, pushes."""

    title = "iCub on a floor with friction 0.5"
    configuration_name = "icub/balance.yaml"
    criteria = (
        Criterion(HEIGHT, "%", least=80.0),
        Criterion(SLIP, "mm", most=1.0),
        Criterion(MARGIN, "mm"),
        Criterion(EDGE, "ms", most=200.0),
        Criterion(FRICTION, "%", most=100.0),
        Criterion("centre of mass, mean error", "mm"),
        Criterion("centre of mass, error at rest", "mm", most=2.0),
        Criterion("right hand, error at rest", "mm", most=2.0),
        *WITHIN_LIMITS,
    )

    def __init__(self, controller: SimulatedController) -> None:
        super().__init__(controller)
        self.observers = [
            HeightObserver(controller),
            FeetObserver(controller, SOLES),
            ErrorObserver(controller, MASS, "centre of mass"),
            ErrorObserver(controller, HAND, "right hand"),
            JointObserver(controller),
        ]

    def play(self, robot: Robot) -> None:
        """Squat, shift the weight, reach too far, be pushed."""
        mass, hand = robot.task(MASS), robot.task(HAND)
        stands, rests = mass.goal, hand.goal
        for _ in range(SQUATS):
            wait_for_goals(robot, [mass.move_to(stands + SQUAT, duration=SQUAT_TIME)])
            wait_for_goals(robot, [mass.move_to(stands, duration=SQUAT_TIME)])
        for shift in SHIFTS:
            wait_for_goals(robot, [mass.move_to(stands + shift, duration=SHIFT_TIME)])
            robot.sleep(0.5)
        wait_for_goals(robot, [mass.move_to(stands, duration=SHIFT_TIME)])
        wait_for_goals(robot, [hand.move_to(rests + TOO_FAR, duration=REACH_TIME)])
        robot.sleep(1.0)
        wait_for_goals(robot, [hand.move_to(rests, duration=REACH_TIME)])
        self._push(robot, PUSHES)
        wait_for_goals(robot, [mass.move_to(stands + OUTSIDE, duration=SHIFT_TIME)])
        robot.sleep(1.0)
        wait_for_goals(robot, [mass.move_to(stands, duration=SHIFT_TIME)])
        robot.sleep(RECOVERY)

    def _push(self, robot: Robot, pushes: Mapping[str, tuple[float, float, float]]) -> None:
        simulation = simulated_robot(self.controller.stack).simulation
        for force in pushes.values():
            simulation.push(CHEST, force, PUSH_TIME)
            robot.sleep(RECOVERY)
