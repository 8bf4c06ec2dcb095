"""Step: where a foot of a robot that walks shall stand."""

from collections.abc import Sequence
from typing import NamedTuple

from controlit_ros.client.client_errors import ClientError
from controlit_ros.errors import did_you_mean

SIDES = {"left": 1.0, "right": -1.0}
ROW = 7  # [numbers] of a step


class Step(NamedTuple):
    """A step to make.

    Attributes:
        foot: `left` or `right`.
        position: x, y, z of its contact point in the world [m].
        yaw: About z [rad].
        slope: How the ground rises there along x and y of the world [-].
    """

    foot: str
    position: Sequence[float]
    yaw: float = 0.0
    slope: Sequence[float] = (0.0, 0.0)


def step_numbers(steps: Sequence[Step], size: int) -> list[float]:
    """Return steps as the parameter of a behaviour takes them.

    Args:
        steps: In their order.
        size: Of the parameter.

    Raises:
        ClientError: They are too many, or one is of another foot.
    """
    if ROW * len(steps) > size:
        raise ClientError(f"found {len(steps)} footsteps, expected at most {size // ROW} at once")
    numbers = [0.0] * size
    for i, step in enumerate(steps):
        if step.foot not in SIDES:
            raise ClientError(
                f"footstep {i + 1}: found foot {step.foot!r}, expected left or right"
                f"{did_you_mean(step.foot, SIDES)}"
            )
        (x, y, z), (along_x, along_y) = step.position, step.slope
        row = (SIDES[step.foot], x, y, z, step.yaw, along_x, along_y)
        numbers[ROW * i : ROW * (i + 1)] = map(float, row)
    return numbers
