"""ModeParameters: the modes as events, expressions and services see them."""

import math
from collections.abc import Sequence

from controlit_ros.parameters import Access, Kind, Parameter, ParameterReflection

NAME = "modes"
LARGEST_TICKET = 2**31 - 1


class ModeParameters(ParameterReflection):
    """What is asked of the modes, and what they tell.

    Args:
        names: Of the modes.
        initial: The one that begins.
        is_floating: Whether the robot has a base that can tilt and fall.
    """

    def __init__(self, names: Sequence[str], initial: str, *, is_floating: bool) -> None:
        super().__init__(NAME)
        self.asked = self.declare(
            "asked", initial, choices=tuple(names), description="mode that is asked for"
        )
        self.ticket = self.declare(
            "ticket",
            0,
            kind=Kind.INTEGER,
            lower=0,
            upper=LARGEST_TICKET,
            description="number of the request, which the answer repeats",
        )
        self.mode = self.declare(
            "mode", initial, access=Access.OUTPUT, description="mode that is confirmed"
        )
        self.duration = self.declare(
            "duration",
            0.0,
            unit="s",
            access=Access.OUTPUT,
            description="how long that has been",
        )
        self.leading = self.declare(
            "leading",
            False,
            access=Access.OUTPUT,
            description="whether goals are on their way to where the mode leads them",
        )
        self.tilt: Parameter | None = None
        self.base_height: Parameter | None = None
        if not is_floating:
            return
        self.tilt = self.declare(
            "tilt",
            0.0,
            unit="rad",
            access=Access.OUTPUT,
            description="angle between the vertical axis of the base and that of the world",
        )
        self.base_height = self.declare(
            "base_height",
            0.0,
            unit="m",
            access=Access.OUTPUT,
            description="height of the base in the world",
        )
        self.base_height.value = math.nan  # no comparison holds before it is known
