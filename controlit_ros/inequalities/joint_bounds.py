"""JointBounds: limits of position, velocity and acceleration that can always be kept."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.inequalities.joint_inequality import JointInequality
from controlit_ros.kernels import drive_reach, joint_bounds
from controlit_ros.model import RobotDescription

DRIVE_SHARE = (
    0.9  # [-] of what a drive gives beyond holding its joint; the rest is for others that move
)


class JointBounds(JointInequality):
    """Keeps the command joints within the URDF's range and speed, and accelerations small.

    `kernels.joint_bounds` writes the bounds: a joint approaches an end of its range no faster than
    it can be braked with `acceleration`, or with what its own drive gives beside holding it, if
    that is less (`kernels.drive_reach`, by the URDF's limits of effort). That is what it gives
    now: where it gives less on the way, as gravity pulls more, a joint may be too fast to be
    stopped in time, which is told.
    """

    unit = "rad/s²"

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name, robot)
        self.acceleration = self.declare_of_joints(
            "acceleration",
            10.0,
            lower=1e-3,
            unit="rad/s²",
            description="largest acceleration of each joint [rad/s²] or [m/s²], which it is "
            "braked with where its drive can",
        )
        self.margin = self.declare_of_joints(
            "margin",
            0.0,
            lower=0.0,
            unit="rad",
            description="how far off the ends of its range each joint is kept [rad] or [m]",
        )
        self.reaction = self.declare_reaction()
        na, picked = len(robot.command_joints), robot.command_indices
        self._limits: Array = np.array(
            [array[picked] for array in (robot.lower_limits, robot.upper_limits)]
        )
        self._speed: Array = robot.velocity_limits[picked]
        self._motion: Array = np.zeros((2, na))
        self._range: Array = np.zeros((2, na))
        self._effort: Array = robot.effort_limits[picked]
        self._drift: Array = np.zeros(na)
        self._drives: Array = np.zeros((2, na))
        self._work: Array = np.zeros((4, na))
        self._bounds: Array = np.zeros((2, na))

    def configure(self, constraints: ConstraintSet, period: float) -> None:
        """Check the time constant."""
        super().configure(constraints, period)
        self.check_reaction(self.reaction)

    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write `q̈ ≤ q̈_max` and `−q̈ ≤ −q̈_min`."""
        state, (position, velocity) = model.robot_model.state, self._motion
        np.take(state.position, self.robot.command_indices, out=position, mode="clip")
        np.take(state.velocity, self.robot.command_indices, out=velocity, mode="clip")
        np.add(self._limits[0], self.margin.value, out=self._range[0])
        np.subtract(self._limits[1], self.margin.value, out=self._range[1])
        np.take(model.drift, self.robot.command_dofs, out=self._drift, mode="clip")
        slowest, fastest = self._drives
        drive_reach(
            model.Phi, model.bias_effort, self._drift, self._effort, DRIVE_SHARE, slowest, fastest
        )
        lower, highest = self._bounds
        self.shortfall = joint_bounds(
            position,
            velocity,
            self._range[0],
            self._range[1],
            self._speed,
            self.acceleration.value,
            slowest,
            fastest,
            self.reaction.value,
            self.period,
            self._work,
            lower,
            highest,
        )
        np.copyto(rows, self._both)
        upper[: len(highest)] = highest
        np.negative(lower, out=upper[len(highest) :])
