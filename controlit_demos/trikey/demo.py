"""TrikeyDemo: a base on three omni wheels drives a route and turns as it goes."""

from math import cos, pi, sin

from controlit_demos.programs.program import Program
from controlit_demos.programs.route import Route
from controlit_demos.programs.stop import Stop
from controlit_demos.running.demo import Demo
from controlit_ros.nodes.controller_stack import ControllerStack

POSITION, HEADING = "Position", "Heading"
HEIGHT = 0.1  # [m] of the axles, which the wheels hold


def _stop(
    name: str, duration: float, place: tuple[float, float], yaw: float, pause: float = 0.0
) -> Stop:
    goals = {POSITION: (*place, HEIGHT), HEADING: (cos(yaw), sin(yaw), 0.0)}
    return Stop(name, duration, goals, pause)


ROUTE = (
    _stop("ahead", 3.0, (1.0, 0.0), 0.0, pause=0.5),
    _stop("sideways", 3.0, (1.0, 1.0), 0.0, pause=0.5),
    _stop("turn on the spot", 3.0, (1.0, 1.0), pi / 2, pause=0.5),
    _stop("diagonal, turning", 4.0, (0.0, 0.5), pi, pause=0.5),
    _stop("bend", 2.0, (-0.5, 0.0), -3 * pi / 4),
    _stop("bend on", 2.0, (0.0, -0.5), -pi / 2),
    _stop("home", 3.0, (0.0, 0.0), 0.0, pause=2.0),
)
"""24 s from and to the origin of the floor."""


LABELS = {POSITION: "position", HEADING: "heading"}
"""Names of the tasks, and how they are shown."""

BOUNDS = {POSITION: 1.0, HEADING: 1.0}
"""What mean errors must not exceed, in cm and degrees."""


class TrikeyDemo(Demo):
    """A base on three omni wheels drives a route and turns as it goes.

    Position and heading follow a fixed route, independent of each other.
    """

    name = "trikey"
    title = "Trikey, omni wheels"
    configuration_name = "trikey/drive.yaml"
    labels = LABELS
    bounds = BOUNDS

    def program(self, stack: ControllerStack, seed: int) -> Program:  # noqa: ARG002 - the same for every seed
        """Return the route; it is the same for every seed."""
        return Route(ROUTE)
