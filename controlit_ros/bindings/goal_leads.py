"""GoalLeads: who leads the goal of each task."""

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from controlit_ros.parameters import Parameter, Poster, Receipt
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.tasks import Task

TAKEN_OVER = "another goal of {task} took over"


class GoalLead(Protocol):
    """Something that leads the goal of a task over time."""

    def sample(self, task: str, now: float) -> TrajectorySample:
        """Return where the goal of a task is at a time [s], and how it moves."""

    def give_way(self, task: str, now: float, why: str) -> None:
        """Lead that task no longer: somebody else does from now on, or nobody."""


class GoalLeads:
    """One lead a task: the later takes over where the earlier is.

    Attributes:
        lock: Held while a lead posts, ends or changes; may be taken again by who holds it.
    """

    def __init__(self) -> None:
        self.lock: AbstractContextManager[bool] = threading.RLock()
        self._leads: dict[str, GoalLead] = {}
        self._tasks: dict[Parameter, str] = {}

    def watch(self, task: Task) -> None:
        """Know the parameters that lead a task."""
        for parameter in (task.goal, task.goal_velocity, task.goal_acceleration, task.tare):
            if parameter is not None:
                self._tasks[parameter] = task.name

    def forget(self, task: Task) -> None:
        """Know them no more: the task has left."""
        leaving = set(task.parameters.values())
        self._tasks = {p: name for p, name in self._tasks.items() if p not in leaving}

    def present(self, task: str, now: float) -> TrajectorySample | None:
        """Return where the goal of a task is and how it moves; `None`: nobody leads it."""
        lead = self._leads.get(task)
        return None if lead is None else lead.sample(task, now)

    def take(self, task: str, lead: GoalLead, now: float) -> None:
        """Let somebody lead a task, instead of whoever did."""
        self.end(task, now, TAKEN_OVER.format(task=task))
        self._leads[task] = lead

    def leave(self, task: str, lead: GoalLead) -> None:
        """Lead a task no longer; nothing happens if another does by now."""
        if self._leads.get(task) is lead:
            del self._leads[task]

    def end(self, task: str, now: float, why: str) -> None:
        """End whoever leads a task."""
        lead = self._leads.pop(task, None)
        if lead is not None:
            lead.give_way(task, now, why)

    def led(self, values: Mapping[Parameter, Any]) -> set[str]:
        """Return the tasks that somebody leads, out of those that values are for."""
        return {task for p in values if (task := self._tasks.get(p, "")) in self._leads}


class GoalsOfOthers:
    """A mailbox for goals that no lead sends: whoever leads such a task gives way.

    Args:
        mailbox: Takes them to the servo.
        leads: Who gives way.
        now: Returns the time [s].
    """

    def __init__(self, mailbox: Poster, leads: GoalLeads, now: Callable[[], float]) -> None:
        self._mailbox = mailbox
        self._leads = leads
        self._now = now

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing (see `Mailbox.post`)."""
        leads = self._leads
        if not leads.led(values):
            return self._mailbox.post(values)
        with leads.lock:
            receipt = self._mailbox.post(values)
            for task in leads.led(values):
                leads.end(task, self._now(), TAKEN_OVER.format(task=task))
            return receipt

    def check_read(self) -> None:
        """Check that the servo reads its mail."""
        self._mailbox.check_read()
