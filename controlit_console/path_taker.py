"""PathTaker: takes the path that the goal of a task goes, whoever leads it."""

import threading
from collections.abc import Callable

import numpy as np

from controlit_console.console_error import ConsoleError
from controlit_console.goal_path import MOST, GoalPath
from controlit_ros.arrays import Array
from controlit_ros.client import Robot
from controlit_ros.interfaces import Message, decode
from controlit_ros.transport import DEFAULT, Subscription

GOAL = "goal_"
NUMBERS: dict[str, Callable[[Message], list[float]]] = {
    "geometry_msgs/msg/Point": lambda m: [m.x, m.y, m.z],
    "geometry_msgs/msg/Vector3": lambda m: [m.x, m.y, m.z],
    "geometry_msgs/msg/Quaternion": lambda m: [m.x, m.y, m.z, m.w],
    "geometry_msgs/msg/Pose": lambda m: [
        *(getattr(m.position, axis) for axis in "xyz"),
        *(getattr(m.orientation, axis) for axis in "xyzw"),
    ],
    "sensor_msgs/msg/JointState": lambda m: list(m.position),
    "std_msgs/msg/Float64MultiArray": lambda m: list(m.data),
}
"""How the goals that a controller publishes are read."""


class PathTaker:
    """Keeps the goals of a task as they come until it is told to end, at most `MOST`.

    Args:
        robot: Whose task it is.
        task: Its name.

    Raises:
        ConsoleError: The goals of the task are not published.
    """

    def __init__(self, robot: Robot, task: str) -> None:
        self._task = task
        self._rows: list[tuple[float, list[float]]] = []
        self._lock = threading.Lock()
        self._subscription = self._listen(robot, task)

    def __len__(self) -> int:
        return len(self._rows)

    def end(self) -> GoalPath:
        """Return the path; what rested before it began and after it ended is left out.

        Raises:
            ConsoleError: The goal did not move.
        """
        self._subscription.close()
        with self._lock:
            rows = list(self._rows)
        moved = [i for i in range(1, len(rows)) if rows[i][1] != rows[i - 1][1]]
        if not moved:
            raise ConsoleError(f"the goal of {self._task} did not move")
        rows = rows[moved[0] - 1 : moved[-1] + 1]
        times = np.array([at for at, _ in rows])
        times[0] = max(times[0], times[1] - 0.1)  # it rested for long before
        goals: Array = np.array([goal for _, goal in rows])
        newest = np.maximum.accumulate(times)  # a clock may be set back
        kept = np.concatenate([[True], times[1:] > newest[:-1]])
        return GoalPath(self._task, times[kept] - times[0], goals[kept])

    def _listen(self, robot: Robot, task: str) -> Subscription:
        link = robot.session.link
        goal = robot.session.task(task).goal.name
        topic = link.topic(f"{task}/{goal.replace(GOAL, 'reference_', 1)}")
        types = [
            t for info in link.transport.graph().topics if info.name == topic for t in info.types
        ]
        if not types or types[0] not in NUMBERS:
            raise ConsoleError(f"the goals of {task} are not published on {topic}")
        read = NUMBERS[types[0]]

        def take(data: bytes, sent: int) -> None:  # here they come in bursts where it is busy
            with self._lock:
                if len(self._rows) < MOST:
                    self._rows.append((1e-9 * sent, read(decode(types[0], data))))

        return link.transport.subscribe_raw(topic, types[0], take, DEFAULT)
