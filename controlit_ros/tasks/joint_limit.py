"""JointLimit: joints stop before their limits."""

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.robot_description import BASE_DOFS, RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.parameters import Access, Parameter, ParameterError
from controlit_ros.tasks.pid_controller import PIDController
from controlit_ros.tasks.shape import LimitShape
from controlit_ros.tasks.task import Task
from controlit_ros.tasks.task_state import TaskState

STIFFNESS = 400.0  # [1/s²] stops within a few tenths of a second
DAMPING = 40.0  # [1/s] critical for that stiffness
MARGIN = 0.05  # [rad or m], and no more than
MARGIN_PART = 0.1  # [-] of the range: fingers open by a few centimetres


class JointLimit(Task):
    """Keeps joints a margin away from their limits, and lets them alone elsewhere.

    With the distance `d` of a joint to the nearer of its limits, the row is `J = ±1` at the joint
    and the command `u = kp (margin − d) − kd ḋ` is the least acceleration `d̈` that still stops it
    in time. A row takes part only in cycles where the other tasks would let `d̈` fall below u; then
    `d̈ = u`. At the moment it begins or ends both are equal, so the effort does not step, and a
    joint that the other tasks move away from its limit is free at once.

    To hold against other tasks it needs the highest priority, in a level of its own.
    """

    is_unilateral = True
    writes_velocity = True
    latches = False

    def __init__(self, name: str, robot: RobotDescription) -> None:
        limited = [
            joint
            for joint, i in zip(robot.actuable_joints, robot.actuable_indices, strict=True)
            if np.isfinite(robot.lower_limits[i]) and np.isfinite(robot.upper_limits[i])
        ]
        joints = tuple(limited)
        n = len(joints)
        super().__init__(name, robot, n, joints)
        vector = {"shape": (n,), "broadcast": True, "labels": joints, "unit": "rad"}
        self._indices = robot.indices(joints)
        self.goal = self.declare(
            "margin",
            np.minimum(MARGIN, 2.0 * MARGIN_PART * self.half_range()),
            lower=0.0,
            description="distance from the limits to keep; less than half the range",
            **vector,
        )
        self.actual = self.declare(
            "actual_distance",
            0.0,
            access=Access.OUTPUT,
            description="distance to the nearer limit",
            **vector,
        )
        self.hysteresis = self.declare(
            "hysteresis",
            0.02,
            lower=0.0,
            description="distance beyond the margin at which `acts` ends",
            **vector,
        )
        self.acts: Parameter = self.declare(
            "acts",
            0.0,
            shape=(n,),
            broadcast=True,
            labels=joints,
            access=Access.OUTPUT,
            description="1 for joints that are held off a limit, else 0",
        )
        self.controller = PIDController(self, n, by_component=True, labels=joints, unit="rad")
        for gain, value in ((self.controller.kp, STIFFNESS), (self.controller.kd, DAMPING)):
            gain.assign(value)
            gain.default = gain.snapshot()

    def configure(self) -> None:
        """Allocate.

        Raises:
            ParameterError: No joint has limits.
        """
        if not self.dimension:
            raise ParameterError(
                f"{self.name}: found no joint with limits in the robot description, expected one"
            )
        super().configure()
        if self.projection is not None and set(np.unique(self.projection)) != {0.0, 1.0}:
            raise ParameterError(
                f"{self.name}.projection: found a mixture of joints, expected axes: limits are "
                "those of single joints"
            )

    def half_range(self) -> Array:
        """Return how far the middle of each joint's range is from its limits `(n,)`."""
        lower, upper = self.robot.lower_limits, self.robot.upper_limits
        half: Array = 0.5 * (upper[self._indices] - lower[self._indices])
        return half

    def latch_goal(self) -> None:
        """Leave the margin as it is: it does not depend on where the robot is."""
        self.controller.reset()

    def shapes(self) -> tuple[LimitShape, ...]:
        """A dial at each joint the task acts on."""
        projection = np.eye(self.dimension) if self.projection is None else self.projection
        return tuple(
            LimitShape(self.goal, self.actual, self.acts, row, int(self._indices[row]))
            for row in np.argmax(projection, axis=1).tolist()
        )

    def _update(self, model: RobotModel, state: TaskState) -> None:
        lower, upper = self.robot.lower_limits, self.robot.upper_limits
        for row, i in enumerate(self._indices):
            position = model.state.position[i]
            above, below = position - lower[i], upper[i] - position
            sign = 1.0 if above <= below else -1.0
            state.actual[row] = min(above, below)
            state.jacobian[row, BASE_DOFS + i] = sign
            state.velocity[row] = sign * model.state.velocity[i]
