"""Height: a body stays at a height above the ground."""

import numpy as np

from controlit_ros.plugins import (
    Access,
    FramePoint,
    PIDController,
    RobotDescription,
    RobotModel,
    Task,
    TaskState,
)


class Height(Task):
    """Keeps the origin of a body at a height; world frame [m]."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot, dimension=1)
        self.body = self.declare_body()
        self.goal = self.declare("goal_height", (1.0,), shape=(1,), unit="m")
        self.actual = self.declare("actual_height", (0.0,), shape=(1,), access=Access.OUTPUT)
        self.controller = PIDController(self, 1)
        self._point = FramePoint(robot.nv)

    def _update(self, model: RobotModel, state: TaskState) -> None:
        self._point.update(model, self.resolve_frame(self.body), np.zeros(3))
        state.actual[:] = self._point.position[2:]
        state.jacobian[:] = self._point.jacobian[2:]
        state.bias[:] = self._point.bias[2:]
