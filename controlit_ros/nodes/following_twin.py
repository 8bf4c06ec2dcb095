"""FollowingTwin: the twin of a controller whose parts come and go."""

from controlit_ros.configuration import Configuration
from controlit_ros.explanations.twin import Twin
from controlit_ros.nodes.building.additions import build_once_more
from controlit_ros.nodes.building.control_parts import build_twin
from controlit_ros.servo.members import Members


class FollowingTwin:
    """Builds the parts of a controller once more, those that come later when they are asked for.

    Args:
        configuration: Of the controller.
        members: Its parts, of which there are copies then.

    Raises:
        ConfigurationError: They cannot be built.
    """

    def __init__(self, configuration: Configuration, members: Members) -> None:
        self._twin = build_twin(configuration)
        self._copies = dict(zip(members.tasks, self._twin.tasks, strict=True))

    def of(self, configuration: Configuration, members: Members) -> Twin:
        """Return the twin of the parts there are.

        Raises:
            ConfigurationError: One that came cannot be built once more.
        """
        robot = self._twin.robot
        self._copies = {
            task: self._copies.get(task) or build_once_more(configuration, task.name, robot)
            for task in members.tasks
        }
        return self._twin._replace(tasks=tuple(self._copies.values()))
