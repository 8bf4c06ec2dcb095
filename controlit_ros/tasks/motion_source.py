"""MotionSource: what a task controls of a body or of joints, for `kernels.task_motions`."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import motion_layout as layout
from controlit_ros.kernels.bind import FORTRAN, address_of
from controlit_ros.model.robot_model import RobotModel
from controlit_ros.tasks.state_pair import StatePair


class MotionSource(NamedTuple):
    """Some rows of a task.

    Attributes:
        kind: See `kernels.motion_layout`.
        frame: Pinocchio's number of the frame; of joints, nothing.
        given: The point or direction in the frame's axes, or numbers of joints; always the same
            memory.
        rows: Which of the task's rows it is.
        entries: Which of its actual values.
    """

    kind: int
    frame: int = 0
    given: Array | Indices | None = None
    rows: slice = slice(None)
    entries: slice = slice(None)

    def words(self, model: RobotModel, states: StatePair) -> Indices:
        """Return its row of the table.

        Args:
            model: What it reads.
            states: What it writes.
        """
        words: Indices = np.zeros(layout.COLUMNS, dtype=np.int64)
        words[layout.KIND], words[layout.WHICH_AT] = self.kind, states.which_at
        if self.given is not None:
            words[layout.GIVEN_AT], words[layout.COUNT] = address_of(self.given), len(self.given)
        if self.kind != layout.JOINTS:
            body = model.body(self.frame)
            words[layout.ROTATION_AT : layout.MOVES_AT + 1] = (
                address_of(body.rotation, FORTRAN),
                address_of(body.translation),
                address_of(body.frame),
                address_of(body.moves),
            )
        for k, state in enumerate(states.both):
            start = layout.RESULTS + layout.OF_A_STATE * k
            words[start : start + layout.OF_A_STATE] = (
                address_of(state.actual[self.entries]),
                address_of(state.jacobian[self.rows]),
                address_of(state.velocity[self.rows]),
                address_of(state.bias[self.rows]),
            )
        return words
