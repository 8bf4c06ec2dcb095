"""ReachWatch: tells of goals that no posture reaches, as can be seen without looking for one."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import RobotState
from controlit_ros.parameters import Parameter, Poster, Receipt
from controlit_ros.tasks import Task
from controlit_ros.tasks.reach import PointTask, Reach, distance_to, leads_to_world_point, reach_of

MARGIN = 1e-3  # [m] that links, limits and measurements of a real robot may be off
_ORIGIN: Array = np.zeros(3)


class Leash:
    """What a controlled point cannot leave while the root link of its robot rests.

    Args:
        task: Controls the point.
    """

    def __init__(self, task: PointTask) -> None:
        self.task = task
        self._root = task.robot.frame_id(task.robot.root_link)
        self._seen = -1
        self._reach = Reach(_ORIGIN, 0.0)

    @property
    def reach(self) -> Reach:
        """From the root link on, for the point that is controlled now."""
        revision = self.task.control_point.revision
        if revision != self._seen:
            self._reach = reach_of(self.task, self._root, _ORIGIN, holds_rotation=True)
            self._seen = revision
        return self._reach

    def doubt(self, goal: Array, state: RobotState) -> str:
        """Say how much too far a goal is; empty: it is not.

        Args:
            goal: `(3,)`, or a pose `(7,)`.
            state: Says where the root link is.
        """
        centre, length = self.reach
        task, frame = self.task, self.task.robot.pinocchio.frames[self._root]
        turn = pin.Quaternion(state.base_orientation).matrix()
        held = state.base_position + turn @ frame.placement.act(centre)
        distance = distance_to(task, goal, held)
        if distance <= length + MARGIN:
            return ""
        return (
            f"{task.goal.full_name}: the goal is {distance:.3f} m from where "
            f"{task.robot.root_link!r} holds the links that move, of which {task.body.value!r} "
            f"reaches {length:.3f} m in any posture"
        )


class ReachWatch:
    """A mailbox for goals of a robot that is bolted to the world: hands all on, and complains.

    A point is out of reach when it is farther from the first joint on the way to its body than all
    links after that are long. Goals in the frame of another body, and those of robots that can go
    there, are not looked at.

    Args:
        mailbox: Takes them to the servo.
        state: Says where the root link is, once it was measured.
        is_bolted: Whether that stays where it is.
        complain: Told the name of the task, and what is wrong with its goal.
    """

    def __init__(
        self,
        mailbox: Poster,
        state: RobotState,
        complain: Callable[[str, str], None],
        *,
        is_bolted: bool,
    ) -> None:
        self._mailbox = mailbox
        self._state = state
        self._complain = complain
        self._is_bolted = is_bolted
        self._leashes: dict[Parameter, Leash] = {}  # replaced as a whole: threads read it

    def watch(self, task: Task) -> None:
        """Look at the goals of a task from now on: it is there, or has come."""
        if self._is_bolted and leads_to_world_point(task):
            self._leashes = {**self._leashes, task.goal: Leash(task)}

    def forget(self, task: Task) -> None:
        """Look at them no more: it is about to leave."""
        self._leashes = {
            goal: leash for goal, leash in self._leashes.items() if leash.task is not task
        }

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing (see `Mailbox.post`)."""
        receipt = self._mailbox.post(values)
        for goal, value in values.items():
            leash = self._leashes.get(goal)
            if leash is not None and self._state.stamp != 0.0:
                doubt = leash.doubt(goal.validate(value), self._state)
                if doubt:
                    self._complain(leash.task.name, doubt)
        return receipt

    def check_read(self) -> None:
        """Check that the servo reads its mail."""
        self._mailbox.check_read()
