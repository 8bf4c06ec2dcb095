"""Inequality: what commands keep, whatever the tasks want."""

from abc import ABC, abstractmethod
from enum import Enum

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.model import RobotDescription
from controlit_ros.parameters import Access, Parameter, ParameterError, ParameterReflection, blaming
from controlit_ros.tasks import AnyShape

SHORTEST_REACTION = 5  # [periods]: two make a model old, the rest is left for what it leaves out


class RowsOf(Enum):
    """What the rows of an inequality multiply."""

    ACCELERATION = "acceleration"
    """`(nv,)` v̇, base first, as in the columns of a Jacobian."""
    EFFORT = "effort"
    """`(na,)` τ of the command joints."""


class Inequality(ParameterReflection, ABC):
    """Rows `A x ≤ b` over accelerations or efforts.

    A plugin: the class is named in the entry point group `controlit.inequalities`; an entry of
    `inequalities` in the configuration makes one. A concrete one declares its parameters in
    `__init__` and implements `rows` and `update`.

    Args:
        name: Unique name.
        robot: The robot's structure.

    Attributes:
        enabled: Parameter: whether it is kept.
        missing: Output: by how much it cannot be kept.
        shortfall: By how much the rows themselves ask for less than would keep it.
        period: Of the servo [s]; known once configured.
    """

    rows_of = RowsOf.ACCELERATION
    unit = "m/s²"
    """Of what the rows bound."""

    def __init__(self, name: str, robot: RobotDescription) -> None:
        super().__init__(name)
        self.robot = robot
        self.period = 1e-3
        self.shortfall = 0.0
        self.enabled = self.declare("enabled", True, description="whether it is kept")
        self.missing = self.declare(
            "missing",
            0.0,
            unit=self.unit,
            access=Access.OUTPUT,
            description="by how much it is missed, since no effort keeps it beside what comes "
            "before it; 0: it is kept",
        )

    @property
    @abstractmethod
    def rows(self) -> int:
        """Most rows there are; fixed once configured."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What each row is about, for explanations; empty: all are about the same."""
        return ()

    def configure(
        self,
        constraints: ConstraintSet,  # noqa: ARG002 - some look at the contacts
        period: float,
    ) -> None:
        """Resolve names and take memory; called once, after the parameters are set.

        Args:
            constraints: Of the robot, configured.
            period: Of the servo [s].

        Raises:
            ParameterError: A name is unknown or a value does not fit the robot.
        """
        self.period = period

    @abstractmethod
    def update(self, model: ConstrainedModel, rows: Array, upper: Array) -> None:
        """Write the rows; servo thread, perhaps more than once a cycle.

        Args:
            model: The robot now.
            rows: `(rows, nv)` or `(rows, na)` A; zero before.
            upper: `(rows,)` b; infinite before, which bounds nothing.
        """

    def take_command(self, effort: Array) -> None:
        """Look at the effort `(na,)` that was computed; servo thread, once a cycle."""

    def restart(self) -> None:
        """Forget what was commanded: control begins; servo thread."""

    def shapes(self) -> tuple[AnyShape, ...]:
        """Return how it looks in space; nothing by default."""
        return ()

    def resolve_frame(self, parameter: Parameter, body: str) -> int:
        """Return the frame of a body that a parameter names.

        Raises:
            ParameterError: There is no such body; the text lists the nearest.
        """
        with blaming(parameter):
            return self.robot.frame_id(body)

    def declare_reaction(self) -> Parameter:
        """Declare the time within which a limit is met; `check_reaction` looks at it."""
        return self.declare(
            "reaction_time",
            0.02,
            lower=0.0,
            unit="s",
            access=Access.CONFIGURATION,
            description="time constant with which the limit is met: longer is smoother and keeps "
            f"further off; at least {SHORTEST_REACTION} servo periods",
        )

    def check_reaction(self, reaction: Parameter) -> None:
        """Refuse a time constant that a sampled loop cannot follow.

        Raises:
            ParameterError: It is too short.
        """
        least = SHORTEST_REACTION * self.period
        if reaction.value < least:
            raise ParameterError(
                f"{reaction.full_name}: found {reaction.value:g}, expected at least "
                f"{SHORTEST_REACTION} servo periods, {least:g} s"
            )
