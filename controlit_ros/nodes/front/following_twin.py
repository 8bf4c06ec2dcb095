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
        self._tasks = dict(zip(members.tasks, self._twin.tasks, strict=True))
        copies = self._twin.constraints.constraints
        self._constraints = dict(zip(members.constraints, copies, strict=True))

    def of(self, configuration: Configuration, members: Members) -> Twin:
        """Return the twin of the parts there are.

        Raises:
            ConfigurationError: One that came cannot be built once more.
        """
        twin = self._twin
        self._tasks = {
            task: self._tasks.get(task) or build_once_more(configuration, task, twin.robot)
            for task in members.tasks
        }
        self._constraints = {
            part: self._constraints.get(part) or build_once_more(configuration, part, twin.robot)
            for part in members.constraints
        }
        twin.constraints.adopt(tuple(self._constraints.values()))
        return twin._replace(tasks=tuple(self._tasks.values()))
