"""JointInequality: what is bounded joint by joint, upwards and downwards."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.inequalities.inequality import Inequality, RowsOf
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Parameter


class JointInequality(Inequality):
    """Base of inequalities with two rows for each command joint, `x ≤ b` and then `−x ≤ b`."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        is_of_efforts = self.rows_of is RowsOf.EFFORT
        columns = np.arange(len(robot.command_joints)) if is_of_efforts else robot.command_dofs
        width = len(robot.command_joints) if is_of_efforts else robot.nv
        upwards = np.eye(width)[columns]
        self._both: Array = np.vstack([upwards, -upwards])

    @property
    def rows(self) -> int:
        """Two for each command joint: upwards, then downwards."""
        return len(self._both)

    @property
    def labels(self) -> tuple[str, ...]:
        """The joints."""
        return self.robot.command_joints * 2

    def declare_of_joints(
        self, name: str, default: float, *, lower: float, unit: str, description: str
    ) -> Parameter:
        """Declare a number for each command joint; a file may give one for all."""
        joints = self.robot.command_joints
        return self.declare(
            name,
            default,
            shape=(len(joints),),
            broadcast=True,
            labels=joints,
            lower=lower,
            unit=unit,
            description=description,
        )
