"""CentroidalMomentum: linear and angular momentum of the whole robot."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access
from controlit_ros.tasks.error_kind import ErrorKind
from controlit_ros.tasks.momentum_controller import MomentumController
from controlit_ros.tasks.shape import Shape, ShapeKind
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

COMPONENTS = ("x", "y", "z", "angular_x", "angular_y", "angular_z")


class CentroidalMomentum(Task):
    """Gives the robot a momentum, linear and about its centre of mass, in world axes.

    Actual value and goal are momenta h `[kg m/s, kg m²/s]`. Error, command and rows are those of
    `h / m`, m the robot's mass: `J = A_G / m`, `J̇ v = Ȧ_G v / m`, `e = (h_goal − h) / m`, so that
    the linear part weighs as much as the motion of a point. The command is a rate, so the law is of
    first order: `u = kp e + ki ∫e dt + a_goal`. A goal nobody states is zero: the robot shall come
    to rest. Where nothing touches the robot no effort changes its momentum.
    """

    error_kind = ErrorKind.CUSTOM
    writes_velocity = True
    has_control_law = False

    def __init__(self, name: str, robot: RobotDescription) -> None:
        n = len(COMPONENTS)
        super().__init__(name, robot, n, COMPONENTS)
        momentum = {"shape": (n,), "labels": COMPONENTS, "unit": "kg m/s, kg m²/s"}
        self.goal = self.declare(
            "goal_momentum",
            np.zeros(n),
            description="linear momentum, then angular momentum about the centre of mass",
            **momentum,
        )
        self.goal_acceleration = self.declare(
            "goal_acceleration",
            np.zeros(n),
            shape=(n,),
            labels=COMPONENTS,
            unit="m/s², m²/s²",
            description="feed-forward rate of the momentum, divided by the robot's mass",
        )
        self.actual = self.declare("actual_momentum", np.zeros(n), access=Access.OUTPUT, **momentum)
        self.controller = MomentumController(self, n, labels=COMPONENTS, unit="m/s, m²/s")
        self._mass = 1.0

    def configure(self) -> None:
        """Weigh the robot."""
        super().configure()
        self._mass = sum(body.mass for body in self.robot.pinocchio.inertias)

    def latch_goal(self) -> None:
        """Set the goal to rest: a momentum that is kept is a motion that never ends."""
        self.goal.assign(self._nothing)
        if self.goal_acceleration is not None:
            self.goal_acceleration.assign(self._nothing)
        self.controller.reset()

    def shapes(self) -> tuple[Shape, ...]:
        """Arrows at the root link."""
        root = self.robot.frame_id(self.robot.root_link)
        return (Shape(ShapeKind.WRENCH, self.goal, self.actual, body=root),)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        motion = model.centroidal_motion()
        np.divide(motion.map, self._mass, out=state.jacobian)
        np.divide(motion.bias, self._mass, out=state.bias)
        np.matmul(state.jacobian, model.v, out=state.velocity)
        np.multiply(state.velocity, self._mass, out=state.actual)

    def _error(self, state: TaskState, error: Array) -> None:
        np.subtract(self.goal.value, state.actual, out=error)
        error /= self._mass
