"""Explanation: what holds the tasks of a controller back, in words and numbers."""

from enum import Enum
from typing import Any, NamedTuple


class CauseKind(Enum):
    """What kind of thing holds something back."""

    STATE = "state"
    """The task is disabled, only senses, or the servo does not follow tasks now."""
    GAIN = "gain"
    """The control law asks for nothing."""
    SATURATION = "saturation"
    """The control law is at its largest velocity."""
    REFERENCE = "reference"
    """An intermediate goal is on its way."""
    GOAL = "goal"
    """The goal is beyond a joint limit."""
    REACH = "reach"
    """No posture reaches the goal."""
    PRIORITY = "priority"
    """A task of a higher level needs the direction."""
    LEVEL = "level"
    """A task of the same level wants something else."""
    JOINT_LIMIT = "joint limit"
    """A task of the kind of `JointLimit` acts."""
    COMPENSATION = "compensation"
    """A setting of the controller leaves out what would make up for it."""
    CONSTRAINT = "constraint"
    """A contact or a transmission forbids the direction."""
    SINGULARITY = "singularity"
    """No joint moves the task in the direction in this posture."""
    UNDERACTUATION = "underactuation"
    """Joints would, but nothing holds what they push against."""
    LIMIT = "limit"
    """A limit of the quadratic program is active."""
    CONTACT = "contact"
    """A contact pulls, slips, tips or twists."""
    GUARD = "guard"
    """The guard cut the effort of a joint."""
    FORCE = "force"
    """The joints have not the effort for the forces."""
    CONFLICT = "conflict"
    """One of a smallest set of limits that exclude each other."""


class Cause(NamedTuple):
    """One thing that holds something back.

    Attributes:
        kind: What kind of thing.
        name: What it is called: a joint, contact, task, constraint or parameter.
        text: A sentence about it.
        value: How much, see the text.
        unit: Of the value.
        tasks: Names of the tasks that it holds back.
    """

    kind: CauseKind
    name: str
    text: str
    value: float = 0.0
    unit: str = ""
    tasks: tuple[str, ...] = ()


class TaskAccount(NamedTuple):
    """What became of a task.

    Attributes:
        name: Of the task.
        state: enable, disable or sense.
        priority: The higher number wins.
        unit: Of what it commands.
        components: Names of the entries of the vectors below.
        error: Goal minus actual value.
        asked: What its control law asks for.
        got: What the effort that is sent does to it.
        missing: Asked minus got, without what the task does not act on.
        causes: What holds it back, the most important first.
    """

    name: str
    state: str
    priority: int
    unit: str
    components: tuple[str, ...]
    error: tuple[float, ...]
    asked: tuple[float, ...]
    got: tuple[float, ...]
    missing: tuple[float, ...]
    causes: tuple[Cause, ...]


class Explanation(NamedTuple):
    """Why a controller does what it does, at one moment.

    Attributes:
        stamp: When it was so, on the servo's clock [s].
        state: Of the servo; `offline` where none runs.
        controller: Name of the whole-body controller that computes.
        controller_type: What it is.
        causes: What holds the robot as a whole back.
        conflict: A smallest set of limits that exclude each other, each with what is missing if all
            others are kept.
        tasks: In the order of the configuration.
    """

    stamp: float
    state: str
    controller: str
    controller_type: str
    causes: tuple[Cause, ...]
    conflict: tuple[Cause, ...]
    tasks: tuple[TaskAccount, ...]

    def task(self, name: str) -> TaskAccount:
        """Return what became of a task.

        Raises:
            KeyError: There is none of that name.
        """
        for account in self.tasks:
            if account.name == name:
                return account
        raise KeyError(name)

    def only(self, name: str) -> "Explanation":
        """Return the same with one task alone; all for an empty name."""
        if not name:
            return self
        return self._replace(tasks=(self.task(name),))


def plain(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain values, for messages and JSON."""
    return {
        "state": explanation.state,
        "controller": explanation.controller,
        "controller_type": explanation.controller_type,
        "causes": [_plain_cause(cause) for cause in explanation.causes],
        "conflict": [_plain_cause(cause) for cause in explanation.conflict],
        "tasks": [
            {
                **account._asdict(),
                **{
                    name: list(getattr(account, name))
                    for name in ("components", "error", "asked", "got", "missing")
                },
                "causes": [_plain_cause(cause) for cause in account.causes],
            }
            for account in explanation.tasks
        ],
    }


def _plain_cause(cause: Cause) -> dict[str, Any]:
    return {**cause._asdict(), "kind": cause.kind.value, "tasks": list(cause.tasks)}
