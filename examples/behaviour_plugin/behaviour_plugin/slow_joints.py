"""SlowJoints: no joint becomes faster than a bound."""

import numpy as np

from controlit_ros.plugins import ConstrainedModel, Inequality, RobotDescription


class SlowJoints(Inequality):
    """Rows `±v̇ ≤ (most ∓ v) / time`: a velocity comes no nearer to the bound than it may."""

    unit = "rad/s² or m/s²"

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.most = self.declare("most", 0.2, lower=1e-3, unit="rad/s or m/s")
        self.time = self.declare("time", 0.05, lower=0.01, unit="s")

    @property
    def rows(self) -> int:
        """Two for each command joint: upwards, then downwards."""
        return 2 * len(self.robot.command_joints)

    def update(self, model: ConstrainedModel, rows: np.ndarray, upper: np.ndarray) -> None:
        """Write them; the servo calls this in its own thread."""
        velocity = model.robot_model.v
        half = len(rows) // 2
        for i, dof in enumerate(self.robot.command_dofs):
            rows[i, dof], rows[half + i, dof] = 1.0, -1.0
            upper[i] = (self.most.value - velocity[dof]) / self.time.value
            upper[half + i] = (self.most.value + velocity[dof]) / self.time.value
