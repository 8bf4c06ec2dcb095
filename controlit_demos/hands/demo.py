"""HandsDemo: Dreamer's hands follow goals that another process sends over topics."""

from controlit_demos.hands.waypoints import HANDS_WAYPOINTS
from controlit_demos.programs.goal_program import GoalProgram
from controlit_demos.programs.posture_plan import PosturePlan
from controlit_demos.running.demo import Demo
from controlit_demos.running.task_topics import TaskTopics
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.recording.paper_figures import DISASSEMBLY, HAND_BOUNDS

HAND_TASKS = {
    "RightHandPosition": "right hand position",
    "LeftHandPosition": "left hand position",
    "RightHandOrientation": "right hand orientation",
    "LeftHandOrientation": "left hand orientation",
}
"""Names of the tasks, and how they are shown."""

POSTURE = "Posture"


class HandsDemo(Demo):
    """Dreamer in simulation follows hand goals that a second process sends over topics.

    Both hands follow a fixed plan.
    """

    name = "hands"
    title = "Dreamer, both hands"
    configuration_name = "dreamer/hands.yaml"
    labels = HAND_TASKS
    bounds = HAND_BOUNDS
    published = DISASSEMBLY

    def program(self, stack: ControllerStack, seed: int) -> GoalProgram:  # noqa: ARG002 - the same for every seed
        """Return the plan; it is the same for every seed."""
        return PosturePlan(stack, HANDS_WAYPOINTS)

    def topics(self, stack: ControllerStack, name: str) -> TaskTopics:
        """Return the topics of a task; velocities of the posture gain less than they cost."""
        topics = super().topics(stack, name)
        return topics.without_velocity() if name == POSTURE else topics
