"""RowSource: where the rows of a constraint come from, for `kernels.constraint_rows`."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import row_layout as layout
from controlit_ros.kernels.bind import FORTRAN, address_of
from controlit_ros.model.frame_point import FramePoint
from controlit_ros.model.robot_model import RobotModel


class RowSource(NamedTuple):
    """Rows that are constant, or those of a point of a body.

    Attributes:
        dimension: How many.
        rows: `(dimension, nv)` constant rows; `None`: a point of a body.
        frame: Pinocchio's number of the body's frame.
        point: `(3,)` the point in the frame's axes, always the same memory [m].
        motion: What keeps its motion.
    """

    dimension: int
    rows: Array | None = None
    frame: int = 0
    point: Array | None = None
    motion: FramePoint | None = None

    def words(self, model: RobotModel) -> Indices:
        """Return its row of the table, for a model to read."""
        words: Indices = np.zeros(layout.COLUMNS, dtype=np.int64)
        words[layout.KIND], words[layout.COUNT] = layout.CONSTANT, self.dimension
        if self.rows is not None:
            words[layout.ROWS_AT] = address_of(self.rows)
            return words
        assert self.point is not None
        assert self.motion is not None
        body, motion = model.body(self.frame), self.motion
        words[layout.KIND], words[layout.POINT_AT] = layout.BODY, address_of(self.point)
        words[layout.ROTATION_AT] = address_of(body.rotation, FORTRAN)
        words[layout.TRANSLATION_AT : layout.COLUMNS] = [
            address_of(array)
            for array in (
                body.translation,
                body.frame,
                body.moves,
                motion.pose,
                motion.full_jacobian,
                motion.twists,
            )
        ]
        return words
