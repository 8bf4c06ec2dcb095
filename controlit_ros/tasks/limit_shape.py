"""LimitShape: a goal and an actual value that are distances of a joint from its limit."""

from typing import NamedTuple

from controlit_ros.parameters import Parameter


class LimitShape(NamedTuple):
    """What a display draws of a joint that shall keep away from its limits.

    Attributes:
        goal: Distances to keep from the nearer limits [rad] or [m].
        actual: Those distances now [rad] or [m].
        acts: Above zero where a joint is held off its limit.
        row: Which entry of these vectors is the joint's.
        joint: Index of the real joint.
    """

    goal: Parameter
    actual: Parameter
    acts: Parameter
    row: int
    joint: int
