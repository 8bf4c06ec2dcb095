"""CenterOfMass: the robot's centre of mass goes to a point in the world."""

import numpy as np

from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Quantity
from controlit_ros.tasks.goal_frame import GoalFrame
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.relative_place import write_relative_place
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState


class CenterOfMass(Task):
    """Moves the centre of mass of the whole robot; in the world or in a body's frame [m]."""

    writes_velocity = True

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, 3, ("x", "y", "z"))
        zero = (0.0, 0.0, 0.0)
        self.goal_frame: GoalFrame = GoalFrame(self, robot)
        self.goal = self.declare_vector("goal_position", zero, unit="m", quantity=Quantity.POINT)
        self.declare_feed_forward("m")
        self.actual = self.declare_vector(
            "actual_position", zero, unit="m", quantity=Quantity.POINT, access=Access.OUTPUT
        )
        self.controller = PIDController(self, 3)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        motion = model.center_of_mass()
        np.copyto(state.actual, motion.position)
        np.copyto(state.bias, motion.bias)
        np.copyto(state.velocity, motion.velocity)
        np.copyto(state.jacobian, motion.jacobian)
        if self.goal_frame.is_world:
            return
        frame = self.goal_frame.update(model, self.epoch)
        write_relative_place(
            frame, motion.position, motion.jacobian, motion.velocity, motion.bias, state
        )
