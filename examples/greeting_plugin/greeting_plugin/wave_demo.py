"""WaveDemo: Dreamer lifts its right hand and waves."""

from controlit_demos.plugins import Demo, Program, Route, Stop
from controlit_ros.scripting import ControllerStack

HAND = "RightHandPosition"
ROUTE = (
    Stop("up", 2.0, {HAND: (0.15, -0.30, 0.95)}),
    Stop("out", 1.0, {HAND: (0.15, -0.36, 0.95)}),
    Stop("in", 1.0, {HAND: (0.15, -0.30, 0.95)}),
    Stop("down", 2.0, {HAND: (0.05, -0.30, 0.82)}, 0.5),
)


class WaveDemo(Demo):
    """Dreamer lifts its right hand and waves."""

    name = "wave"
    title = "Dreamer waves"
    configuration_name = "dreamer/hands.yaml"
    labels = {HAND: "right hand"}  # noqa: RUF012 - read only
    bounds = {HAND: 2.0}  # noqa: RUF012 - [cm] on average

    def program(self, stack: ControllerStack, seed: int) -> Program:
        """Return the wave, the same for every seed."""
        return Route(ROUTE)
