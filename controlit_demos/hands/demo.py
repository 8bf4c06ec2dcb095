"""HandsDemo: Dreamer's hands follow goals that another process sends over topics."""

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.posture_stops import posture_stops
from controlit_demos.programs.program import Program
from controlit_demos.programs.route import Route
from controlit_demos.running.demo import Demo
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.recording.paper_figures import DISASSEMBLY, HAND_BOUNDS

HAND_TASKS = {
    "RightHandPosition": "right hand position",
    "LeftHandPosition": "left hand position",
    "RightHandOrientation": "right hand orientation",
    "LeftHandOrientation": "left hand orientation",
}
"""Names of the tasks, and how they are shown."""


class HandsDemo(Demo):
    """Dreamer in simulation follows hand goals that a second process sends over topics.

    Both hands follow a fixed route.
    """

    name = "hands"
    title = "Dreamer, both hands"
    configuration_name = "dreamer/hands.yaml"
    labels = HAND_TASKS
    bounds = HAND_BOUNDS
    published = DISASSEMBLY

    def program(self, stack: ControllerStack, seed: int) -> Program:  # noqa: ARG002 - the same for every seed
        """Return the route; it is the same for every seed."""
        return Route(posture_stops(stack, HANDS_WAYPOINTS))
