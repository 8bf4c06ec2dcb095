"""GoalFrame: the frame a task's goal is given in."""

from collections.abc import Callable

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.model.world import WORLD
from controlit_ros.parameters import Access, Parameter, ParameterReflection

LATCHED = "latched"
TRACKING = "tracking"
_ORIGIN = np.zeros(3)


class GoalFrame:
    """The world, or a body: as it moves (`tracking`), or where it was (`latched`).

    A latched frame is the body's frame at the moment the task began to act, and rests in the world
    from then on.

    Args:
        owner: The task; receives the parameters `frame` and `frame_mode`.
        robot: The robot's structure.

    Attributes:
        motion: Motion of the frame after `update`; meaningless for the world.
    """

    def __init__(self, owner: ParameterReflection, robot: RobotDescription) -> None:
        self.frame = owner.declare(
            "frame",
            WORLD,
            access=Access.CONFIGURATION,
            description="frame of goal and error: world, or a body",
        )
        self.mode = owner.declare(
            "frame_mode",
            TRACKING,
            choices=(LATCHED, TRACKING),
            access=Access.CONFIGURATION,
            description="tracking: the goal moves with the body of the frame; latched: it stays "
            "where that was when the task began to act",
        )
        self.motion = FramePoint(robot.nv)
        self._index: int | None = None
        self._latched_at = -1

    def configure(self, resolve: Callable[[Parameter], int]) -> None:
        """Resolve the frame's name."""
        self._index = None if self.frame.value == WORLD else resolve(self.frame)

    @property
    def is_world(self) -> bool:
        """Whether goals are given in the world."""
        return self._index is None

    @property
    def is_latched(self) -> bool:
        """Whether the frame is taken anew each time the task begins to act."""
        return self._index is not None and bool(self.mode.value == LATCHED)

    def update(self, model: RobotModel, epoch: int) -> FramePoint:
        """Compute the frame's motion; task updater thread.

        Args:
            model: The model to read.
            epoch: Changes each time the task begins to act.
        """
        assert self._index is not None
        if not self.is_latched:
            self.motion.update(model, self._index, _ORIGIN)
        elif epoch != self._latched_at:
            self.motion.update(model, self._index, _ORIGIN)
            self.motion.full_jacobian.fill(0.0)
            self.motion.twists.fill(0.0)
            self._latched_at = epoch
        return self.motion

    def rest(self, rotation: Array, position: Array, epoch: int) -> None:
        """Stay where another one like this was latched.

        Args:
            rotation: `(3, 3)` its axes in the world.
            position: `(3,)` [m].
            epoch: That of the task.
        """
        motion = self.motion
        np.copyto(motion.rotation, rotation)
        np.copyto(motion.position, position)
        motion.full_jacobian.fill(0.0)
        motion.twists.fill(0.0)
        self._latched_at = epoch
