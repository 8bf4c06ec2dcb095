"""Session: what a client knows of a controller while that runs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.client.arrival_check import ArrivalCheck
from controlit_ros.client.client_errors import ClientError
from controlit_ros.client.description import TaskDescription, describe_tasks
from controlit_ros.client.link import ControllerLink
from controlit_ros.client.motions import Motions
from controlit_ros.client.parameters import unknown
from controlit_ros.client.topic_value import TopicValue
from controlit_ros.interfaces import Message

JOINT_STATE = "sensor_msgs/msg/JointState"


class JointState(NamedTuple):
    """A measurement of all joints.

    Attributes:
        names: Of the joints.
        position: `(n,)` [rad or m].
        velocity: `(n,)` [rad/s or m/s].
        effort: `(n,)` [N m or N].
    """

    names: tuple[str, ...]
    position: Array
    velocity: Array
    effort: Array

    def of(self, name: str) -> float:
        """Return the position of one joint.

        Raises:
            UnknownNameError: There is none of that name.
        """
        if name not in self.names:
            raise unknown("the robot", "joint", name, list(self.names))
        return float(self.position[self.names.index(name)])


class Session:
    """Tasks, topics and motions of one controller, until it goes away.

    Args:
        link: The way to it.
        rate: Goals per second and task [Hz].

    Attributes:
        link: The same.
        tasks: By name, as they were when they were asked for last.
        motions: Those under way.
        joints: The newest measurement.
    """

    def __init__(self, link: ControllerLink, rate: float) -> None:
        self.link = link
        self.tasks: Mapping[str, TaskDescription] = {}
        self.motions = Motions(link, rate)
        self.joints = TopicValue(link, "diagnostics/jointState", JOINT_STATE, _joint_state)
        self._outputs: dict[tuple[str, str], TopicValue[Any]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Ask which tasks there are: others may have come or gone."""
        before, link = self.tasks, self.link
        self.tasks = describe_tasks(
            link.ask("diagnostics/getTaskParameters"), link.ask("diagnostics/getBindings")
        )
        for name, known in before.items():
            now = self.tasks.get(name)
            if now is None or now.type != known.type:
                self._forget(name)

    def learn(self, name: str) -> None:
        """Ask of one task that is new."""
        link = self.link
        found = describe_tasks(
            link.ask("diagnostics/getTaskParameters", task=name),
            link.ask("diagnostics/getBindings"),
        )
        self.tasks = {**self.tasks, **found}

    def unlearn(self, name: str) -> None:
        """Forget a task that is gone."""
        self.tasks = {known: task for known, task in self.tasks.items() if known != name}
        self._forget(name)

    def _forget(self, name: str) -> None:
        """Give up what leads to a task that is gone."""
        self.motions.forget(name)
        for key in [key for key in self._outputs if key[0] == name]:
            self._outputs.pop(key).close()

    def task(self, name: str) -> TaskDescription:
        """Return a task.

        Raises:
            UnknownNameError: There is none of that name; the text has the nearest.
        """
        if name not in self.tasks:
            self.refresh()
        try:
            return self.tasks[name]
        except KeyError:
            raise unknown(self.link.name, "task", name, list(self.tasks)) from None

    def output(self, name: str, role: str) -> Any:
        """Return the newest of what a task puts out: `actual`, `error` or `error_norm`.

        Raises:
            ClientError: It is bound to no topic.
            WaitTimeoutError: Nothing comes.
        """
        if role not in self.task(name).outputs:
            raise ClientError(f"{name}: no topic is bound to its {role}")
        return self._output(name, role).get()

    def arrival(self, name: str, tolerance: float, moved: Flags | None) -> ArrivalCheck:
        """Return what decides whether a task has followed its goal.

        Args:
            name: Of the task.
            tolerance: Largest error that counts as arrived [m, rad].
            moved: `(k,)` which numbers of the goal move; `None`: all.
        """
        task = self.task(name)
        entries = None
        if task.goal.labels and "error" in task.outputs:
            every: Flags = np.ones(len(task.goal.labels), dtype=np.bool_)
            entries = np.flatnonzero(every if moved is None or not moved.any() else moved)
        roles = ("error_norm" if entries is None else "error", "actual")
        outputs = {role: self._output(name, role) for role in roles if role in task.outputs}
        return ArrivalCheck(outputs, entries, tolerance)

    def _output(self, name: str, role: str) -> TopicValue[Any]:
        value = self._outputs.get((name, role))
        if value is None:
            topic, travel = self.task(name).outputs[role]

            def read(message: Message) -> Any:
                found = travel.from_message(message)
                return np.array(list(found.values())) if isinstance(found, Mapping) else found

            value = TopicValue(self.link, topic, travel.type_name, read)
            self._outputs[name, role] = value
        return value

    def close(self) -> None:
        """Let motions come to rest, and forget all."""
        self.motions.leave()
        self.motions.close()
        self.link.close()


def _joint_state(message: Message) -> JointState:
    return JointState(
        tuple(str(name) for name in message.name),
        np.array(message.position),
        np.array(message.velocity),
        np.array(message.effort),
    )
