"""HandsDemo: Dreamer's hands follow goals that another process sends over topics."""

from controlit_ros.applications.demo import Demo
from controlit_ros.applications.goal_program import GoalProgram
from controlit_ros.applications.hands_waypoints import HANDS_WAYPOINTS
from controlit_ros.applications.paper_figures import HAND_BOUNDS
from controlit_ros.applications.posture_plan import PosturePlan
from controlit_ros.applications.task_topics import TaskTopics
from controlit_ros.nodes.controller_stack import ControllerStack

HAND_TASKS = {
    "RightHandPosition": "right hand position",
    "LeftHandPosition": "left hand position",
    "RightHandOrientation": "right hand orientation",
    "LeftHandOrientation": "left hand orientation",
}
"""Names of the tasks, and how they are shown."""

POSTURE = "Posture"


class HandsDemo(Demo):
    """Both hands follow a fixed plan."""

    name = "hands"
    title = "Dreamer, both hands"
    configuration_name = "dreamer/hands.yaml"
    labels = HAND_TASKS
    bounds = HAND_BOUNDS

    def program(self, stack: ControllerStack, seed: int) -> GoalProgram:  # noqa: ARG002
        """Return the plan; it is the same for every seed."""
        return PosturePlan(stack, HANDS_WAYPOINTS)

    def topics(self, stack: ControllerStack, name: str) -> TaskTopics:
        """Return the topics of a task; velocities of the posture gain less than they cost."""
        topics = super().topics(stack, name)
        return topics._replace(goal_velocity=None) if name == POSTURE else topics
