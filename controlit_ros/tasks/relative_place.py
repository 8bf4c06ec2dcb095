"""How a point moves as seen from the frame of a goal."""

from controlit_ros.arrays import Array
from controlit_ros.kernels import relative_position
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.tasks.task_state import TaskState

_ALL = slice(None)


def write_relative_place(
    frame: FramePoint,
    position: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
    state: TaskState,
    rows: slice = _ALL,
) -> None:
    """Write where a point is in a frame that moves itself, and how it moves there.

    Args:
        frame: Of the goal.
        position: `(3,)` of the point, world frame [m].
        jacobian: `(3 or more, nv)` of the point, as the next two; the first three count.
        velocity: `(3 or more,)` J v [m/s].
        bias: `(3 or more,)` J̇ v [m/s²].
        state: Result.
        rows: Which three of its rows and entries.
    """
    relative_position(
        position,
        jacobian,
        velocity,
        bias,
        frame.rotation,
        frame.position,
        frame.full_jacobian,
        frame.twists,
        True,
        state.actual[rows],
        state.jacobian[rows],
        state.velocity[rows],
        state.bias[rows],
    )
