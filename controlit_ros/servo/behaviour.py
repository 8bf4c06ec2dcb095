"""Behaviour: what leads tasks and contacts on the servo's clock."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from controlit_ros.constraints import Constraint
from controlit_ros.model import RobotDescription, RobotModel
from controlit_ros.parameters import Parameter, ParameterReflection
from controlit_ros.tasks import AnyShape, Task


class LedParts(NamedTuple):
    """What a behaviour may lead, by name.

    Attributes:
        tasks: All there are at the start.
        constraints: All there are at the start.
    """

    tasks: Mapping[str, Task]
    constraints: Mapping[str, Constraint]


class Moment(NamedTuple):
    """What a behaviour knows of the cycle that it is in.

    Attributes:
        now: Time on the servo's clock [s].
        model: The robot as it was when the active model was made; at most some cycles old.
        may_switch: Whether parameters that an updater reads may be assigned: `operational_state`
            of tasks and constraints among them. If not, `Behaviour.waits` makes it so soon.
    """

    now: float
    model: RobotModel
    may_switch: bool


class Behaviour(ParameterReflection, ABC):
    """Assigns goals of tasks, and switches tasks and contacts, in the cycle in which it must be.

    A plugin: the class is named in the entry point group `controlit.behaviours`, and stands in the
    section `behaviours` of a file. It declares its parameters in `__init__`; clients set and bind
    them like all others. Nothing it does is hidden: it assigns the same parameters that clients do.

    `begin` and `step` run in the servo thread while control is active: they neither wait nor log,
    and allocate nothing that lasts. What raises leads to the safe state; control begins anew after.

    Args:
        name: Unique name.
        robot: The robot's structure.

    Attributes:
        waits: Whether it waits until it may switch; updaters then get no new work.
        complaint: What keeps it from what it is asked for, a warning; empty: nothing.
    """

    waits = False
    complaint = ""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name)
        self.robot = robot

    @property
    def commands(self) -> tuple[Parameter, ...]:
        """Vectors that lead the robot, zero: nowhere, which modes may refuse; none by default."""
        return ()

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return how it looks in space, once configured; nothing by default."""
        return ()

    @abstractmethod
    def configure(self, parts: LedParts) -> None:
        """Find what is led; called once, after the parameters are set.

        Raises:
            ParameterError: A part is unknown or of the wrong type.
        """

    @abstractmethod
    def begin(self, moment: Moment) -> None:
        """Begin where the robot is; control has become active, goals are where the robot is."""

    @abstractmethod
    def step(self, moment: Moment) -> None:
        """Lead on; once a cycle, before contacts and tasks are computed."""
