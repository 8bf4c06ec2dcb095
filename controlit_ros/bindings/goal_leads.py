"""GoalLeads: who leads the goal of each task."""

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

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


class Led(NamedTuple):
    """Who leads how much of a goal.

    Attributes:
        lead: Who.
        part: Indices of its components; `None`: all.
    """

    lead: GoalLead
    part: frozenset[int] | None

    def meets(self, other: "Led") -> bool:
        """Return whether both lead a component, or are one."""
        if self.part is None or other.part is None:
            return True
        return self.lead is other.lead or not self.part.isdisjoint(other.part)


class GoalLeads:
    """One lead of each component of a task: the later takes over where the earlier is.

    Args:
        check: Raises a `ControlItError` if the goal of a task is not taken at present.

    Attributes:
        lock: Held while a lead posts, ends or changes; may be taken again by who holds it.
    """

    def __init__(self, check: Callable[[str], None] = lambda _task: None) -> None:
        self._check = check
        self.lock: AbstractContextManager[bool] = threading.RLock()
        self._leads: dict[str, list[Led]] = {}
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
        samples = [(led.part, led.lead.sample(task, now)) for led in self._of(task)]
        if not samples:
            return None
        (_, found), *others = samples
        for part, sample in others:
            _overlay(found, sample, sorted(part or ()))
        return found

    def take(
        self, task: str, lead: GoalLead, now: float, part: Iterable[int] | None = None
    ) -> None:
        """Let somebody lead a task, instead of whoever did.

        Args:
            task: Its name.
            lead: Who leads from now on.
            now: The present time [s].
            part: Indices of the components of its goal; others may lead the rest. `None`: all.

        Raises:
            ControlItError: Its goal is not taken at present.
        """
        self.check(task)
        new = Led(lead, None if part is None else frozenset(part))
        for led in self._of(task):
            if led.meets(new):
                self.leave(task, led.lead)
                led.lead.give_way(task, now, TAKEN_OVER.format(task=task))
        self._leads.setdefault(task, []).append(new)

    def parts(self, task: str) -> frozenset[int]:
        """Return which components somebody leads who leads not all of them."""
        return frozenset().union(*(led.part or () for led in self._of(task)))

    def check(self, task: str) -> None:
        """Check that the goal of a task is taken at present.

        Raises:
            ControlItError: It is not; the text says why.
        """
        self._check(task)

    def leave(self, task: str, lead: GoalLead) -> None:
        """Lead a task no longer; nothing happens if another does by now."""
        left = [led for led in self._of(task) if led.lead is not lead]
        if left:
            self._leads[task] = left
        else:
            self._leads.pop(task, None)

    def end(self, task: str, now: float, why: str) -> None:
        """End whoever leads a task."""
        for led in self._leads.pop(task, ()):
            led.lead.give_way(task, now, why)

    def is_led(self, task: str) -> bool:
        """Return whether somebody leads a task."""
        return task in self._leads

    def _of(self, task: str) -> tuple[Led, ...]:
        return tuple(self._leads.get(task, ()))

    def led(self, values: Mapping[Parameter, Any]) -> set[str]:
        """Return the tasks that somebody leads, out of those that values are for."""
        return {task for p in values if (task := self._tasks.get(p, "")) in self._leads}


def _overlay(found: TrajectorySample, sample: TrajectorySample, part: list[int]) -> None:
    """Write components of a sample over those of another."""
    for values, own in zip(found, sample, strict=True):
        values[part] = own[part]


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
