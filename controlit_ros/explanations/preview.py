"""Preview: what a change would do, before it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.explanations.explanation import Explanation

if TYPE_CHECKING:  # clients read previews, and need no robot's dynamics for that
    from controlit_ros.constraints import ConstrainedModel
    from controlit_ros.tasks import CompoundTask

SMALL = 1e-6  # [-] of the largest singular value: a direction that counts for none


class PreviewedLevel(NamedTuple):
    """What a level of tasks asks for.

    Attributes:
        priority: The higher number wins.
        rows: How many there are.
        directions: How many of them are independent, of the levels above, too, and moved by joints
            under the constraints.
    """

    priority: int
    rows: int
    directions: int


class Preview(NamedTuple):
    """What a change would do to a robot that is where it is now.

    Attributes:
        explanation: What tasks would ask for and get, and which limits would hold them back.
        joints: Names of those that are commanded, `(na,)`.
        effort_now: `(na,)` what is sent now [N m, N].
        effort: `(na,)` what would be sent; not a number where there would be no command.
        levels: Highest first.
    """

    explanation: Explanation
    joints: tuple[str, ...]
    effort_now: Array
    effort: Array
    levels: tuple[PreviewedLevel, ...]


def level_rows(stack: CompoundTask, model: ConstrainedModel) -> tuple[PreviewedLevel, ...]:
    """Return the levels of a stack.

    A level has the directions that `J UNc̄ Φ` gains by its rows; those of one priority are one.
    """
    moved: Array = stack.jacobian @ model.UNc_bar @ model.Phi
    ends: dict[int, int] = {}
    for level in stack.levels:
        ends[level.priority] = level.rows.stop
    found, start, before = [], 0, 0
    for priority, end in ends.items():
        rank = int(np.linalg.matrix_rank(moved[:end], rtol=SMALL)) if end else 0
        found.append(PreviewedLevel(priority, end - start, rank - before))
        start, before = end, rank
    return tuple(found)
